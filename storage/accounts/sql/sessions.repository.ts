import type { SessionChanges, SessionQueries } from "@tollgate/contract/records/people-store";
import type { Kysely } from "kysely";
import { columnsOf, fieldsOf } from "../../sql/row-names";
import type { Tables } from "./tables";

export const sessionReads = (db: Kysely<Tables>): SessionQueries => ({
  async live(now) {
    const rows = await db
      .selectFrom("sessions")
      .selectAll()
      .where("expires_time", ">", now)
      .orderBy("created_time")
      .execute();
    return rows.map((row) => fieldsOf(row));
  },

  async withIds(idHashes) {
    const rows = await db.selectFrom("sessions").selectAll().where("id_hash", "in", idHashes).execute();
    return rows.map((row) => fieldsOf(row));
  },

  async ofUser(userId, now) {
    const rows = await db
      .selectFrom("sessions")
      .selectAll()
      .where("user_id", "=", userId)
      .where("expires_time", ">", now)
      .execute();
    return rows.map((row) => fieldsOf(row));
  },
});

export const sessionWrites = (db: Kysely<Tables>): SessionChanges => ({
  async create(session) {
    await db.insertInto("sessions").values(columnsOf(session)).execute();
  },

  async noteUse(uses) {
    for (const { idHash, lastUsedTime } of uses)
      await db
        .updateTable("sessions")
        .set({ last_used_time: lastUsedTime })
        .where("id_hash", "=", idHash)
        .where("last_used_time", "<", lastUsedTime)
        .execute();
  },

  async remove(idHash) {
    await db.deleteFrom("sessions").where("id_hash", "=", idHash).execute();
  },

  async removeOthers(userId, keptIdHash) {
    const rows = await db
      .deleteFrom("sessions")
      .where("user_id", "=", userId)
      .where("id_hash", "!=", keptIdHash)
      .returning("id_hash")
      .execute();
    return rows.map((row) => row.id_hash);
  },

  async removeOfOneFactor(leastRole) {
    const rows = await db
      .deleteFrom("sessions")
      .where("user_id", "in", (nested) =>
        nested.selectFrom("users").select("id").where("role", ">=", leastRole),
      )
      .where("user_id", "not in", (nested) =>
        nested.selectFrom("second_factors").select("user_id").where("confirmed_time", ">", 0),
      )
      .where("user_id", "not in", (nested) => nested.selectFrom("passkeys").select("user_id"))
      .returning("id_hash")
      .execute();
    return rows.map((row) => row.id_hash);
  },

  async removeExpired(now) {
    await db.deleteFrom("sessions").where("expires_time", "<=", now).execute();
  },
});
