import type { OnThread } from "../../consistency";
import type { Sealer } from "../../secrets";
import type { Connection } from "../../sqlite/connection";
import { inTransaction } from "../../sqlite/in-transaction";
import { BODIES_A_STEP, type BodyDeletion, type BodySteps } from "../ports";
import { openBody, type StoredBody, sealBody } from "../stored-body";

/** The file of stored bodies: its only connection reads and writes. */
export const bodyRepository = (connection: Connection, sealer: Sealer) => {
  const insert = connection.prepare(
    `INSERT INTO bodies (request_id, user_id, created_at, stored_bytes, sealed) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO NOTHING`,
  );
  const countBytes = (): number => {
    const row = connection.prepare("SELECT coalesce(sum(stored_bytes), 0) AS bytes FROM bodies").get();
    return (row as { bytes: number }).bytes;
  };
  let totalBytes = countBytes();

  /** Nothing of a step that fails counts. */
  const write = <T>(step: () => T): T => {
    try {
      return inTransaction(connection, step);
    } catch (error) {
      totalBytes = countBytes();
      throw error;
    }
  };

  /** @returns how many. */
  const remove = (which: string, value: number): number => {
    const rows = connection
      .prepare(`DELETE FROM bodies WHERE id IN (SELECT id FROM bodies ${which}) RETURNING stored_bytes`)
      .all(value) as { stored_bytes: number }[];
    for (const { stored_bytes } of rows) totalBytes -= stored_bytes;
    return rows.length;
  };

  const clear = (where: string, value: number): BodyDeletion => {
    const deleted = write(() => remove(`WHERE ${where} LIMIT ${BODIES_A_STEP}`, value));
    const isDone = deleted < BODIES_A_STEP;
    if (deleted > 0) {
      connection.exec("PRAGMA incremental_vacuum");
      // Only now is it out of the write-ahead log, too, and the file smaller.
      if (isDone) connection.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    }
    return { deleted, isDone };
  };

  return {
    add(body: StoredBody, maxTotalBytes: number): void {
      const sealed = sealBody(body, sealer);
      write(() => {
        const { requestId, userId, createdAt } = body;
        const { changes } = insert.run(requestId, userId, createdAt, sealed.byteLength, sealed);
        if (changes > 0) totalBytes += sealed.byteLength;
        while (totalBytes > maxTotalBytes && remove("ORDER BY id LIMIT ?", 1) > 0);
      });
    },

    find(requestId: string, userId: number | undefined): StoredBody | undefined {
      const row = connection
        .prepare("SELECT user_id, created_at, sealed FROM bodies WHERE request_id = ?")
        .get(requestId) as { user_id: number; created_at: number; sealed: Buffer } | undefined;
      if (!row || (userId !== undefined && row.user_id !== userId)) return undefined;
      const { user_id, created_at, sealed } = row;
      return { requestId, userId: user_id, createdAt: created_at, ...openBody(sealed, sealer) };
    },

    has: (requestId: string): boolean =>
      connection.prepare("SELECT 1 FROM bodies WHERE request_id = ?").get(requestId) !== undefined,

    clearBefore: (timestamp: number): BodyDeletion => clear("created_at < ?", timestamp),

    clearUser: (userId: number): BodyDeletion => clear("user_id = ?", userId),
  } satisfies OnThread<{ bodies: BodySteps }>["bodies"];
};

export type BodyRepository = ReturnType<typeof bodyRepository>;
