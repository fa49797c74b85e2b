import type { SqlRunner } from "../../sql/sql-runner";
import { HOUR_SECONDS } from "../hours";
import { type LineHour, lineHours } from "./line-hours";
import { lineConditions, type ResolvedFilter } from "./resolve-filter";
import { type Moments, rowHours } from "./row-hours";

/** Hours with interrupted lines that the filter leaves. The sums do not count them; an index has these lines alone. */
const interruptedHours = (log: SqlRunner, resolved: ResolvedFilter): AsyncGenerator<LineHour> =>
  rowHours(
    log,
    { table: "logs", time: "created_at", all: "is_interrupted = 1" },
    lineConditions(log, { ...resolved, isInterrupted: true }),
    resolved,
  );

/** Hours with answers that named another model, which an index has alone. */
const otherModelHours = (log: SqlRunner, resolved: ResolvedFilter): AsyncGenerator<LineHour> =>
  rowHours(
    log,
    { table: "logs", time: "created_at", all: "is_other_model = 1" },
    lineConditions(log, resolved),
    resolved,
  );

/** Counts the lines of each hour without the interrupted ones. */
async function* uninterruptedHours(log: SqlRunner, resolved: ResolvedFilter): AsyncGenerator<LineHour> {
  const interrupted = interruptedHours(log, wholeHours(resolved));
  let next = await interrupted.next();
  for await (const { hour, lines } of lineHours(log, resolved)) {
    while (!next.done && next.value.hour > hour) next = await interrupted.next();
    yield { hour, lines: !next.done && next.value.hour === hour ? lines - next.value.lines : lines };
  }
}

/** The sums know whole hours. */
const wholeHours = <Range extends Moments>(range: Range): Range => ({
  ...range,
  from: range.from - (range.from % HOUR_SECONDS),
  to: range.to - (range.to % HOUR_SECONDS) + HOUR_SECONDS - 1,
});

/** Hours with lines that the filter leaves, also by their outcome, the newest first. */
export const hoursOfLines = (log: SqlRunner, resolved: ResolvedFilter): AsyncGenerator<LineHour> => {
  const { isInterrupted, isOtherModel } = resolved;
  if (isOtherModel) return otherModelHours(log, resolved);
  if (isInterrupted === undefined) return lineHours(log, resolved);
  return isInterrupted ? interruptedHours(log, resolved) : uninterruptedHours(log, resolved);
};
