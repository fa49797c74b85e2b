import type { SqlRunner } from "../../sql/sql-runner";

/** Numbers that belong to the log itself. */
export type StateKey =
  /** The last outbox row whose lines are here, where rows are known by number. */
  | "last-batch"
  | "last-log-id"
  | "last-receipt-id"
  /** Lines of before this moment (unix seconds) are deleted. */
  | "cleared-before"
  /** Hours of before this moment (unix seconds) are also in the tables of buckets and weeks. */
  | "buckets-until";

/** @returns 0 for a key that was never written. */
export const readState = async (log: SqlRunner, key: StateKey): Promise<number> => {
  const [row] = await log.all<{ value: number }>("SELECT value FROM state WHERE key = ?", key);
  return row?.value ?? 0;
};
