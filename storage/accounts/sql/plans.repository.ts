import {
  PLAN_BEYONDS,
  PLAN_RESETS,
  PLAN_TIMES,
  type Plan,
  type PlanTerms,
  SUBSCRIPTION_ENDS,
  SUBSCRIPTION_SORTS,
  SUBSCRIPTION_SOURCES,
  SUBSCRIPTION_STATES,
  type Subscription,
} from "@tollgate/contract/api/plans";
import type { ImportedPlan } from "@tollgate/contract/records/imported-records";
import type { PlanChanges, PlanQueries } from "@tollgate/contract/records/people-store";
import type {
  NewPlan,
  NewPlanPeriod,
  NewSubscription,
  PlanStep,
} from "@tollgate/contract/records/plan-record";
import { type AmountUnit, amountOf, type LogPhrase } from "@tollgate/contract/values/log-phrase";
import { attributeUse, type PlanShare } from "@tollgate/contract/values/plan-money";
import { LOG_SYSTEM } from "@tollgate/contract/values/statuses";
import type { Kysely, Selectable } from "kysely";
import { StorageConflict } from "../../errors";
import type { SqlDialect } from "../../sql/dialect";
import { columnsOf, fieldsOf, flagColumn } from "../../sql/row-names";
import { sortRows, storedColumns, userNameColumn } from "../../sql/sort-rows";
import { insertAccountLines } from "./account-lines";
import { checkFavour } from "./check-favour";
import {
  lockPlanUser,
  movePlanUser,
  ownMoney,
  type PlanUser,
  readPlanUser,
  roomOf,
  type StoredShare,
} from "./plan-money";
import type { PlanPeriodsTable, PlansTable, SubscriptionsTable, Tables } from "./tables";

type SubscriptionRow = Selectable<SubscriptionsTable>;
type PeriodRow = Selectable<PlanPeriodsTable>;

/** What is stored is one of the values that the contract names; an older program's would be the first. */
const oneOf = <Value extends string>(values: readonly [Value, ...Value[]], value: string): Value =>
  values.find((each) => each === value) ?? values[0];

/** The values of a plan, or of a subscription, that the contract names. */
const namedTerms = (row: Pick<SubscriptionRow, "duration_unit" | "reset" | "beyond">) => ({
  durationUnit: oneOf(PLAN_TIMES, row.duration_unit),
  reset: oneOf(PLAN_RESETS, row.reset),
  beyond: oneOf(PLAN_BEYONDS, row.beyond),
});

const toPlan = ({ saved_by, ...row }: Selectable<PlansTable>): Plan => ({
  ...fieldsOf(row),
  ...namedTerms(row),
  isEnabled: row.is_enabled === 1,
});

const toSubscription = (
  { reference, follows, is_told, ...row }: SubscriptionRow,
  period: Pick<PeriodRow, "number" | "starts_at" | "ends_at" | "granted" | "unspent" | "spent"> | undefined,
  parked = 0,
): Subscription => ({
  ...fieldsOf(row),
  ...namedTerms(row),
  state: oneOf(SUBSCRIPTION_STATES, row.state),
  source: oneOf(SUBSCRIPTION_SOURCES, row.source),
  endReason: oneOf(SUBSCRIPTION_ENDS, row.end_reason),
  renews: row.renews === 1,
  period: period?.number ?? 0,
  periodStartsAt: period?.starts_at ?? 0,
  periodEndsAt: period?.ends_at ?? 0,
  granted: period?.granted ?? 0,
  left: period?.unspent ?? 0,
  spent: period?.spent ?? 0,
  parked,
});

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
    // Also those before the newest: what requests under way hold of one is still to be taken when the next has begun.
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
    const sorted = sortRows(found, sort, {
      ...storedColumns(SUBSCRIPTION_SORTS),
      username: userNameColumn("subscriptions.user_id"),
    });
    return readSubscriptions(db, dialect, await sorted.offset(offset).limit(limit).execute());
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

const termColumns = (terms: PlanTerms) => {
  const { title, price, durationUnit, durationCount, quota, reset, group, beyond } = terms;
  return columnsOf({ title, price, durationUnit, durationCount, quota, reset, group, beyond });
};

