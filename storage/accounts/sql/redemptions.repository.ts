import {
  REDEMPTION_FILTERS,
  REDEMPTION_SORTS,
  type Redemption,
  type RedemptionFilter,
  type RedemptionSort,
} from "@tollgate/contract/api/redemptions";
import type { ImportedRedemption } from "@tollgate/contract/records/imported-records";
import type {
  NewRedemption,
  RedemptionChange,
  RedemptionUse,
} from "@tollgate/contract/records/redemption-record";
import type { ListSort } from "@tollgate/contract/resource/list-sort";
import { amountOf, type LogPhrase } from "@tollgate/contract/values/log-phrase";
import {
  LOG_TOPUP,
  REDEMPTION_DISABLED,
  REDEMPTION_UNUSED,
  REDEMPTION_USED,
} from "@tollgate/contract/values/statuses";
import type { ExpressionBuilder, Insertable, Kysely, Selectable, Updateable } from "kysely";
import { StorageConflict } from "../../errors";
import type { Secrets } from "../../secrets";
import type { SqlDialect } from "../../sql/dialect";
import { filterRows } from "../../sql/filter-rows";
import { nameColumn, sortRows, storedColumns } from "../../sql/sort-rows";
import type { RedemptionChanges, RedemptionQueries } from "../ports";
import { insertAccountLines } from "./account-lines";
import { checkFavour } from "./check-favour";
import { moveBalance } from "./move-balance";
import type { RedemptionsTable, Tables } from "./tables";

const toRedemption = (row: Selectable<RedemptionsTable>, secrets: Secrets): Redemption => ({
  id: row.id,
  userId: row.user_id,
  key: secrets.open(row.key_sealed),
  status: row.status,
  name: row.name,
  quota: row.quota,
  createdTime: row.created_time,
  redeemedTime: row.redeemed_time,
  expiresTime: row.expires_time,
  mostUses: row.most_uses,
  usedCount: row.used_count,
  usedBy: row.redeemed_by,
});

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
  async page(
    offset: number,
    limit: number,
    sort?: ListSort<RedemptionSort>,
    filter: RedemptionFilter = {},
  ): Promise<Redemption[]> {
    const all = db.selectFrom("redemptions").selectAll();
    const sorted = sortRows(filterRows(all, filter, REDEMPTION_FILTERS), sort, {
      ...storedColumns(REDEMPTION_SORTS),
      name: nameColumn("name"),
    });
    const rows = await sorted.offset(offset).limit(limit).execute();
    return rows.map((row) => toRedemption(row, secrets));
  },

  async before(
    id: number,
    limit: number,
    keyword?: string,
    filter: RedemptionFilter = {},
  ): Promise<Redemption[]> {
    const all = filterRows(db.selectFrom("redemptions").selectAll(), filter, REDEMPTION_FILTERS);
    const found = keyword === undefined ? all : all.where(isFoundBy(keyword, dialect));
    const rows = await found.where("id", "<", id).orderBy("id", "desc").limit(limit).execute();
    return rows.map((row) => toRedemption(row, secrets));
  },

  async search(keyword: string, limit: number): Promise<Redemption[]> {
    const rows = await db
      .selectFrom("redemptions")
      .selectAll()
      .where(isFoundBy(keyword, dialect))
      .orderBy("id", "desc")
      .limit(limit)
      .execute();
    return rows.map((row) => toRedemption(row, secrets));
  },

  async find(id: number): Promise<Redemption | undefined> {
    const row = await db.selectFrom("redemptions").selectAll().where("id", "=", id).executeTakeFirst();
    return row && toRedemption(row, secrets);
  },

  async uses(id: number, offset: number, limit: number): Promise<RedemptionUse[]> {
    const rows = await db
      .selectFrom("redemption_uses")
      .selectAll()
      .select((eb) => [
        eb
          .selectFrom("users")
          .select("username")
          .whereRef("users.id", "=", "redemption_uses.user_id")
          .as("username"),
      ])
      .where("redemption_id", "=", id)
      .orderBy("id", "desc")
      .offset(offset)
      .limit(limit)
      .execute();
    return rows.map((row) => ({
      id: row.id,
      userId: row.user_id,
      username: row.username ?? "",
      usedAt: row.used_at,
      quota: row.quota,
    }));
  },
});

