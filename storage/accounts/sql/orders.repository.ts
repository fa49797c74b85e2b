import { formatMinor } from "@tollgate/contract/payments/currencies";
import { moneyBack, moneyFor, type OrderMoney, stepOrder } from "@tollgate/contract/payments/order-machine";
import type { Movement } from "@tollgate/contract/records/ledger-entry";
import type {
  BegunRefund,
  ForwardStep,
  OrderedPlan,
  OrderFilter,
  OrderRecord,
  PaymentFaultRecord,
  PlanOrderFault,
  RefundRecord,
  StepNote,
  StepOutcome,
} from "@tollgate/contract/records/order-record";
import { amountOf, type LogPhrase } from "@tollgate/contract/values/log-phrase";
import { LOG_MANAGE, LOG_TOPUP, USER_ENABLED } from "@tollgate/contract/values/statuses";
import { type Kysely, type Selectable, sql, type Updateable } from "kysely";
import { StorageConflict } from "../../errors";
import type { SqlDialect } from "../../sql/dialect";
import { columnsOf, fieldsOf } from "../../sql/row-names";
import type { OrderChanges, OrderQueries } from "../ports";
import { insertAccountLines } from "./account-lines";
import { checkFavour } from "./check-favour";
import {
  bookCommission,
  giveCommissionBack,
  type ReturnedMoney,
  takeCommissionBack,
} from "./commissions.repository";
import { bookEntry, giveWhatFits, moveBalance } from "./move-balance";
import { lockPlanUser, type TakenOwn, takeOwnMoney } from "./plan-money";
import { countPurchases, formatOfPlan, insertSubscription, planSaver } from "./plans.repository";
import type { OrderRefundsTable, OrdersTable, PaymentFaultsTable, Tables } from "./tables";

const toOrder = ({
  pay_kind: kind,
  pay_content: content,
  plan_id: planId,
  plan_terms: terms,
  asked_at,
  ...row
}: Selectable<OrdersTable>): OrderRecord => ({
  ...fieldsOf(row),
  unitPrice: row.unit_price || undefined,
  quotaPerUnit: row.quota_per_unit || undefined,
  pay: kind === "" ? undefined : { kind, content },
  words: JSON.parse(row.words),
  isLate: row.is_late === 1,
  plan: terms === "" ? undefined : { id: planId, terms: JSON.parse(terms) },
});

const toRefund = ({ failure, ...row }: Selectable<OrderRefundsTable>): RefundRecord => fieldsOf(row);

const toFault = (row: Selectable<PaymentFaultsTable>): PaymentFaultRecord => ({
  ...fieldsOf(row),
  words: JSON.parse(row.words),
});

const filtered = (db: Kysely<Tables>, { userId, state, provider, keyword }: OrderFilter) =>
  db
    .selectFrom("orders")
    .selectAll()
    .$if(userId !== undefined, (query) => query.where("user_id", "=", userId ?? 0))
    .$if(state !== undefined, (query) => query.where(sql<boolean>`state = ${state}`))
    .$if(provider !== undefined, (query) => query.where("provider", "=", provider ?? ""))
    .$if(keyword !== undefined, (query) =>
      query.where((eb) =>
        eb.or([
          eb("number", "=", keyword ?? ""),
          eb("payment", "=", keyword ?? ""),
          eb("username", "=", keyword ?? ""),
        ]),
      ),
    )
    .orderBy("id", "desc");

/** Refunds in a state, with their orders, the oldest first. */
const refundsIn = async (
  db: Kysely<Tables>,
  state: "asking" | "taking" | "by-hand",
  limit: number,
): Promise<{ order: OrderRecord; refund: RefundRecord }[]> => {
  const refunds = await db
    .selectFrom("order_refunds")
    .selectAll()
    .where("state", "=", state)
    .orderBy("id")
    .limit(limit)
    .execute();
  if (refunds.length === 0) return [];
  const ids = refunds.map((refund) => refund.order_id);
  const rows = await db.selectFrom("orders").selectAll().where("id", "in", ids).execute();
  const orders = new Map(rows.map((row) => [row.id, toOrder(row)]));
  return refunds.flatMap((refund) => {
    const order = orders.get(refund.order_id);
    return order ? [{ order, refund: toRefund(refund) }] : [];
  });
};

