import * as z from "zod/mini";
import {
  type CallbackReading,
  type PaymentTools,
  type ProviderAnswer,
  type ProviderEvent,
  type ProviderFault,
  paymentPortOf,
  readObject,
  refused,
  unreachable,
  wordsOf,
} from "./payment-port";
import { definePaymentProvider } from "./payment-provider";

/** Checkout Sessions: the buyer pays on a page of Stripe's. */
export const stripe = definePaymentProvider({
  name: "stripe",
  title: "Stripe",
  currency: "any",
  switch: { option: "StripeEnabled", needs: ["StripeSecretKey", "StripeWebhookSecret"] },
  options: {
    StripeSecretKey: { type: "secret", hasHint: true },
    StripeWebhookSecret: { type: "secret", hasHint: true },
  },
  refunds: true,
});

type Tools = PaymentTools<keyof (typeof stripe)["options"] & string>;

/** Maximum distance of a signature's time, in seconds: the limit of Stripe's own libraries. */
const TOLERANCE_SECONDS = 300;
/** Of one header: more signatures than that are none that a rotation of secrets makes. */
const MAX_SIGNATURES = 10;

const idSchema = z.union([z.string(), z.object({ id: z.string() })]);
const idOf = (value: z.infer<typeof idSchema> | null | undefined): string =>
  typeof value === "string" ? value : (value?.id ?? "");

const metadataSchema = z.nullish(z.object({ order: z.optional(z.string()) }));

const sessionSchema = z.object({
  id: z.string(),
  url: z.nullish(z.string()),
  status: z.nullish(z.string()),
  payment_status: z.string(),
  amount_total: z.nullish(z.int()),
  currency: z.nullish(z.string()),
  payment_intent: z.nullish(idSchema),
  metadata: metadataSchema,
});
type Session = z.infer<typeof sessionSchema>;

const chargeSchema = z.object({
  id: z.string(),
  amount_refunded: z.int(),
  currency: z.string(),
  payment_intent: z.nullish(idSchema),
  metadata: metadataSchema,
});

const disputeSchema = z.object({
  id: z.string(),
  amount: z.int(),
  currency: z.string(),
  payment_intent: z.nullish(idSchema),
  reason: z.nullish(z.string()),
});

const refundSchema = z.object({
  id: z.string(),
  amount: z.int(),
  currency: z.string(),
  payment_intent: z.nullish(idSchema),
  status: z.nullish(z.string()),
  failure_reason: z.nullish(z.string()),
  metadata: z.nullish(z.object({ refund: z.optional(z.string()) })),
});
type Refund = z.infer<typeof refundSchema>;

const refundPageSchema = z.object({ data: z.array(refundSchema), has_more: z.boolean() });

const disputeStatusSchema = z.object({ status: z.nullish(z.string()) });

const eventSchema = z.object({
  id: z.string(),
  type: z.string(),
  account: z.optional(z.nullish(z.string())),
  data: z.object({ object: z.looseObject({}) }),
});

const UNREADABLE: CallbackReading = { kind: "refused", fault: "unreadable" };

const wordsOfSession = (session: Session, event?: string): ProviderEvent["words"] =>
  wordsOf({ event, session: session.id, status: session.status, payment_status: session.payment_status });

const paidOf = (session: Session, event?: string): ProviderEvent => ({
  kind: "paid",
  number: session.metadata?.order ?? "",
  amount: session.amount_total ?? -1,
  currency: (session.currency ?? "").toUpperCase(),
  payment: idOf(session.payment_intent) || session.id,
  words: wordsOfSession(session, event),
});

const readSession = (type: string, object: unknown): CallbackReading => {
  const read = sessionSchema.safeParse(object);
  if (!read.success) return UNREADABLE;
  const session = read.data;
  const number = session.metadata?.order ?? "";
  // Of something else that the same account sells.
  if (number === "") return { kind: "ignored" };
  switch (type) {
    case "checkout.session.completed":
    case "checkout.session.async_payment_succeeded":
      // A bank may take days: then the session is complete, and its money comes with another event.
      return session.payment_status === "paid" ? paidOf(session, type) : { kind: "ignored" };
    case "checkout.session.async_payment_failed":
      return { kind: "failed", number, words: wordsOfSession(session, type) };
    case "checkout.session.expired":
      return { kind: "expired", number, words: wordsOfSession(session, type) };
    default:
      return { kind: "ignored" };
  }
};

const readRefunded = (type: string, object: unknown): CallbackReading => {
  const read = chargeSchema.safeParse(object);
  if (!read.success) return UNREADABLE;
  const { id, amount_refunded: total, currency, payment_intent: payment, metadata } = read.data;
  return {
    kind: "refunded",
    number: metadata?.order ?? "",
    payment: idOf(payment),
    total,
    currency: currency.toUpperCase(),
    words: wordsOf({ event: type, charge: id, amount_refunded: total }),
  };
};

