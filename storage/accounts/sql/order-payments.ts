import { type OrderMoney, stepOrder } from "@tollgate/contract/payments/order-machine";
import { paidQuota, promotionLabel, withoutPromotions } from "@tollgate/contract/payments/promotions";
import type { Movement } from "@tollgate/contract/records/ledger-entry";
import type {
  ForwardStep,
  OrderedPlan,
  OrderRecord,
  PlanOrderFault,
  StepNote,
  StepOutcome,
} from "@tollgate/contract/records/order-record";
import { amountOf, type LogPhrase } from "@tollgate/contract/values/log-phrase";
import { LOG_TOPUP, USER_ENABLED } from "@tollgate/contract/values/statuses";
import type { Kysely, Updateable } from "kysely";
import { StorageConflict } from "../../errors";
import type { SqlDialect } from "../../sql/dialect";
import { columnsOf } from "../../sql/row-names";
import type { OrderChanges } from "../money-ports";
import { checkFavour } from "./check-favour";
import { bookCommission, commissionBonus } from "./commissions.repository";
import { bookEntry, moveBalance } from "./move-balance";
import { addOrderLine, lockOrder, moneyOf, storeOrder, toOrder } from "./order-rows";
import { lockPlanUser } from "./plan-money";
import { countPurchases, formatOfPlan, insertSubscription, planSaver } from "./plan-subscriptions";
import { endUses, lockBuyer, reservePromotions, usePromotionsLate } from "./promotion-uses";
import type { Tables } from "./tables";

