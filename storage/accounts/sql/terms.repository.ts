import { TERMS_SUMMARY } from "@tollgate/contract/records/terms-record";
import type { Kysely } from "kysely";
import type { Secrets } from "../../secrets";
import { columnsOf, fieldsOf } from "../../sql/row-names";
import type { TermsChanges, TermsQueries } from "../terms-ports";
import { readOptions } from "./options.repository";
import type { Tables } from "./tables";

const acceptancesOf = (db: Kysely<Tables>, userId: number) =>
  db
    .selectFrom("terms_acceptances")
    .select(["version", "accepted_at"])
    .where("user_id", "=", userId)
    .orderBy("version", "desc");

export const termsReads = (db: Kysely<Tables>): TermsQueries => ({
  async find(version) {
    const row = await db
      .selectFrom("terms_versions")
      .select(["user_agreement", "privacy_policy", "published_at"])
      .where("id", "=", version)
      .executeTakeFirst();
    return row && { version, ...fieldsOf(row) };
  },

  async page(offset, limit) {
    const rows = await db
      .selectFrom("terms_versions")
      .selectAll()
      .select((eb) =>
        eb
          .selectFrom("terms_acceptances")
          .whereRef("terms_acceptances.version", "=", "terms_versions.id")
          .select(({ fn }) => fn.countAll().as("count"))
          .as("acceptances"),
      )
      .orderBy("id", "desc")
      .offset(offset)
      .limit(limit)
      .execute();
    return rows.map((row) => ({
      ...fieldsOf(row),
      asksAgain: row.asks_again === 1,
      acceptances: Number(row.acceptances),
    }));
  },

  async acceptedBy(userId) {
    const row = await acceptancesOf(db, userId).executeTakeFirst();
    return row && fieldsOf(row);
  },

  async acceptances(userId, limit) {
    return (await acceptancesOf(db, userId).limit(limit).execute()).map(fieldsOf);
  },
});

export const termsWrites = (db: Kysely<Tables>, secrets: Secrets): TermsChanges => ({
  publish: ({ version, asksAgain, ...terms }, summary) =>
    db.transaction().execute(async (transaction) => {
      const inserted = await transaction
        .insertInto("terms_versions")
        .values({ ...columnsOf(terms), id: version, asks_again: Number(asksAgain) })
        .onConflict((conflict) => conflict.column("id").doNothing())
        .executeTakeFirst();
      if (!inserted.numInsertedOrUpdatedRows) return undefined;
      const value = JSON.stringify(summary);
      await transaction
        .insertInto("options")
        .values({ key: TERMS_SUMMARY, value, is_sealed: 0 })
        .onConflict((conflict) => conflict.column("key").doUpdateSet({ value }))
        .execute();
      return readOptions(transaction, secrets);
    }),

  async accept(userId, version, now) {
    await db
      .insertInto("terms_acceptances")
      .values({ user_id: userId, version, accepted_at: now })
      .onConflict((conflict) => conflict.columns(["user_id", "version"]).doNothing())
      .execute();
  },
});
