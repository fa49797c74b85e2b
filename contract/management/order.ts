import * as z from "zod/mini";
import type { OrderRecord, PaymentFaultRecord, RefundRecord } from "../records/order-record";
import { codecOf, flag, int, schemasOf, text, toWireNames } from "../resource/fields";
import { idNumber, looseList, looseNumber, looseString, maybe } from "./wire";

/** An order as people see it: without what pays it, which its buyer is shown alone. */
export type Order = Omit<OrderRecord, "pay" | "words" | "checkout" | "plan"> & {
  /** What is bought; 0 and "" for quota. The title is that of the day of the order. */
  planId: number;
  planTitle: string;
};

const orderFields = {
  id: int("id"),
  number: text("number"),
  userId: int("user_id"),
  username: text("username"),
  provider: text("provider"),
  method: text("method"),
  state: text("state"),
  usd: text("usd"),
  /** Minor units of `currency`. */
  amount: int("amount"),
  currency: text("currency"),
  quota: int("quota"),
  bonus: int("bonus"),
  factor: text("factor"),
  /** What the provider calls the payment. */
  payment: text("payment"),
  refunded: int("refunded"),
  disputed: int("disputed"),
  /** Of `quota`, what was taken back. */
  taken: int("taken"),
  isLate: flag("is_late"),
  createdAt: int("created_time"),
  expiresAt: int("expires_time"),
  paidAt: int("paid_time"),
  completedBy: int("completed_by"),
  completedName: text("completed_name"),
  reason: text("reason"),
  detail: text("detail"),
  unitPrice: text("unit_price"),
  quotaPerUnit: text("quota_per_unit"),
  planId: int("plan_id"),
  planTitle: text("plan_title"),
  /** Why its plan did not begin, and its price went to the balance instead; "" otherwise. */
  planFault: text("plan_fault"),
  /** Of the plan's price, what came back when it was ended for a refund. */
  planBack: int("plan_back"),
  subscriptionId: int("subscription_id"),
};

const looseCodec = codecOf(orderFields, schemasOf(orderFields, "loose"));

const payWireSchema = z.object({ kind: z.enum(["redirect", "qr"]), content: z.string() });

/** An order as it travels; with `pay` for its buyer, while it is open. */
export const orderWireSchema = z.extend(
  z.object(toWireNames(orderFields, schemasOf(orderFields, "strict"))),
  {
    pay: z.optional(payWireSchema),
  },
);
export type OrderWire = z.infer<typeof orderWireSchema>;

export const encodeOrder = (order: Omit<OrderRecord, "pay" | "words" | "checkout">): OrderWire =>
  toWireNames(orderFields, {
    ...order,
    unitPrice: order.unitPrice ?? "",
    quotaPerUnit: order.quotaPerUnit ?? "",
    planId: order.plan?.id ?? 0,
    planTitle: order.plan?.terms.title ?? "",
  });

/** Its buyer is not told who completed it, and why the provider did not begin it. */
export const encodeOwnOrder = (order: OrderRecord): OrderWire => ({
  ...encodeOrder({ ...order, completedBy: 0, completedName: "", reason: "", detail: "" }),
  ...(order.state === "pending" && order.pay ? { pay: order.pay } : {}),
});

/** An order from any server's answer. */
export interface ReadOrder extends z.output<typeof looseCodec> {
  pay?: z.infer<typeof payWireSchema> | undefined;
}

export const readOrder = (value: unknown): ReadOrder | undefined => {
  const parsed = looseCodec.safeParse(value);
  if (!parsed.success) return undefined;
  const pay = z.object({ pay: payWireSchema }).safeParse(value);
  return { ...parsed.data, pay: pay.data?.pay };
};

export const readOrders = looseList(readOrder);

const refundFields = {
  id: int("id"),
  reference: text("reference"),
  kind: text("kind"),
  amount: int("amount"),
  taken: int("taken"),
  missing: int("missing"),
  state: text("state"),
  actorId: int("actor_id"),
  actorName: text("actor_name"),
  reason: text("reason"),
  detail: text("detail"),
  createdAt: int("created_time"),
  /** The administrator who settled it by hand, when and why; 0 and "" where nobody did. */
  settledBy: int("settled_by"),
  settledName: text("settled_name"),
  settledReason: text("settled_reason"),
  settledAt: int("settled_time"),
};
const faultFields = {
  provider: text("provider"),
  orderId: int("order_id"),
  fault: text("fault"),
  count: int("count"),
  firstAt: int("first_time"),
  lastAt: int("last_time"),
};

/** A refund as it travels. */
export const refundWireSchema = z.object(toWireNames(refundFields, schemasOf(refundFields, "strict")));
export type RefundWire = z.infer<typeof refundWireSchema>;

export const encodeRefund = (refund: RefundRecord): RefundWire => toWireNames(refundFields, refund);

const wordsSchema = z.record(z.string(), z.string());

/** A callback that changed nothing, as it travels. */
export const paymentFaultWireSchema = z.extend(
  z.object(toWireNames(faultFields, schemasOf(faultFields, "strict"))),
  { words: wordsSchema },
);

