import type { Session } from "@tollgate/contract/records/session";
import type { Kysely, Selectable } from "kysely";
import type { SessionChanges, SessionQueries } from "../ports";
import type { SessionsTable, Tables } from "./tables";

const toSession = (row: Selectable<SessionsTable>): Session => ({
  idHash: row.id_hash,
  userId: row.user_id,
  createdTime: row.created_time,
  expiresTime: row.expires_time,
  address: row.address,
  userAgent: row.user_agent,
});

export const sessionReads = (db: Kysely<Tables>): SessionQueries => ({
  async live(now: number): Promise<Session[]> {
    const rows = await db
      .selectFrom("sessions")
      .selectAll()
      .where("expires_time", ">", now)
      .orderBy("created_time")
      .execute();
    return rows.map(toSession);
  },

  async withIds(idHashes: readonly string[]): Promise<Session[]> {
    const rows = await db.selectFrom("sessions").selectAll().where("id_hash", "in", idHashes).execute();
    return rows.map(toSession);
  },
});

export const sessionWrites = (db: Kysely<Tables>): SessionChanges => ({
  async create(session: Session): Promise<void> {
    await db
      .insertInto("sessions")
      .values({
        id_hash: session.idHash,
        user_id: session.userId,
        created_time: session.createdTime,
        expires_time: session.expiresTime,
        address: session.address,
        user_agent: session.userAgent,
      })
      .execute();
  },

  async remove(idHash: string): Promise<void> {
    await db.deleteFrom("sessions").where("id_hash", "=", idHash).execute();
  },

  async removeOthers(userId: number, keptIdHash: string): Promise<string[]> {
    const rows = await db
      .deleteFrom("sessions")
      .where("user_id", "=", userId)
      .where("id_hash", "!=", keptIdHash)
      .returning("id_hash")
      .execute();
    return rows.map((row) => row.id_hash);
  },

  async removeExpired(now: number): Promise<void> {
    await db.deleteFrom("sessions").where("expires_time", "<=", now).execute();
  },
});