export const orderReads = (db: Kysely<Tables>): OrderQueries => ({
  async find(number) {
    const row = await db.selectFrom("orders").selectAll().where("number", "=", number).executeTakeFirst();
    return row && toOrder(row);
  },

  async findByPayment(provider, payment) {
    const row = await db
      .selectFrom("orders")
      .selectAll()
      .where("payment", "=", payment)
      .where("payment", "<>", "")
      .where("provider", "=", provider)
      .executeTakeFirst();
    return row && toOrder(row);
  },

  async page(filter, offset, limit) {
    return (await filtered(db, filter).offset(offset).limit(limit).execute()).map(toOrder);
  },

  async before(filter, id, limit) {
    return (await filtered(db, filter).where("id", "<", id).limit(limit).execute()).map(toOrder);
  },

  async refunds(orderId) {
    const rows = await db
      .selectFrom("order_refunds")
      .selectAll()
      .where("order_id", "=", orderId)
      .orderBy("id")
      .execute();
    return rows.map(toRefund);
  },

  asking: (limit) => refundsIn(db, "asking", limit),
  taking: (limit) => refundsIn(db, "taking", limit),
  byHand: (limit) => refundsIn(db, "by-hand", limit),

  async faults(orderId, limit) {
    const rows = await db
      .selectFrom("payment_faults")
      .selectAll()
      .$if(orderId !== undefined, (query) => query.where("order_id", "=", orderId ?? 0))
      .orderBy("last_at", "desc")
      .limit(limit)
      .execute();
    return rows.map(toFault);
  },
});

/** An order that no other transaction changes until this one ends: on an engine with several connections a write holds it. */
const lockOrder = async (
  db: Kysely<Tables>,
  by: { number: string } | { id: number },
): Promise<OrderRecord | undefined> => {
  const row = await db
    .updateTable("orders")
    .set((eb) => ({ state: eb.ref("state") }))
    .$if("number" in by, (query) => query.where("number", "=", "number" in by ? by.number : ""))
    .$if("id" in by, (query) => query.where("id", "=", "id" in by ? by.id : 0))
    .returningAll()
    .executeTakeFirst();
  return row && toOrder(row);
};

/** Stores what a step has changed. */
const store = async (
  db: Kysely<Tables>,
  id: number,
  next: OrderMoney,
  more: Updateable<OrdersTable> = {},
): Promise<OrderRecord> =>
  toOrder(
    await db
      .updateTable("orders")
      .set({
        state: next.state,
        payment: next.payment,
        refunded: next.refunded,
        disputed: next.disputed,
        taken: next.taken,
        is_late: next.isLate ? 1 : 0,
        ...more,
      })
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirstOrThrow(),
  );

const say = (
  db: Kysely<Tables>,
  { userId, username }: Pick<OrderRecord, "userId" | "username">,
  type: number,
  phrase: LogPhrase,
  at: number,
): Promise<void> => insertAccountLines(db, [{ createdAt: at, userId, username, type, phrase }]);

const moneyOf = (amount: number, currency: string): string => `${formatMinor(amount, currency)} ${currency}`;

/** What changes beside the money. */
const noted = (
  before: OrderRecord,
  next: OrderMoney,
  step: ForwardStep,
  { at, words, actorId = 0, actorName = "", reason = "" }: StepNote,
): Updateable<OrdersTable> => ({
  ...(words ? { words: JSON.stringify(words) } : {}),
  ...(before.paidAt === 0 && next.state === "paid" ? { paid_at: at } : {}),
  ...(step.kind === "completed" ? { completed_by: actorId, completed_name: actorName, reason } : {}),
  ...(step.kind === "failed" && reason !== "" ? { detail: reason } : {}),
});

/** A fault of an account, which undoes the whole transaction. */
class AccountFault extends Error {
  constructor(
    readonly order: OrderRecord,
    readonly fault: "account-full" | "account-gone",
  ) {
    super(fault);
  }
}

