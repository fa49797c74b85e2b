import { type Kysely, sql } from "kysely";
import { withoutCompiling } from "../../postgres/postgres-runner";
import { BUCKET_SECONDS, dayOf, HOUR_SECONDS } from "../hours";
import { BLOCK_TABLES, blockOf } from "../sql/blocks";
import { bucketOfNames, findSharedNames, NAME_TABLES, nameAdditions } from "../sql/key-names";
import type { StateKey } from "../sql/log-state";
import { SUM_COLUMNS } from "../sql/sum-columns";
import { takeLock } from "./log-locks";

/** Time after its end when a bucket is added up: later lines are added to it one by one. */
const GRACE_SECONDS = HOUR_SECONDS;

const COLUMNS = SUM_COLUMNS.join(", ");
const SUMS = SUM_COLUMNS.map((column) => `sum(${column})`).join(", ");

/** Adds rows to a table of sums. @param keys of the table, with the expression of each. */
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

const LATENCY_KEYS = "hour, model_id, channel_id, measure, bucket";

const storedAs = (table: string): string => `${table}_summed`;

/** Everything that was not added up goes into the sums, in one statement: queries meanwhile see it once. */
const ADD_UP_ALL = `WITH moved AS (DELETE FROM unsummed RETURNING *),
  moved_contents AS (DELETE FROM unsummed_contents RETURNING *),
  moved_latencies AS (DELETE FROM unsummed_latencies RETURNING *),
  late AS (SELECT * FROM moved WHERE hour < (SELECT value FROM state WHERE key = 'buckets-until')),
  late_of_names AS (SELECT shared_names.id AS name_id, late.* FROM late JOIN payers ON payers.id = late.payer_id
    JOIN shared_names ON shared_names.name = payers.token_name WHERE late.hour >= shared_names.since),
  ${[
    addition("site_hours", asIs("hour", "model_id", "channel_id"), "moved"),
    addition("model_hours", asIs("hour", "model_id"), "moved"),
    addition("channel_hours", asIs("hour", "channel_id"), "moved"),
    addition("payer_hours", [DAY, ...asIs("payer_id", "hour")], "moved"),
    addition("detail_hours", [DAY, ...asIs("payer_id", "hour", "model_id", "channel_id")], "moved"),
    ...BLOCK_TABLES.map(({ table, block, seconds, keys }) =>
      addition(table, [[block, `hour / ${seconds} * ${seconds}`], ...asIs(...keys)], "late"),
    ),
    ...nameAdditions(storedAs, "late_of_names"),
  ]
    .map((statement, index) => `added_${index} AS (${statement})`)
    .join(",\n  ")},
  added_latencies AS (INSERT INTO latency_hours_summed (${LATENCY_KEYS}, requests)
    SELECT ${LATENCY_KEYS}, sum(requests) FROM moved_latencies GROUP BY ${LATENCY_KEYS}
    ON CONFLICT (${LATENCY_KEYS}) DO UPDATE SET requests = latency_hours_summed.requests + excluded.requests)
  INSERT INTO content_hours_summed (content_id, hour, lines)
    SELECT content_id, hour, sum(lines) FROM moved_contents GROUP BY content_id, hour
    ON CONFLICT (content_id, hour) DO UPDATE SET lines = content_hours_summed.lines + excluded.lines`;

const addUpAll = async (transaction: Kysely<unknown>): Promise<void> => {
  await withoutCompiling(transaction);
  await takeLock(transaction, "sums");
  await sql.raw(ADD_UP_ALL).execute(transaction);
};

/** Adds up new lines, on one node at a time. */
export const addUpSums = (db: Kysely<unknown>): Promise<void> => db.transaction().execute(addUpAll);

export const readState = async (db: Kysely<unknown>, key: StateKey): Promise<number> => {
  const { rows } = await sql<{ value: number }>`SELECT value FROM state WHERE key = ${key}`.execute(db);
  return rows[0]?.value ?? 0;
};

export const writeState = async (db: Kysely<unknown>, key: StateKey, value: number): Promise<void> => {
  await sql`INSERT INTO state (key, value) VALUES (${key}, ${value})
    ON CONFLICT (key) DO UPDATE SET value = excluded.value`.execute(db);
};

const addUpNames = async (transaction: Kysely<unknown>, bucket: number, which: string): Promise<void> => {
  for (const statement of bucketOfNames(storedAs, bucket, which))
    await sql.raw(statement).execute(transaction);
};

/** @returns whether there was a name that is shared by now and was not known to be. */
const findNames = async (transaction: Kysely<unknown>, since: number): Promise<boolean> => {
  const { numAffectedRows } = await sql.raw(findSharedNames(since)).execute(transaction);
  return (numAffectedRows ?? 0n) > 0n;
};

/**
 * Adds one more bucket to the sums of incomplete names, the newest first.
 * @returns false without one.
 */
const takeNamesBack = async (transaction: Kysely<unknown>): Promise<boolean> => {
  const newest = await sql<{ since: number | null }>`SELECT max(since) AS since FROM shared_names`.execute(
    transaction,
  );
  const since = newest.rows[0]?.since ?? 0;
  if (since === 0) return false;
  const { rows } = await sql<{ hour: number | null }>`
    SELECT max(hour) AS hour FROM site_hours_summed WHERE hour < ${since}`.execute(transaction);
  const hour = rows[0]?.hour ?? undefined;
  const bucket = hour === undefined ? undefined : blockOf(hour, BUCKET_SECONDS);
  if (bucket !== undefined) await addUpNames(transaction, bucket, `since = ${since}`);
  await sql`UPDATE shared_names SET since = ${bucket ?? 0} WHERE since = ${since}`.execute(transaction);
  return true;
};

/** Forgets the sums of names, which are added up again; within a transaction of the caller. */
export const forgetNames = async (transaction: Kysely<unknown>): Promise<void> => {
  for (const { table } of NAME_TABLES)
    await sql`DELETE FROM ${sql.table(storedAs(table))}`.execute(transaction);
  await sql`DELETE FROM shared_names`.execute(transaction);
};

/**
 * Adds up the first bucket that has ended and was not added up yet (storage/log/sql/blocks.ts), else
 * one from before a key's name was shared (storage/log/sql/key-names.ts).
 * @param now unix seconds.
 * @returns false when there is neither.
 */
export const closeBucket = (db: Kysely<unknown>, now: number): Promise<boolean> =>
  db.transaction().execute(async (transaction) => {
    await addUpAll(transaction);
    const until = await readState(transaction, "buckets-until");
    const { rows } = await sql<{ hour: number | null }>`
      SELECT min(hour) AS hour FROM site_hours_summed WHERE hour >= ${until}`.execute(transaction);
    const hour = rows[0]?.hour ?? undefined;
    const bucket = hour === undefined ? undefined : blockOf(hour, BUCKET_SECONDS);
    if (bucket === undefined || bucket >= blockOf(now - GRACE_SECONDS, BUCKET_SECONDS))
      return (until > 0 && (await findNames(transaction, until))) || takeNamesBack(transaction);
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
    await findNames(transaction, bucket);
    await addUpNames(transaction, bucket, `since <= ${bucket}`);
    await writeState(transaction, "buckets-until", end);
    return true;
  });
