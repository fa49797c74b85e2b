import { readNodeReport } from "@tollgate/contract/api/nodes";
import { type Kysely, sql } from "kysely";
import type { Leases, NodeQueries } from "../node-ports";
import type { Tables } from "../sql/tables";
import { BALANCES, lockBalances } from "./balances";

/**
 * Whether the time of a node goes on. It does until the transaction ends: who ends it deletes the row, and waits. Who makes it
 * longer does not wait.
 */
export const isLive = async (transaction: Kysely<Tables>, epoch: number): Promise<boolean> => {
  const { rows } = await sql`SELECT 1 FROM nodes WHERE epoch = ${epoch} FOR KEY SHARE`.execute(transaction);
  return rows.length > 0;
};

/** Ends epochs whose rows are locked. */
const endEpochs = async (transaction: Kysely<Tables>, epochs: readonly number[]): Promise<void> => {
  if (epochs.length === 0) return;
  for (const columns of BALANCES) {
    const { table, balance } = columns;
    const [leases, owner] = [sql.table(columns.leases), sql.ref(columns.owner)];
    const { rows } = await sql<{ id: number }>`
      SELECT DISTINCT ${owner} AS id FROM ${leases} WHERE epoch = ANY(${epochs}::bigint[])`.execute(
      transaction,
    );
    const ids = rows.map(({ id }) => id);
    await lockBalances(transaction, columns, ids);
    await sql`
      WITH freed AS (DELETE FROM ${leases} WHERE epoch = ANY(${epochs}::bigint[]) RETURNING ${owner} AS id, quota),
        sums AS (SELECT id, sum(quota) AS quota FROM freed GROUP BY id)
      UPDATE ${sql.table(table)} SET ${sql.ref(balance)} = ${sql.ref(`${table}.${balance}`)} + sums.quota
      FROM sums WHERE ${sql.ref(`${table}.id`)} = sums.id`.execute(transaction);
  }
  await sql`DELETE FROM nodes WHERE epoch = ANY(${epochs}::bigint[])`.execute(transaction);
};

/**
 * The nodes that share a database, in its clock.
 * @param lifeMs how long a node may be silent.
 */
export const nodeWrites = (db: Kysely<Tables>, lifeMs: number) => {
  const later = sql`now() + ${lifeMs} * interval '1 millisecond'`;
  return {
    async join(about) {
      const { rows } = await sql<{ epoch: number }>`
        INSERT INTO nodes (heard_at, expires_at, about) VALUES (now(), ${later}, ${JSON.stringify(about)})
        RETURNING epoch`.execute(db);
      const [node] = rows;
      if (!node) throw new Error("the row of a node was not inserted");
      return node;
    },

    async renew(epoch, about) {
      const { rows } = await sql<{ liveNodes: number; rank: number }>`
        UPDATE nodes SET heard_at = now(), expires_at = ${later}, about = ${JSON.stringify(about)}
        WHERE epoch = ${epoch} RETURNING (SELECT count(*) FROM nodes) AS "liveNodes",
          (SELECT count(*) FROM nodes AS others WHERE others.epoch < nodes.epoch) AS rank`.execute(db);
      return rows[0] ?? "epoch-over";
    },

    expire: () =>
      db.transaction().execute(async (transaction) => {
        const { rows } = await sql<{ epoch: number }>`
          SELECT epoch FROM nodes WHERE expires_at < now() ORDER BY epoch FOR UPDATE`.execute(transaction);
        const epochs = rows.map(({ epoch }) => epoch);
        await endEpochs(transaction, epochs);
        return epochs;
      }),

    leave: (epoch) =>
      db.transaction().execute(async (transaction) => {
        const { rows } = await sql`SELECT 1 FROM nodes WHERE epoch = ${epoch} FOR UPDATE`.execute(
          transaction,
        );
        if (rows.length > 0) await endEpochs(transaction, [epoch]);
      }),
  } satisfies Pick<Leases, "join" | "renew" | "expire" | "leave">;
};

/** The nodes, asked of the database that they write to: a copy would show all of them as silent for as long as it is behind. */
export const nodeQueries = (db: Kysely<Tables>): NodeQueries => ({
  async all() {
    // One user's lease is a number that JavaScript holds exactly; the sum of all need not be.
    const { rows } = await sql<Awaited<ReturnType<NodeQueries["all"]>>[number]>`
      SELECT epoch, about,
        floor(extract(epoch FROM heard_at))::bigint AS "heardAt",
        greatest(0, floor(extract(epoch FROM now() - heard_at) * 1000))::bigint AS "silentMs",
        (SELECT count(*) FROM user_leases WHERE epoch = nodes.epoch AND quota > 0) AS "leasedUsers",
        (SELECT count(*) FROM token_leases WHERE epoch = nodes.epoch AND quota > 0) AS "leasedKeys",
        (SELECT least(coalesce(sum(quota), 0), ${Number.MAX_SAFE_INTEGER}::bigint)
          FROM user_leases WHERE epoch = nodes.epoch) AS "leasedQuota"
      FROM nodes ORDER BY epoch`.execute(db);
    return rows.map(({ about, ...node }) => ({ ...node, about: readNodeReport(about) }));
  },
});
