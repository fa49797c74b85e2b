import type { PlanTerms } from "@tollgate/contract/api/plans";
import { parseLimits, writeLimits } from "@tollgate/contract/management/limits";
import type { PlanChanges } from "@tollgate/contract/records/people-store";
import type {
  NewPlanPeriod,
  NewSubscription,
  PlanAccess,
  PlanStep,
} from "@tollgate/contract/records/plan-record";
import { type AmountUnit, amountOf, type LogPhrase } from "@tollgate/contract/values/log-phrase";
import { joinPlanLimits } from "@tollgate/contract/values/plan-limits";
import type { PlanShare } from "@tollgate/contract/values/plan-money";
import { LOG_SYSTEM } from "@tollgate/contract/values/statuses";
import type { Kysely } from "kysely";
import { StorageConflict } from "../../errors";
import type { SqlDialect } from "../../sql/dialect";
import { columnsOf } from "../../sql/row-names";
import { insertAccountLines } from "./account-lines";
import { checkFavour } from "./check-favour";
import { lockPlanUser, movePlanUser, ownMoney, type PlanUser, roomOf, type StoredShare } from "./plan-money";
import { type SubscriptionRow, toSubscription } from "./plan-rows";
import type { Tables } from "./tables";

const termColumns = (terms: PlanTerms) => {
  const { title, price, durationUnit, durationCount, quota, reset, group, beyond } = terms;
  return {
    ...columnsOf({ title, price, durationUnit, durationCount, quota, reset, group, beyond }),
    limits: writeLimits(terms.limits),
  };
};

/** Writes the moved quota to the log. */
export const formatOfPlan = async (
  transaction: Kysely<Tables>,
  user: Pick<PlanUser, "id" | "username">,
  code: Extract<LogPhrase["code"], `plan-${string}`>,
  plan: string,
  quota: number,
  at: number,
  unit: AmountUnit,
): Promise<void> => {
  if (quota === 0) return;
  const phrase: LogPhrase = { code, plan, amount: amountOf(quota, unit.quotaPerUnit, unit.isCurrency) };
  await insertAccountLines(transaction, [
    { createdAt: at, userId: user.id, username: user.username, type: LOG_SYSTEM, phrase },
  ]);
};

/** Locks the user's row and returns the subscription. @returns undefined without one. */
const lockSubscription = async (transaction: Kysely<Tables>, dialect: SqlDialect, id: number) => {
  const found = () =>
    transaction.selectFrom("subscriptions").selectAll().where("id", "=", id).executeTakeFirst();
  const owner = await found();
  if (!owner) return undefined;
  const user = await lockPlanUser(transaction, dialect, owner.user_id);
  // Again: another node may have been at it until the lock was free.
  const row = await found();
  return row && { row, user };
};

/**
 * Writes the groups and the limits of a user's plans down, where a subscription that begins or ends has any. Groups of
 * plans that end first come first. @returns them; undefined where nothing changes.
 */
const saveAccess = async (
  transaction: Kysely<Tables>,
  { user_id: userId, group, limits }: Pick<SubscriptionRow, "user_id" | "group" | "limits">,
): Promise<PlanAccess | undefined> => {
  if (group === "" && limits === "") return undefined;
  const rows = await transaction
    .selectFrom("subscriptions")
    .select(["group", "limits"])
    .where("user_id", "=", userId)
    .where("state", "=", "active")
    .orderBy("ends_at")
    .orderBy("id")
    .execute();
  const planGroups = [...new Set(rows.map((row) => row.group).filter(Boolean))].join(",");
  const planLimits = joinPlanLimits(rows.map((row) => parseLimits(row.limits)));
  const written = writeLimits(planLimits);
  await transaction
    .updateTable("users")
    .set({ plan_groups: planGroups, plan_limits: written })
    .where("id", "=", userId)
    .where((eb) => eb.or([eb("plan_groups", "!=", planGroups), eb("plan_limits", "!=", written)]))
    .execute();
  return { planGroups, planLimits };
};

/** Returns the ledger fields beside the cause: the plan's title is the reason. */
const movementOf = ({ id, title }: SubscriptionRow, at: number) => ({
  reference: String(id),
  actorId: 0,
  at,
  reason: title,
});

/** Whether the rest of a share must be taken back. */
export const isDue = ({ isOver, endsAt }: PlanShare, now: number): boolean => isOver || endsAt <= now;

const NOTHING_DONE: PlanStep = { moved: 0, due: undefined, access: undefined };

