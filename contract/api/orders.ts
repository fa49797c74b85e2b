import * as z from "zod/mini";
import { idNumber, maybe } from "../management/wire";
import { ORDER_STATES } from "../payments/order-machine";
import { endpoint, PAGE_PARAMETER, SORT_PARAMETER } from "../resource/endpoint";
import { flag, int, text } from "../resource/fields";
import { CLOCK_PARAMETERS } from "../resource/file-parameters";
import { listOf, optional, plain, resource, type ValueOf, type WireFormat } from "../resource/resource";
import { appliedField } from "./promotion-parts";

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
  /** Minor units that promotions lowered the price by. */
  discount: int("discount"),
  /** The part of `bonus` that promotions give. */
  promotionBonus: int("promotion_bonus"),
  promotions: appliedField("promotions"),
  /** The provider's id of the payment. */
  payment: text("payment"),
  refunded: int("refunded"),
  disputed: int("disputed"),
  /** The part of `quota` that was taken back. */
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
  /** The part of the plan's price that came back when it was ended for a refund. */
  planBack: int("plan_back"),
  subscriptionId: int("subscription_id"),
};

const payWireSchema = z.object({
  kind: z.enum(["redirect", "qr"]),
  content: z.string(),
  /** Until the order expires, by the server's clock: the buyer's may be wrong. */
  seconds_left: z.optional(z.int()),
});

const orderBase = resource(orderFields);

/** An order as people see it; with `pay` for its buyer, while it is open. */
export interface Order extends ValueOf<typeof orderBase> {
  pay?: z.infer<typeof payWireSchema> | undefined;
}

const payReader = z.object({ pay: payWireSchema });

/** An order, as answers have it. */
export const order: WireFormat<Order> = {
  schema: z.extend(orderBase.schema, { pay: z.optional(payWireSchema) }),
  encode: (value) => ({ ...orderBase.encode(value), ...(value.pay ? { pay: value.pay } : {}) }),
  read(value) {
    const read = orderBase.read(value);
    return read && { ...read, pay: payReader.safeParse(value).data?.pay };
  },
};

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
  /** The administrator who settled it by hand, when and why; 0 and "" where it was not. */
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

export const refund = resource(refundFields);
export type Refund = ValueOf<typeof refund>;

const words = z.record(z.string(), z.string());

const faultBase = resource(faultFields);

/** A callback that changed nothing. */
interface PaymentFault extends ValueOf<typeof faultBase> {
  words: Readonly<Record<string, string>>;
}

const wordsReader = z.object({ words: z.catch(words, {}) });

const paymentFault: WireFormat<PaymentFault> = {
  schema: z.extend(faultBase.schema, { words }),
  encode: (value) => ({ ...faultBase.encode(value), words: { ...value.words } }),
  read(value) {
    const read = faultBase.read(value);
    return read && { ...read, words: wordsReader.parse(value).words };
  },
};

/** An order with all that happened to it. */
export interface OrderDetail {
  order: Order;
  /** The provider's last answer, without secrets. */
  words: Readonly<Record<string, string>>;
  refunds: Refund[];
  faults: PaymentFault[];
}

const refunds = listOf(refund);
const faults = listOf(paymentFault);

const detailReader = z.object({
  order: z.unknown(),
  words: z.catch(words, {}),
  refunds: z.unknown(),
  faults: z.unknown(),
});

export const orderDetail: WireFormat<OrderDetail> = {
  schema: z.object({ order: order.schema, words, refunds: refunds.schema, faults: faults.schema }),
  encode: (value) => ({
    order: order.encode(value.order),
    words: { ...value.words },
    refunds: refunds.encode(value.refunds),
    faults: faults.encode(value.faults),
  }),
  read(value) {
    const { success, data } = detailReader.safeParse(value);
    const read = success ? order.read(data.order) : undefined;
    return (
      read && {
        order: read,
        words: data?.words ?? {},
        refunds: refunds.read(data?.refunds) ?? [],
        faults: faults.read(data?.faults) ?? [],
      }
    );
  },
};

/** Orders in one state and currency, counted. */
const orderTotal = resource({
  state: text("state"),
  currency: text("currency"),
  count: int("count"),
  /** Minor units of `currency`, as `refunded`. */
  amount: int("amount"),
  refunded: int("refunded"),
});
export type OrderTotal = ValueOf<typeof orderTotal>;

/** The purchase, either quota or a plan, and its payment method. */
const createOrderBodySchema = z.object({
  provider: z.string().check(z.maxLength(32)),
  method: z.optional(z.string().check(z.maxLength(32))),
  /** US dollars of quota. */
  usd: maybe(z.string().check(z.maxLength(40))),
  plan_id: maybe(idNumber),
  /** A promotion code, which the order reserves. */
  code: maybe(z.string().check(z.maxLength(100))),
  /** The quote that the buyer saw: another price or quota is refused. */
  expected_amount: maybe(z.int()),
  expected_quota: maybe(z.int()),
});

/** How long a reason may be that a person gives. */
export const MAX_ORDER_REASON = 200;

/** Why an administrator completes or refunds an order. */
const orderReasonBodySchema = z.object({
  reason: z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_ORDER_REASON)),
});

/** An administrator's report of the money of a refund whose outcome the provider does not report. */
export const REFUND_OUTCOMES = ["sent", "not-sent"] as const;
export type RefundOutcome = (typeof REFUND_OUTCOMES)[number];

