import type {
  NewPasskey,
  Passkey,
  PasskeyChanges,
  PasskeyQueries,
  PasskeyRefusal,
} from "@tollgate/contract/records/passkey-record";
import type { Kysely } from "kysely";
import type { Row, Tables } from "./tables";

export const passkeyColumns = ({
  userId,
  credentialId,
  publicKey,
  counter,
  transports,
  name,
  createdTime,
  lastUsedTime,
  lastChallenge,
}: NewPasskey) => ({
  user_id: userId,
  credential_id: credentialId,
  public_key: publicKey,
  counter,
  transports: transports.join(","),
  name,
  created_time: createdTime,
  last_used_time: lastUsedTime,
  last_challenge: lastChallenge,
});

const toPasskey = (row: Row<"passkeys">): Passkey => ({
  id: row.id,
  userId: row.user_id,
  credentialId: row.credential_id,
  publicKey: row.public_key,
  counter: row.counter,
  transports: row.transports === "" ? [] : row.transports.split(","),
  name: row.name,
  createdTime: row.created_time,
  lastUsedTime: row.last_used_time,
  lastChallenge: row.last_challenge,
});

export const passkeyReads = (db: Kysely<Tables>): PasskeyQueries => ({
  async ofUser(userId) {
    const rows = await db
      .selectFrom("passkeys")
      .selectAll()
      .where("user_id", "=", userId)
      .orderBy("id")
      .execute();
    return rows.map(toPasskey);
  },

  async find(credentialId) {
    const row = await db
      .selectFrom("passkeys")
      .selectAll()
      .where("credential_id", "=", credentialId)
      .executeTakeFirst();
    return row && toPasskey(row);
  },
});

/** Serializes additions to a user's passkeys: on an engine with several connections a write locks. */
const lockUser = (db: Kysely<Tables>, userId: number): Promise<unknown> =>
  db
    .updateTable("users")
    .set((eb) => ({ quota: eb.ref("quota") }))
    .where("id", "=", userId)
    .execute();

const hasConfirmedFactor = async (db: Kysely<Tables>, userId: number): Promise<boolean> =>
  (await db
    .selectFrom("second_factors")
    .select("user_id")
    .where("user_id", "=", userId)
    .where("confirmed_time", ">", 0)
    .executeTakeFirst()) !== undefined;

export const passkeyWrites = (db: Kysely<Tables>): PasskeyChanges => ({
  add(passkey, { max, isFirst }) {
    const { userId, lastChallenge } = passkey;
    return db.transaction().execute(async (transaction): Promise<Passkey | PasskeyRefusal> => {
      await lockUser(transaction, userId);
      const others = await passkeyReads(transaction).ofUser(userId);
      if (others.length >= max) return "too-many";
      if (others.some((other) => other.lastChallenge >= lastChallenge)) return "challenge-used";
      if (isFirst && (others.length > 0 || (await hasConfirmedFactor(transaction, userId))))
        return "not-first";
      const row = await transaction
        .insertInto("passkeys")
        .values(passkeyColumns(passkey))
        .onConflict((conflict) => conflict.column("credential_id").doNothing())
        .returningAll()
        .executeTakeFirst();
      return row ? toPasskey(row) : "taken";
    });
  },

  async use(seen, { counter, lastUsedTime, lastChallenge }) {
    const updated = await db
      .updateTable("passkeys")
      .set({ counter, last_used_time: lastUsedTime, last_challenge: lastChallenge })
      .where("id", "=", seen.id)
      .where("counter", "=", seen.counter)
      .where("last_challenge", "=", seen.lastChallenge)
      .executeTakeFirst();
    return updated.numUpdatedRows > 0n;
  },

  async rename(userId, id, name) {
    const updated = await db
      .updateTable("passkeys")
      .set({ name })
      .where("id", "=", id)
      .where("user_id", "=", userId)
      .executeTakeFirst();
    return updated.numUpdatedRows > 0n;
  },

  async remove(userId, id) {
    const removed = await db
      .deleteFrom("passkeys")
      .where("id", "=", id)
      .where("user_id", "=", userId)
      .executeTakeFirst();
    return removed.numDeletedRows > 0n;
  },

  async removeAll(userId) {
    const removed = await db.deleteFrom("passkeys").where("user_id", "=", userId).executeTakeFirst();
    return Number(removed.numDeletedRows);
  },
});
