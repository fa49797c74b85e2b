import type { LogFilter } from "@tollgate/contract/api/logs";
import {
  LATENCY_GROUPINGS,
  LATENCY_STEPS,
  listLatency,
  listOwnLatency,
  listOwnUsage,
  listUsage,
  MAX_OWN_LATENCY_REQUESTS,
  OWN_LATENCY_GROUPINGS,
  USAGE_GROUPINGS,
  type UsageGrouping,
} from "@tollgate/contract/api/usage";
import { readChoice } from "../read-choice";
import { EncodedData, implement } from "../route";
import type { Services } from "../services";
import { readAdminFilter, readOwnFilter } from "./log-filter";
import { readOffsetMinutes, readUsageQuery } from "./usage-query";

const readPoints = async (
  { storage, now }: Services,
  filter: LogFilter,
  by: UsageGrouping,
  query: Parameters<typeof readUsageQuery>[2],
): Promise<EncodedData> => {
  const asked = readUsageQuery(filter, by, query);
  return new EncodedData(await storage.read.usage.pointsJson(asked, now()));
};

/** Sums over the usage log; not part of the contract. */
export const usageRoutes = [
  implement(listUsage, ({ services, query }) =>
    readPoints(services, readAdminFilter(query), readChoice(USAGE_GROUPINGS, query.by, "none"), query),
  ),
  implement(listLatency, ({ services, query }) => {
    const { modelName, channelId, startTimestamp, endTimestamp } = readAdminFilter(query);
    return services.storage.read.health.latency({
      // Names of users and keys are ignored: the counts are not kept by user.
      filter: {
        ...(modelName !== undefined && { modelName }),
        ...(channelId !== undefined && { channelId }),
        ...(startTimestamp !== undefined && { startTimestamp }),
        endTimestamp: endTimestamp ?? services.now(),
      },
      by: readChoice(LATENCY_GROUPINGS, query.by, "none"),
      step: readChoice(LATENCY_STEPS, query.step, "day"),
      offsetMinutes: readOffsetMinutes(query),
    });
  }),
  implement(listOwnLatency, ({ services, caller, query }) => {
    const { modelName, tokenName, startTimestamp, endTimestamp } = readOwnFilter(query, caller.id);
    return services.storage.read.health.ownLatency({
      userId: caller.id,
      filter: {
        ...(modelName !== undefined && { modelName }),
        ...(tokenName !== undefined && { tokenName }),
        ...(startTimestamp !== undefined && { startTimestamp }),
        endTimestamp: endTimestamp ?? services.now(),
      },
      by: readChoice(OWN_LATENCY_GROUPINGS, query.by, "none"),
      step: readChoice(LATENCY_STEPS, query.step, "day"),
      offsetMinutes: readOffsetMinutes(query),
      limit: MAX_OWN_LATENCY_REQUESTS,
    });
  }),
  implement(listOwnUsage, ({ services, caller, query }) => {
    const by = readChoice(["none", "model", "token"] as const, query.by, "none");
    return readPoints(services, readOwnFilter(query, caller.id), by, query);
  }),
];
