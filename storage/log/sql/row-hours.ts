import type { SqlPart, SqlRunner } from "../../sql/sql-runner";
import { DAY_SECONDS, HOUR_SECONDS } from "../hours";
import type { LineHour } from "./line-hours";
import type { ResolvedFilter } from "./resolve-filter";

/** Two moments, both inclusive. */
export type Moments = Pick<ResolvedFilter, "from" | "to">;

/** Rows that are counted themselves, because no sum knows them. */
interface CountedRows {
  table: "failures" | "logs";
  /** The column of their time, on which there is an index of them. */
  time: string;
  /** The condition of that index. */
  all: string;
}

/** How much further each look reaches than the one before: a first page costs little, a late one few looks. */
const GROWTH = 2;

/** Hours with rows that the conditions leave, the newest first. */
export async function* rowHours(
  log: SqlRunner,
  { table, time, all }: CountedRows,
  { sql, parameters }: SqlPart,
  range: Moments,
): AsyncGenerator<LineHour> {
  const [bounds] = await log.all<{ first: number | null; last: number | null }>(
    `SELECT (SELECT min(${time}) FROM ${table} WHERE ${all}) AS first,
       (SELECT max(${time}) FROM ${table} WHERE ${all}) AS last`,
  );
  if (bounds == null || bounds.first === null || bounds.last === null) return;
  const from = Math.max(range.from, bounds.first);
  let to = Math.min(range.to, bounds.last);
  for (let days = 1; to >= from; days *= GROWTH) {
    // Begins with an hour, so that no hour is told twice.
    const begin = Math.max(from, to - (to % HOUR_SECONDS) - days * DAY_SECONDS);
    yield* await log.all<LineHour>(
      `SELECT ${time} - ${time} % ${HOUR_SECONDS} AS hour, count(*) AS lines FROM ${table}
       WHERE ${time} >= ? AND ${time} <= ?${sql} GROUP BY ${time} - ${time} % ${HOUR_SECONDS} ORDER BY hour DESC`,
      begin,
      to,
      ...parameters,
    );
    to = begin - 1;
  }
}
