import { type Kysely, sql } from "kysely";
import { DAY_SECONDS } from "../hours";
import { takeLock } from "./log-locks";

/** The tables that have a part for each day. */
const TABLES = ["logs", "receipts", "priced_lines"] as const;

const partOf = (table: string, day: number): string => `${table}_day_${day}`;

/**
 * Makes the parts for days (UTC, counted from 1970) that have none. To be done before anything is written: a query that reads the
 * tables is waited for, and waits.
 */
export const makeDays = async (transaction: Kysely<unknown>, days: readonly number[]): Promise<void> => {
  const { rows } = await sql<{ day: number }>`
    SELECT day FROM unnest(${days}::bigint[]) AS day WHERE to_regclass(${partOf("logs", 0).slice(0, -1)} || day) IS NULL`.execute(
    transaction,
  );
  if (rows.length === 0) return;
  await takeLock(transaction, "days");
  for (const { day } of rows)
    for (const table of TABLES)
      await sql`CREATE TABLE IF NOT EXISTS ${sql.table(partOf(table, day))} PARTITION OF ${sql.table(table)}
        FOR VALUES FROM (${sql.lit(day * DAY_SECONDS)}) TO (${sql.lit((day + 1) * DAY_SECONDS)})`.execute(
        transaction,
      );
};

/** The days that have parts, in their order. */
const daysOf = async (db: Kysely<unknown>): Promise<number[]> => {
  const prefix = partOf("logs", 0).slice(0, -1);
  const { rows } = await sql<{ name: string }>`
    SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'logs'::regclass`.execute(db);
  return rows.map(({ name }) => Number(name.slice(prefix.length))).sort((one, other) => one - other);
};

/**
 * Drops the first of the days that end before a moment.
 * @param before unix seconds.
 * @returns how many lines it had; undefined where there is no such day.
 */
export const dropDay = async (transaction: Kysely<unknown>, before: number): Promise<number | undefined> => {
  const [day] = await daysOf(transaction);
  if (day === undefined || (day + 1) * DAY_SECONDS > before) return undefined;
  const { rows } = await sql<{ lines: number }>`
    SELECT count(*) AS lines FROM ${sql.table(partOf("logs", day))}`.execute(transaction);
  for (const table of TABLES) await sql`DROP TABLE ${sql.table(partOf(table, day))}`.execute(transaction);
  return rows[0]?.lines ?? 0;
};
