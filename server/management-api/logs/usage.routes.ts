import type { LogFilter } from "@tollgate/contract/management/log";
import {
  USAGE_GROUPINGS,
  type UsageGrouping,
  usagePointWireSchema,
} from "@tollgate/contract/management/usage";
import { z } from "zod/mini";
import { readChoice } from "../read-choice";
import { EncodedData, type Route, route } from "../route";
import type { Services } from "../services";
import { readAdminFilter, readOwnFilter } from "./log-filter";
import { readUsageQuery, USAGE_PARAMETERS } from "./usage-query";

/** Sums over the usage log; not part of the contract. */
export const usageRoutes = ({ storage, now }: Services): Route[] => {
  const points = async (filter: LogFilter, by: UsageGrouping, query: Record<string, string>) => {
    const asked = readUsageQuery(filter, by, query);
    return new EncodedData(await storage.read.usage.pointsJson(asked, now()));
  };
  return [
    route({
      method: "GET",
      path: "/api/usage",
      guard: "admin",
      summary: "Sums over the log by hour or day and, with `by`, by model, token, channel or user",
      query: {
        ...USAGE_PARAMETERS,
        channel: "Only of the channel with this id.",
        username: "Only of this user.",
      },
      data: z.array(usagePointWireSchema),
      answer: ({ query }) =>
        points(readAdminFilter(query), readChoice(USAGE_GROUPINGS, query.by, "none"), query),
    }),
    route({
      method: "GET",
      path: "/api/usage/self",
      guard: "user",
      summary: "Sums over one's own log by hour or day and, with `by`, by model or token",
      query: USAGE_PARAMETERS,
      data: z.array(usagePointWireSchema),
      answer({ caller, query }) {
        const by = readChoice(["none", "model", "token"] as const, query.by, "none");
        return points(readOwnFilter(query, caller.id), by, query);
      },
    }),
  ];
};
