/*
 * The states of an order and what moves it from one to another: a pure function, so that storage can run it under the lock of the
 * order's row, and a test can run any sequence of it. Amounts are minor units, quota is quota points.
 *
 *   pending ──paid, completed──▶ paid ──money back──▶ partly-refunded ──▶ refunded
 *      ├──▶ expired ─┐
 *      ├──▶ cancelled ├──paid (late), completed──▶ paid
 *      └──▶ failed ──┘
 */

export const ORDER_STATES = [
  "pending",
  "paid",
  "expired",
  "cancelled",
  "failed",
  "partly-refunded",
  "refunded",
] as const;

export type OrderState = (typeof ORDER_STATES)[number];

/** The fields of an order that its money depends on. */
export interface OrderMoney {
  state: OrderState;
  provider: string;
  amount: number;
  currency: string;
  /** Quota that it grants. */
  quota: number;
  /** The provider's id of the payment; "" before, and while it is only completed by hand. */
  payment: string;
  /** Sent back to the buyer, and claimed back by the buyer's bank. */
  refunded: number;
  disputed: number;
  /** The part of `quota` that was taken back. */
  taken: number;
  /** It was paid after it had ended. */
  isLate: boolean;
}

export type OrderStep =
  /** As a provider says. */
  | { kind: "paid"; provider: string; amount: number; currency: string; payment: string }
  /** As an administrator says. */
  | { kind: "completed" }
  | { kind: "failed" | "expired" | "cancelled" }
  /** Money went back: all of it so far. */
  | { kind: "refunded"; total: number }
  /** Money went back, or is claimed: this much more. The caller makes sure that each is told once. */
  | { kind: "refunded-part" | "disputed"; amount: number }
  /** A refund requested by an administrator, with the quota taken for it. */
  | { kind: "refund-begun"; amount: number; taken: number }
  /** It was refused after all, or did not arrive; or a claim of the buyer's bank was decided for the site. */
  | { kind: "refund-undone" | "dispute-won"; amount: number; taken: number };

/** Why a step does not apply to this order: nothing changes then. */
export type OrderFault =
  | "other-provider"
  | "wrong-amount"
  | "wrong-currency"
  /** A second payment of a paid order. */
  | "paid-twice"
  /** Money cannot go back before it came. */
  | "not-paid"
  /** It is paid, or was ended otherwise. */
  | "not-open"
  | "refund-too-large";

export type OrderResult =
  | {
      kind: "changed";
      order: OrderMoney;
      /** Quota to add to the buyer's balance. */
      grant: number;
      /** Quota to take of it, as far as it is there. */
      take: number;
    }
  /** It was known already. */
  | { kind: "same" }
  | { kind: "refused"; fault: OrderFault };

const isOpen = (state: OrderState): boolean =>
  state === "pending" || state === "expired" || state === "cancelled" || state === "failed";

const refusedStep = (fault: OrderFault): OrderResult => ({ kind: "refused", fault });
const SAME: OrderResult = { kind: "same" };

const changed = (order: OrderMoney, grant = 0, take = 0): OrderResult => ({
  kind: "changed",
  order,
  grant,
  take,
});

/** Money that has gone back, or is claimed; limited to the payment. */
export const moneyBack = ({ amount, refunded, disputed }: OrderMoney): number =>
  Math.min(amount, refunded + disputed);

/** The order's quota for money that went back, rounded up. */
const quotaFor = ({ amount, quota }: OrderMoney, money: number): number =>
  money >= amount ? quota : Number((BigInt(quota) * BigInt(money) + BigInt(amount) - 1n) / BigInt(amount));

/** The money for quota that was taken, in all, rounded down: all of it for all of it. */
export const moneyFor = ({ amount, quota }: OrderMoney, taken: number): number =>
  taken >= quota ? amount : Number((BigInt(amount) * BigInt(taken)) / BigInt(quota));

const stateAfter = (order: OrderMoney): OrderState => {
  const back = moneyBack(order);
  if (back === 0) return "paid";
  return back < order.amount ? "partly-refunded" : "refunded";
};

