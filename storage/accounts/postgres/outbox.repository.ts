import type { Kysely } from "kysely";
import type { OutboxRow } from "../../outbox/outbox-ends";
import type { Tables } from "../sql/tables";

/**
 * Takes rows out of the outbox, the oldest first. Not by a number up to which they were taken: with several nodes a row may be
 * committed after one of a higher number, and would be passed over.
 * @param transaction that of the caller, with which what the rows say is stored: they are taken once, or not at all.
 */
export const takeOutboxRows = async (transaction: Kysely<Tables>, limit: number): Promise<OutboxRow[]> => {
  const rows = await transaction
    .deleteFrom("outbox")
    .where("id", "in", (eb) =>
      // What another node is taking now is left to it.
      eb.selectFrom("outbox").select("id").orderBy("id").limit(limit).forUpdate().skipLocked(),
    )
    .returning(["id", "batch"])
    .execute();
  return rows.sort((one, other) => one.id - other.id);
};