/** Says in the log what moved. */
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

/** The subscription, its user's row locked. @returns undefined when there is none. */
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

/** Writes the groups of a user's plans down: those that end first come first. @returns them. */
const saveGroups = async (transaction: Kysely<Tables>, userId: number): Promise<string> => {
  const rows = await transaction
    .selectFrom("subscriptions")
    .select("group")
    .where("user_id", "=", userId)
    .where("state", "=", "active")
    .where("group", "!=", "")
    .orderBy("ends_at")
    .orderBy("id")
    .execute();
  const groups = [...new Set(rows.map(({ group }) => group))].join(",");
  await transaction
    .updateTable("users")
    .set({ plan_groups: groups })
    .where("id", "=", userId)
    .where("plan_groups", "!=", groups)
    .execute();
  return groups;
};

/** What the ledger says beside the cause: the plan's title is its reason. */
const movementOf = ({ id, title }: SubscriptionRow, at: number) => ({
  reference: String(id),
  actorId: 0,
  at,
  reason: title,
});

/** Whether what is left of a share is to be taken back. */
const isDue = ({ isOver, endsAt }: PlanShare, now: number): boolean => isOver || endsAt <= now;

const NOTHING_DONE: PlanStep = { moved: 0, due: undefined, groups: undefined };

/** Takes a part of what is left of a share whose period is over, at most so much. @returns the user as it is then, and how much it was. */
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

const planRow = (plan: NewPlan) => ({ ...columnsOf(plan), is_enabled: Number(plan.isEnabled) });

/** Stores a plan with its id. */
export const insertImportedPlan = (transaction: Kysely<Tables>, plan: ImportedPlan) =>
  transaction.insertInto("plans").values(planRow(plan)).execute();

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
  let groups: string | undefined;
  if (row.state === "waiting") {
    await transaction
      .updateTable("subscriptions")
      .set({ state: "active" })
      .where("id", "=", row.id)
      .execute();
    if (row.group !== "") groups = await saveGroups(transaction, user.id);
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
    })
    .execute();
  await formatOfPlan(transaction, user, "plan-granted", row.title, granted, now, unit);
  // What requests under way hold of periods that are over is taken of what has just come: no user takes it along by holding on.
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
  return { moved: user.balance - locked.user.balance, due, groups };
};

const subscribe =
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
      // What is put aside is the user's own as well, and nothing that a plan includes pays for another one.
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

const closePeriods =
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
      return { moved: user.balance - locked.user.balance, due, groups: undefined };
    });

const end =
  (db: Kysely<Tables>, dialect: SqlDialect): PlanChanges["end"] =>
  (id, reason, now, unit) =>
    db.transaction().execute(async (transaction) => {
      const locked = await lockSubscription(transaction, dialect, id);
      if (!locked || locked.row.state === "ended") return NOTHING_DONE;
      const { row } = locked;
      // What is open of it is due at once: the next look takes it back.
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
      const groups = row.group === "" ? undefined : await saveGroups(transaction, row.user_id);
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
      return { moved: back, due: undefined, groups };
    });

export const planWrites = (db: Kysely<Tables>, dialect: SqlDialect): PlanChanges => ({
  async create(plan, savedBy = 0) {
    const row = await db
      .insertInto("plans")
      .values({ ...planRow(plan), saved_by: savedBy })
      .returningAll()
      .executeTakeFirstOrThrow();
    return toPlan(row);
  },

  async change(id, change, savedBy = 0) {
    const row = await db
      .updateTable("plans")
      .set({ id, ...columnsOf(change), is_enabled: flagColumn(change.isEnabled), saved_by: savedBy })
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
  end: end(db, dialect),

  async setRenews(id, renews) {
    const { numUpdatedRows } = await db
      .updateTable("subscriptions")
      .set({ renews: renews ? 1 : 0 })
      .where("id", "=", id)
      .where("state", "!=", "ended")
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  },

  async setTold(id) {
    await db.updateTable("subscriptions").set({ is_told: 1 }).where("id", "=", id).execute();
  },
});
