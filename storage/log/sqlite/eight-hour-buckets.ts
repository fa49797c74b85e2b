import type { Connection } from "../../sqlite/connection";
import { inTransaction } from "../../sqlite/in-transaction";
import { BUCKET_SECONDS, dayOf, HOUR_SECONDS } from "../hours";
import { BLOCK_TABLES, blockOf } from "../sql/blocks";
import { bucketOfNames, findSharedNames, NAME_TABLES } from "../sql/key-names";
import { SUM_COLUMNS } from "../sql/sum-columns";
import { readState, writeState } from "./log-state";

/** Time after its end when a bucket is added up: later lines are added to it one by one. */
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

/** Adds a bucket to the sums of names. @param which of the names. */
const addUpNames = (connection: Connection, bucket: number, which: string): void => {
  for (const statement of bucketOfNames((table) => table, bucket, which)) connection.exec(statement);
};

/** @returns whether there was a name that is shared by now and was not known to be. */
const findNames = (connection: Connection, since: number): boolean =>
  connection.prepare(findSharedNames(since)).run().changes > 0;

/**
 * Adds one more bucket to the sums of incomplete names, the newest first.
 * @returns false without one.
 */
const takeNamesBack = (connection: Connection): boolean => {
  const { since } = connection.prepare("SELECT max(since) AS since FROM shared_names").get() as {
    since: number | null;
  };
  if (since === null || since === 0) return false;
  const { hour } = connection
    .prepare("SELECT max(hour) AS hour FROM site_hours WHERE hour < ?")
    .get(since) as {
    hour: number | null;
  };
  const bucket = hour === null ? undefined : blockOf(hour, BUCKET_SECONDS);
  if (bucket !== undefined) addUpNames(connection, bucket, `since = ${since}`);
  connection.prepare("UPDATE shared_names SET since = ? WHERE since = ?").run(bucket ?? 0, since);
  return true;
};

/** The first bucket from a moment on in which there is something; undefined for none. */
const nextBucket = (connection: Connection, from: number): number | undefined => {
  const { hour } = connection
    .prepare("SELECT min(hour) AS hour FROM site_hours WHERE hour >= ?")
    .get(from) as { hour: number | null };
  return hour === null ? undefined : blockOf(hour, BUCKET_SECONDS);
};

/**
 * Adds up the first bucket that has ended and was not added up yet; else one from before a key's name was
 * shared.
 * @param now unix seconds.
 * @returns false when there is neither.
 */
export const closeBucket = (connection: Connection, now: number): boolean =>
  inTransaction(connection, () => {
    const until = readState(connection, "buckets-until");
    const bucket = nextBucket(connection, until);
    if (bucket === undefined || bucket >= blockOf(now - GRACE_SECONDS, BUCKET_SECONDS))
      return (until > 0 && findNames(connection, until)) || takeNamesBack(connection);
    addUp(connection, bucket);
    findNames(connection, bucket);
    addUpNames(connection, bucket, `since <= ${bucket}`);
    writeState(connection, "buckets-until", bucket + BUCKET_SECONDS);
    return true;
  });

/** Forgets the sums of names, which are added up again; within a transaction of the caller. */
export const forgetNames = (connection: Connection): void => {
  for (const { table } of NAME_TABLES) connection.exec(`DELETE FROM ${table}`);
  connection.exec("DELETE FROM shared_names");
};

/** Marks all buckets as not added up; within a transaction of the caller. */
export const reopenBuckets = (connection: Connection): void => {
  forgetNames(connection);
  for (const { table } of BLOCK_TABLES) connection.exec(`DELETE FROM ${table}`);
  writeState(connection, "buckets-until", 0);
};
