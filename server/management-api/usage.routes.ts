import type { LogFilter } from "@tollgate/contract/management/log";
import {
  MOST_TOP,
  USAGE_GROUPINGS,
  USAGE_STEPS,
  type UsageGrouping,
  type UsageStep,
  usagePointWireSchema,
} from "@tollgate/contract/management/usage";
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

const readTop = (text: string | undefined): number | undefined => {
  if (text === undefined || text === "") return undefined;
  const top = readInteger(text);
  if (top < 1 || top > MOST_TOP) throw new Failure("invalid-parameter");
  return top;
};

const QUERY = {
  start_timestamp: "Unix seconds, inclusive; the beginning of the log without it.",
  end_timestamp: "Unix seconds, inclusive; now without it.",
  step: "How much time a point stands for: `hour` or `day` (without it).",
  by: "What is told apart: `none` (without it), `model`, `token`, and for administrators `channel` or `user`.",
  offset_minutes: "Of the caller's clock from UTC: where days begin.",
  top: `1 to ${MOST_TOP}: tells only those apart that are among so many largest of the range by requests, tokens, quota or errors, and adds the others up as one more point per span, whose \`others\` says how many they are. Without it all are told apart, which can be a very long answer.`,
  token_name: "Only of keys with this name.",
  model_name: "Only of this model.",
};

/** Sums over the usage log; not part of the contract. */
export const usageRoutes = ({ storage, now }: Services): Route[] => {
  const points = async (filter: LogFilter, by: UsageGrouping, query: Record<string, string>) => {
    const step: UsageStep = readChoice(USAGE_STEPS, query.step, "day");
    const offset = readInteger(query.offset_minutes);
    if (Math.abs(offset) > MAX_OFFSET_MINUTES) throw new Failure("invalid-parameter");
    const asked = { filter, step, by, offsetMinutes: offset, top: readTop(query.top) };
    return new EncodedData(await storage.read.usage.pointsJson(asked, now()));
  };
  return [
    route({
      method: "GET",
      path: "/api/usage",
      guard: "admin",
      summary: "Sums over the log by hour or day and, with `by`, by model, token, channel or user",
      query: { ...QUERY, channel: "Only of the channel with this id.", username: "Only of this user." },
      data: z.array(usagePointWireSchema),
      answer: ({ query }) =>
        points(readAdminFilter(query), readChoice(USAGE_GROUPINGS, query.by, "none"), query),
    }),
    route({
      method: "GET",
      path: "/api/usage/self",
      guard: "user",
      summary: "Sums over one's own log by hour or day and, with `by`, by model or token",
      query: QUERY,
      data: z.array(usagePointWireSchema),
      answer({ caller, query }) {
        const by = readChoice(["none", "model", "token"] as const, query.by, "none");
        return points(readOwnFilter(query, caller.id), by, query);
      },
    }),
  ];
};
