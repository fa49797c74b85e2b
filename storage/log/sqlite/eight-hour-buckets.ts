import type { Connection } from "../../sqlite/connection";
import { inTransaction } from "../../sqlite/in-transaction";
import { BUCKET_SECONDS, dayOf, HOUR_SECONDS } from "../hours";
import { BLOCK_TABLES, blockOf } from "../sql/blocks";
import { SUM_COLUMNS } from "../sql/sum-columns";
import { readState, writeState } from "./log-state";

/** How long after its end a bucket is added up: what comes later is added to it one by one. */
const GRACE_SECONDS = HOUR_SECONDS;

const COLUMNS = SUM_COLUMNS.join(", ");
const SUMS = SUM_COLUMNS.map((column) => `sum(${column})`).join(", ");
const ADDITION = SUM_COLUMNS.map((column) => `${column} = ${column} + excluded.${column}`).join(", ");

/** Adds a bucket to the tables of blocks. Days (UTC) are made of whole buckets. */
const addUp = (connection: Connection, bucket: number): void => {
  const end = bucket + BUCKET_SECONDS;
  const ofHours = `day = ${dayOf(bucket)} AND hour >= ${bucket} AND hour < ${end}`;
  for (const { table, block, seconds, keys, from } of BLOCK_TABLES) {
    const list = keys.join(", ");
    connection.exec(
      `INSERT INTO ${table} (${block}, ${list}, ${COLUMNS})
       SELECT ${blockOf(bucket, seconds)}, ${list}, ${SUMS} FROM ${from}
       WHERE ${from.endsWith("_hours") ? ofHours : `bucket = ${bucket}`} GROUP BY ${list}
       ON CONFLICT DO UPDATE SET ${ADDITION}`,
    );
  }
};

/** The first bucket from a moment on in which there is something; undefined for none. */
const nextBucket = (connection: Connection, from: number): number | undefined => {
  const { hour } = connection
    .prepare("SELECT min(hour) AS hour FROM site_hours WHERE hour >= ?")
    .get(from) as { hour: number | null };
  return hour === null ? undefined : blockOf(hour, BUCKET_SECONDS);
};

/**
 * Adds up the first bucket that has ended and was not added up yet.
 * @param now unix seconds.
 * @returns false when there is none.
 */
export const closeBucket = (connection: Connection, now: number): boolean =>
  inTransaction(connection, () => {
    const bucket = nextBucket(connection, readState(connection, "buckets-until"));
    if (bucket === undefined || bucket >= blockOf(now - GRACE_SECONDS, BUCKET_SECONDS)) return false;
    addUp(connection, bucket);
    writeState(connection, "buckets-until", bucket + BUCKET_SECONDS);
    return true;
  });

/** Forgets what was added up, so that all of it is added up anew; within a transaction of the caller. */
export const reopenBuckets = (connection: Connection): void => {
  for (const { table } of BLOCK_TABLES) connection.exec(`DELETE FROM ${table}`);
  writeState(connection, "buckets-until", 0);
};
