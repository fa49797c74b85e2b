import type { PlanTerms } from "../api/plans";
import type { OrderFault, OrderMoney, OrderStep } from "../payments/order-machine";
import type { ProviderWords } from "../payments/payment-port";
import type { AppliedPromotion } from "../payments/promotions";
import type { AmountUnit } from "../values/log-phrase";
import type { CommissionRule } from "./commission-record";

/** How a buyer pays: over an address, or by a code that the page draws. */
export interface OrderCheckout {
  kind: "redirect" | "qr";
  content: string;
}

/** A plan as it was when it was ordered: later changes of the plan do not change the order. */
export interface OrderedPlan {
  id: number;
  terms: PlanTerms;
}

/** Why the plan of a paid order did not begin: its price went to the balance instead. */
export const PLAN_ORDER_FAULTS = [
  /** It cannot be bought any more. */
  "withdrawn",
  /** The user has bought it as often as one may. */
  "often-enough",
  "user-disabled",
  /** The buyer had cancelled the order, and paid anyway. */
  "cancelled",
  /** It was paid after its time, when its discount could not be used any more. */
  "promotion-over",
] as const;

export type PlanOrderFault = (typeof PLAN_ORDER_FAULTS)[number];

/** An order as it is made. */
export interface NewOrder {
  /** 32 random hexadecimal digits. */
  number: string;
  userId: number;
  username: string;
  provider: string;
  /** Of the provider's ways to pay; "" where it has none to choose. */
  method: string;
  /** US dollars of quota that were asked for. */
  usd: string;
  /** Minor units of `currency`. */
  amount: number;
  currency: string;
  quota: number;
  /** The part of `quota` that is given on top. */
  bonus: number;
  /** The factors of the price, multiplied. */
  factor: string;
  /** Minor units that promotions lowered the price by; `amount` is without them. */
  discount?: number | undefined;
  /** The part of `bonus` that promotions give: a separate entry of the ledger. */
  promotionBonus?: number | undefined;
  /** Its promotions, which it reserves. */
  promotions?: readonly AppliedPromotion[] | undefined;
  /** The terms of the quote: the price of one US dollar of quota, and its quota; undefined in orders of older versions. */
  unitPrice?: string | undefined;
  quotaPerUnit?: string | undefined;
  /** The ordered plan; undefined for quota. `quota` is its price then. */
  plan?: OrderedPlan | undefined;
  /** Unix seconds. */
  createdAt: number;
  expiresAt: number;
}

/** An order as it is stored. */
export interface OrderRecord extends NewOrder, OrderMoney {
  id: number;
  discount: number;
  promotionBonus: number;
  promotions: readonly AppliedPromotion[];
  /** The provider's id of the checkout; "" before. */
  checkout: string;
  /** undefined before it is known. */
  pay: OrderCheckout | undefined;
  /** The provider's last answer. */
  words: ProviderWords;
  /** Unix seconds; 0 before. */
  paidAt: number;
  /** The administrator who completed it by hand; 0 for none. */
  completedBy: number;
  completedName: string;
  reason: string;
  /** Why the provider did not begin it; "" where it did. */
  detail: string;
  /** The buyer's subscription; 0 when none started. */
  subscriptionId: number;
  planFault: PlanOrderFault | "";
  /** The part of the plan's price that came back when it was ended for a refund. */
  planBack: number;
}

export const REFUND_KINDS = ["by-admin", "by-provider", "dispute"] as const;

/**
 * "asking": the provider has not answered yet. "by-hand": a person has to send it. "failed": it was not made, or did
 * not arrive. "returned": a claim of the buyer's bank that was decided for the site. "taking": the money is gone, and
 * requests under way still hold some of its quota; it is taken when they are done.
 */
export const REFUND_STATES = ["asking", "done", "failed", "by-hand", "returned", "taking"] as const;

/** Money that went back, or is on its way. */
export interface RefundRecord {
  id: number;
  orderId: number;
  /** The refund's own number, by which the provider knows it; the provider's name for a refund that it began. */
  reference: string;
  kind: (typeof REFUND_KINDS)[number];
  /** Minor units. */
  amount: number;
  /** Quota taken of the balance, and quota that could not be taken because it was spent, or not yet ("taking"). */
  taken: number;
  missing: number;
  state: (typeof REFUND_STATES)[number];
  actorId: number;
  actorName: string;
  reason: string;
  /** The provider's message, without secrets. */
  detail: string;
  createdAt: number;
  /** The administrator who settled it by hand, when (unix seconds) and why; 0 and "" where none did. */
  settledBy: number;
  settledName: string;
  settledReason: string;
  settledAt: number;
}

