import { createHmac } from "node:crypto";
import {
  type CallbackFields,
  cut,
  type FakeKind,
  type FakeProvider,
  newProviderOrder,
  type ProviderOrder,
  type SentCallback,
  startFakeProvider,
  totalBack,
} from "./fake-provider";

const SECRET_KEY = "sk_test_fake-secret-key";
const WEBHOOK_SECRET = "whsec_fake-webhook-secret";

const sessionOf = (order: ProviderOrder, url: string): object => ({
  id: order.checkout,
  object: "checkout.session",
  url: `${url}/pay/${order.checkout}`,
  status: order.state === "paid" ? "complete" : order.state,
  payment_status: order.state === "paid" ? "paid" : "unpaid",
  amount_total: order.amount,
  currency: order.currency.toLowerCase(),
  payment_intent: order.state === "paid" ? order.payment : null,
  client_reference_id: order.number,
  metadata: { order: order.number },
});

const TYPES = {
  paid: "checkout.session.completed",
  failed: "checkout.session.async_payment_failed",
  expired: "checkout.session.expired",
  refunded: "charge.refunded",
  "refund-failed": "refund.failed",
  disputed: "charge.dispute.created",
  "dispute-won": "charge.dispute.closed",
  "dispute-lost": "charge.dispute.closed",
  nothing: "customer.created",
} as const;

/** @param reference the site's own number of the refund, or Stripe's for one begun there. */
const refundOf = (
  order: Pick<ProviderOrder, "payment" | "currency">,
  reference: string,
  amount: number,
): object => ({
  id: reference.startsWith("re_") ? reference : `re_${reference}`,
  object: "refund",
  amount,
  currency: order.currency.toLowerCase(),
  payment_intent: order.payment,
  metadata: reference.startsWith("re_") ? {} : { refund: reference.replace(/-again$/, "") },
});

const objectOf = (order: ProviderOrder, says: CallbackFields): object => {
  const told = {
    ...order,
    number: says.number ?? order.number,
    amount: says.amount ?? order.amount,
    currency: says.currency ?? order.currency,
    payment: says.payment ?? order.payment,
  };
  const currency = told.currency.toLowerCase();
  switch (says.event) {
    case "refunded":
      return {
        id: `ch_${order.number}`,
        amount: order.amount,
        amount_refunded: says.refund?.amount ?? totalBack(order),
        currency,
        payment_intent: told.payment,
        metadata: { order: told.number },
      };
    case "refund-failed":
      return {
        ...refundOf(told, says.refund?.reference ?? "", says.refund?.amount ?? order.amount),
        status: "failed",
        failure_reason: "lost_or_stolen_card",
      };
    case "disputed":
    case "dispute-won":
    case "dispute-lost":
      return {
        id: says.refund?.reference ?? `dp_${order.number}`,
        amount: says.refund?.amount ?? order.amount,
        currency,
        payment_intent: told.payment,
        reason: "fraudulent",
        status: { disputed: "needs_response", "dispute-won": "won", "dispute-lost": "lost" }[says.event],
      };
    case "nothing":
      return { id: "cus_1" };
    default:
      return sessionOf({ ...told, state: says.event ?? "paid" }, "https://checkout.example");
  }
};

const callback = (order: ProviderOrder, says: CallbackFields): SentCallback => {
  const body = JSON.stringify({
    id: `evt_${order.number}`,
    object: "event",
    type: TYPES[says.event ?? "paid"],
    ...(says.merchant === undefined ? {} : { account: says.merchant }),
    data: { object: objectOf(order, says) },
  });
  const time = Math.floor((says.atMs ?? Date.now()) / 1000);
  const secret = says.isForged ? "whsec_other" : WEBHOOK_SECRET;
  const signature = createHmac("sha256", secret).update(`${time}.${body}`).digest("hex");
  return {
    method: "POST",
    query: "",
    headers: {
      "content-type": "application/json",
      "stripe-signature": `t=${time},v1=${"0".repeat(64)},v1=${signature},v0=1`,
    },
    body: cut(body, says.isTruncated),
  };
};

const KIND: FakeKind = {
  options: () => ({ StripeSecretKey: SECRET_KEY, StripeWebhookSecret: WEBHOOK_SECRET }),
  answer({ method, path, query, body }, { orders, url, forgets }) {
    const fields = new URLSearchParams(body);
    if (method === "POST" && path === "/v1/checkout/sessions") {
      const number = fields.get("metadata[order]") ?? "";
      const order = newProviderOrder(number, {
        amount: Number(fields.get("line_items[0][price_data][unit_amount]")),
        currency: (fields.get("line_items[0][price_data][currency]") ?? "").toUpperCase(),
        checkout: `cs_${number}`,
        payment: `pi_${number}`,
      });
      orders.set(number, order);
      return { body: JSON.stringify(sessionOf(order, url)), order };
    }
    const asked = /^\/v1\/checkout\/sessions\/cs_(\w+)$/.exec(path)?.[1];
    const known = asked === undefined ? undefined : orders.get(asked);
    if (method === "GET" && known) return { body: JSON.stringify(sessionOf(known, url)), order: known };
    if (method === "GET" && path === "/v1/refunds") {
      const order = [...orders.values()].find((each) => each.payment === query.get("payment_intent"));
      if (!order) return { status: 404, body: '{"error":{"type":"invalid_request_error"}}' };
      const all = [...order.refunds].map(([number, amount]) => ({
        ...refundOf(order, number, amount),
        status: order.failed.has(number) ? "failed" : "succeeded",
      }));
      // One per page, so that the client has to follow the pages.
      const after = query.get("starting_after");
      const from = after === null ? 0 : all.findIndex((each) => "id" in each && each.id === after) + 1;
      const data = all.slice(from, from + 1);
      return {
        body: JSON.stringify({ object: "list", data, has_more: from + 1 < all.length }),
        order,
      };
    }
    if (method === "POST" && path === "/v1/refunds") {
      const order = [...orders.values()].find((each) => each.payment === fields.get("payment_intent"));
      if (!order) return { status: 404, body: '{"error":{"type":"invalid_request_error"}}' };
      // A repeated refund number is the same refund, for a day.
      const number = fields.get("metadata[refund]") ?? "";
      const key = forgets && order.refunds.has(number) ? `${number}-again` : number;
      order.refunds.set(key, Number(fields.get("amount")));
      return { body: '{"id":"re_1","status":"succeeded"}', order };
    }
    return undefined;
  },
  callback,
  refusal: {
    status: 402,
    body: `{"error":{"type":"card_error","code":"refused","message":"Invalid API Key provided: ${SECRET_KEY}"}}`,
  },
};

export const startFakeStripe = (): Promise<FakeProvider> => startFakeProvider(KIND);
