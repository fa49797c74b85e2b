import { paidQuota, promotionLabel } from "@tollgate/contract/payments/promotions";
import type { Movement } from "@tollgate/contract/records/ledger-entry";
import type { OrderRecord, StepNote } from "@tollgate/contract/records/order-record";
import type { Kysely } from "kysely";
import { bookEntry, giveWhatFits, moveBalance } from "./move-balance";
import type { Tables } from "./tables";

/*
 * The price of a plan that was paid by its own order, as it comes back after the plan's end. Prices and refunds count
 * undiscounted quota. Only the paid part of it goes to the balance: the discount was for the plan, and is forfeited by
 * an entry of its promotions. Later refunds claim that part of their quota from the forfeited discount.
 */

/** The part of an order's quota that its discount paid for, rounded up. */
const discountedPart = ({ amount, discount }: OrderRecord, quota: number): number =>
  discount === 0 || quota <= 0 ? 0 : quota - paidQuota({ amount, discount, quota, bonus: 0 });

const balanceOf = ({ userId }: OrderRecord) => ({ userId, account: "balance" }) as const;

const ofDiscount = (order: OrderRecord, reference: string, { at, actorId = 0 }: StepNote): Movement => ({
  cause: "promotion",
  reference: `${order.id}/${reference}`,
  actorId,
  at,
  reason: promotionLabel(order.promotions),
});

/** Takes the discount's part of quota that an order's plan has just returned to the balance. */
export const forfeitDiscount = async (
  db: Kysely<Tables>,
  order: OrderRecord,
  quota: number,
  reference: string,
  note: StepNote,
): Promise<void> => {
  if (quota === 0) return;
  const movement = ofDiscount(order, reference, note);
  if (!(await moveBalance(db, { of: "user", id: order.userId }, { difference: -quota, movement })))
    throw new Error(`the discount of order ${order.id} was booked before`);
};

/** Takes forfeited discount for a refund: two entries that move no balance. */
export const giveDiscount = async (
  db: Kysely<Tables>,
  order: OrderRecord,
  quota: number,
  refundId: number,
  note: StepNote,
): Promise<void> => {
  if (quota === 0) return;
  const { at, actorId = 0, reason } = note;
  const reference = `${refundId}/discount`;
  const taken = { cause: "payment-refund", reference, actorId, at, reason } as const;
  const isBooked =
    (await bookEntry(db, balanceOf(order), quota, ofDiscount(order, String(refundId), note))) &&
    (await bookEntry(db, balanceOf(order), -quota, taken));
  if (!isBooked) throw new Error(`the discount of order ${order.id} was booked before`);
};

/** The forfeited discount of an order that no refund has claimed. */
const forfeitedOf = async (db: Kysely<Tables>, { id, userId, discount }: OrderRecord): Promise<number> => {
  if (discount === 0) return 0;
  const entries = await db
    .selectFrom("ledger_entries")
    .select("amount")
    .where("user_id", "=", userId)
    .where("account", "=", "balance")
    .where("cause", "=", "promotion")
    // "0" is the character after the slash.
    .where("reference", ">", `${id}/`)
    .where("reference", "<", `${id}0`)
    .execute();
  return entries.reduce((sum, { amount }) => sum - amount, 0);
};

/** The quota that a refund took of its plan's price, and the part of it that was not paid. */
export const unpaidOf = async (
  db: Kysely<Tables>,
  order: OrderRecord,
  refundId: number,
): Promise<{ ofPlan: number; unpaid: number }> => {
  if (order.subscriptionId === 0 || order.discount === 0) return { ofPlan: 0, unpaid: 0 };
  const taken = async (part: "plan" | "discount"): Promise<number> => {
    const entry = await db
      .selectFrom("ledger_entries")
      .select("amount")
      .where("cause", "=", "payment-refund")
      .where("account", "=", "balance")
      .where("reference", "=", `${refundId}/${part}`)
      .executeTakeFirst();
    return -(entry?.amount ?? 0);
  };
  const [price, discount] = [await taken("plan"), await taken("discount")];
  return { ofPlan: price + discount, unpaid: discountedPart(order, price) + discount };
};

/** The part of an ended plan's price that came back with a step. */
interface PlanBack {
  /** Taken again for the money that goes back. */
  taken: number;
  /** Given to the balance: it is more than that money stands for. */
  given: number;
  /** All that came back so far. */
  total: number;
  /** The part of further quota that is taken from the discount forfeited before. */
  discountOf(quota: number): number;
  /** The part of that discount that belongs to quota of the balance. */
  discountWith(paid: number): number;
}

/**
 * Returns the unspent price of an ended plan, as far as it has not come back before, and takes it for the refunded
 * money: two entries that move no balance, except for the paid part of what is above that.
 * @param unspent in all. @param wanted the quota of the refunded money.
 */
export const takePlanBack = async (
  db: Kysely<Tables>,
  order: OrderRecord,
  unspent: number,
  wanted: number,
  refundId: number,
  note: StepNote,
): Promise<PlanBack> => {
  const { at, actorId = 0, reason } = note;
  const forfeited = order.planBack === 0 ? 0 : await forfeitedOf(db, order);
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
    const again = {
      cause: "payment-refund",
      reference: `${refundId}/plan`,
      actorId,
      at,
      reason,
    } as const;
    const isBooked =
      (await bookEntry(db, balanceOf(order), taken, back(order.planBack))) &&
      (await bookEntry(db, balanceOf(order), -taken, again));
    if (!isBooked) throw new Error(`the plan of order ${order.id} was booked before`);
  }
  const before = order.planBack + taken;
  const returned = await giveWhatFits(db, order.userId, fresh - taken, back(before));
  const unpaid = discountedPart(order, returned);
  await forfeitDiscount(db, order, unpaid, `${refundId}/excess`, note);
  return {
    taken,
    given: returned - unpaid,
    total: before + returned,
    discountOf: (quota) => Math.min(forfeited, discountedPart(order, quota)),
    discountWith: (paid) =>
      forfeited === 0
        ? 0
        : Math.min(forfeited, Number((BigInt(paid) * BigInt(order.discount)) / BigInt(order.amount))),
  };
};
