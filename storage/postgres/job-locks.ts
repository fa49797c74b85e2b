import { sql } from "kysely";
import { openPool, type PoolUse } from "./connection-pool";
import { queryBuilder } from "./query-builder";

/** How often the connection of a lock says that this process is still at it. */
const PING_MS = 10_000;
/** After how long without that the lock is let go: a process may stand still, with its connection open. */
const SILENT_MS = 30_000;
const STATEMENT_MS = 10_000;

/** The first half of the names of these locks, by PostgreSQL's numbers for them. */
const JOBS = 7_305_810;

/** What one process at a time does. */
export interface JobLocks {
  /**
   * Does a job, unless another process is at it. The lock is held by a transaction, so that it also holds where connections are
   * shared by a pooler; who loses its connection meanwhile finishes all the same, so that nothing may depend on being alone.
   * @param job a number for each job.
   * @returns whether it was done.
   */
  exclusively(job: number, step: () => Promise<void>): Promise<boolean>;
  /** The connections that there are now. */
  connections(): PoolUse;
  /** Ends the connections once what is under way is done. */
  close(): Promise<void>;
}

/** @param most how many jobs there may be at once. */
export const openJobLocks = (address: string, most: number): JobLocks => {
  const pool = openPool(address, most, STATEMENT_MS);
  const db = queryBuilder<unknown>(pool);
  return {
    exclusively: (job, step) =>
      db.transaction().execute(async (transaction) => {
        await sql`SELECT set_config('idle_in_transaction_session_timeout', ${String(SILENT_MS)}, true)`.execute(
          transaction,
        );
        const { rows } = await sql<{ mine: boolean }>`
          SELECT pg_try_advisory_xact_lock(${JOBS}, ${job}) AS mine`.execute(transaction);
        if (rows[0]?.mine !== true) return false;
        const ping = setInterval(() => {
          sql`SELECT 1`.execute(transaction).catch(() => undefined);
        }, PING_MS);
        try {
          await step();
        } finally {
          clearInterval(ping);
        }
        return true;
      }),
    connections: () => pool.use,
    close: () => pool.end(),
  };
};