/** A code that another gateway had, as it is stored. */
export const importedRedemptionColumns = (
  redemption: ImportedRedemption,
  secrets: Secrets,
): Insertable<RedemptionsTable> => ({
  id: redemption.id,
  user_id: redemption.userId,
  key_hash: secrets.hash(redemption.key),
  key_sealed: secrets.seal(redemption.key),
  status: redemption.status,
  name: redemption.name,
  quota: redemption.quota,
  created_time: redemption.createdTime,
  redeemed_time: redemption.redeemedTime,
  redeemed_by: redemption.redeemedBy,
  expires_time: redemption.expiresTime ?? 0,
  used_count: redemption.status === REDEMPTION_USED ? 1 : 0,
});

/** How many codes one statement stores. */
const GROUP = 100;

export const redemptionWrites = (db: Kysely<Tables>, secrets: Secrets): RedemptionChanges => ({
  async create(redemptions: NewRedemption[]): Promise<void> {
    await db.transaction().execute(async (transaction) => {
      for (let from = 0; from < redemptions.length; from += GROUP)
        await transaction
          .insertInto("redemptions")
          .values(
            redemptions.slice(from, from + GROUP).map((redemption) => ({
              user_id: redemption.userId,
              key_hash: secrets.hash(redemption.key),
              key_sealed: secrets.seal(redemption.key),
              status: REDEMPTION_UNUSED,
              name: redemption.name,
              quota: redemption.quota,
              created_time: redemption.createdTime,
              redeemed_time: 0,
              redeemed_by: 0,
              expires_time: redemption.expiresTime ?? 0,
              most_uses: redemption.mostUses ?? 1,
            })),
          )
          .execute();
    });
  },

  async change(id: number, change: RedemptionChange): Promise<Redemption> {
    const columns: Updateable<RedemptionsTable> = { id };
    if (change.name !== undefined) columns.name = change.name;
    if (change.quota !== undefined) columns.quota = change.quota;
    if (change.status !== undefined) columns.status = change.status;
    if (change.expiresTime !== undefined) columns.expires_time = change.expiresTime;
    if (change.mostUses !== undefined) columns.most_uses = change.mostUses;
    if (change.makerId !== undefined) columns.user_id = change.makerId;
    const row = await db
      .updateTable("redemptions")
      .set(columns)
      .where("id", "=", id)
      .where("status", "!=", REDEMPTION_USED)
      .$if(change.mostUses !== undefined, (query) => query.where("used_count", "<", change.mostUses ?? 0))
      .returningAll()
      .executeTakeFirst();
    if (row) return toRedemption(row, secrets);
    const isKnown = await db.selectFrom("redemptions").select("id").where("id", "=", id).executeTakeFirst();
    throw new StorageConflict(isKnown ? "redemption-used" : "not-found");
  },

  async remove(id: number): Promise<boolean> {
    const result = await db.deleteFrom("redemptions").where("id", "=", id).executeTakeFirst();
    return result.numDeletedRows > 0n;
  },

  async removeDead(now: number): Promise<number> {
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

  async redeem(
    key: string,
    userId: number,
    now: number,
    username: string,
    amount: { quotaPerUnit: number; isCurrency: boolean },
  ): Promise<number> {
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
      await moveBalance(
        transaction,
        { of: "user", id: userId },
        {
          difference: row.quota,
          movement: { cause: "redeemed", reference: `${row.id}/${used}`, actorId: row.user_id, at: now },
        },
      );
      const paid = amountOf(row.quota, amount.quotaPerUnit, amount.isCurrency);
      const phrase: LogPhrase = { code: "redeemed", amount: paid };
      await insertAccountLines(transaction, [{ createdAt: now, userId, username, type: LOG_TOPUP, phrase }]);
      return row.quota;
    });
  },
});