const grant = async (
  db: Kysely<Tables>,
  order: OrderRecord,
  quota: number,
  note: StepNote,
): Promise<void> => {
  const { at, actorId = 0, reason } = note;
  const movement = { cause: "payment", reference: String(order.id), actorId, at, reason } as const;
  try {
    const isGiven = await moveBalance(db, { of: "user", id: order.userId }, { difference: quota, movement });
    // The machine gives once; an entry that is there says that it has forgotten, and nothing of it is to be stored.
    if (!isGiven) throw new Error(`order ${order.id} was booked before`);
  } catch (error) {
    if (!(error instanceof StorageConflict)) throw error;
    if (error.kind === "not-found") throw new AccountFault(order, "account-gone");
    if (error.kind === "balance-too-large") throw new AccountFault(order, "account-full");
    throw error;
  }
  await formatPaid(db, order, note);
};

/** What a payment brings beside its own quota: its line of the log, and what its inviter earns. */
const formatPaid = async (
  db: Kysely<Tables>,
  order: OrderRecord,
  { at, unit, commission, actorId = 0 }: StepNote,
) => {
  const paidFor = { id: order.id, userId: order.userId, quota: order.quota - order.bonus };
  await bookCommission(db, paidFor, commission, at, actorId);
  const phrase: LogPhrase = {
    code: "bought",
    amount: amountOf(order.quota, unit.quotaPerUnit, unit.isCurrency),
    paid: moneyOf(order.amount, order.currency),
  };
  await say(db, order, LOG_TOPUP, phrase, at);
};

/** Why the plan of an order does not begin; "" where it does. The user's row is locked. */
const planFaultOf = async (
  db: Kysely<Tables>,
  order: OrderRecord,
  planId: number,
  step: ForwardStep,
): Promise<PlanOrderFault | ""> => {
  // Who ended the order may have bought the plan otherwise meanwhile; an administrator knows what it is completed for.
  if (order.state === "cancelled" && step.kind !== "completed") return "cancelled";
  const plan = await db
    .selectFrom("plans")
    .select(["is_enabled", "max_per_user"])
    .where("id", "=", planId)
    .executeTakeFirst();
  if (plan?.is_enabled !== 1) return "withdrawn";
  if (plan.max_per_user > 0 && (await countPurchases(db, order.userId, planId)) >= plan.max_per_user)
    return "often-enough";
  const user = await db
    .selectFrom("users")
    .select("status")
    .where("id", "=", order.userId)
    .executeTakeFirst();
  return user?.status === USER_ENABLED ? "" : "user-disabled";
};

/** What a payment gives. */
interface Given {
  /** To the balance. */
  quota: number;
  columns: Updateable<OrdersTable>;
}

/**
 * Begins the plan of an order: what was paid comes and its price goes, two entries in the ledger that move no balance. Where it cannot
 * begin any more, what was paid stays in the balance.
 */
const givePlan = async (
  db: Kysely<Tables>,
  dialect: SqlDialect,
  order: OrderRecord,
  { id: planId, terms }: OrderedPlan,
  step: ForwardStep,
  note: StepNote,
): Promise<Given> => {
  const { at, actorId = 0, reason, planEndsAt, unit } = note;
  const user = await lockPlanUser(db, dialect, order.userId).catch((error: unknown) => {
    throw error instanceof StorageConflict ? new AccountFault(order, "account-gone") : error;
  });
  const fault = await planFaultOf(db, order, planId, step);
  if (fault !== "" || planEndsAt === undefined) {
    await grant(db, order, order.quota, note);
    return { quota: order.quota, columns: { plan_fault: fault === "" ? "withdrawn" : fault } };
  }
  const book = async (amount: number, movement: Movement): Promise<void> => {
    if (!(await bookEntry(db, { userId: order.userId, account: "balance" }, amount, movement)))
      throw new Error(`order ${order.id} was booked before`);
  };
  const { id } = await insertSubscription(db, {
    userId: order.userId,
    planId,
    terms,
    startsAt: at,
    endsAt: planEndsAt,
    source: "payment",
    reference: `order:${order.id}`,
    renews: false,
    now: at,
  });
  await book(order.quota, { cause: "payment", reference: String(order.id), actorId, at, reason });
  const purchase = { cause: "plan-purchase", reference: String(id), actorId: 0, at } as const;
  await book(-order.quota, { ...purchase, reason: terms.title });
  await formatPaid(db, order, note);
  await formatOfPlan(db, user, "plan-bought", terms.title, order.quota, at, unit);
  return { quota: 0, columns: { subscription_id: id } };
};

