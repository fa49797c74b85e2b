import { type Kysely, sql } from "kysely";

/** Locks that end with their transaction, by PostgreSQL's numbers for them. */
const LOCKS = {
  /** One node at a time adds up, and moves the moment until which buckets are added up. */
  sums: 7_305_802,
  /** Who writes lines shares it; who deletes texts that no line has has it alone. */
  contents: 7_305_803,
  /** One node at a time makes the parts of tables for a day. */
  days: 7_305_804,
  /** One node at a time gives numbers to new names and texts. */
  numbers: 7_305_805,
} as const;

/** Waits for a lock. @param isShared by all others who share it. */
export const takeLock = async (
  transaction: Kysely<unknown>,
  name: keyof typeof LOCKS,
  isShared = false,
): Promise<void> => {
  const key = LOCKS[name];
  await (isShared
    ? sql`SELECT pg_advisory_xact_lock_shared(${key})`.execute(transaction)
    : sql`SELECT pg_advisory_xact_lock(${key})`.execute(transaction));
};
