import type { LogFilter } from "@tollgate/contract/api/logs";
import { MAX_TOP, USAGE_STEPS, type UsageGrouping } from "@tollgate/contract/api/usage";
import type { UsageQuery } from "@tollgate/storage/log/ports";
import { Failure } from "../failure";
import { readChoice } from "../read-choice";
import { readInteger } from "../route";

/** No clock is further from UTC. */
const MAX_OFFSET_MINUTES = 14 * 60;

const readTop = (text: string | undefined): number | undefined => {
  if (text === undefined || text === "") return undefined;
  const top = readInteger(text);
  if (top < 1 || top > MAX_TOP) throw new Failure("invalid-parameter");
  return top;
};

/** The offset of the caller's clock from UTC, in minutes. @throws Failure for an impossible one. */
export const readOffsetMinutes = (query: Readonly<Partial<Record<string, string>>>): number => {
  const offset = readInteger(query.offset_minutes);
  if (Math.abs(offset) > MAX_OFFSET_MINUTES) throw new Failure("invalid-parameter");
  return offset;
};

/** Reads the query for a chart, or its file. @throws Failure */
export const readUsageQuery = (
  filter: LogFilter,
  by: UsageGrouping,
  query: Readonly<Partial<Record<string, string>>>,
): UsageQuery => ({
  filter,
  step: readChoice(USAGE_STEPS, query.step, "day"),
  by,
  offsetMinutes: readOffsetMinutes(query),
  top: readTop(query.top),
});
