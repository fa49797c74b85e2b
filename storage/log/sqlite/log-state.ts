import type { Connection } from "../../sqlite/connection";

/** Numbers that belong to the log file itself. */
export type StateKey =
  /** The last outbox row whose lines are here. */
  | "last-batch"
  | "last-log-id"
  | "last-receipt-id"
  /** Lines of before this moment (unix seconds) are deleted. */
  | "cleared-before"
  /** Hours of before this moment (unix seconds) are also in the tables of buckets and weeks. */
  | "buckets-until";

export const readState = (connection: Connection, key: StateKey): number => {
  const row = connection.prepare("SELECT value FROM state WHERE key = ?").get(key);
  return row === undefined ? 0 : (row as { value: number }).value;
};

export const writeState = (connection: Connection, key: StateKey, value: number): void => {
  connection
    .prepare("INSERT INTO state (key, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value")
    .run(key, value);
};
