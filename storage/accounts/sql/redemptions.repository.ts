import {
  REDEMPTION_FILTERS,
  REDEMPTION_SORTS,
  REDEMPTION_USE_SORTS,
  type Redemption,
} from "@tollgate/contract/api/redemptions";
import type { ImportedRedemption } from "@tollgate/contract/records/imported-records";
import type { NewRedemption } from "@tollgate/contract/records/redemption-record";
import { amountOf, type LogPhrase } from "@tollgate/contract/values/log-phrase";
import {
  LOG_TOPUP,
  REDEMPTION_DISABLED,
  REDEMPTION_UNUSED,
  REDEMPTION_USED,
} from "@tollgate/contract/values/statuses";
import { type ExpressionBuilder, type Insertable, type Kysely, sql } from "kysely";
import { StorageConflict } from "../../errors";
import type { Secrets } from "../../secrets";
import type { SqlDialect } from "../../sql/dialect";
import { filterRows } from "../../sql/filter-rows";
import { columnsOf, fieldsOf } from "../../sql/row-names";
import { nameColumn, readPage, storedColumns, userNameColumn } from "../../sql/sort-rows";
import type { RedemptionChanges, RedemptionQueries } from "../money-ports";
import { insertAccountLines } from "./account-lines";
import { checkFavour } from "./check-favour";
import { bookCodeCommission } from "./commissions.repository";
import { moveBalance } from "./move-balance";
import type { Row, Tables } from "./tables";

const toRedemption = (
  { key_hash, key_sealed, redeemed_by: usedBy, ...row }: Row<"redemptions">,
  secrets: Secrets,
): Redemption => ({ ...fieldsOf(row), key: secrets.open(key_sealed), usedBy });

const isFoundBy = (keyword: string, dialect: SqlDialect) => (eb: ExpressionBuilder<Tables, "redemptions">) =>
  eb.or([
    eb("id", "=", /^\d{1,15}$/.test(keyword) ? Number(keyword) : 0),
    dialect.beginsWith("name", keyword),
  ]);

export const redemptionReads = (
  db: Kysely<Tables>,
  secrets: Secrets,
  dialect: SqlDialect,
): RedemptionQueries => ({
  async page(offset, limit, sort, filter = {}, keyword) {
    const all = filterRows(db.selectFrom("redemptions").selectAll(), filter, REDEMPTION_FILTERS);
    const rows = await readPage(
      keyword === undefined ? all : all.where(isFoundBy(keyword, dialect)),
      sort,
      {
        ...storedColumns(REDEMPTION_SORTS),
        name: nameColumn("name"),
      },
      { offset, limit },
    );
    return rows.map((row) => toRedemption(row, secrets));
  },

  async before(id, limit, keyword, filter = {}) {
    const all = filterRows(db.selectFrom("redemptions").selectAll(), filter, REDEMPTION_FILTERS);
    const found = keyword === undefined ? all : all.where(isFoundBy(keyword, dialect));
    const rows = await found.where("id", "<", id).orderBy("id", "desc").limit(limit).execute();
    return rows.map((row) => toRedemption(row, secrets));
  },

  async find(id) {
    const row = await db.selectFrom("redemptions").selectAll().where("id", "=", id).executeTakeFirst();
    return row && toRedemption(row, secrets);
  },

  async uses(id, offset, limit, sort) {
    const found = db
      .selectFrom("redemption_uses")
      .selectAll()
      .select((eb) => [
        eb
          .selectFrom("users")
          .select("username")
          .whereRef("users.id", "=", "redemption_uses.user_id")
          .as("username"),
      ])
      .where("redemption_id", "=", id);
    const rows = await readPage(
      found,
      sort,
      {
        ...storedColumns(REDEMPTION_USE_SORTS),
        used_time: sql.ref("used_at"),
        username: userNameColumn("redemption_uses.user_id"),
      },
      { offset, limit },
    );
    return rows.map(({ redemption_id, ...row }) => ({ ...fieldsOf(row), username: row.username ?? "" }));
  },
});

const newColumns = (
  { key, ...redemption }: NewRedemption,
  secrets: Secrets,
): Insertable<Tables["redemptions"]> => ({
  ...{ status: REDEMPTION_UNUSED, redeemed_time: 0, redeemed_by: 0 },
  ...columnsOf(redemption),
  key_hash: secrets.hash(key),
  key_sealed: secrets.seal(key),
  expires_time: redemption.expiresTime ?? 0,
  most_uses: redemption.mostUses ?? 1,
});

