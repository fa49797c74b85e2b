import { type Kysely, sql } from "kysely";
import type { OutboxRow } from "../../outbox/outbox-ends";
import { addUses, type ConnectionPool, openPool, type PoolUse } from "../../postgres/connection-pool";
import { explainRights } from "../../postgres/explain-failure";
import { migrateDatabase } from "../../postgres/migrate";
import { postgresSnapshots } from "../../postgres/postgres-runner";
import { queryBuilder } from "../../postgres/query-builder";
import { isCopy, snapshotsOfCopy } from "../../postgres/read-copy";
import { repeating, repeatTransaction } from "../../postgres/repeat-transaction";
import type { InSnapshot } from "../../sql/sql-runner";
import { hourOf } from "../hours";
import type { LogMaintenance } from "../ports";
import { logQueries } from "../sql/log-queries";
import type { ChannelNames } from "../sql/usage";
import { dropDay } from "./days";
import { writeLines } from "./line-writer";
import { takeLock } from "./log-locks";
import { LOG_MIGRATIONS } from "./migrations";
import { addUpSums, closeBucket, readState, writeState } from "./sums";

/** Connections for queries that the console sends concurrently. */
const READERS = 4;
/** Connections for lines, and for periodic work beside them. */
const WRITERS = 2;
/** How long a query may take: no caller waits for its page longer. */
const QUERY_MS = 60_000;
/** Timeout of a statement that writes: sums that were last updated long ago take their time. */
const WRITE_MS = 600_000;
/** Lines that one step of clearing deletes, where not all of a day is deleted. */
const CLEAR_STEP = 2000;
/** Each transaction wrote a block of its own, often of one line: put together where they lie, they are read ten times as fast. */
const BLOCKS = `SELECT hour, sum(lines) AS lines, string_agg(data, ''::bytea) AS data
  FROM priced_lines WHERE hour >= ? AND hour < ? GROUP BY hour ORDER BY hour`;

/** One step. @returns whether there are no more. */
const clearFailures = async (transaction: Kysely<unknown>, before: number): Promise<boolean> => {
  const receipts = await sql<{ id: number }>`
    DELETE FROM receipts WHERE (created_at, id) IN (
      SELECT created_at, id FROM receipts WHERE log_id = 0 AND created_at < ${before} LIMIT ${CLEAR_STEP}
    ) RETURNING id`.execute(transaction);
  const counts = await sql<{ request_id: string }>`
    DELETE FROM failures WHERE request_id IN (
      SELECT request_id FROM failures WHERE first_at < ${before} ORDER BY request_id LIMIT ${CLEAR_STEP}
    ) RETURNING request_id`.execute(transaction);
  return receipts.rows.length < CLEAR_STEP && counts.rows.length < CLEAR_STEP;
};

/** The part of a day that is to go, in steps. */
const clearWithinDay = async (transaction: Kysely<unknown>, before: number) => {
  const lines = await sql<{ created_at: number; receipt_id: number }>`
    DELETE FROM logs WHERE (created_at, id) IN (
      SELECT created_at, id FROM logs WHERE created_at < ${before} ORDER BY created_at LIMIT ${CLEAR_STEP}
    ) RETURNING created_at, receipt_id`.execute(transaction);
  await sql`DELETE FROM receipts WHERE (created_at, id) IN (SELECT * FROM unnest(
    ${lines.rows.map(({ created_at }) => created_at)}::bigint[],
    ${lines.rows.map(({ receipt_id }) => receipt_id)}::bigint[]))`.execute(transaction);
  const isDone = (await clearFailures(transaction, before)) && lines.rows.length < CLEAR_STEP;
  return { deleted: lines.rows.length, isDone };
};

