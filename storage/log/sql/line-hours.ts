import { LOG_CONSUME } from "@tollgate/contract/values/statuses";
import type { SqlRunner } from "../../sql/sql-runner";
import { DAY_SECONDS, dayOf, hourOf } from "../hours";
import { NO_MODEL } from "./no-request";
import {
  hasSubject,
  payerConditions,
  type ResolvedFilter,
  siteTable,
  subjectConditions,
} from "./resolve-filter";

/** An hour in which there are lines, as the sums know. */
export interface LineHour {
  hour: number;
  lines: number;
}

/** The first and the last day (UTC) with sums; undefined without any. */
export const daysWithSums = async (log: SqlRunner): Promise<{ first: number; last: number } | undefined> => {
  const [bounds] = await log.all<{ first: number | null; last: number | null }>(
    "SELECT (SELECT min(hour) FROM site_hours) AS first, (SELECT max(hour) FROM site_hours) AS last",
  );
  if (bounds == null || bounds.first === null || bounds.last === null) return undefined;
  return { first: dayOf(bounds.first), last: dayOf(bounds.last) };
};

/** How much further each look at the sums reaches than the one before: a first page costs little, a late one few looks. */
const GROWTH = 2;

/** Ranges of days, the newest first. */
function* dayRanges(first: number, last: number): Generator<{ first: number; last: number }> {
  let days = 1;
  for (let end = last; end >= first; end -= days / GROWTH) {
    yield { first: Math.max(first, end - days + 1), last: end };
    days *= GROWTH;
  }
}

/** Hours that hold lines which the filter leaves, the newest first. */
export async function* lineHours(log: SqlRunner, resolved: ResolvedFilter): AsyncGenerator<LineHour> {
  const bounds = await daysWithSums(log);
  if (bounds === undefined) return;
  const subject = subjectConditions(resolved);
  const payers = payerConditions(log, resolved);
  const isOfPayers = resolved.payerIds !== undefined;
  const more = !isOfPayers && resolved.type === LOG_CONSUME ? ` AND model_id <> ${NO_MODEL}` : "";
  const hasModel = resolved.modelId !== undefined || more !== "";
  const table = hasSubject(resolved) ? "detail_hours" : "payer_hours";
  const from = isOfPayers ? table : await siteTable(log, hasModel, resolved.channelId !== undefined);
  const first = Math.max(bounds.first, dayOf(resolved.from));
  for (const range of dayRanges(first, Math.min(bounds.last, dayOf(resolved.to)))) {
    // Named one by one, so that each day's rows of a payer are found by their key.
    const days = Array.from({ length: range.last - range.first + 1 }, (_, index) => range.first + index);
    const ofDays = isOfPayers ? log.isOneOf("day", days) : { sql: "TRUE", parameters: [] };
    const fromHour = Math.max(hourOf(resolved.from), range.first * DAY_SECONDS);
    const to = Math.min(resolved.to, (range.last + 1) * DAY_SECONDS - 1);
    yield* await log.all<LineHour>(
      `SELECT hour, sum(lines) AS lines FROM ${from}
       WHERE ${ofDays.sql}${payers.sql} AND hour >= ? AND hour <= ?${subject.sql}${more}
       GROUP BY hour ORDER BY hour DESC`,
      ...ofDays.parameters,
      ...payers.parameters,
      fromHour,
      to,
      ...subject.parameters,
    );
  }
}