/** Money went back: its quota that was not taken yet is to be taken. */
const returned = (before: OrderMoney, after: OrderMoney): OrderResult => {
  if (moneyBack(after) < moneyBack(before)) return SAME;
  const take = Math.max(0, quotaFor(after, moneyBack(after)) - quotaFor(before, moneyBack(before)));
  return changed({ ...after, state: stateAfter(after) }, 0, Math.min(take, after.quota - after.taken));
};

type StepOf<Kind extends OrderStep["kind"]> = OrderStep & { kind: Kind };

/** The provider reports a payment. */
const pay = (order: OrderMoney, step: StepOf<"paid">): OrderResult => {
  if (step.provider !== order.provider) return refusedStep("other-provider");
  if (step.currency !== order.currency) return refusedStep("wrong-currency");
  if (step.amount !== order.amount) return refusedStep("wrong-amount");
  if (isOpen(order.state))
    return changed(
      { ...order, state: "paid", payment: step.payment, isLate: order.state !== "pending" },
      order.quota,
    );
  if (order.payment === step.payment) return SAME;
  // Completed by hand before the provider said so: from now on it can be refunded there.
  return order.payment === "" ? changed({ ...order, payment: step.payment }) : refusedStep("paid-twice");
};

/** The provider reports refunds, or money that it has taken back for the buyer. */
const sendBack = (
  order: OrderMoney,
  step: StepOf<"refunded"> | StepOf<"refunded-part"> | StepOf<"disputed">,
): OrderResult => {
  if (isOpen(order.state)) return refusedStep("not-paid");
  const of = step.kind === "disputed" ? "disputed" : "refunded";
  const total = step.kind === "refunded" ? step.total : order[of] + step.amount;
  if (total > order.amount) return refusedStep("refund-too-large");
  return total <= order[of] && step.kind === "refunded" ? SAME : returned(order, { ...order, [of]: total });
};

/** An administrator starts a refund. */
const beginRefund = (order: OrderMoney, step: StepOf<"refund-begun">): OrderResult => {
  if (isOpen(order.state)) return refusedStep("not-paid");
  const after = { ...order, refunded: order.refunded + step.amount, taken: order.taken + step.taken };
  if (after.refunded + after.disputed > order.amount || after.taken > order.quota)
    return refusedStep("refund-too-large");
  return changed({ ...after, state: stateAfter(after) });
};

/** Returned money has come back. */
const undoReturn = (
  order: OrderMoney,
  step: StepOf<"refund-undone"> | StepOf<"dispute-won">,
): OrderResult => {
  const of = step.kind === "dispute-won" ? "disputed" : "refunded";
  const after = { ...order, [of]: Math.max(0, order[of] - step.amount) };
  // The quota of other money that went back meanwhile stays taken: a claim of the buyer's bank is a reason why
  // refunds are refused.
  const free = Math.max(0, order.taken - quotaFor(after, moneyBack(after)));
  const grant = Math.min(step.taken, free);
  return changed({ ...after, taken: order.taken - grant, state: stateAfter(after) }, grant);
};

/** Applies a step to an order. */
export const stepOrder = (order: OrderMoney, step: OrderStep): OrderResult => {
  switch (step.kind) {
    case "paid":
      return pay(order, step);
    case "completed":
      return isOpen(order.state)
        ? changed({ ...order, state: "paid", isLate: order.state !== "pending" }, order.quota)
        : refusedStep("not-open");
    case "failed":
    case "expired":
      return order.state === "pending" ? changed({ ...order, state: step.kind }) : SAME;
    case "cancelled":
      return order.state === "pending" ? changed({ ...order, state: step.kind }) : refusedStep("not-open");
    case "refunded":
    case "refunded-part":
    case "disputed":
      return sendBack(order, step);
    case "refund-begun":
      return beginRefund(order, step);
    case "refund-undone":
    case "dispute-won":
      return undoReturn(order, step);
  }
};