/** What of an ended plan's price came back with a step. */
interface PlanBack {
  /** Taken again for the money that goes back. */
  taken: number;
  /** Given to the balance: it is more than that money stands for. */
  given: number;
  /** All that came back so far. */
  total: number;
}

/**
 * Brings back what is unspent of an ended plan's price, as far as it has not come back before, and takes it for money that goes back: two
 * entries that move no balance, but for what is more than that.
 * @param unspent in all. @param wanted what that money stands for.
 */
const takePlanBack = async (
  db: Kysely<Tables>,
  order: OrderRecord,
  unspent: number,
  wanted: number,
  refundId: number,
  { at, actorId = 0, reason }: StepNote,
): Promise<PlanBack> => {
  const fresh = Math.min(unspent, order.quota) - order.planBack;
  const title = order.plan?.terms.title ?? "";
  const back = (before: number): Movement => ({
    cause: "plan-refund",
    reference: before === 0 ? String(order.subscriptionId) : `${order.subscriptionId}/${before}`,
    actorId,
    at,
    reason: title,
  });
  const taken = Math.max(0, Math.min(fresh, wanted));
  if (taken > 0) {
    const account = { userId: order.userId, account: "balance" } as const;
    const again = {
      cause: "payment-refund",
      reference: `${refundId}/plan`,
      actorId,
      at,
      reason,
    } as const;
    const isBooked =
      (await bookEntry(db, account, taken, back(order.planBack))) &&
      (await bookEntry(db, account, -taken, again));
    if (!isBooked) throw new Error(`the plan of order ${order.id} was booked before`);
  }
  const before = order.planBack + taken;
  const given = await giveWhatFits(db, order.userId, fresh - taken, back(before));
  return { taken, given, total: before + given };
};

/**
 * Takes of the buyer's own money for a refund, also of what is put aside while a plan lasts: who claims a payment back is not given it
 * again when the plan ends.
 */
const takeFor = (
  db: Kysely<Tables>,
  dialect: SqlDialect,
  { userId }: OrderRecord,
  reference: string,
  wanted: number,
  most: number,
  { at, actorId = 0, reason }: StepNote,
): Promise<TakenOwn> => {
  const movement = { cause: "payment-refund", reference, actorId, at, reason } as const;
  return takeOwnMoney(db, dialect, userId, wanted, most, movement);
};

const formatTaken = async (
  db: Kysely<Tables>,
  order: OrderRecord,
  taken: number,
  paid: number,
  { at, unit }: StepNote,
): Promise<void> => {
  if (taken === 0) return;
  const amount = amountOf(taken, unit.quotaPerUnit, unit.isCurrency);
  const phrase: LogPhrase = { code: "purchase-refunded", amount, paid: moneyOf(paid, order.currency) };
  await say(db, order, LOG_MANAGE, phrase, at);
};

/** Why no refund is begun, which undoes the whole transaction. */
class RefundRefused extends Error {
  constructor(readonly begun: Exclude<BegunRefund, { kind: "begun" }>) {
    super(begun.kind);
  }
}

const returnedMoney = (before: OrderMoney, after: OrderMoney): number =>
  after.refunded + after.disputed - before.refunded - before.disputed;

/** What of an order's money went back, by which refund. */
const returnOf = (after: OrderMoney, { id, amount }: OrderRecord, refundId: number): ReturnedMoney => ({
  orderId: id,
  returned: after.refunded + after.disputed,
  paid: amount,
  refundId,
});

/**
 * Gives back what was taken for money that did not go back after all, and is not claimed otherwise.
 * @returns how much it was.
 */
