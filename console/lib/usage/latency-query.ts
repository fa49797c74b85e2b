import { queryOptions } from "@tanstack/react-query";
import { type LatencyGrouping, type LatencyStep, listLatency } from "@tollgate/contract/api/usage";
import { callEndpoint } from "../call-endpoint";
import type { UsageFilter } from "./usage-query";
import { clockOffsetMinutes, type UsageRange } from "./usage-range";

interface LatencyRequest {
  range: UsageRange;
  step: LatencyStep;
  by: LatencyGrouping;
  filter: UsageFilter;
}

/** Whether percentiles of these requests are known: they are counted for administrators, by model and channel alone. */
export const hasLatency = (isAll: boolean, { username, token }: UsageFilter): boolean =>
  isAll && username === undefined && token === undefined;

/** p50 and p95 of durations. A server that does not count them answers with an error, which is not reported. */
export const latencyQuery = ({ range, step, by, filter: { model, channel } }: LatencyRequest) =>
  queryOptions({
    queryKey: ["usage", "latency", range, step, by, model, channel],
    queryFn: ({ signal }) =>
      callEndpoint(
        listLatency,
        {
          query: {
            start_timestamp: range.from,
            end_timestamp: range.to,
            step,
            by,
            offset_minutes: clockOffsetMinutes(),
            model_name: model,
            channel,
          },
        },
        signal,
      ),
    staleTime: 60_000,
    retry: false,
    meta: { silent: true },
  });
