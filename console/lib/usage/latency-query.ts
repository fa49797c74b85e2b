import { queryOptions } from "@tanstack/react-query";
import {
  type LatencyStep,
  listLatency,
  listOwnLatency,
  listUserLatency,
  type OwnLatencyGrouping,
  type UserLatency,
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

/** All users' requests are counted by model and channel only; those of one user or key are read from log lines. */
const isOfLines = ({ username, token }: UsageFilter): boolean =>
  username !== undefined || token !== undefined;

/** Whether the server has percentiles of these requests. Those from log lines are offered with sorted lists. */
export const hasLatency = (isAll: boolean, filter: UsageFilter): boolean =>
  (isAll && !isOfLines(filter)) || queriesLists();

/** p50 and p95 of durations. A server without this call answers with an error, which is not reported. */
export const latencyQuery = ({ range, step, filter, ...scope }: LatencyRequest & LatencyScope) =>
  queryOptions({
    queryKey: ["usage", "latency", scope, range, step, filter],
    queryFn: async ({ signal }): Promise<UserLatency> => {
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
      if (isOfLines(filter)) {
        const ofUser = { ...all, username: filter.username, token_name: filter.token };
        return callEndpoint(listUserLatency, { query: ofUser }, signal);
      }
      return { points: await callEndpoint(listLatency, { query: all }, signal) };
    },
    staleTime: 60_000,
    retry: false,
    meta: { silent: true },
  });
