import { type Kysely, sql } from "kysely";
import type { Tables } from "../accounts/sql/tables";
import { DatabaseRefused } from "../errors";

/** What nodes call themselves to the server (storage/postgres/connection-pool.ts). */
const NODES_NAME = "tollgate";

/**
 * Keeps nodes from joining until the transaction ends.
 * @throws DatabaseRefused where some work with the database.
 */
export const refuseNodes = async (transaction: Kysely<Tables>, database: string): Promise<void> => {
  // Who joins now waits, and is refused then.
  await sql`LOCK TABLE nodes IN EXCLUSIVE MODE`.execute(transaction);
  // A node may also be between two of its times: it has no row, and is connected.
  const { rows } = await sql<{ nodes: number }>`
    SELECT greatest((SELECT count(*) FROM nodes), (SELECT count(DISTINCT coalesce(client_addr, '127.0.0.1'))
      FROM pg_stat_activity WHERE datname = current_database() AND application_name = ${NODES_NAME})) AS nodes`.execute(
    transaction,
  );
  const nodes = rows[0]?.nodes ?? 0;
  if (nodes > 0) throw new DatabaseRefused({ code: "database-has-nodes", database, nodes });
};