const readDispute = (type: string, object: unknown): CallbackReading => {
  const read = disputeSchema.safeParse(object);
  if (!read.success) return UNREADABLE;
  const { id, amount, currency, payment_intent: payment, reason } = read.data;
  return {
    kind: "disputed",
    number: "",
    payment: idOf(payment),
    amount,
    currency: currency.toUpperCase(),
    reference: id,
    words: wordsOf({ event: type, dispute: id, reason }),
  };
};

/** A dispute that is over: one decided for the buyer stays as it is. */
const readClosedDispute = (type: string, object: unknown): CallbackReading => {
  const read = disputeSchema.safeParse(object);
  const decided = disputeStatusSchema.safeParse(object);
  if (!read.success || !decided.success) return UNREADABLE;
  const { status } = decided.data;
  // A closed inquiry took no money, but Stripe also reports it as a dispute when it starts.
  if (status !== "won" && status !== "warning_closed") return { kind: "ignored" };
  const { id, amount, currency, payment_intent: payment } = read.data;
  return {
    kind: "dispute-won",
    number: "",
    payment: idOf(payment),
    amount,
    currency: currency.toUpperCase(),
    own: "",
    reference: id,
    words: wordsOf({ event: type, dispute: id, status }),
  };
};

const hasFailed = ({ status }: Pick<Refund, "status">): boolean =>
  status === "failed" || status === "canceled";

/** @see https://docs.stripe.com/refunds#failed-refunds */
const readRefund = (type: string, object: unknown): CallbackReading => {
  const read = refundSchema.safeParse(object);
  if (!read.success) return UNREADABLE;
  const { id, amount, currency, payment_intent: payment, metadata, failure_reason: reason } = read.data;
  if (!hasFailed(read.data)) return { kind: "ignored" };
  return {
    kind: "refund-failed",
    number: "",
    payment: idOf(payment),
    amount,
    currency: currency.toUpperCase(),
    own: metadata?.refund ?? "",
    reference: id,
    words: wordsOf({ event: type, refund: id, status: read.data.status, reason }),
  };
};

/** @see https://docs.stripe.com/webhooks#verify-manually */
const verify = (
  header: string,
  body: Uint8Array,
  { crypto, option, nowMs }: Tools,
): "ok" | CallbackReading => {
  let time = "";
  const signatures: string[] = [];
  for (const part of header.split(",")) {
    const [name, value = ""] = part.trim().split("=", 2);
    if (name === "t") time = value;
    if (name === "v1" && signatures.length < MAX_SIGNATURES) signatures.push(value);
  }
  const wrong: CallbackReading = { kind: "refused", fault: "signature-wrong" };
  const secret = option("StripeWebhookSecret");
  if (!/^\d{1,12}$/.test(time) || secret === "") return wrong;
  const expected = crypto.hmacSha256(secret, [`${time}.`, body]);
  if (!signatures.some((signature) => crypto.areEqual(signature, expected))) return wrong;
  const seconds = Math.abs(nowMs / 1000 - Number(time));
  return seconds <= TOLERANCE_SECONDS ? "ok" : { kind: "refused", fault: "too-old" };
};

const errorSchema = z.object({
  error: z.object({ type: z.optional(z.string()), code: z.optional(z.string()) }),
});

/**
 * Meaning of an answer that is no success. Stripe's own sentence may repeat parts of a key, so only its codes are kept.
 */
const faultOf = ({ status, text }: ProviderAnswer): ProviderFault => {
  const read = errorSchema.safeParse(readObject(text));
  const detail = read.success
    ? [String(status), read.data.error.type, read.data.error.code].filter(Boolean).join(" ")
    : String(status);
  return status === 409 || status === 429 || status >= 500 ? unreachable(detail) : refused(detail);
};

const call = async (
  tools: Tools,
  method: "GET" | "POST",
  path: string,
  fields?: Readonly<Record<string, string>>,
  idempotencyKey?: string,
): Promise<{ kind: "answer"; text: string } | ProviderFault> => {
  const answer = await tools.ask({
    method,
    url: `${tools.address}/v1/${path}`,
    headers: {
      authorization: `Bearer ${tools.option("StripeSecretKey")}`,
      ...(fields ? { "content-type": "application/x-www-form-urlencoded" } : {}),
      ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
    },
    ...(fields ? { body: tools.writeForm(fields) } : {}),
  });
  if (!answer) return unreachable();
  if (answer.status !== 200) return faultOf(answer);
  // A page of something in between does not say whether the request was done.
  return readObject(answer.text) ? { kind: "answer", text: answer.text } : unreachable("answer");
};

/** No payment has more pages of refunds than that. */
const MAX_PAGES = 20;

