import { queryOptions } from "@tanstack/react-query";
import {
  listOwnUsage,
  listUsage,
  type UsageGrouping,
  type UsagePoint,
  type UsageStep,
} from "@tollgate/contract/api/usage";
import { isUnknownCall } from "../api-client";
import { callEndpoint } from "../call-endpoint";
import { clockOffsetMinutes, type UsageRange } from "./usage-range";

/** Filters of usage sums, named as in the log list. Channel and user are for administrators. */
export interface UsageFilter {
  token?: string;
  model?: string;
  channel?: string;
  username?: string;
}

export interface UsageRequest {
  /** All users' usage, for administrators; one's own otherwise. */
  isAll: boolean;
  range: UsageRange;
  step: UsageStep;
  by: UsageGrouping;
  filter: UsageFilter;
  /** Number of largest groups to return; the server adds up the others. Default: all. */
  top?: number;
}

interface UsageAnswer {
  /** False for a contract server without this call. */
  isOffered: boolean;
  points: UsagePoint[];
}

const NOT_OFFERED: UsageAnswer = { isOffered: false, points: [] };

/** Query parameters of a usage request. */
export const usageParameters = ({ isAll, range, step, by, filter, top }: UsageRequest) => ({
  start_timestamp: range.from,
  end_timestamp: range.to,
  step,
  by,
  top,
  offset_minutes: clockOffsetMinutes(),
  token_name: filter.token,
  model_name: filter.model,
  ...(isAll ? { channel: filter.channel, username: filter.username } : {}),
});

/** All users' usage for administrators, if requested; one's own otherwise. */
export const usageQuery = ({ isAll, range, step, by, filter, top }: UsageRequest) =>
  queryOptions({
    queryKey: ["usage", isAll, range, step, by, filter, top],
    queryFn: async ({ signal }): Promise<UsageAnswer> => {
      const query = usageParameters({ isAll, range, step, by, filter, top });
      try {
        const points = isAll
          ? await callEndpoint(listUsage, { query }, signal)
          : await callEndpoint(listOwnUsage, { query }, signal);
        return { isOffered: true, points };
      } catch (error) {
        if (isUnknownCall(error)) return NOT_OFFERED;
        throw error;
      }
    },
    staleTime: 60_000,
  });
