import { type Kysely, sql } from "kysely";
import { DAY_SECONDS } from "../hours";
import { takeLock } from "./log-locks";

/** The tables that have a part for each day. */
const TABLES = ["logs", "receipts", "priced_lines"] as const;

/**
 * How long dropping a part waits for those that read its table, a backup, for example: everything else that reads and writes
 * lines waits behind it.
 */
const LOCK_MS = 1000;

const partOf = (table: string, day: number): string => `${table}_day_${day}`;

/** Those of the days that have no parts. Read from the table of tables: `to_regclass` may not see those of other transactions yet. */
const missingOf = async (db: Kysely<unknown>, days: readonly number[]): Promise<number[]> => {
  const { rows } = await sql<{ day: number }>`
    SELECT day FROM unnest(${days}::bigint[]) AS day WHERE NOT EXISTS (
      SELECT FROM pg_class WHERE relname = (${partOf("logs", 0).slice(0, -1)} || day)::name AND pg_table_is_visible(oid))`.execute(
    db,
  );
  return rows.map(({ day }) => day);
};

/**
 * Makes the parts for days (UTC, counted from 1970) that have none. A part is made as a table by itself and then attached:
 * making it as a part would wait for all who read the tables, and everything else would wait behind that.
 */
export const makeDays = async (transaction: Kysely<unknown>, days: readonly number[]): Promise<void> => {
  if ((await missingOf(transaction, days)).length === 0) return;
  await takeLock(transaction, "days");
  // Another node may have made them before it gave the lock up.
  for (const day of await missingOf(transaction, days))
    for (const table of TABLES) {
      const part = sql.table(partOf(table, day));
      await sql`CREATE TABLE ${part} (LIKE ${sql.table(table)} INCLUDING ALL)`.execute(transaction);
      await sql`ALTER TABLE ${sql.table(table)} ATTACH PARTITION ${part}
        FOR VALUES FROM (${sql.lit(day * DAY_SECONDS)}) TO (${sql.lit((day + 1) * DAY_SECONDS)})`.execute(
        transaction,
      );
    }
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
 * @throws an error of PostgreSQL while another client reads the tables: the next clearing does it.
 */
export const dropDay = async (transaction: Kysely<unknown>, before: number): Promise<number | undefined> => {
  const [day] = await daysOf(transaction);
  if (day === undefined || (day + 1) * DAY_SECONDS > before) return undefined;
  const { rows } = await sql<{ lines: number }>`
    SELECT count(*) AS lines FROM ${sql.table(partOf("logs", day))}`.execute(transaction);
  await sql`SET LOCAL lock_timeout = ${sql.lit(LOCK_MS)}`.execute(transaction);
  for (const table of TABLES) await sql`DROP TABLE ${sql.table(partOf(table, day))}`.execute(transaction);
  return rows[0]?.lines ?? 0;
};
