import { sql } from "kysely";
import { DatabaseRefused } from "../errors";
import { openPool } from "../postgres/connection-pool";
import { queryBuilder } from "../postgres/query-builder";
import { namedAddress } from "./named-address";

/** The name of the lock, by PostgreSQL's numbers for them. */
const WHOLE_DATABASE = 7_305_814;

/** How often the connection of the lock is used, so that nothing between here and the server takes it for idle. */
const PING_MS = 10_000;

/**
 * Runs a step that only one process may do at a time on a whole database: filling it, copying its data elsewhere,
 * sealing its secrets again. Two of them would overwrite each other's rows or keys. A transaction holds the lock, so
 * that it ends with its process, and also works where a pooler shares connections.
 * @throws DatabaseRefused "database-taken" while another process holds it.
 */
export const aloneWithDatabase = async <Result>(
  address: string,
  act: () => Promise<Result>,
): Promise<Result> => {
  const pool = openPool(namedAddress(address), 1);
  const { database } = pool.destination;
  let done: { result: Result } | undefined;
  try {
    await queryBuilder<unknown>(pool)
      .transaction()
      .execute(async (transaction) => {
        await sql`SELECT set_config('idle_in_transaction_session_timeout', '0', true)`.execute(transaction);
        const { rows } = await sql<{ mine: boolean }>`
          SELECT pg_try_advisory_xact_lock(${WHOLE_DATABASE}, 0) AS mine`.execute(transaction);
        if (rows[0]?.mine !== true) throw new DatabaseRefused({ code: "database-taken", database });
        const ping = setInterval(() => {
          sql`SELECT 1`.execute(transaction).catch(() => undefined);
        }, PING_MS);
        try {
          done = { result: await act() };
        } finally {
          clearInterval(ping);
        }
      });
  } catch (error) {
    // The step is done even when the connection of the lock broke afterwards.
    if (!done) throw error;
  } finally {
    await pool.end();
  }
  if (!done) throw new Error("a step with a database ended without a result");
  return done.result;
};
