import { createHash } from "node:crypto";
import type {
  ManagementKeyChanges,
  ManagementKeyQueries,
  ManagementKeyRecord,
} from "@tollgate/contract/records/management-key-record";
import type { Kysely } from "kysely";
import { columnsOf, fieldsOf } from "../../sql/row-names";
import type { Row, Tables } from "./tables";

/** Secrets are random and long, so that their hash needs no key: a rotation of the master key leaves them valid. */
const hashOf = (secret: string): string => createHash("sha256").update(secret).digest("base64url");

/** A row without the hash of its secret. */
const toRecord = ({ key_hash: _hash, ...row }: Row<"management_keys">): ManagementKeyRecord => fieldsOf(row);

export const managementKeyReads = (db: Kysely<Tables>): ManagementKeyQueries => ({
  async findBySecret(secret) {
    const row = await db
      .selectFrom("management_keys")
      .selectAll()
      .where("key_hash", "=", hashOf(secret))
      .executeTakeFirst();
    return row && toRecord(row);
  },

  async ofUser(userId) {
    const rows = await db
      .selectFrom("management_keys")
      .selectAll()
      .where("user_id", "=", userId)
      .orderBy("id", "desc")
      .execute();
    return rows.map(toRecord);
  },
});

export const managementKeyWrites = (db: Kysely<Tables>): ManagementKeyChanges => ({
  create(key, secret, most) {
    return db.transaction().execute(async (transaction) => {
      // Locks the user's row: of two calls at a time the later one counts the key of the earlier one.
      const user = await transaction
        .updateTable("users")
        .set((eb) => ({ role: eb.ref("role") }))
        .where("id", "=", key.userId)
        .returning("id")
        .executeTakeFirst();
      if (!user) return undefined;
      const { count } = await transaction
        .selectFrom("management_keys")
        .select((eb) => eb.fn.countAll<number>().as("count"))
        .where("user_id", "=", key.userId)
        .executeTakeFirstOrThrow();
      if (count >= most) return undefined;
      const row = await transaction
        .insertInto("management_keys")
        .values({ ...columnsOf(key), key_hash: hashOf(secret) })
        .returningAll()
        .executeTakeFirstOrThrow();
      return toRecord(row);
    });
  },

  async noteUse(id, at, address) {
    await db
      .updateTable("management_keys")
      .set({ last_used_time: at, last_address: address })
      .where("id", "=", id)
      .where("last_used_time", "<=", at)
      .execute();
  },

  async remove(userId, id) {
    const row = await db
      .deleteFrom("management_keys")
      .where("user_id", "=", userId)
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirst();
    return row && toRecord(row);
  },

  async removeAll(userId) {
    await db.deleteFrom("management_keys").where("user_id", "=", userId).execute();
  },
});
