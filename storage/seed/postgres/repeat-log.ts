import { type Kysely, sql } from "kysely";
import { DAY_SECONDS, dayOf } from "../../log/hours";
import { makeDays } from "../../log/postgres/days";
import { addUpSums, closeBucket } from "../../log/postgres/sums";
import { SUM_COLUMNS } from "../../log/sql/sum-columns";
import { openPool } from "../../postgres/connection-pool";
import { queryBuilder } from "../../postgres/query-builder";
import type { Repetition } from "../past-usage";

const SUMS = SUM_COLUMNS.join(", ");

/** The newest number of lines or of receipts; 0 without any. */
const newestOf = async (db: Kysely<unknown>, table: "logs" | "receipts"): Promise<number> => {
  const { rows } = await sql<{ id: number | null }>`SELECT max(id) AS id FROM ${sql.table(table)}`.execute(
    db,
  );
  return rows[0]?.id ?? 0;
};

/** Runs a step on a connection of its own. */
export const onDatabase = async (
  address: string,
  step: (db: Kysely<unknown>) => Promise<void>,
): Promise<void> => {
  const pool = openPool(address, 1);
  try {
    await step(queryBuilder<unknown>(pool));
  } finally {
    await pool.end();
  }
};

/**
 * Repeats the first days of a database's log, each time so many days later: a large table for measurements, made in
 * minutes. Lines and receipts are copied; their sums are put where a node puts them (`unsummed`), and added up by the
 * product itself. The accounts do not contain the copies.
 * @param address of a database whose log was opened before.
 */
export const repeatLog = (address: string, { copies, days }: Repetition): Promise<void> =>
  onDatabase(address, async (db) => {
    await addUpSums(db);
    const lines = await newestOf(db, "logs");
    const receipts = await newestOf(db, "receipts");
    const { rows } = await sql<{ first: number }>`SELECT min(created_at) AS first FROM logs`.execute(db);
    const firstDay = dayOf(rows[0]?.first ?? 0);
    const end = sql.lit((firstDay + days) * DAY_SECONDS);
    for (let copy = 1; copy <= copies; copy += 1) {
      const later = sql.lit(copy * days * DAY_SECONDS);
      const [lineShift, receiptShift] = [sql.lit(lines * copy), sql.lit(receipts * copy)];
      await db.transaction().execute(async (transaction) => {
        const first = firstDay + copy * days;
        await makeDays(
          transaction,
          Array.from({ length: days }, (_, day) => first + day),
        );
        await sql`INSERT INTO logs SELECT id + ${lineShift}, user_id, created_at + ${later}, type, payer_id, model_id,
            channel_id, content_id, quota, prompt_tokens, completion_tokens, is_stream, duration_ms, first_byte_ms,
            CASE WHEN receipt_id = 0 THEN 0 ELSE receipt_id + ${receiptShift} END, cost, is_interrupted,
            cache_read_tokens, cache_write_tokens, is_other_model
          FROM logs WHERE created_at < ${end}`.execute(transaction);
        await sql`INSERT INTO receipts SELECT id + ${receiptShift}, request_id || ${sql.lit(`-${copy}`)}, created_at + ${later},
            payer_id, model_id, channel_id, CASE WHEN log_id = 0 THEN 0 ELSE log_id + ${lineShift} END, is_error, detail
          FROM receipts WHERE created_at < ${end}`.execute(transaction);
        await sql`INSERT INTO failures SELECT request_id || ${sql.lit(`-${copy}`)}, first_at + ${later}, last_at + ${later},
            occurrences, user_id, payer_id, model_id, channel_id, status, code
          FROM failures WHERE first_at < ${end}`.execute(transaction);
        await sql`INSERT INTO unsummed SELECT hour + ${later}, payer_id, model_id, channel_id, ${sql.raw(SUMS)}
          FROM detail_hours_summed WHERE hour < ${end}`.execute(transaction);
        await sql`INSERT INTO unsummed_latencies SELECT hour + ${later}, model_id, channel_id, measure, bucket, requests
          FROM latency_hours_summed WHERE hour < ${end}`.execute(transaction);
        await sql`INSERT INTO priced_lines (hour, lines, data) SELECT hour + ${later}, lines, data
          FROM priced_lines WHERE hour < ${end}`.execute(transaction);
        await sql`INSERT INTO unsummed_contents SELECT content_id, hour + ${later}, lines
          FROM content_hours_summed WHERE hour < ${end}`.execute(transaction);
      });
      await addUpSums(db);
    }
    await sql`SELECT setval('log_ids', ${sql.lit(Math.max(1, lines * (copies + 1)))}),
      setval('receipt_ids', ${sql.lit(Math.max(1, receipts * (copies + 1)))})`.execute(db);
  });

/**
 * Runs the upkeep of a log that grew by itself long ago: adds up its buckets, and analyzes the tables as autovacuum
 * does, which visits the partitions of a table and never the whole.
 * @param now unix seconds.
 */
export const finishLog = (address: string, now: number): Promise<void> =>
  onDatabase(address, async (db) => {
    while (await closeBucket(db, now)) {
      // Step by step.
    }
    const { rows } = await sql<{ name: string }>`
      SELECT oid::regclass::text AS name FROM pg_class
      WHERE relkind = 'r' AND relnamespace = current_schema::regnamespace`.execute(db);
    for (const { name } of rows) await sql`VACUUM (ANALYZE) ${sql.table(name)}`.execute(db);
  });