/** Returns the changed columns other than the money. */
const noted = (
  before: OrderRecord,
  next: OrderMoney,
  step: ForwardStep,
  { at, words, actorId = 0, actorName = "", reason = "" }: StepNote,
): Updateable<Tables["orders"]> => ({
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

/** The reason of a payment's entry: a person's, or the promotions that lowered its price. */
const reasonOf = ({ promotions }: OrderRecord, { reason }: StepNote): string | undefined =>
  reason ?? (promotionLabel(promotions.filter(({ effect }) => effect === "discount")) || undefined);

/** Gives the quota of an order: its own, and the bonus of its promotions as a separate entry. */
const grant = async (db: Kysely<Tables>, order: OrderRecord, note: StepNote): Promise<void> => {
  const { at, actorId = 0 } = note;
  const { id, quota, promotionBonus, promotions } = order;
  const booked = { reference: String(id), actorId, at } as const;
  const give = async (difference: number, movement: Movement): Promise<void> => {
    const isGiven = await moveBalance(db, { of: "user", id: order.userId }, { difference, movement });
    // The machine gives once; an entry that is there says that it has forgotten, and nothing of it is to be stored.
    if (!isGiven) throw new Error(`order ${id} was booked before`);
  };
  try {
    await give(quota - promotionBonus, { ...booked, cause: "payment", reason: reasonOf(order, note) });
    const bonuses = promotionLabel(promotions.filter(({ effect }) => effect === "bonus"));
    if (promotionBonus > 0) await give(promotionBonus, { ...booked, cause: "promotion", reason: bonuses });
  } catch (error) {
    if (!(error instanceof StorageConflict)) throw error;
    if (error.kind === "not-found") throw new AccountFault(order, "account-gone");
    if (error.kind === "balance-too-large") throw new AccountFault(order, "account-full");
    throw error;
  }
  await formatPaid(db, order, note);
};

/** Books a payment's effects beside its own quota: its line of the log, and its inviter's commission. */
const formatPaid = async (
  db: Kysely<Tables>,
  order: OrderRecord,
  { at, unit, commission, actorId = 0 }: StepNote,
) => {
  const source = order.plan ? "plan" : "top-up";
  const quota = paidQuota(order) + (commission?.isOfBonus ? await commissionBonus(db, order) : 0);
  const paidFor = { id: order.id, source, userId: order.userId, quota } as const;
  await bookCommission(db, paidFor, commission, at, actorId);
  const phrase: LogPhrase = {
    code: "bought",
    amount: amountOf(order.quota, unit.quotaPerUnit, unit.isCurrency),
    paid: moneyOf(order.amount, order.currency),
  };
  await addOrderLine(db, order, LOG_TOPUP, phrase, at);
};

/** Why the plan of an order does not begin; "" where it does. The user's row is locked. */
const planFaultOf = async (
  db: Kysely<Tables>,
  order: OrderRecord,
  planId: number,
  step: ForwardStep,
): Promise<PlanOrderFault | ""> => {
  // The user who ended the order may have bought the plan by another one meanwhile; an administrator knows the reason
  // for completing it.
  if (order.state === "cancelled" && step.kind !== "completed") return "cancelled";
  if (order.quota !== order.plan?.terms.price) return "promotion-over";
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

/** The columns of an order that is paid without its promotions. */
const promotionColumns = ({ quota, bonus, discount, promotionBonus }: OrderRecord) => ({
  ...{ quota, bonus, discount },
  promotion_bonus: promotionBonus,
  promotions: "",
});

/** The effect of a payment. */
interface Given {
  /** To the balance. */
  quota: number;
  columns: Updateable<Tables["orders"]>;
}

/**
 * Starts the plan of an order: the paid quota is added and the plan's price deducted, two entries in the ledger that
 * move no balance. When the plan can no longer start, the paid quota stays in the balance, and its promotions are
 * returned.
 */
const givePlan = async (
  db: Kysely<Tables>,
  dialect: SqlDialect,
  order: OrderRecord,
  { id: planId, terms }: OrderedPlan,
  step: ForwardStep,
  note: StepNote,
): Promise<Given> => {
  const { at, actorId = 0, planEndsAt, unit } = note;
  const user = await lockPlanUser(db, dialect, order.userId).catch((error: unknown) => {
    throw error instanceof StorageConflict ? new AccountFault(order, "account-gone") : error;
  });
  const fault = await planFaultOf(db, order, planId, step);
  if (fault !== "" || planEndsAt === undefined) {
    // A discount was for the plan: without it the money alone is given.
    const paid = order.promotions.length === 0 ? order : withoutPromotions(order);
    await endUses(db, order, "used", "returned");
    await grant(db, paid, note);
    const columns = paid === order ? {} : promotionColumns(paid);
    return { quota: paid.quota, columns: { ...columns, plan_fault: fault === "" ? "withdrawn" : fault } };
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
  const reason = reasonOf(order, note);
  await book(order.quota, { cause: "payment", reference: String(order.id), actorId, at, reason });
  const purchase = { cause: "plan-purchase", reference: String(id), actorId: 0, at } as const;
  await book(-order.quota, { ...purchase, reason: terms.title });
  await formatPaid(db, order, note);
  await formatOfPlan(db, user, "plan-bought", terms.title, order.quota, at, unit);
  return { quota: 0, columns: { subscription_id: id } };
};

export const createOrder =
  (db: Kysely<Tables>): OrderChanges["create"] =>
  (order, most) =>
    db.transaction().execute(async (transaction) => {
      const { count } = await transaction
        .selectFrom("orders")
        .select((eb) => eb.fn.countAll<number>().as("count"))
        .where("user_id", "=", order.userId)
        .where("state", "=", "pending")
        .executeTakeFirstOrThrow();
      if (count >= most) return undefined;
      const { promotions = [] } = order;
      if (promotions.length > 0) await lockBuyer(transaction, order.userId);
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
          taken: 0,
          unit_price: order.unitPrice ?? "",
          quota_per_unit: order.quotaPerUnit ?? "",
          discount: order.discount ?? 0,
          promotion_bonus: order.promotionBonus ?? 0,
          promotions: promotions.length === 0 ? "" : JSON.stringify(promotions),
          plan_id: plan?.id ?? 0,
          plan_terms: plan ? JSON.stringify(plan.terms) : "",
          asked_at: order.createdAt,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      const made = toOrder(row);
      await reservePromotions(transaction, made);
      return made;
    });

/**
 * The order that a payment completes: one whose time was over before gives what was paid for, if its promotions were
 * used up meanwhile.
 */
const asPaid = async (db: Kysely<Tables>, order: OrderRecord, at: number): Promise<OrderRecord> => {
  if (order.state === "pending") {
    await endUses(db, order, "reserved", "used");
    return order;
  }
  return (await usePromotionsLate(db, order, at)) ? order : withoutPromotions(order);
};

export const takeStep =
  (db: Kysely<Tables>, dialect: SqlDialect): OrderChanges["step"] =>
  async (number, step, note) => {
    try {
      return await db.transaction().execute(async (transaction): Promise<StepOutcome | undefined> => {
        const found = await lockOrder(transaction, { number });
        if (!found) return undefined;
        const result = stepOrder(found, step);
        if (result.kind === "same") return { kind: "same", order: found };
        if (result.kind === "refused") return { kind: "refused", order: found, fault: result.fault };
        if (step.kind === "completed") await checkFavour(transaction, [note.actorId ?? 0], found.userId);
        const isPayment = result.grant > 0;
        const order = isPayment ? await asPaid(transaction, found, note.at) : found;
        if (!isPayment && result.order.state !== "paid")
          await endUses(transaction, order, "reserved", "returned");
        let given: Given = { quota: isPayment ? order.quota : 0, columns: {} };
        if (isPayment && order.plan)
          given = await givePlan(transaction, dialect, order, order.plan, step, note);
        else if (isPayment) await grant(transaction, order, note);
        const stored = await storeOrder(transaction, order.id, result.order, {
          ...noted(order, result.order, step, note),
          ...(order === found ? {} : promotionColumns(order)),
          ...given.columns,
        });
        return { kind: "changed", order: stored, granted: given.quota, taken: 0, ofBalance: 0, missing: 0 };
      });
    } catch (error) {
      if (error instanceof AccountFault) return { kind: "refused", order: error.order, fault: error.fault };
      throw error;
    }
  };
