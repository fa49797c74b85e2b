import {
  PROMOTION_FILTERS,
  PROMOTION_SORTS,
  PROMOTION_USE_SORTS,
  type PromotionFilter,
} from "@tollgate/contract/api/promotions";
import { effectOf, normalCode, PROMOTION_PRODUCTS } from "@tollgate/contract/payments/promotions";
import type {
  NewPromotion,
  PromotionChange,
  PromotionRecord,
} from "@tollgate/contract/records/promotion-record";
import { splitList } from "@tollgate/contract/values/split-list";
import { type Kysely, sql } from "kysely";
import { StorageConflict } from "../../errors";
import type { SqlDialect } from "../../sql/dialect";
import { filterRows } from "../../sql/filter-rows";
import { columnsOf, fieldsOf, flagColumn } from "../../sql/row-names";
import { nameColumn, readPage, storedColumns } from "../../sql/sort-rows";
import type { PromotionChanges, PromotionQueries } from "../promotion-ports";
import { checkFavour } from "./check-favour";
import { isReturningUser } from "./former-identities";
import { moveBalance } from "./move-balance";
import { countUse, hasOtherPurchase, lockUsable } from "./promotion-uses";
import type { Row, Tables } from "./tables";

const toPromotion = (row: Row<"promotions">): PromotionRecord => ({
  ...fieldsOf(row),
  code: row.code ?? "",
  steps: JSON.parse(row.steps),
  products: PROMOTION_PRODUCTS.filter((product) => splitList(row.products).includes(product)),
  groups: splitList(row.groups),
  isEnabled: row.is_enabled === 1,
  isFirstOnly: row.is_first_only === 1,
  isCombinable: row.is_combinable === 1,
});

const changedColumns = ({
  steps,
  products,
  groups,
  isEnabled,
  isFirstOnly,
  isCombinable,
  ...rest
}: PromotionChange) => ({
  ...columnsOf(rest),
  steps: steps && JSON.stringify(steps),
  products: products?.join(","),
  groups: groups?.join(","),
  is_enabled: flagColumn(isEnabled),
  is_first_only: flagColumn(isFirstOnly),
  is_combinable: flagColumn(isCombinable),
});

const newColumns = ({ code, steps, products, groups, ...rest }: NewPromotion) => ({
  ...columnsOf(rest),
  code: code === "" ? null : code,
  steps: JSON.stringify(steps),
  products: products.join(","),
  groups: groups.join(","),
  is_enabled: Number(rest.isEnabled),
  is_first_only: Number(rest.isFirstOnly),
  is_combinable: Number(rest.isCombinable),
  used_count: 0,
  used_total: 0,
});

const matching = (db: Kysely<Tables>, dialect: SqlDialect, filter: PromotionFilter, keyword: string) =>
  filterRows(db.selectFrom("promotions").selectAll(), filter, PROMOTION_FILTERS).$if(
    keyword !== "",
    (query) =>
      query.where((eb) =>
        eb.or([dialect.beginsWith("code", normalCode(keyword)), dialect.beginsWith("name", keyword)]),
      ),
  );

export const promotionReads = (db: Kysely<Tables>, dialect: SqlDialect): PromotionQueries => ({
  async page(offset, limit, sort, filter = {}, keyword = "") {
    const rows = await readPage(
      matching(db, dialect, filter, keyword),
      sort,
      { ...storedColumns(PROMOTION_SORTS), name: nameColumn("name"), code: sql<string>`coalesce(code, '')` },
      { offset, limit },
    );
    return rows.map(toPromotion);
  },

  async before(id, limit, keyword = "", filter = {}) {
    const rows = await matching(db, dialect, filter, keyword)
      .where("id", "<", id)
      .orderBy("id", "desc")
      .limit(limit)
      .execute();
    return rows.map(toPromotion);
  },

  async find(id) {
    const row = await db.selectFrom("promotions").selectAll().where("id", "=", id).executeTakeFirst();
    return row && toPromotion(row);
  },

  async findCode(code) {
    const row = await db.selectFrom("promotions").selectAll().where("code", "=", code).executeTakeFirst();
    return row && toPromotion(row);
  },

  async enabledActivities(limit) {
    const rows = await db
      .selectFrom("promotions")
      .selectAll()
      .where("kind", "=", "activity")
      .where("is_enabled", "=", 1)
      .orderBy("id")
      .limit(limit)
      .execute();
    return rows.map(toPromotion);
  },

  async usesBy(userId) {
    const rows = await db
      .selectFrom("promotion_uses")
      .select((eb) => ["promotion_id", eb.fn.countAll<number>().as("uses")])
      .where("user_id", "=", userId)
      .where("state", "<>", "returned")
      .groupBy("promotion_id")
      .execute();
    return rows.map(({ promotion_id, uses }) => ({ promotionId: promotion_id, uses: Number(uses) }));
  },

  hasBought: (userId) => hasOtherPurchase(db, userId, -1),

  async uses(promotionId, offset, limit, sort) {
    const found = db
      .selectFrom("promotion_uses")
      .selectAll()
      .select((eb) => [
        eb.selectFrom("orders").select("number").whereRef("orders.id", "=", "order_id").as("order_number"),
        eb
          .selectFrom("users")
          .select("username")
          .whereRef("users.id", "=", "promotion_uses.user_id")
          .as("username"),
      ])
      .where("promotion_id", "=", promotionId);
    const rows = await readPage(found, sort, storedColumns(PROMOTION_USE_SORTS), { offset, limit });
    return rows.map(({ order_number, username, ...row }) => ({
      ...fieldsOf(row),
      orderNumber: order_number ?? "",
      username: username ?? "",
    }));
  },
});