/** All refunds of a payment, including those begun at the provider. @see https://docs.stripe.com/api/refunds/list */
const refundsOf = async (payment: string, tools: Tools): Promise<Refund[] | ProviderFault> => {
  const found: Refund[] = [];
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const after = found.at(-1)?.id;
    const query = `payment_intent=${encodeURIComponent(payment)}&limit=100${after === undefined ? "" : `&starting_after=${encodeURIComponent(after)}`}`;
    const answer = await call(tools, "GET", `refunds?${query}`);
    if (answer.kind === "fault") return answer;
    const read = refundPageSchema.safeParse(readObject(answer.text));
    if (!read.success) return unreachable("no refunds");
    found.push(...read.data.data);
    if (!read.data.has_more || read.data.data.length === 0) return found;
  }
  return unreachable("refunds");
};

const outcomeOf = (refund: Pick<Refund, "status">): "done" | ProviderFault =>
  hasFailed(refund) ? refused(`refund ${refund.status}`) : "done";

/**
 * @see https://docs.stripe.com/api/checkout/sessions/create
 * @see https://docs.stripe.com/api/refunds/create
 */
export const stripePort = paymentPortOf(stripe, {
  address: { variable: "STRIPE_URL", standard: "https://api.stripe.com" },
  async begin(order, tools) {
    const answer = await call(
      tools,
      "POST",
      "checkout/sessions",
      {
        mode: "payment",
        client_reference_id: order.number,
        "metadata[order]": order.number,
        // A refund's event is about the charge, which has the metadata of its payment.
        "payment_intent_data[metadata][order]": order.number,
        // The payment stays in the order's currency.
        "adaptive_pricing[enabled]": "false",
        "line_items[0][quantity]": "1",
        "line_items[0][price_data][currency]": order.currency.toLowerCase(),
        "line_items[0][price_data][unit_amount]": String(order.amount),
        "line_items[0][price_data][product_data][name]": order.subject,
        success_url: order.returnUrl,
        cancel_url: order.returnUrl,
        expires_at: String(order.expiresAt),
      },
      order.number,
    );
    if (answer.kind === "fault") return answer;
    const session = sessionSchema.safeParse(readObject(answer.text));
    const url = session.data?.url ?? "";
    if (!session.success || !url.startsWith("http")) return refused("no session");
    return { kind: "redirect", url, checkout: session.data.id };
  },

  read(callback, tools) {
    const verified = verify(callback.header("stripe-signature"), callback.body, tools);
    if (verified !== "ok") return verified;
    const event = eventSchema.safeParse(readObject(callback.text));
    if (!event.success) return UNREADABLE;
    const { type, account, data } = event.data;
    // Of an account that is connected to this one.
    if (account) return { kind: "refused", fault: "other-merchant" };
    if (type.startsWith("checkout.session.")) return readSession(type, data.object);
    if (type === "charge.refunded") return readRefunded(type, data.object);
    if (type === "charge.dispute.created") return readDispute(type, data.object);
    if (type === "charge.dispute.closed") return readClosedDispute(type, data.object);
    if (type === "charge.refund.updated" || type.startsWith("refund.")) return readRefund(type, data.object);
    return { kind: "ignored" };
  },

  answers: {
    taken: { status: 200, type: "application/json", body: '{"received":true}' },
    refused: { status: 400, type: "application/json", body: '{"received":false}' },
  },

  async find(order, tools) {
    // The answer that named it was lost; its events name the order.
    if (order.checkout === "") return "waiting";
    const answer = await call(tools, "GET", `checkout/sessions/${encodeURIComponent(order.checkout)}`);
    if (answer.kind === "fault") return answer;
    const read = sessionSchema.safeParse(readObject(answer.text));
    if (!read.success) return unreachable("no session");
    const session = read.data;
    if (session.payment_status === "paid") return paidOf(session);
    return session.status === "expired"
      ? { kind: "expired", number: order.number, words: wordsOfSession(session) }
      : "waiting";
  },

  async refund(order, tools) {
    if (order.isAgain) {
      // Stripe forgets the key of a request after a day, and would send the money a second time.
      const known = await refundsOf(order.payment, tools);
      if (!Array.isArray(known)) return unreachable(known.detail);
      const made = known.find(({ metadata }) => metadata?.refund === order.refund);
      if (made) return outcomeOf(made);
    }
    const answer = await call(
      tools,
      "POST",
      "refunds",
      {
        payment_intent: order.payment,
        amount: String(order.refundAmount),
        "metadata[refund]": order.refund,
      },
      order.refund,
    );
    // A person sent it back in Stripe's own pages meanwhile, or this refund is so old that its key is forgotten: the buyer has it all.
    if (answer.kind === "fault" && answer.detail.endsWith(" charge_already_refunded")) return "done";
    if (answer.kind === "fault") return answer;
    const status = z.object({ status: z.nullish(z.string()) }).safeParse(readObject(answer.text));
    return outcomeOf({ status: status.data?.status });
  },

  async refundedTotal(order, tools) {
    const known = await refundsOf(order.payment, tools);
    if (!Array.isArray(known)) return known;
    return known.filter((each) => !hasFailed(each)).reduce((sum, { amount }) => sum + amount, 0);
  },
});
