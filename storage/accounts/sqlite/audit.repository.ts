import type { Kysely } from "kysely";
import type { Tables } from "./tables";

/** What an administrator changed. Never holds a secret. */
export interface AuditEntry {
  createdAt: number;
  userId: number;
  username: string;
  address: string;
  /** "channel.update", "user.promote" … */
  action: string;
  target: string;
  /** JSON of what changed. */
  detail: string;
}

export const auditReads = (db: Kysely<Tables>) => ({
  /** One page, the newest first. */
  async page(offset: number, limit: number): Promise<(AuditEntry & { id: number })[]> {
    const rows = await db
      .selectFrom("audit")
      .selectAll()
      .orderBy("id", "desc")
      .offset(offset)
      .limit(limit)
      .execute();
    return rows.map((row) => ({
      id: row.id,
      createdAt: row.created_at,
      userId: row.user_id,
      username: row.username,
      address: row.address,
      action: row.action,
      target: row.target,
      detail: row.detail,
    }));
  },
});

export const auditWrites = (db: Kysely<Tables>) => ({
  async add(entry: AuditEntry): Promise<void> {
    await db
      .insertInto("audit")
      .values({
        created_at: entry.createdAt,
        user_id: entry.userId,
        username: entry.username,
        address: entry.address,
        action: entry.action,
        target: entry.target,
        detail: entry.detail,
      })
      .execute();
  },
});