/** An administrator's outcome of an open refund, with its source. */
const settleRefundBodySchema = z.extend(orderReasonBodySchema, { outcome: z.enum(REFUND_OUTCOMES) });

const refundResultWireSchema = z.object({
  /** "made", "by-hand": an administrator has to send the money, "waiting": the provider has not answered. */
  result: z.enum(["made", "by-hand", "waiting"]),
  amount: z.int(),
  currency: z.string(),
  taken: z.int(),
  missing: z.int(),
});

export const OWN_ORDER_SORTS = ["created_time", "state", "provider", "quota", "amount"] as const;

export const ORDER_SORTS = [...OWN_ORDER_SORTS, "username"] as const;
export type OrderSort = (typeof ORDER_SORTS)[number];

/** Filters of orders by their refunds. */
export const REFUND_FILTERS = ["open"] as const;

const ORDER_PARAMETERS = {
  state: `Only orders in this state: ${ORDER_STATES.join(", ")}.`,
  provider: "Only orders of this provider.",
  refund: `Only orders with such a refund: ${REFUND_FILTERS.join(", ")} (a person has to send or settle it).`,
  keyword:
    "Only orders whose number is this or begins with these six digits or more, those with this number of the provider, or those of the user with this name.",
} as const;

export const createOrder = endpoint({
  method: "POST",
  path: "/api/order",
  guard: "user",
  summary: "Begins an order of quota or of a plan, and returns how to pay it",
  data: order,
  body: createOrderBodySchema,
  changes: ["orders"],
});

export const listOwnOrders = endpoint({
  method: "GET",
  path: "/api/order",
  guard: "user",
  summary: "A page of one's own orders, the newest first",
  query: { ...PAGE_PARAMETER, ...SORT_PARAMETER, state: ORDER_PARAMETERS.state },
  sorts: OWN_ORDER_SORTS,
  data: listOf(order),
  reads: "orders",
});

export const getOwnOrder = endpoint({
  method: "GET",
  path: "/api/order/:number",
  guard: "user",
  summary: "One of one's own orders",
  data: order,
  reads: "own-order",
});

export const cancelOrder = endpoint({
  method: "POST",
  path: "/api/order/:number/cancel",
  guard: "user",
  summary: "Ends one of one's own open orders; a later payment is still credited",
  data: optional(order),
  changes: ["orders", "own-order"],
});

export const listOrders = endpoint({
  method: "GET",
  path: "/api/payment/orders",
  guard: "admin",
  area: "orders",
  summary: "A page of all orders, the newest first",
  query: { ...PAGE_PARAMETER, ...SORT_PARAMETER, ...ORDER_PARAMETERS },
  sorts: ORDER_SORTS,
  data: listOf(order),
  reads: "orders",
});

export const sumOrders = endpoint({
  method: "GET",
  path: "/api/payment/orders/totals",
  guard: "admin",
  area: "orders",
  summary: "Count and money of the orders that match a filter, by state and currency",
  query: { provider: ORDER_PARAMETERS.provider, keyword: "As in the list of all orders." },
  data: listOf(orderTotal),
  reads: "orders",
});

export const getOrder = endpoint({
  method: "GET",
  path: "/api/payment/orders/:number",
  guard: "admin",
  area: "orders",
  summary: "An order with its refunds and its refused callbacks",
  data: orderDetail,
  reads: "order-details",
});

export const listPaymentFaults = endpoint({
  method: "GET",
  path: "/api/payment/faults",
  guard: "admin",
  area: "orders",
  summary: "The refused callbacks with their counts, the newest first",
  data: faults,
});

export const askProvider = endpoint({
  method: "POST",
  path: "/api/payment/orders/:number/ask",
  guard: "admin",
  area: "orders",
  summary: "Queries the provider for the state of an order, and applies it",
  data: optional(order),
  changes: ["orders", "order-details"],
});

export const completeOrder = endpoint({
  method: "POST",
  path: "/api/payment/orders/:number/complete",
  guard: "admin",
  needsPresence: true,
  area: "orders",
  summary: "Completes an order that was paid outside of the provider: credits its quota, or begins its plan",
  data: optional(order),
  body: orderReasonBodySchema,
  changes: ["orders", "order-details"],
});

export const refundOrder = endpoint({
  method: "POST",
  path: "/api/payment/orders/:number/refund",
  guard: "admin",
  needsPresence: true,
  area: "orders",
  summary: "Takes back the unspent quota of an order, ends its plan, and refunds the value",
  data: optional(plain(refundResultWireSchema)),
  body: orderReasonBodySchema,
  changes: ["orders", "order-details"],
});

export const settleRefund = endpoint({
  method: "POST",
  path: "/api/payment/orders/:number/refunds/:id/settle",
  guard: "admin",
  needsPresence: true,
  area: "orders",
  summary:
    "Settles a refund by hand when the provider reports nothing more: as sent, or as not sent, which returns the quota",
  data: optional(refund),
  body: settleRefundBodySchema,
  changes: ["orders", "order-details"],
});

export const exportOrders = endpoint({
  method: "GET",
  path: "/api/payment/orders/export",
  guard: "admin",
  area: "orders",
  summary: "All orders that match a filter, as a file",
  query: {
    ...CLOCK_PARAMETERS,
    state: ORDER_PARAMETERS.state,
    provider: "Only orders of this provider.",
    refund: ORDER_PARAMETERS.refund,
    keyword: "As in the list of all orders.",
  },
  isFile: true,
});