/** An order with all that happened to it. */
export const orderDetailWireSchema = z.object({
  order: orderWireSchema,
  /** What the provider said last, without secrets. */
  words: wordsSchema,
  refunds: z.array(refundWireSchema),
  faults: z.array(paymentFaultWireSchema),
});
export type OrderDetailWire = z.infer<typeof orderDetailWireSchema>;

export const encodePaymentFault = (fault: PaymentFaultRecord): z.infer<typeof paymentFaultWireSchema> => ({
  ...toWireNames(faultFields, fault),
  words: { ...fault.words },
});

export const encodeOrderDetail = (
  order: OrderRecord,
  refunds: readonly RefundRecord[],
  faults: readonly PaymentFaultRecord[],
): OrderDetailWire => ({
  order: encodeOrder(order),
  words: { ...order.words },
  refunds: refunds.map(encodeRefund),
  faults: faults.map(encodePaymentFault),
});

const refundCodec = codecOf(refundFields, schemasOf(refundFields, "loose"));
const faultCodec = codecOf(faultFields, schemasOf(faultFields, "loose"));

export interface ReadOrderDetail {
  order: ReadOrder;
  words: Readonly<Record<string, string>>;
  refunds: z.output<typeof refundCodec>[];
  faults: z.output<typeof faultCodec>[];
}

const looseDetail = z.object({
  order: z.unknown(),
  words: z.catch(wordsSchema, {}),
  refunds: z.unknown(),
  faults: z.unknown(),
});

export const readOrderDetail = (value: unknown): ReadOrderDetail | undefined => {
  const parsed = looseDetail.safeParse(value);
  const order = parsed.success ? readOrder(parsed.data.order) : undefined;
  if (!parsed.success || !order) return undefined;
  return {
    order,
    words: parsed.data.words,
    refunds: looseList((each) => refundCodec.safeParse(each).data)(parsed.data.refunds),
    faults: looseList((each) => faultCodec.safeParse(each).data)(parsed.data.faults),
  };
};

const quoteShape = {
  usd: z.string(),
  amount: z.int(),
  currency: z.string(),
  quota: z.int(),
  bonus: z.int(),
  factor: z.string(),
};

/** What an amount costs. */
export const quoteWireSchema = z.object(quoteShape);
export type QuoteWire = z.infer<typeof quoteWireSchema>;

/** What may be bought, and how it is paid. */
export const orderTermsWireSchema = z.object({
  currency: z.string(),
  /** Of one US dollar of quota. */
  unit_price: z.string(),
  /** US dollars. */
  minimum: z.string(),
  packages: z.array(quoteWireSchema),
  discounts: z.array(z.object({ from: z.string(), factor: z.string() })),
  providers: z.array(z.object({ name: z.string(), title: z.string(), methods: z.array(z.string()) })),
});
export type OrderTermsWire = z.infer<typeof orderTermsWireSchema>;

const looseQuote = z.object({
  usd: looseString,
  amount: looseNumber,
  currency: looseString,
  quota: looseNumber,
  bonus: looseNumber,
  factor: looseString,
});
const looseTerms = z.object({
  currency: looseString,
  unit_price: looseString,
  minimum: looseString,
  packages: z.catch(z.array(looseQuote), []),
  discounts: z.catch(z.array(z.object({ from: looseString, factor: looseString })), []),
  providers: z.catch(
    z.array(z.object({ name: looseString, title: looseString, methods: z.catch(z.array(z.string()), [""]) })),
    [],
  ),
});

export const readQuote = (value: unknown): QuoteWire | undefined => looseQuote.safeParse(value).data;
export const readOrderTerms = (value: unknown): OrderTermsWire | undefined =>
  looseTerms.safeParse(value).data;

/** POST /api/order: what is bought, either quota or a plan, and how it is paid. */
export const createOrderBodySchema = z.object({
  provider: z.string().check(z.maxLength(32)),
  method: z.optional(z.string().check(z.maxLength(32))),
  /** US dollars of quota. */
  usd: maybe(z.string().check(z.maxLength(40))),
  plan_id: maybe(idNumber),
});

/** How long a reason may be that a person gives. */
export const ORDER_REASON_MAX = 200;

/** Why an administrator completes or refunds an order. */
export const orderReasonBodySchema = z.object({
  reason: z.string().check(z.trim(), z.minLength(1), z.maxLength(ORDER_REASON_MAX)),
});

/** What became of the money of a refund that the provider will not tell of. */
export const REFUND_OUTCOMES = ["sent", "not-sent"] as const;
export type RefundOutcome = (typeof REFUND_OUTCOMES)[number];

/** What an administrator knows of a refund that is open, and from where. */
export const settleRefundBodySchema = z.extend(orderReasonBodySchema, { outcome: z.enum(REFUND_OUTCOMES) });

/** What a refund came to. */
export const refundResultWireSchema = z.object({
  /** "made", "by-hand": somebody has to send the money, "waiting": the provider has not answered. */
  result: z.enum(["made", "by-hand", "waiting"]),
  amount: z.int(),
  currency: z.string(),
  taken: z.int(),
  missing: z.int(),
});
export type RefundResultWire = z.infer<typeof refundResultWireSchema>;

export const readRefundResult = (value: unknown): RefundResultWire | undefined =>
  refundResultWireSchema.safeParse(value).data;
