import { moneyBack, moneyFor, type OrderMoney, stepOrder } from "@tollgate/contract/payments/order-machine";
import type {
  BegunRefund,
  OrderRecord,
  StepNote,
  StepOutcome,
} from "@tollgate/contract/records/order-record";
import { amountOf, type LogPhrase } from "@tollgate/contract/values/log-phrase";
import { LOG_MANAGE } from "@tollgate/contract/values/statuses";
import type { Kysely } from "kysely";
import type { SqlDialect } from "../../sql/dialect";
import type { OrderChanges } from "../money-ports";
import { checkFavour } from "./check-favour";
import { giveCommissionBack, type ReturnedMoney, takeCommissionBack } from "./commissions.repository";
import { followMoney, isInvoiced } from "./invoice-orders";
import { giveWhatFits } from "./move-balance";
import { forfeitDiscount, giveDiscount, takePlanBack, unpaidOf } from "./order-plan-back";
import { addOrderLine, lockOrder, moneyOf, storeOrder, toRefund } from "./order-rows";
import { type TakenOwn, takeOwnMoney } from "./plan-money";
import type { Row, Tables } from "./tables";

/**
 * Takes a refund's quota from the buyer's own money, including the part put aside while a plan lasts: otherwise a buyer
 * who claims a payment back would get it again when the plan ends.
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
  await addOrderLine(db, order, LOG_MANAGE, phrase, at);
};

/** Why no refund is begun, which undoes the whole transaction. */
class RefundRefused extends Error {
  constructor(readonly begun: Exclude<BegunRefund, { kind: "begun" }>) {
    super(begun.kind);
  }
}

const returnedMoney = (before: OrderMoney, after: OrderMoney): number =>
  after.refunded + after.disputed - before.refunded - before.disputed;

/** Describes the money of an order that went back, and by which refund. */
const returnOf = (after: OrderMoney, { id, amount }: OrderRecord, refundId: number): ReturnedMoney => ({
  orderId: id,
  returned: after.refunded + after.disputed,
  paid: amount,
  refundId,
});

/**
 * Returns quota taken for a refund that was not made, except the part that other refunds claim. The buyer's own money
 * comes back in full, and of a plan's price the part that was paid.
 * @returns the returned quota.
 */
const undo = async (
  db: Kysely<Tables>,
  order: OrderRecord,
  { id, amount, taken }: Row<"order_refunds">,
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
  // The refund ends even when the account was deleted meanwhile or is full.
  const returned = await giveWhatFits(db, order.userId, result.grant, movement);
  const { ofPlan, unpaid } = await unpaidOf(db, order, id);
  const forfeited = Math.min(unpaid, Math.max(0, returned - (taken - ofPlan)));
  await forfeitDiscount(db, order, forfeited, `${id}/undone`, note);
  const given = returned - forfeited;
  const phrase: LogPhrase = {
    code: "refund-undone",
    amount: amountOf(given, note.unit.quotaPerUnit, note.unit.isCurrency),
  };
  if (given > 0) await addOrderLine(db, order, LOG_MANAGE, phrase, note.at);
  await giveCommissionBack(db, returnOf(result.order, order, id), note.at, note.actorId ?? 0);
  // Quota that could not be returned stays taken, as the ledger has it.
  const stored = await storeOrder(db, order.id, { ...result.order, taken: order.taken - returned });
  await followMoney(db, stored, note.at);
  return given;
};

export const sendBack =
  (db: Kysely<Tables>, dialect: SqlDialect): OrderChanges["sendBack"] =>
  (number, step, note, most, unspent = 0) =>
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
          ...{ taken: 0, missing: 0 },
          state: "done",
          created_at: note.at,
        })
        .returning("id")
        .executeTakeFirstOrThrow();
      const back = await takePlanBack(transaction, order, unspent, result.take, id, note);
      const wanted = result.take - back.taken;
      const discount = back.discountOf(wanted);
      const own = await takeFor(transaction, dialect, order, String(id), wanted - discount, most, note);
      await giveDiscount(transaction, order, discount, id, note);
      const taken = back.taken + discount + own.taken;
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
      const stored = await storeOrder(transaction, order.id, next, { ...words, plan_back: back.total });
      const ofBalance = own.ofBalance - back.given;
      const toReverse = await followMoney(transaction, stored, note.at);
      return { kind: "changed", order: stored, granted: 0, taken, ofBalance, missing, toReverse };
    });

export const beginRefund =
  (db: Kysely<Tables>, dialect: SqlDialect): OrderChanges["beginRefund"] =>
  async (number, reference, isByHand, note, most, unspent = 0) => {
    try {
      return await db.transaction().execute(async (transaction): Promise<BegunRefund | undefined> => {
        const order = await lockOrder(transaction, { number });
        if (!order) return undefined;
        await checkFavour(transaction, [note.actorId ?? 0], order.userId);
        if (await isInvoiced(transaction, order.id)) return { kind: "refused", fault: "invoice-issued" };
        const { id } = await transaction
          .insertInto("order_refunds")
          .values({
            order_id: order.id,
            reference,
            kind: "by-admin",
            ...{ amount: 0, taken: 0, missing: 0 },
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
        // The spent part of a plan is not taken from the buyer's other money; only the part that came back of the plan
        // before is.
        const wanted =
          order.subscriptionId === 0 ? left : Math.min(left, Math.max(0, back.total - order.taken));
        const rest = wanted - back.taken;
        const inBalance = rest - back.discountOf(rest);
        const own = await takeFor(transaction, dialect, order, String(id), inBalance, most, note);
        // A refund pays for the quota that it takes: where less is there, less of the discount belongs to it.
        const discount = own.taken === inBalance ? rest - inBalance : back.discountWith(own.taken);
        await giveDiscount(transaction, order, discount, id, note);
        const taken = back.taken + discount + own.taken;
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
        const stored = await storeOrder(transaction, order.id, result.order, { plan_back: back.total });
        await followMoney(transaction, stored, note.at);
        return { kind: "begun", order: stored, refund: toRefund(row), ofBalance };
      });
    } catch (error) {
      if (error instanceof RefundRefused) return error.begun;
      throw error;
    }
  };

export const endRefund =
  (db: Kysely<Tables>): OrderChanges["endRefund"] =>
  (id, isDone, detail, note, isByHand = false) =>
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
    });

export const takeHeld =
  (db: Kysely<Tables>, dialect: SqlDialect): OrderChanges["takeHeld"] =>
  (id, note, most) =>
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
      await storeOrder(transaction, order.id, { ...order, taken: order.taken + taken });
      return own.ofBalance;
    });

export const takeReturned =
  (db: Kysely<Tables>): OrderChanges["takeReturned"] =>
  (number, step, note) =>
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
            ...{ amount: 0, taken: 0, missing: 0 },
            state,
            failure: reference,
            created_at: note.at,
          })
          .execute();
        return 0;
      }
      // The administrator who settled a refund by hand knows more than the provider.
      const isMade = row.state === "asking" || row.state === "done" || row.state === "taking";
      if (!isMade || row.settled_at > 0) return undefined;
      await transaction
        .updateTable("order_refunds")
        .set({ state, failure: reference })
        .where("id", "=", row.id)
        .execute();
      return undo(transaction, order, row, isDispute ? "dispute-won" : "refund-undone", note);
    });