const undo = async (
  db: Kysely<Tables>,
  order: OrderRecord,
  { id, amount, taken }: Selectable<OrderRefundsTable>,
  kind: "refund-undone" | "dispute-won",
  note: StepNote,
): Promise<number> => {
  const result = stepOrder(order, { kind, amount, taken });
  if (result.kind !== "changed") return 0;
  const movement = {
    cause: "payment-refund",
    reference: `${id}/undone`,
    actorId: note.actorId ?? 0,
    at: note.at,
    reason: note.reason,
  } as const;
  // Of an account that was deleted meanwhile, or is full, the refund ends all the same.
  const given = await giveWhatFits(db, order.userId, result.grant, movement);
  const phrase: LogPhrase = {
    code: "refund-undone",
    amount: amountOf(given, note.unit.quotaPerUnit, note.unit.isCurrency),
  };
  if (given > 0) await say(db, order, LOG_MANAGE, phrase, note.at);
  await giveCommissionBack(db, returnOf(result.order, order, id), note.at, note.actorId ?? 0);
  // What could not be given back stays taken, as the ledger has it.
  await store(db, order.id, { ...result.order, taken: order.taken - given });
  return given;
};

export const orderWrites = (db: Kysely<Tables>, dialect: SqlDialect): OrderChanges => ({
  create: (order, most) =>
    db.transaction().execute(async (transaction) => {
      const { count } = await transaction
        .selectFrom("orders")
        .select((eb) => eb.fn.countAll<number>().as("count"))
        .where("user_id", "=", order.userId)
        .where("state", "=", "pending")
        .executeTakeFirstOrThrow();
      if (count >= most) return undefined;
      if (order.plan)
        await checkFavour(transaction, [await planSaver(transaction, order.plan.id)], order.userId);
      const { number, userId, username, provider, method, usd, amount, currency, quota, bonus } = order;
      const { factor, createdAt, expiresAt, plan } = order;
      const row = await transaction
        .insertInto("orders")
        .values({
          ...columnsOf({ number, userId, username, provider, method, usd, amount, currency, quota, bonus }),
          ...columnsOf({ factor, createdAt, expiresAt }),
          state: "pending",
          unit_price: order.unitPrice ?? "",
          quota_per_unit: order.quotaPerUnit ?? "",
          plan_id: plan?.id ?? 0,
          plan_terms: plan ? JSON.stringify(plan.terms) : "",
          asked_at: order.createdAt,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      return toOrder(row);
    }),

  async begin(id, checkout, pay) {
    await db
      .updateTable("orders")
      .set({ checkout, pay_kind: pay.kind, pay_content: pay.content })
      .where("id", "=", id)
      .execute();
  },

  async step(number, step, note) {
    try {
      return await db.transaction().execute(async (transaction): Promise<StepOutcome | undefined> => {
        const order = await lockOrder(transaction, { number });
        if (!order) return undefined;
        const result = stepOrder(order, step);
        if (result.kind === "same") return { kind: "same", order };
        if (result.kind === "refused") return { kind: "refused", order, fault: result.fault };
        if (step.kind === "completed") await checkFavour(transaction, [note.actorId ?? 0], order.userId);
        let given: Given = { quota: result.grant, columns: {} };
        if (result.grant > 0 && order.plan)
          given = await givePlan(transaction, dialect, order, order.plan, step, note);
        else if (result.grant > 0) await grant(transaction, order, result.grant, note);
        const stored = await store(transaction, order.id, result.order, {
          ...noted(order, result.order, step, note),
          ...given.columns,
        });
        return { kind: "changed", order: stored, granted: given.quota, taken: 0, ofBalance: 0, missing: 0 };
      });
    } catch (error) {
      if (error instanceof AccountFault) return { kind: "refused", order: error.order, fault: error.fault };
      throw error;
    }
  },

  sendBack: (number, step, note, most, unspent = 0) =>
    db.transaction().execute(async (transaction): Promise<StepOutcome | undefined> => {
      const order = await lockOrder(transaction, { number });
      if (!order) return undefined;
      const result = stepOrder(order, step);
      const known = await transaction
        .selectFrom("order_refunds")
        .select("id")
        .where("order_id", "=", order.id)
        .where("reference", "=", step.reference)
        .executeTakeFirst();
      if (known || result.kind === "same") return { kind: "same", order };
      if (result.kind === "refused") return { kind: "refused", order, fault: result.fault };
      const paid = returnedMoney(order, result.order);
      const { id } = await transaction
        .insertInto("order_refunds")
        .values({
          order_id: order.id,
          reference: step.reference,
          kind: step.kind === "disputed" ? "dispute" : "by-provider",
          amount: paid,
          state: "done",
          created_at: note.at,
        })
        .returning("id")
        .executeTakeFirstOrThrow();
      const back = await takePlanBack(transaction, order, unspent, result.take, id, note);
      const own = await takeFor(
        transaction,
        dialect,
        order,
        String(id),
        result.take - back.taken,
        most,
        note,
      );
      const taken = back.taken + own.taken;
      await formatTaken(transaction, order, taken, paid, note);
      await takeCommissionBack(transaction, returnOf(result.order, order, id), note.at);
      const missing = result.take - taken;
      const state = own.held > 0 ? "taking" : "done";
      await transaction
        .updateTable("order_refunds")
        .set({ taken, missing, state })
        .where("id", "=", id)
        .execute();
      const next = { ...result.order, taken: result.order.taken + taken };
      const words = note.words ? { words: JSON.stringify(note.words) } : {};
      const stored = await store(transaction, order.id, next, { ...words, plan_back: back.total });
      const ofBalance = own.ofBalance - back.given;
      return { kind: "changed", order: stored, granted: 0, taken, ofBalance, missing };
    }),

  async beginRefund(number, reference, isByHand, note, most, unspent = 0) {
    try {
      return await db.transaction().execute(async (transaction): Promise<BegunRefund | undefined> => {
        const order = await lockOrder(transaction, { number });
        if (!order) return undefined;
        await checkFavour(transaction, [note.actorId ?? 0], order.userId);
        const { id } = await transaction
          .insertInto("order_refunds")
          .values({
            order_id: order.id,
            reference,
            kind: "by-admin",
            amount: 0,
            state: isByHand ? "by-hand" : "asking",
            actor_id: note.actorId ?? 0,
            actor_name: note.actorName ?? "",
            reason: note.reason ?? "",
            created_at: note.at,
          })
          .returning("id")
          .executeTakeFirstOrThrow();
        const left = order.quota - order.taken;
        const back = await takePlanBack(transaction, order, unspent, left, id, note);
        // What was spent of a plan is not taken of the buyer's other money: of that, what came back of the plan before.
        const wanted =
          order.subscriptionId === 0 ? left : Math.min(left, Math.max(0, back.total - order.taken));
        const own = await takeFor(transaction, dialect, order, String(id), wanted - back.taken, most, note);
        const taken = back.taken + own.taken;
        const ofBalance = own.ofBalance - back.given;
        const amount = Math.max(0, moneyFor(order, order.taken + taken) - moneyBack(order));
        const result = stepOrder(order, { kind: "refund-begun", amount, taken });
        if (result.kind === "refused") throw new RefundRefused(result);
        if (result.kind === "same" || amount === 0) throw new RefundRefused({ kind: "nothing" });
        await formatTaken(transaction, order, taken, amount, note);
        await takeCommissionBack(transaction, returnOf(result.order, order, id), note.at, note.actorId);
        const row = await transaction
          .updateTable("order_refunds")
          .set({ amount, taken, missing: left - taken })
          .where("id", "=", id)
          .returningAll()
          .executeTakeFirstOrThrow();
        const stored = await store(transaction, order.id, result.order, { plan_back: back.total });
        return { kind: "begun", order: stored, refund: toRefund(row), ofBalance };
      });
    } catch (error) {
      if (error instanceof RefundRefused) return error.begun;
      throw error;
    }
  },

  endRefund: (id, isDone, detail, note, isByHand = false) =>
    db.transaction().execute(async (transaction): Promise<number | undefined> => {
      const byHand = {
        settled_by: note.actorId ?? 0,
        settled_name: note.actorName ?? "",
        settled_reason: note.reason ?? "",
        settled_at: note.at,
      };
      const row = await transaction
        .updateTable("order_refunds")
        .set({ state: isDone ? "done" : "failed", ...(isByHand ? byHand : { detail }) })
        .where("id", "=", id)
        .where("state", "in", isByHand ? ["asking", "by-hand"] : ["asking"])
        .returningAll()
        .executeTakeFirst();
      if (!row) return undefined;
      if (isDone && !isByHand) return 0;
      const order = await lockOrder(transaction, { id: row.order_id });
      if (order && isByHand) await checkFavour(transaction, [note.actorId ?? 0], order.userId);
      return order && !isDone ? undo(transaction, order, row, "refund-undone", note) : 0;
    }),

  takeHeld: (id, note, most) =>
    db.transaction().execute(async (transaction): Promise<number> => {
      const refund = () =>
        transaction
          .selectFrom("order_refunds")
          .selectAll()
          .where("id", "=", id)
          .where("state", "=", "taking")
          .executeTakeFirst();
      const known = await refund();
      const order = known && (await lockOrder(transaction, { id: known.order_id }));
      // Again: another node may have been at it until the lock was free.
      const row = order && (await refund());
      if (!row) return 0;
      const { taken: before, missing } = row;
      const wanted = Math.min(missing, order.quota - order.taken);
      const own = await takeFor(transaction, dialect, order, `${id}/held/${before}`, wanted, most, note);
      const { taken } = own;
      await formatTaken(transaction, order, taken, row.amount, note);
      await transaction
        .updateTable("order_refunds")
        .set({ taken: before + taken, missing: missing - taken, state: own.held > 0 ? "taking" : "done" })
        .where("id", "=", id)
        .execute();
      await store(transaction, order.id, { ...order, taken: order.taken + taken });
      return own.ofBalance;
    }),

  takeReturned: (number, step, note) =>
    db.transaction().execute(async (transaction): Promise<number | undefined> => {
      const order = await lockOrder(transaction, { number });
      if (!order) return undefined;
      const refunds = await transaction
        .selectFrom("order_refunds")
        .selectAll()
        .where("order_id", "=", order.id)
        .orderBy("id", "desc")
        .execute();
      const { reference, own } = step;
      const isDispute = step.of === "dispute";
      const named = refunds.find(
        (row) =>
          row.reference === reference || row.failure === reference || (own !== "" && row.reference === own),
      );
      // Refunds that were begun at the provider are known by their sum.
      const row =
        named ??
        refunds.find(
          ({ kind, state, amount }) =>
            !isDispute &&
            kind === "by-provider" &&
            (state === "done" || state === "taking") &&
            amount === step.amount,
        );
      const state = isDispute ? "returned" : "failed";
      if (!row) {
        await transaction
          .insertInto("order_refunds")
          .values({
            order_id: order.id,
            reference,
            kind: isDispute ? "dispute" : "by-provider",
            amount: 0,
            state,
            failure: reference,
            created_at: note.at,
          })
          .execute();
        return 0;
      }
      // Of one that was settled by hand the administrator knows what the provider does not.
      const isMade = row.state === "asking" || row.state === "done" || row.state === "taking";
      if (!isMade || row.settled_at > 0) return undefined;
      await transaction
        .updateTable("order_refunds")
        .set({ state, failure: reference })
        .where("id", "=", row.id)
        .execute();
      return undo(transaction, order, row, isDispute ? "dispute-won" : "refund-undone", note);
    }),

  async noteFault({ provider, orderId, fault, lastAt, words }) {
    const row = await db
      .insertInto("payment_faults")
      .values({
        provider,
        order_id: orderId,
        fault,
        count: 1,
        first_at: lastAt,
        last_at: lastAt,
        words: JSON.stringify(words),
      })
      .onConflict((conflict) =>
        conflict.columns(["provider", "order_id", "fault"]).doUpdateSet({
          count: sql<number>`payment_faults.count + 1`,
          last_at: lastAt,
          words: JSON.stringify(words),
        }),
      )
      .returning("count")
      .executeTakeFirstOrThrow();
    return row.count;
  },

  async claimOpen(before, now, limit) {
    const rows = await db
      .updateTable("orders")
      .set({ asked_at: now })
      .where(
        sql<boolean>`id IN (SELECT id FROM orders WHERE state = 'pending' AND asked_at <= ${before}
          ORDER BY asked_at, id LIMIT ${limit})`,
      )
      .where("state", "=", "pending")
      .where("asked_at", "<=", before)
      .returningAll()
      .execute();
    return rows.map(toOrder);
  },
});
