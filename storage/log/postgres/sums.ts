import { type Kysely, sql } from "kysely";
import { withoutCompiling } from "../../postgres/postgres-runner";
import { BUCKET_SECONDS, dayOf, HOUR_SECONDS } from "../hours";
import { BLOCK_TABLES, blockOf } from "../sql/blocks";
import type { StateKey } from "../sql/log-state";
import { SUM_COLUMNS } from "../sql/sum-columns";
import { takeLock } from "./log-locks";

/** How long after its end a bucket is added up: what comes later is added to it one by one. */
const GRACE_SECONDS = HOUR_SECONDS;

const COLUMNS = SUM_COLUMNS.join(", ");
const SUMS = SUM_COLUMNS.map((column) => `sum(${column})`).join(", ");

/** Adds rows to a table of sums. @param keys of the table, with what each of them is made of. */
const addition = (
  table: string,
  keys: readonly (readonly [column: string, of: string])[],
  from: string,
): string => {
  const columns = keys.map(([column]) => column).join(", ");
  const added = SUM_COLUMNS.map((column) => `${column} = ${table}_summed.${column} + excluded.${column}`);
  return `INSERT INTO ${table}_summed (${columns}, ${COLUMNS})
    SELECT ${keys.map(([, of]) => of).join(", ")}, ${SUMS} FROM ${from}
    GROUP BY ${keys.map((_, index) => index + 1).join(", ")}
    ON CONFLICT (${columns}) DO UPDATE SET ${added.join(", ")}`;
};

const asIs = (...columns: string[]) => columns.map((column) => [column, column] as const);
const DAY = ["day", "hour / 86400"] as const;

/** Everything that was not added up goes into the sums, in one statement: whoever asks meanwhile sees it once. */
const ADD_UP_ALL = `WITH moved AS (DELETE FROM unsummed RETURNING *),
  moved_contents AS (DELETE FROM unsummed_contents RETURNING *),
  ${[
    addition("site_hours", asIs("hour", "model_id", "channel_id"), "moved"),
    addition("model_hours", asIs("hour", "model_id"), "moved"),
    addition("channel_hours", asIs("hour", "channel_id"), "moved"),
    addition("payer_hours", [DAY, ...asIs("payer_id", "hour")], "moved"),
    addition("detail_hours", [DAY, ...asIs("payer_id", "hour", "model_id", "channel_id")], "moved"),
    ...BLOCK_TABLES.map(({ table, block, seconds, keys }) =>
      addition(
        table,
        [[block, `hour / ${seconds} * ${seconds}`], ...asIs(...keys)],
        "moved WHERE hour < (SELECT value FROM state WHERE key = 'buckets-until')",
      ),
    ),
  ]
    .map((statement, index) => `added_${index} AS (${statement})`)
    .join(",\n  ")}
  INSERT INTO content_hours_summed (content_id, hour, lines)
    SELECT content_id, hour, sum(lines) FROM moved_contents GROUP BY content_id, hour
    ON CONFLICT (content_id, hour) DO UPDATE SET lines = content_hours_summed.lines + excluded.lines`;

const addUpAll = async (transaction: Kysely<unknown>): Promise<void> => {
  await withoutCompiling(transaction);
  await takeLock(transaction, "sums");
  await sql.raw(ADD_UP_ALL).execute(transaction);
};

/** Adds up what was not added up yet; one node at a time does. */
export const addUpSums = (db: Kysely<unknown>): Promise<void> => db.transaction().execute(addUpAll);

export const readState = async (db: Kysely<unknown>, key: StateKey): Promise<number> => {
  const { rows } = await sql<{ value: number }>`SELECT value FROM state WHERE key = ${key}`.execute(db);
  return rows[0]?.value ?? 0;
};

export const writeState = async (db: Kysely<unknown>, key: StateKey, value: number): Promise<void> => {
  await sql`INSERT INTO state (key, value) VALUES (${key}, ${value})
    ON CONFLICT (key) DO UPDATE SET value = excluded.value`.execute(db);
};

/**
 * Adds up the first bucket that has ended and was not added up yet (storage/log/sql/blocks.ts).
 * @param now unix seconds.
 * @returns false when there is none.
 */
export const closeBucket = (db: Kysely<unknown>, now: number): Promise<boolean> =>
  db.transaction().execute(async (transaction) => {
    await addUpAll(transaction);
    const until = await readState(transaction, "buckets-until");
    const { rows } = await sql<{ hour: number | null }>`
      SELECT min(hour) AS hour FROM site_hours_summed WHERE hour >= ${until}`.execute(transaction);
    const hour = rows[0]?.hour ?? undefined;
    if (hour === undefined) return false;
    const bucket = blockOf(hour, BUCKET_SECONDS);
    if (bucket >= blockOf(now - GRACE_SECONDS, BUCKET_SECONDS)) return false;
    const end = bucket + BUCKET_SECONDS;
    for (const { table, block, seconds, keys, from } of BLOCK_TABLES) {
      const ofBucket = from.endsWith("_hours")
        ? `day = ${dayOf(bucket)} AND hour >= ${bucket} AND hour < ${end}`
        : `bucket = ${bucket}`;
      const added = addition(
        table,
        [[block, `${blockOf(bucket, seconds)}::bigint`], ...asIs(...keys)],
        `${from}_summed WHERE ${ofBucket}`,
      );
      await sql.raw(added).execute(transaction);
    }
    await writeState(transaction, "buckets-until", end);
    return true;
  });
