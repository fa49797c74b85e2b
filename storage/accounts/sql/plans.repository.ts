import { SUBSCRIPTION_SORTS, type Subscription } from "@tollgate/contract/api/plans";
import { writeLimits } from "@tollgate/contract/management/limits";
import type { ImportedPlan } from "@tollgate/contract/records/imported-records";
import type { PlanChanges, PlanQueries } from "@tollgate/contract/records/people-store";
import type { NewPlan } from "@tollgate/contract/records/plan-record";
import { attributeUse } from "@tollgate/contract/values/plan-money";
import type { Kysely } from "kysely";
import type { SqlDialect } from "../../sql/dialect";
import { columnsOf, fieldsOf, flagColumn } from "../../sql/row-names";
import { readPage, storedColumns, userNameColumn } from "../../sql/sort-rows";
import { ownMoney, type PlanUser, readPlanUser } from "./plan-money";
import { oneOf, type PeriodRow, type SubscriptionRow, toPlan, toSubscription } from "./plan-rows";
import { closePeriods, endSubscription, isDue, openPlanPeriod, subscribe } from "./plan-subscriptions";
import type { Tables } from "./tables";

/** The newest period of each subscription. */
const newestPeriods = async (
  db: Kysely<Tables>,
  rows: readonly SubscriptionRow[],
): Promise<Map<number, PeriodRow>> => {
  if (rows.length === 0) return new Map();
  const ids = rows.map(({ id }) => id);
  const periods = await db
    .selectFrom("plan_periods")
    .selectAll()
    .where("subscription_id", "in", ids)
    .where((eb) =>
      eb(
        "number",
        "=",
        eb
          .selectFrom("plan_periods as newer")
          .select(({ fn }) => fn.max<number>("newer.number").as("number"))
          .whereRef("newer.subscription_id", "=", "plan_periods.subscription_id"),
      ),
    )
    .execute();
  return new Map(periods.map((period) => [period.subscription_id, period]));
};

const readSubscriptions = async (
  db: Kysely<Tables>,
  dialect: SqlDialect,
  rows: readonly SubscriptionRow[],
): Promise<Subscription[]> => {
  const periods = await newestPeriods(db, rows);
  const users = new Map<number, PlanUser | undefined>();
  for (const id of new Set(rows.map((row) => row.user_id)))
    users.set(id, await readPlanUser(db, dialect, id));
  return rows.map((row) => {
    const user = users.get(row.user_id);
    const period = periods.get(row.id);
    const shares = user ? attributeUse(user.money, user.settled, user.balance).shares : [];
    const share = shares.find(({ id, number }) => id === row.id && number === period?.number);
    const counted = period && share ? { ...period, unspent: share.left, spent: share.spent } : period;
    return toSubscription(row, counted, user?.parked);
  });
};

const due =
  (db: Kysely<Tables>): PlanQueries["due"] =>
  async (now, limit) => {
    const rows = await db
      .selectFrom("subscriptions")
      .selectAll()
      .where((eb) =>
        eb.or([
          eb(
            "id",
            "in",
            eb
              .selectFrom("plan_periods")
              .select("subscription_id")
              .where("state", "!=", "closed")
              .where("ends_at", "<=", now),
          ),
          eb.and([eb("state", "=", "waiting"), eb("starts_at", "<=", now)]),
          eb.and([eb("state", "!=", "ended"), eb("ends_at", "<=", now)]),
          // One whose period was done when the process died, before the next had begun.
          eb.and([
            eb("state", "=", "active"),
            eb.not(
              eb.exists(
                eb
                  .selectFrom("plan_periods")
                  .select("number")
                  .whereRef("subscription_id", "=", "subscriptions.id")
                  .where("ends_at", ">", now),
              ),
            ),
          ]),
        ]),
      )
      .orderBy("ends_at")
      .orderBy("id")
      .limit(limit)
      .execute();
    const periods = await newestPeriods(db, rows);
    // Includes periods before the newest: quota of one that requests hold is still to be taken when the next has
    // started.
    const over = await db
      .selectFrom("plan_periods")
      .select("subscription_id")
      .where("state", "=", "over")
      .where("user_id", "in", [0, ...rows.map((row) => row.user_id)])
      .execute();
    const isOver = new Set(over.map((period) => period.subscription_id));
    return rows.map((row) => {
      const period = periods.get(row.id);
      const newest = period ? oneOf(["closed", "open", "over"], period.state) : "none";
      const state = isOver.has(row.id) ? "over" : newest;
      return { subscription: toSubscription(row, period), period: state };
    });
  };

/** Expressions by which subscriptions are sorted. */
const SORTED_BY = {
  ...storedColumns(SUBSCRIPTION_SORTS),
  username: userNameColumn("subscriptions.user_id"),
};

