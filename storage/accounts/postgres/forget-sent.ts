import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Tables } from "../sql/tables";

/** Rows that one step deletes: short enough that no charge waits long. */
const STEP = 5000;
/** Far longer than a connected node repeats a call that got no answer. */
const SENT_FOR = sql`interval '1 day'`;
/**
 * A node that was cut off may still send the newest batch of its epoch, charge by charge when one of them was refused.
 * Bookings so shortly before the newest charge of an epoch are kept for as long as a process may be cut off.
 */
const NEWEST = sql`interval '10 seconds'`;
const CUT_OFF_FOR = sql`interval '90 days'`;
/** A node that was away for longer reads everything again. */
const KEPT_FOR = sql`interval '1 hour'`;

/** Deletes rows in short steps. @param chosen which ones, the oldest first. */
const deleteInSteps = async (
  db: Kysely<Tables>,
  table: string,
  id: string,
  chosen: RawBuilder<unknown>,
): Promise<void> => {
  let deleted: bigint | undefined;
  do {
    const result =
      await sql`DELETE FROM ${sql.table(table)} WHERE ${sql.ref(id)} IN (${chosen} LIMIT ${STEP})`.execute(
        db,
      );
    deleted = result.numAffectedRows;
  } while (deleted === BigInt(STEP));
};

/** Deletes the records by which a repeated charge, or edit of a balance, is recognised, once no node repeats it. */
export const forgetSent = async (db: Kysely<Tables>): Promise<void> => {
  await deleteInSteps(
    db,
    "charges",
    "request_id",
    sql`SELECT request_id FROM charges LEFT JOIN booked_epochs USING (epoch) WHERE created_at < now() - ${SENT_FOR}
      AND (booked_at IS NULL OR created_at < booked_at - ${NEWEST} OR created_at < now() - ${CUT_OFF_FOR})
      ORDER BY created_at`,
  );
  await deleteInSteps(
    db,
    "balance_edits",
    "id",
    sql`SELECT id FROM balance_edits WHERE created_at < now() - ${SENT_FOR} ORDER BY created_at`,
  );
  await sql`DELETE FROM booked_epochs WHERE booked_at < now() - ${CUT_OFF_FOR}`.execute(db);
};

/**
 * Deletes changes that all nodes have taken over. The newest of the old rows stays: a node finds its position by the
 * last row that it saw, and has seen that one.
 */
export const forgetAppliedChanges = async (db: Kysely<Tables>): Promise<void> => {
  await sql`DELETE FROM changes WHERE number < (SELECT max(number) FROM changes WHERE at < now() - ${KEPT_FOR})`.execute(
    db,
  );
};
