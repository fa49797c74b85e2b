import { queryOptions } from "@tanstack/react-query";
import {
  type LatencyStep,
  listLatency,
  listOwnLatency,
  type OwnLatency,
  type OwnLatencyGrouping,
} from "@tollgate/contract/api/usage";
import { callEndpoint } from "../call-endpoint";
import { queriesLists } from "../status";
import type { UsageFilter } from "./usage-query";
import { clockOffsetMinutes, type UsageRange } from "./usage-range";

interface LatencyRequest {
  range: UsageRange;
  step: LatencyStep;
  filter: UsageFilter;
}

/** Percentiles of all users' requests for administrators, by model and channel; otherwise of one's own, by model. */
export type LatencyScope =
  | { isAll: true; by: "none" | "model" | "channel" }
  | { isAll: false; by: OwnLatencyGrouping };

/**
 * Whether percentiles of these requests are known. All users' are counted by model and channel only; one's own are
 * computed from log lines, by servers that sort lists in any order.
 */
export const hasLatency = (isAll: boolean, { username, token }: UsageFilter): boolean =>
  isAll ? username === undefined && token === undefined : queriesLists();

/** p50 and p95 of durations. A server without this call answers with an error, which is not reported. */
export const latencyQuery = ({ range, step, filter, ...scope }: LatencyRequest & LatencyScope) =>
  queryOptions({
    queryKey: ["usage", "latency", scope, range, step, filter],
    queryFn: async ({ signal }): Promise<OwnLatency> => {
      const query = {
        start_timestamp: range.from,
        end_timestamp: range.to,
        step,
        offset_minutes: clockOffsetMinutes(),
        model_name: filter.model,
      };
      if (!scope.isAll) {
        const own = { ...query, by: scope.by, token_name: filter.token };
        return callEndpoint(listOwnLatency, { query: own }, signal);
      }
      const all = { ...query, by: scope.by, channel: filter.channel };
      return { points: await callEndpoint(listLatency, { query: all }, signal) };
    },
    staleTime: 60_000,
    retry: false,
    meta: { silent: true },
  });