/** Whether a refund waits for a person: for the provider's answer, or to be sent by hand. */
export const isRefundOpen = ({ state }: Pick<RefundRecord, "state">): boolean =>
  state === "asking" || state === "by-hand";

/** Faults of a callback: of its reading (CallbackFault), of the order (OrderFault), and the rest. */
export const PAYMENT_FAULTS = [
  "signature-wrong",
  "too-old",
  "unreadable",
  "other-merchant",
  "unknown-order",
  "other-provider",
  "wrong-amount",
  "wrong-currency",
  "paid-twice",
  /** Paid long after its time, at a provider that does not end it: the price was that of then. */
  "paid-too-late",
  /** The amount does not follow from the order's terms, or quota costs more than twice as much now. A person decides. */
  "quote-out-of-line",
  /** About another payment than the one that the order was paid by. */
  "other-payment",
  "not-paid",
  "not-open",
  "refund-too-large",
  "account-full",
  "account-gone",
] as const;

export type PaymentFault = (typeof PAYMENT_FAULTS)[number];

/** A callback that changed nothing, counted. */
export interface PaymentFaultRecord {
  provider: string;
  /** 0 where it named none that there is. */
  orderId: number;
  fault: PaymentFault;
  count: number;
  firstAt: number;
  lastAt: number;
  words: ProviderWords;
}

/** Which orders are asked for; all where nothing is said. */
export interface OrderFilter {
  userId?: number | undefined;
  state?: string | undefined;
  provider?: string | undefined;
  /** Only orders with a refund that is not settled. */
  hasOpenRefund?: boolean | undefined;
  /** The beginning of a number, the whole of a provider's number, or of a user's name. */
  keyword?: string | undefined;
}

/** Data stored with a step. */
export interface StepNote {
  at: number;
  words?: ProviderWords | undefined;
  /** Of a person. */
  actorId?: number | undefined;
  actorName?: string | undefined;
  reason?: string | undefined;
  /** How the line of the log says the amount. */
  unit: AmountUnit;
  /** Commission of the payer's inviter; undefined for none. */
  commission?: CommissionRule | undefined;
  /** When a plan that begins with this step ends; unix seconds. */
  planEndsAt?: number | undefined;
}

/** Steps that give quota or change a state alone. */
export type ForwardStep = Extract<
  OrderStep,
  { kind: "paid" | "completed" | "failed" | "expired" | "cancelled" }
>;

/** Steps by which money has gone back at the provider, each with its identification. */
export type BackStep = Extract<OrderStep, { kind: "refunded" | "refunded-part" | "disputed" }> & {
  reference: string;
};

/** Money that had gone back and is here again: a refund that failed after it had been made, or a claim that was decided for the site. */
export interface ReturnStep {
  of: "refund" | "dispute";
  /** A refund's own number; "" for one that the provider began. */
  own: string;
  /** The provider's name of it. */
  reference: string;
  amount: number;
}

export type StepOutcome =
  /**
   * @property granted by how much the balance rose; nothing where a plan started.
   * @property ofBalance the part of `taken` that was in the balance, the rest was put aside or a plan's; less than 0
   *   where more of a plan's price came back than was taken.
   */
  | {
      kind: "changed";
      order: OrderRecord;
      granted: number;
      taken: number;
      ofBalance: number;
      missing: number;
      /** The issued invoice that has to be reversed because of it. */
      toReverse?: number | undefined;
    }
  | { kind: "same"; order: OrderRecord }
  | { kind: "refused"; order: OrderRecord; fault: OrderFault | "account-full" | "account-gone" };

/** Outcome of a refund requested by an administrator. */
export type BegunRefund =
  /** @property ofBalance as of a step. */
  | { kind: "begun"; order: OrderRecord; refund: RefundRecord; ofBalance: number }
  /** Nothing of it is left, or it stands for less than the smallest amount. */
  | { kind: "nothing" }
  /** "invoice-issued": an invoice over the order has to be reversed first. */
  | { kind: "refused"; fault: OrderFault | "invoice-issued" };
