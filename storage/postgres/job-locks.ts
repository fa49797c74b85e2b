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

/** Jobs that run on one process at a time. */
export interface JobLocks {
  /**
   * Runs a job, unless another process is running it. A transaction holds the lock, so that it also works where a
   * pooler shares connections. A process that loses its connection meanwhile still finishes, so nothing may depend on
   * being alone.
   * @param job a number for each job.
   * @returns whether it ran.
   */
  exclusively(job: number, step: () => Promise<void>): Promise<boolean>;
  /** The connections that there are now. */
  connections(): PoolUse;
  /** Closes the connections after running operations end. */
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
