import { type Kysely, sql } from "kysely";
import type { Sealer } from "../../secrets";
import { BODIES_A_STEP, type BodyDeletion, type BodySteps } from "../ports";
import type { Tables } from "../sql/bodies-schema";
import { openBody, type StoredBody, sealBody } from "../stored-body";

/** Part of the limit that is added before the bytes are counted again: counting reads all rows. */
const UNCOUNTED = 0.01;

/** PostgreSQL's name for "one node at a time makes room for bodies". */
const MAKING_ROOM = 7_305_801;

/**
 * Deletes the oldest bodies until the others fit.
 * @param maxTotalBytes how much may be left.
 * @returns false where another node is at it: nothing was done.
 */
const makeRoom = (db: Kysely<Tables>, maxTotalBytes: number): Promise<boolean> =>
  db.transaction().execute(async (transaction) => {
    const lock = await sql<{
      mine: boolean;
    }>`SELECT pg_try_advisory_xact_lock(${MAKING_ROOM}) AS mine`.execute(transaction);
    if (lock.rows[0]?.mine !== true) return false;
    const total = await sql<{ bytes: number | null }>`SELECT sum(stored_bytes) AS bytes FROM bodies`.execute(
      transaction,
    );
    let excess = (total.rows[0]?.bytes ?? 0) - maxTotalBytes;
    while (excess > 0) {
      const { rows } = await sql<{ stored_bytes: number }>`
        DELETE FROM bodies WHERE id IN (
          SELECT id FROM (
            SELECT id, sum(stored_bytes) OVER (ORDER BY id) - stored_bytes AS older_bytes
            FROM (SELECT id, stored_bytes FROM bodies ORDER BY id LIMIT ${BODIES_A_STEP}) AS oldest
          ) AS counted WHERE older_bytes < ${excess}
        ) RETURNING stored_bytes`.execute(transaction);
      if (rows.length === 0) break;
      for (const { stored_bytes } of rows) excess -= stored_bytes;
    }
    return true;
  });

/** Stored bodies of a database. */
export const bodyRepository = (db: Kysely<Tables>, sealer: Sealer): BodySteps => {
  /** How many bytes this node has stored since all were counted; unknown at a start. */
  let uncountedBytes = Number.POSITIVE_INFINITY;

  const clear = async (column: "created_at" | "user_id", operator: "<" | "=", value: number) => {
    const { numDeletedRows } = await db
      .deleteFrom("bodies")
      .where("id", "in", (eb) =>
        eb.selectFrom("bodies").select("id").where(column, operator, value).limit(BODIES_A_STEP),
      )
      .executeTakeFirstOrThrow();
    const deleted = Number(numDeletedRows);
    return { deleted, isDone: deleted < BODIES_A_STEP } satisfies BodyDeletion;
  };

  return {
    /** With several nodes, each of them may have stored a hundredth more than may be, until one counts. */
    async add(body: StoredBody, maxTotalBytes: number): Promise<void> {
      const sealed = sealBody(body, sealer);
      await db
        .insertInto("bodies")
        .values({
          request_id: body.requestId,
          user_id: body.userId,
          created_at: body.createdAt,
          stored_bytes: sealed.byteLength,
          sealed,
        })
        .onConflict((conflict) => conflict.column("request_id").doNothing())
        .execute();
      uncountedBytes += sealed.byteLength;
      if (uncountedBytes < maxTotalBytes * UNCOUNTED) return;
      if (await makeRoom(db, maxTotalBytes)) uncountedBytes = 0;
    },

    async find(requestId: string, userId: number | undefined): Promise<StoredBody | undefined> {
      const row = await db
        .selectFrom("bodies")
        .select(["user_id", "created_at", "sealed"])
        .where("request_id", "=", requestId)
        .executeTakeFirst();
      if (!row || (userId !== undefined && row.user_id !== userId)) return undefined;
      const { user_id, created_at, sealed } = row;
      return { requestId, userId: user_id, createdAt: created_at, ...openBody(sealed, sealer) };
    },

    async has(requestId: string): Promise<boolean> {
      const query = db.selectFrom("bodies").select("id").where("request_id", "=", requestId);
      return (await query.executeTakeFirst()) !== undefined;
    },

    clearBefore: (timestamp: number) => clear("created_at", "<", timestamp),

    clearUser: (userId: number) => clear("user_id", "=", userId),
  };
};
