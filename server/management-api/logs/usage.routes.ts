import type { LogFilter } from "@tollgate/contract/api/logs";
import {
  LATENCY_GROUPINGS,
  LATENCY_STEPS,
  type LatencyGrouping,
  listLatency,
  listOwnLatency,
  listOwnUsage,
  listServedModels,
  listUsage,
  listUserLatency,
  MAX_OWN_LATENCY_REQUESTS,
  MAX_SERVED_MODELS,
  OWN_LATENCY_GROUPINGS,
  USAGE_GROUPINGS,
  type UsageGrouping,
  type UserLatency,
} from "@tollgate/contract/api/usage";
import type { UserLatencyQuery } from "@tollgate/storage/log/ports";
import { Failure } from "../failure";
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

type LatencySpan = Pick<UserLatencyQuery, "by" | "step" | "offsetMinutes">;

const readLatencySpan = (
  query: Readonly<Partial<Record<string, string>>>,
  groupings: readonly LatencyGrouping[],
): LatencySpan => ({
  by: readChoice(groupings, query.by, "none"),
  step: readChoice(LATENCY_STEPS, query.step, "day"),
  offsetMinutes: readOffsetMinutes(query),
});

const readUserLatency = (
  { storage, accounts, now }: Services,
  { type: _type, requestId: _requestId, ...filter }: LogFilter,
  span: LatencySpan,
): Promise<UserLatency> =>
  storage.read.health.userLatency({
    filter: { ...filter, endTimestamp: filter.endTimestamp ?? now() },
    ...span,
    holderId: filter.username === undefined ? undefined : accounts.users.findByName(filter.username)?.id,
    limit: MAX_OWN_LATENCY_REQUESTS,
  });

/** Sums over the usage log; not part of the contract. */
export const usageRoutes = [
  implement(listUsage, ({ services, query }) =>
    readPoints(services, readAdminFilter(query), readChoice(USAGE_GROUPINGS, query.by, "none"), query),
  ),
  implement(listServedModels, ({ services, query }) => {
    const { storage, now } = services;
    const { modelName, channelId, startTimestamp, endTimestamp } = readAdminFilter(query);
    const filter = { modelName, channelId, startTimestamp, endTimestamp };
    return storage.read.usage.servedModels(filter, MAX_SERVED_MODELS, now());
  }),
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
      ...readLatencySpan(query, LATENCY_GROUPINGS),
    });
  }),
  implement(listUserLatency, ({ services, query }) => {
    const filter = readAdminFilter(query);
    if (filter.username === undefined && filter.tokenName === undefined)
      throw new Failure("invalid-parameter");
    return readUserLatency(services, filter, readLatencySpan(query, LATENCY_GROUPINGS));
  }),
  implement(listOwnLatency, ({ services, caller, query }) =>
    readUserLatency(services, readOwnFilter(query, caller.id), readLatencySpan(query, OWN_LATENCY_GROUPINGS)),
  ),
  implement(listOwnUsage, ({ services, caller, query }) => {
    const by = readChoice(["none", "model", "token"] as const, query.by, "none");
    return readPoints(services, readOwnFilter(query, caller.id), by, query);
  }),
];
