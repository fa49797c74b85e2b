import type { LogFilter } from "@tollgate/contract/control/log";
import {
  USAGE_GROUPINGS,
  USAGE_STEPS,
  type UsageGrouping,
  type UsageStep,
  usagePointWireSchema,
} from "@tollgate/contract/control/usage";
import { z } from "zod/mini";
import { Failure } from "./failure";
import { readAdminFilter, readOwnFilter } from "./log-filter";
import { EncodedData, type Route, readInteger, route } from "./route";
import type { Services } from "./services";

/** No clock is further from UTC. */
const MAX_OFFSET_MINUTES = 14 * 60;

const readChoice = <T extends string>(choices: readonly T[], text: string | undefined, absent: T): T => {
  if (text === undefined || text === "") return absent;
  const choice = choices.find((each) => each === text);
  if (choice === undefined) throw new Failure("invalid-parameter");
  return choice;
};

/** Sums over the usage log; not part of the contract. */
export const usageRoutes = ({ storage, now }: Services): Route[] => {
  const points = async (filter: LogFilter, by: UsageGrouping, query: Record<string, string>) => {
    const step: UsageStep = readChoice(USAGE_STEPS, query.step, "day");
    const offset = readInteger(query.offset_minutes);
    if (Math.abs(offset) > MAX_OFFSET_MINUTES) throw new Failure("invalid-parameter");
    const asked = { filter, step, by, offsetMinutes: offset };
    return new EncodedData(await storage.read.usage.pointsJson(asked, now()));
  };
  return [
    route({
      method: "GET",
      path: "/api/usage",
      guard: "admin",
      summary: "Sums over the log by hour or day and, with `by`, by model, token, channel or user",
      data: z.array(usagePointWireSchema),
      handle: ({ query }) =>
        points(readAdminFilter(query), readChoice(USAGE_GROUPINGS, query.by, "none"), query),
    }),
    route({
      method: "GET",
      path: "/api/usage/self",
      guard: "user",
      summary: "Sums over one's own log by hour or day and, with `by`, by model or token",
      data: z.array(usagePointWireSchema),
      handle({ caller, query }) {
        const by = readChoice(["none", "model", "token"] as const, query.by, "none");
        return points(readOwnFilter(query, caller.id), by, query);
      },
    }),
  ];
};