/** Takes back a part of an ended period's share, up to a limit. @returns the user afterwards, and the taken quota. */
const takeShare = async (
  transaction: Kysely<Tables>,
  user: PlanUser,
  { id, row, left }: StoredShare,
  most: number,
  title: string,
  now: number,
  unit: AmountUnit,
): Promise<{ user: PlanUser; taken: number }> => {
  const taken = Math.min(left, most);
  const first = `${id}/${row.number}`;
  const next = await movePlanUser(transaction, user, 0 - taken, 0, {
    cause: "plan-expiry",
    reference: row.taken === 0 ? first : `${first}/${row.taken}`,
    actorId: 0,
    at: now,
    reason: title,
  });
  await transaction
    .updateTable("plan_periods")
    .set({
      state: left === taken ? "closed" : "over",
      unspent: left - taken,
      taken: row.taken + taken,
    })
    .where("subscription_id", "=", id)
    .where("number", "=", row.number)
    .execute();
  await formatOfPlan(transaction, user, "plan-expired", title, taken, now, unit);
  return { user: next, taken };
};

/** The person who saved a plan last, and so decides its price; 0 for one that is not known. */
export const planSaver = async (db: Kysely<Tables>, planId: number): Promise<number> => {
  const plan = await db.selectFrom("plans").select("saved_by").where("id", "=", planId).executeTakeFirst();
  return plan?.saved_by ?? 0;
};

/** How often a user has bought a plan, as far as it is known. */
export const countPurchases = async (
  transaction: Kysely<Tables>,
  userId: number,
  planId: number,
): Promise<number> => {
  const { count } = await transaction
    .selectFrom("subscriptions")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("user_id", "=", userId)
    .where("plan_id", "=", planId)
    .executeTakeFirstOrThrow();
  return count;
};