export const planReads = (db: Kysely<Tables>, dialect: SqlDialect): PlanQueries => ({
  async all() {
    const rows = await db.selectFrom("plans").selectAll().orderBy("sort_order").orderBy("id").execute();
    return rows.map(toPlan);
  },

  async find(id) {
    const row = await db.selectFrom("plans").selectAll().where("id", "=", id).executeTakeFirst();
    return row && toPlan(row);
  },

  async subscription(id) {
    const rows = await db.selectFrom("subscriptions").selectAll().where("id", "=", id).execute();
    return (await readSubscriptions(db, dialect, rows)).at(0);
  },

  async ofUser(userId, limit) {
    const rows = await db
      .selectFrom("subscriptions")
      .selectAll()
      .where("user_id", "=", userId)
      .orderBy("id", "desc")
      .limit(limit)
      .execute();
    return readSubscriptions(db, dialect, rows);
  },

  async page(offset, limit, { userId, planId }, sort) {
    const found = db
      .selectFrom("subscriptions")
      .selectAll()
      .$if(userId !== undefined, (query) => query.where("user_id", "=", userId ?? 0))
      .$if(planId !== undefined, (query) => query.where("plan_id", "=", planId ?? 0));
    return readSubscriptions(db, dialect, await readPage(found, sort, SORTED_BY, { offset, limit }));
  },

  due: due(db),

  async endingSoon(before, limit) {
    const rows = await db
      .selectFrom("subscriptions")
      .selectAll()
      .where("state", "=", "active")
      .where("is_told", "=", 0)
      .where("ends_at", "<=", before)
      .orderBy("ends_at")
      .limit(limit)
      .execute();
    return rows.map((row) => toSubscription(row, undefined));
  },

  async followerOf(id) {
    const row = await db.selectFrom("subscriptions").selectAll().where("follows", "=", id).executeTakeFirst();
    return row && toSubscription(row, undefined);
  },

  async overdue(id, now) {
    const row = await db
      .selectFrom("subscriptions")
      .select("user_id")
      .where("id", "=", id)
      .executeTakeFirst();
    const user = row && (await readPlanUser(db, dialect, row.user_id));
    if (!user) return 0;
    return attributeUse(user.money, user.settled, user.balance)
      .shares.filter((share) => share.id === id && isDue(share, now))
      .reduce((sum, { left }) => sum + left, 0);
  },

  async lastPeriod(id) {
    const row = await db
      .selectFrom("plan_periods")
      .select(["number", "starts_at", "ends_at", "taken"])
      .where("subscription_id", "=", id)
      .orderBy("number", "desc")
      .limit(1)
      .executeTakeFirst();
    return row && fieldsOf(row);
  },

  async parked(userId) {
    const row = await db
      .selectFrom("plan_accounts")
      .select("parked")
      .where("user_id", "=", userId)
      .executeTakeFirst();
    return row?.parked ?? 0;
  },

  async own(userId) {
    const user = await readPlanUser(db, dialect, userId);
    if (!user) return 0;
    const money = attributeUse(user.money, user.settled, user.balance);
    return ownMoney({ ...user, money }) + user.parked;
  },
});

const planRow = ({ limits, ...plan }: NewPlan) => ({
  ...columnsOf(plan),
  limits: writeLimits(limits),
  is_enabled: Number(plan.isEnabled),
});

/** Stores a plan with its id. */
export const insertImportedPlan = (transaction: Kysely<Tables>, plan: ImportedPlan) =>
  transaction.insertInto("plans").values(planRow(plan)).execute();

export const planWrites = (db: Kysely<Tables>, dialect: SqlDialect): PlanChanges => ({
  async create(plan, savedBy = 0) {
    const row = await db
      .insertInto("plans")
      .values({ ...planRow(plan), saved_by: savedBy })
      .returningAll()
      .executeTakeFirstOrThrow();
    return toPlan(row);
  },

  async change(id, { limits, ...change }, savedBy = 0) {
    const row = await db
      .updateTable("plans")
      .set({
        id,
        ...columnsOf(change),
        limits: limits && writeLimits(limits),
        is_enabled: flagColumn(change.isEnabled),
        saved_by: savedBy,
      })
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirst();
    return row && toPlan(row);
  },

  async remove(id) {
    const { numDeletedRows } = await db.deleteFrom("plans").where("id", "=", id).executeTakeFirst();
    return numDeletedRows > 0n;
  },

  subscribe: subscribe(db, dialect),
  openPeriod: (period, unit) =>
    db.transaction().execute((transaction) => openPlanPeriod(transaction, dialect, period, unit)),

  closePeriods: closePeriods(db, dialect),
  end: endSubscription(db, dialect),

  async setRenews(id, renews) {
    const { numUpdatedRows } = await db
      .updateTable("subscriptions")
      .set({ renews: renews ? 1 : 0 })
      .where("id", "=", id)
      .where("state", "!=", "ended")
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  },

  async setNotified(id) {
    await db.updateTable("subscriptions").set({ is_told: 1 }).where("id", "=", id).execute();
  },
});