/** A code that another gateway had, as it is stored. */
export const importedRedemptionColumns = (redemption: ImportedRedemption, secrets: Secrets) => ({
  ...newColumns(redemption, secrets),
  used_count: redemption.status === REDEMPTION_USED ? 1 : 0,
});

/** How many codes one statement stores. */
const GROUP = 100;

export const redemptionWrites = (db: Kysely<Tables>, secrets: Secrets): RedemptionChanges => ({
  async create(redemptions) {
    await db.transaction().execute(async (transaction) => {
      for (let from = 0; from < redemptions.length; from += GROUP)
        await transaction
          .insertInto("redemptions")
          .values(redemptions.slice(from, from + GROUP).map((redemption) => newColumns(redemption, secrets)))
          .execute();
    });
  },

  async change(id, change) {
    const { makerId, ...fields } = change;
    const row = await db
      .updateTable("redemptions")
      .set({ id, ...columnsOf(fields), user_id: makerId })
      .where("id", "=", id)
      .where("status", "!=", REDEMPTION_USED)
      .$if(change.mostUses !== undefined, (query) => query.where("used_count", "<", change.mostUses ?? 0))
      .returningAll()
      .executeTakeFirst();
    if (row) return toRedemption(row, secrets);
    const isKnown = await db.selectFrom("redemptions").select("id").where("id", "=", id).executeTakeFirst();
    throw new StorageConflict(isKnown ? "redemption-used" : "not-found");
  },

  async remove(id) {
    const result = await db.deleteFrom("redemptions").where("id", "=", id).executeTakeFirst();
    return result.numDeletedRows > 0n;
  },

  async removeDead(now) {
    const { numDeletedRows } = await db
      .deleteFrom("redemptions")
      .where((eb) =>
        eb.or([
          eb("status", "in", [REDEMPTION_USED, REDEMPTION_DISABLED]),
          eb.and([eb("expires_time", ">", 0), eb("expires_time", "<=", now)]),
        ]),
      )
      .executeTakeFirst();
    return Number(numDeletedRows);
  },

  async redeem(key, userId, now, username, amount, commission) {
    const keyHash = secrets.hash(key);
    return await db.transaction().execute(async (transaction) => {
      // A write, so that another redemption waits here and sees this use.
      const row = await transaction
        .updateTable("redemptions")
        .set((eb) => ({ key_hash: eb.ref("key_hash") }))
        .where("key_hash", "=", keyHash)
        .returning(["id", "user_id", "quota", "status", "expires_time", "most_uses", "used_count"])
        .executeTakeFirst();
      if (!row) throw new StorageConflict("redemption-unknown");
      if (row.status === REDEMPTION_DISABLED) throw new StorageConflict("redemption-disabled");
      if (row.status !== REDEMPTION_UNUSED) throw new StorageConflict("redemption-used");
      if (row.expires_time > 0 && row.expires_time <= now) throw new StorageConflict("redemption-expired");
      // Administrators can read all codes, so an administrator who redeems one decides in their own favour.
      await checkFavour(transaction, [row.user_id, userId], userId);
      const use = await transaction
        .insertInto("redemption_uses")
        .values({ redemption_id: row.id, user_id: userId, used_at: now, quota: row.quota })
        .onConflict((conflict) => conflict.columns(["redemption_id", "user_id"]).doNothing())
        .returning("id")
        .executeTakeFirst();
      if (!use) throw new StorageConflict("redemption-used-before");
      const used = row.used_count + 1;
      await transaction
        .updateTable("redemptions")
        .set({
          status: used >= row.most_uses ? REDEMPTION_USED : REDEMPTION_UNUSED,
          used_count: used,
          redeemed_time: now,
          redeemed_by: userId,
        })
        .where("id", "=", row.id)
        .execute();
      // Rolls back where the account cannot hold so much: the code stays unused.
      const reference = `${row.id}/${used}`;
      await moveBalance(
        transaction,
        { of: "user", id: userId },
        { difference: row.quota, movement: { cause: "redeemed", reference, actorId: row.user_id, at: now } },
      );
      const code = { userId, makerId: row.user_id, quota: row.quota, reference };
      await bookCodeCommission(transaction, code, commission, now);
      const paid = amountOf(row.quota, amount.quotaPerUnit, amount.isCurrency);
      const phrase: LogPhrase = { code: "redeemed", amount: paid };
      await insertAccountLines(transaction, [{ createdAt: now, userId, username, type: LOG_TOPUP, phrase }]);
      return row.quota;
    });
  },
});
