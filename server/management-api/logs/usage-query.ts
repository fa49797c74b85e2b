import type { LogFilter } from "@tollgate/contract/management/log";
import { MOST_TOP, USAGE_STEPS, type UsageGrouping } from "@tollgate/contract/management/usage";
import type { UsageQuery } from "@tollgate/storage/log/ports";
import { Failure } from "../failure";
import { readChoice } from "../read-choice";
import { readInteger } from "../route";

/** No clock is further from UTC. */
const MAX_OFFSET_MINUTES = 14 * 60;

/** What the parameters of a picture mean. */
export const USAGE_PARAMETERS = {
  start_timestamp: "Unix seconds, inclusive; the beginning of the log without it.",
  end_timestamp: "Unix seconds, inclusive; now without it.",
  step: "How much time a point stands for: `hour` or `day` (without it).",
  by: "What is told apart: `none` (without it), `model`, `token`, and for administrators `channel` or `user`.",
  offset_minutes: "Of the caller's clock from UTC: where days begin.",
  top: `1 to ${MOST_TOP}: tells only those apart that are among so many largest of the range by requests, tokens, quota or errors, and adds the others up as one more point per span, whose \`others\` says how many they are. Without it all are told apart, which can be a very long answer.`,
  token_name: "Only of keys with this name.",
  model_name: "Only of this model.",
};

const readTop = (text: string | undefined): number | undefined => {
  if (text === undefined || text === "") return undefined;
  const top = readInteger(text);
  if (top < 1 || top > MOST_TOP) throw new Failure("invalid-parameter");
  return top;
};

/** The caller's clock, in minutes from UTC. @throws Failure for one that there is not. */
export const readOffsetMinutes = (query: Record<string, string>): number => {
  const offset = readInteger(query.offset_minutes);
  if (Math.abs(offset) > MAX_OFFSET_MINUTES) throw new Failure("invalid-parameter");
  return offset;
};

/** What a picture, or its file, asks for. @throws Failure */
export const readUsageQuery = (
  filter: LogFilter,
  by: UsageGrouping,
  query: Record<string, string>,
): UsageQuery => ({
  filter,
  step: readChoice(USAGE_STEPS, query.step, "day"),
  by,
  offsetMinutes: readOffsetMinutes(query),
  top: readTop(query.top),
});