/** Stores a subscription that waits for its begin. */
export const insertSubscription = (
  transaction: Kysely<Tables>,
  wanted: Omit<NewSubscription, "price" | "mostPerUser" | "actorId">,
): Promise<SubscriptionRow> =>
  transaction
    .insertInto("subscriptions")
    .values({
      ...termColumns(wanted.terms),
      user_id: wanted.userId,
      plan_id: wanted.planId,
      starts_at: wanted.startsAt,
      ends_at: wanted.endsAt,
      state: "waiting",
      source: wanted.source,
      reference: wanted.reference,
      follows: wanted.follows ?? null,
      renews: wanted.renews ? 1 : 0,
      created_time: wanted.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();

/** Begins a period and grants its quota, within a transaction of its caller. */
export const openPlanPeriod = async (
  transaction: Kysely<Tables>,
  dialect: SqlDialect,
  period: NewPlanPeriod,
  unit: AmountUnit,
): Promise<PlanStep> => {
  const { subscriptionId, number, startsAt, endsAt, now } = period;
  const locked = await lockSubscription(transaction, dialect, subscriptionId);
  if (!locked || locked.row.state === "ended") return NOTHING_DONE;
  const { row } = locked;
  const later = await transaction
    .selectFrom("plan_periods")
    .select("number")
    .where("subscription_id", "=", subscriptionId)
    .where((eb) => eb.or([eb("number", ">=", number), eb("state", "=", "open")]))
    .executeTakeFirst();
  if (later) return NOTHING_DONE;
  let user = locked.user;
  let access: PlanAccess | undefined;
  if (row.state === "waiting") {
    await transaction
      .updateTable("subscriptions")
      .set({ state: "active" })
      .where("id", "=", row.id)
      .execute();
    access = await saveAccess(transaction, row);
    if (row.beyond === "stop") {
      const parked = Math.min(ownMoney(user), period.mostParked, user.unleased);
      user = await movePlanUser(transaction, user, 0 - parked, parked, {
        ...movementOf(row, now),
        cause: "plan-parked",
      });
      await formatOfPlan(transaction, user, "plan-parked", row.title, parked, now, unit);
    }
  }
  const granted = Math.min(period.quota ?? row.quota, roomOf(user));
  user = await movePlanUser(transaction, user, granted, 0, {
    ...movementOf(row, now),
    cause: "plan-grant",
    reference: `${row.id}/${number}`,
  });
  await transaction
    .insertInto("plan_periods")
    .values({
      subscription_id: row.id,
      number,
      user_id: user.id,
      starts_at: startsAt,
      ends_at: endsAt,
      state: "open",
      granted,
      unspent: granted,
      ...{ spent: 0, withdrawn: 0, taken: 0 },
    })
    .execute();
  await formatOfPlan(transaction, user, "plan-granted", row.title, granted, now, unit);
  // Quota of ended periods that requests still hold is taken from the new grant: no user keeps it by holding on.
  let due = 0;
  let rest = granted;
  for (const share of user.money.shares.filter(({ isOver }) => isOver)) {
    const { title } = await transaction
      .selectFrom("subscriptions")
      .select("title")
      .where("id", "=", share.id)
      .executeTakeFirstOrThrow();
    const done = await takeShare(transaction, user, share, rest, title, now, unit);
    user = done.user;
    rest -= done.taken;
    due += share.left - done.taken;
  }
  return { moved: user.balance - locked.user.balance, due, access };
};

/** Buys or gives a subscription. */
export const subscribe =
  (db: Kysely<Tables>, dialect: SqlDialect): PlanChanges["subscribe"] =>
  (wanted, most, unit) =>
    db.transaction().execute(async (transaction) => {
      const { userId, terms, now } = wanted;
      const user = await lockPlanUser(transaction, dialect, userId);
      const known = await transaction
        .selectFrom("subscriptions")
        .selectAll()
        .where("reference", "=", wanted.reference)
        .executeTakeFirst();
      if (known) return { subscription: toSubscription(known, undefined), isKnown: true, moved: 0 };
      const decider = wanted.source === "gift" ? wanted.actorId : await planSaver(transaction, wanted.planId);
      await checkFavour(transaction, [decider], userId);
      if (wanted.follows !== undefined) {
        const { follows } = wanted;
        const follower = await transaction
          .selectFrom("subscriptions")
          .select("id")
          .where("follows", "=", follows)
          .executeTakeFirst();
        if (follower) throw new StorageConflict("plan-followed");
      }
      if (
        wanted.mostPerUser !== undefined &&
        (await countPurchases(transaction, userId, wanted.planId)) >= wanted.mostPerUser
      )
        throw new StorageConflict("plan-often-enough");
      // Quota put aside is the user's own as well, and nothing that a plan includes pays for another one.
      const ofParked = Math.min(user.parked, wanted.price);
      const ofBalance = wanted.price - ofParked;
      if (ofBalance > ownMoney(user)) throw new StorageConflict("plan-unaffordable");
      if (ofBalance > Math.min(most, user.unleased)) return "held";
      const row = await insertSubscription(transaction, wanted);
      await movePlanUser(transaction, user, 0 - ofBalance, 0 - ofParked, {
        cause: "plan-purchase",
        reference: String(row.id),
        actorId: wanted.actorId,
        at: now,
        reason: terms.title,
      });
      await formatOfPlan(transaction, user, "plan-bought", terms.title, wanted.price, now, unit);
      return { subscription: toSubscription(row, undefined), isKnown: false, moved: 0 - ofBalance };
    });

/** Takes back the rest of ended periods. */
export const closePeriods =
  (db: Kysely<Tables>, dialect: SqlDialect): PlanChanges["closePeriods"] =>
  (subscriptionId, now, mostInAll, unit) =>
    db.transaction().execute(async (transaction) => {
      const locked = await lockSubscription(transaction, dialect, subscriptionId);
      if (!locked) return NOTHING_DONE;
      let { user } = locked;
      let due = 0;
      for (const share of user.money.shares) {
        if (share.id !== subscriptionId || !isDue(share, now)) {
          if (share.isOver) due += share.left;
          continue;
        }
        const most = Math.min(mostInAll - (locked.user.balance - user.balance), user.unleased);
        const done = await takeShare(transaction, user, share, most, locked.row.title, now, unit);
        user = done.user;
        due += share.left - done.taken;
      }
      return { moved: user.balance - locked.user.balance, due, access: undefined };
    });

/** Ends a subscription before its time, or at it. */
export const endSubscription =
  (db: Kysely<Tables>, dialect: SqlDialect): PlanChanges["end"] =>
  (id, reason, now, unit) =>
    db.transaction().execute(async (transaction) => {
      const locked = await lockSubscription(transaction, dialect, id);
      if (!locked || locked.row.state === "ended") return NOTHING_DONE;
      const { row } = locked;
      // Its open period is due at once: the next look takes the rest back.
      await transaction
        .updateTable("plan_periods")
        .set({ ends_at: now })
        .where("subscription_id", "=", id)
        .where("state", "=", "open")
        .where("ends_at", ">", now)
        .execute();
      await transaction
        .updateTable("subscriptions")
        .set({ state: "ended", end_reason: reason, renews: 0 })
        .where("id", "=", id)
        .execute();
      const access = await saveAccess(transaction, row);
      const stopping = await transaction
        .selectFrom("subscriptions")
        .select("id")
        .where("user_id", "=", row.user_id)
        .where("state", "=", "active")
        .where("beyond", "=", "stop")
        .executeTakeFirst();
      const back = stopping ? 0 : Math.min(locked.user.parked, roomOf(locked.user));
      const user = await movePlanUser(transaction, locked.user, back, 0 - back, {
        ...movementOf(row, now),
        cause: "plan-unparked",
      });
      await formatOfPlan(transaction, user, "plan-unparked", row.title, back, now, unit);
      return { moved: back, due: undefined, access };
    });