/** How many promotions one statement stores: each has 22 values. */
const GROUP = 100;

export const promotionWrites = (db: Kysely<Tables>, dialect: SqlDialect): PromotionChanges => ({
  async create(promotions, most) {
    try {
      return await db.transaction().execute(async (transaction) => {
        const { count } = await transaction
          .selectFrom("promotions")
          .select((eb) => eb.fn.countAll<number>().as("count"))
          .executeTakeFirstOrThrow();
        if (Number(count) + promotions.length > most) throw new StorageConflict("promotions-too-many");
        const made: PromotionRecord[] = [];
        for (let from = 0; from < promotions.length; from += GROUP) {
          const rows = await transaction
            .insertInto("promotions")
            .values(promotions.slice(from, from + GROUP).map(newColumns))
            .returningAll()
            .execute();
          made.push(...rows.map(toPromotion));
        }
        return made;
      });
    } catch (error) {
      if (dialect.takenColumn(error) === "promotions.code") throw new StorageConflict("promotion-code-taken");
      throw error;
    }
  },

  async change(id, change) {
    const row = await db
      .updateTable("promotions")
      .set(changedColumns(change))
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirst();
    return row && toPromotion(row);
  },

  remove: (id) =>
    db.transaction().execute(async (transaction) => {
      const row = await transaction
        .updateTable("promotions")
        .set((eb) => ({ used_count: eb.ref("used_count") }))
        .where("id", "=", id)
        .returning("id")
        .executeTakeFirst();
      if (!row) return "not-found";
      const use = await transaction
        .selectFrom("promotion_uses")
        .select("id")
        .where("promotion_id", "=", id)
        .limit(1)
        .executeTakeFirst();
      if (use) return "used";
      await transaction.deleteFrom("promotions").where("id", "=", id).execute();
      return "removed";
    }),

  useForRegistration: (code, userId, at) =>
    db.transaction().execute(async (transaction) => {
      const known = await transaction
        .selectFrom("promotions")
        .selectAll()
        .where("code", "=", code)
        .executeTakeFirst();
      if (!known) return 0;
      const rule = toPromotion(known);
      const quota = rule.effect === "bonus" && rule.unit === "quota" ? effectOf(rule, 0) : 0;
      if (quota === 0 || !rule.products.includes("registration")) return 0;
      if (await isReturningUser(transaction, userId)) return 0;
      const share = { id: rule.id, quota };
      const row = await lockUsable(transaction, share, { userId, orderId: 0, at }, false);
      if (!row) return 0;
      await checkFavour(transaction, [row.maker_id, userId], userId);
      await countUse(transaction, share, 1);
      const use = await transaction
        .insertInto("promotion_uses")
        .values({
          promotion_id: rule.id,
          user_id: userId,
          order_id: 0,
          quota,
          state: "used",
          created_time: at,
        })
        .returning("id")
        .executeTakeFirstOrThrow();
      const reason = rule.name === code ? code : `${rule.name} (${code})`;
      const movement = { cause: "promotion", reference: `use/${use.id}`, actorId: 0, at, reason } as const;
      await moveBalance(transaction, { of: "user", id: userId }, { difference: quota, movement });
      return quota;
    }),
});
