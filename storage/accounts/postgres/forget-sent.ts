import { type Kysely, sql } from "kysely";
import type { Tables } from "../sql/tables";

/** Rows that one step deletes: short enough that no charge waits long. */
const STEP = 5000;
/** Far longer than a node keeps sending what it got no answer to. */
const SENT_FOR = sql`interval '1 day'`;
/** Whoever was away for longer reads everything anew. */
const TOLD_FOR = sql`interval '1 hour'`;

/** Deletes what nobody sends again: by what a charge, and an edit of a balance, is known to have been done. */
export const forgetSent = async (db: Kysely<Tables>): Promise<void> => {
  for (const { table, id } of [
    { table: "charges", id: "request_id" },
    { table: "balance_edits", id: "id" },
  ]) {
    let deleted: bigint | undefined;
    do {
      const result = await sql`DELETE FROM ${sql.table(table)} WHERE ${sql.ref(id)} IN (
        SELECT ${sql.ref(id)} FROM ${sql.table(table)} WHERE created_at < now() - ${SENT_FOR}
        ORDER BY created_at LIMIT ${STEP})`.execute(db);
      deleted = result.numAffectedRows;
    } while (deleted === BigInt(STEP));
  }
};

/**
 * Deletes what all nodes have been told of. The newest of what is old stays: a node knows by the last row it saw where it goes on,
 * and has seen that one.
 */
export const forgetTold = async (db: Kysely<Tables>): Promise<void> => {
  await sql`DELETE FROM changes WHERE number < (SELECT max(number) FROM changes WHERE at < now() - ${TOLD_FOR})`.execute(
    db,
  );
};
