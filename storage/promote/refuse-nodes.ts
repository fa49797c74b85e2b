import { setTimeout as wait } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import type { Tables } from "../accounts/sql/tables";
import { DatabaseRefused } from "../errors";

/** Application name of nodes' connections (storage/postgres/connection-pool.ts). */
const NODES_NAME = "tollgate";

/** How often a connection is looked for before it counts as a node's, and how long between, in milliseconds. */
const LOOKS = 6;
const LOOK_MS = 100;

/**
 * Keeps nodes from joining until the transaction ends.
 * @throws DatabaseRefused where some work with the database.
 */
export const refuseNodes = async (transaction: Kysely<Tables>, database: string): Promise<void> => {
  // Who joins now waits, and is refused then.
  await sql`LOCK TABLE nodes IN EXCLUSIVE MODE`.execute(transaction);
  // A node may also be between two of its times: it has no row, and is connected. A connection that was closed is there for a moment more.
  for (let left = LOOKS; ; left -= 1) {
    // PostgreSQL otherwise caches the statistics of connections for the whole transaction.
    await sql`SELECT pg_stat_clear_snapshot()`.execute(transaction);
    const { rows } = await sql<{ joined: number; connected: number }>`
      SELECT (SELECT count(*) FROM nodes) AS joined, (SELECT count(DISTINCT coalesce(client_addr, '127.0.0.1'))
        FROM pg_stat_activity WHERE datname = current_database() AND application_name = ${NODES_NAME}) AS connected`.execute(
      transaction,
    );
    const { joined = 0, connected = 0 } = rows[0] ?? {};
    const nodes = Math.max(joined, connected);
    if (nodes === 0) return;
    if (joined > 0 || left === 1) throw new DatabaseRefused({ code: "database-has-nodes", database, nodes });
    await wait(LOOK_MS);
  }
};