const clearBefore = (db: Kysely<unknown>, timestamp: number, now: number) =>
  db.transaction().execute(async (transaction) => {
    // No node writes lines meanwhile: a text that no line has could be the one of a line that is being written.
    await takeLock(transaction, "contents");
    // Lines may say a later time than it is now, where the clock was set back: they stay, as their hours count them.
    const asked = Math.min(timestamp, now + 1);
    const before = Math.max(Math.min(timestamp, now), await readState(transaction, "cleared-before"));
    await writeState(transaction, "cleared-before", before);
    const dropped = await dropDay(transaction, asked);
    if (dropped !== undefined) return { deleted: dropped, isDone: false };
    const { deleted, isDone } = await clearWithinDay(transaction, asked);
    if (isDone) {
      await takeLock(transaction, "sums");
      const hour = hourOf(before);
      await sql`DELETE FROM content_hours_summed WHERE hour < ${hour}`.execute(transaction);
      await sql`DELETE FROM unsummed_contents WHERE hour < ${hour}`.execute(transaction);
      await sql`DELETE FROM priced_lines WHERE hour < ${hour}`.execute(transaction);
      await sql`DELETE FROM contents WHERE NOT EXISTS (SELECT FROM content_hours WHERE content_id = contents.id)`.execute(
        transaction,
      );
    }
    return { deleted, isDone };
  });

/** Of the database itself, or of a copy of it where there is one. */
const snapshotsOf = async (
  pool: ConnectionPool,
  copies: ConnectionPool | undefined,
  reportError: (error: Error) => void,
): Promise<InSnapshot> => {
  const db = queryBuilder<unknown>(pool);
  if (copies === undefined) return postgresSnapshots(db);
  const copy = queryBuilder<unknown>(copies);
  return (await isCopy(db, copy, copies.destination, reportError))
    ? snapshotsOfCopy(db, copy, copies.destination, reportError)
    : postgresSnapshots(db);
};

/** The log of a database. */
export interface OpenLog {
  queries: ReturnType<typeof logQueries>;
  maintenance: LogMaintenance;
  /**
   * Takes rows of the outbox over: their lines are stored with the transaction in which they are taken, or neither.
   * @param take gives rows, the oldest first, and takes them out of the outbox.
   * @returns how many there were.
   */
  takeOver(take: (transaction: Kysely<unknown>) => Promise<readonly OutboxRow[]>): Promise<number>;
  /** Adds up lines written since the last time. Queries see these before as well, but have more to add. */
  addUpSums(): Promise<void>;
  /** The connections that there are now. */
  connections(): PoolUse;
  /** Closes the connections after running operations end. */
  close(): Promise<void>;
}

/**
 * Opens the log of a database, and migrates it to the newest schema.
 * @param channels names of channels, which lines have by number. @param readAddress of a copy for queries.
 * @param reportError called when the copy does not answer, or the migration has to wait.
 * @throws DatabaseRefused with the reason.
 */
export const openLog = async (
  address: string,
  channels: ChannelNames,
  readAddress?: string,
  reportError: (error: Error) => void = () => {},
): Promise<OpenLog> => {
  await migrateDatabase(address, "log", LOG_MIGRATIONS, reportError);
  const writers = openPool(address, WRITERS, WRITE_MS);
  const readers = openPool(address, READERS, QUERY_MS);
  const copies = readAddress === undefined ? undefined : openPool(readAddress, READERS, QUERY_MS);
  const pools = [writers, readers, ...(copies ? [copies] : [])];
  const close = async (): Promise<void> => {
    for (const pool of pools) await pool.end();
  };
  const db = queryBuilder<unknown>(writers);
  let inSnapshot: InSnapshot;
  try {
    inSnapshot = await snapshotsOf(readers, copies, reportError);
  } catch (error) {
    await close();
    throw explainRights(error, writers.destination);
  }
  const maintenance: LogMaintenance = {
    clearBefore: (timestamp, now) => clearBefore(db, timestamp, now),
    clearFailuresBefore: (timestamp) =>
      db.transaction().execute(async (transaction) => {
        // No node counts a failure meanwhile.
        await takeLock(transaction, "contents");
        return clearFailures(transaction, timestamp);
      }),
    closeBucket: (now) => closeBucket(db, now),
    clearedBefore: () => readState(db, "cleared-before"),
  };
  return {
    queries: logQueries(inSnapshot, channels, "ILIKE", BLOCKS),
    maintenance: repeating({ maintenance }).maintenance,
    takeOver: (take) =>
      repeatTransaction(() =>
        db.transaction().execute(async (transaction) => {
          await takeLock(transaction, "contents", true);
          const rows = await take(transaction);
          await writeLines(
            transaction,
            rows.map(({ batch }) => batch),
          );
          return rows.length;
        }),
      ),
    addUpSums: () => repeatTransaction(() => addUpSums(db)),
    connections: () => addUses(pools.map(({ use }) => use)),
    close,
  };
};
