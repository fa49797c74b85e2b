import type { Kysely } from "kysely";
import type { OutboxRow } from "../../outbox/outbox-ends";
import type { Tables } from "../sql/tables";

/**
 * Takes rows out of the outbox, the oldest first. Rows are deleted and not marked by a highest number: with several
 * nodes a row may be committed after one of a higher number, and would be skipped.
 * @param transaction the caller's, which also stores the rows' content: each is taken once or not at all.
 * @param upTo takes only rows up to this one, and waits for those that another node is taking; by default it skips
 *   these.
 */
export const takeOutboxRows = async (
  transaction: Kysely<Tables>,
  limit: number,
  upTo?: number,
): Promise<OutboxRow[]> => {
  const rows = await transaction
    .deleteFrom("outbox")
    .where("id", "in", (eb) => {
      const oldest = eb.selectFrom("outbox").select("id").orderBy("id").limit(limit).forUpdate();
      return upTo === undefined ? oldest.skipLocked() : oldest.where("id", "<=", upTo);
    })
    .returning(["id", "batch"])
    .execute();
  return rows.sort((one, other) => one.id - other.id);
};

/** Returns the newest row, or undefined. */
export const newestOutboxRow = async (db: Kysely<Tables>): Promise<number | undefined> => {
  const row = await db.selectFrom("outbox").select("id").orderBy("id", "desc").limit(1).executeTakeFirst();
  return row?.id;
};

/** Whether there is a row up to this one. */
export const isAnyUpTo = async (db: Kysely<Tables>, row: number): Promise<boolean> =>
  (await db.selectFrom("outbox").select("id").where("id", "<=", row).limit(1).executeTakeFirst()) !==
  undefined;
