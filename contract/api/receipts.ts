import * as z from "zod/mini";
import { appliedRuleSchema } from "../management/price-rule";
import { endpoint, REQUEST_ID_PARAMETER } from "../resource/endpoint";
import { optional, plain } from "../resource/resource";
import { tolerant } from "../resource/tolerant";
import { MAX_QUOTA } from "../values/quota";

/* The receipt of one request. Not part of the one-api contract; another server answers these calls with 404. */

/** Where a count came from. */
export const COUNT_SOURCES = ["upstream", "counted", "none"] as const;
export type CountSource = (typeof COUNT_SOURCES)[number];

/** How a request ended. */
export const REQUEST_ENDS = ["complete", "client-left", "interrupted", "failed"] as const;
export type RequestEnd = (typeof REQUEST_ENDS)[number];

/** One try at one channel. */
const attemptSchema = z.object({
  /** 0 in the owner's version, which names no channel. */
  channel: z.int(),
  channel_name: z.string(),
  /** "ok", or the kind of error: an UpstreamErrorKind; "failed" in the owner's version where the site hides it. */
  outcome: z.string(),
  /** HTTP status of the upstream, 0 for none. */
  status: z.int(),
  /** Milliseconds after the request's begin. */
  started_ms: z.int(),
  /** Milliseconds to the upstream's first byte; absent when none came. */
  first_byte_ms: z.optional(z.int()),
  duration_ms: z.int(),
  /**
   * Changes by the channel's overrides: `body:PATH`, `system-prompt:fill` or `:prepend`, `header:NAME`,
   * `status:TOLD:TREATED_AS`, `pass-body`; `effort:HIGH`, asked for by the name of the model; and `cache-marks`. The
   * owner's version names those that change the price or the meaning: the first two and the last two.
   */
  overrides: z.optional(z.array(z.string())),
  /** Why the channel was chosen, for administrators: "conversation", "cheapest", "fastest", "exploring"; absent for its weight. */
  chosen_by: z.optional(z.string()),
  /** The model that was asked in place of the one that the client named; absent for that one. */
  fallback_model: z.optional(z.string()),
  /** The model that the upstream's answer names, by its own word; absent when it names none. */
  served_model: z.optional(z.string()),
  /** Whether that is another model than the upstream was asked for; absent where names cannot be compared. */
  is_other_model: z.optional(z.boolean()),
  /**
   * What the upstream may charge although nothing was charged for this attempt, in thousandths of quota, with its
   * arithmetic, and whether its counts are estimated; absent for nothing, and always in the owner's version.
   */
  cost_thousandths: z.optional(z.int()),
  cost_formula: z.optional(z.string()),
  is_cost_estimated: z.optional(z.boolean()),
});
export type ReceiptAttempt = z.infer<typeof attemptSchema>;

/** A refund of the request by an administrator. */
const requestRefundSchema = z.object({
  /** Refunded quota, 1 to that of the receipt. */
  quota: z.int(),
  /** Unix seconds. */
  created_at: z.int(),
  reason: z.string(),
  /** The administrator; absent in the owner's version. */
  actor_name: z.optional(z.string()),
  /** The part that belongs to plans again, and the part that the key's own limit has back; absent for none. */
  plan_quota: z.optional(z.int()),
  key_quota: z.optional(z.int()),
});
export type RequestRefundWire = z.infer<typeof requestRefundSchema>;

const receiptSchema = z.object({
  request_id: z.string().check(z.minLength(1)),
  created_at: z.int(),
  username: z.string(),
  /** Whose request it was; absent where the server does not tell. */
  user_id: z.optional(z.int()),
  /** The key; absent where the server does not tell. */
  token_id: z.optional(z.int()),
  token_name: z.string(),
  /** The model that the client asked for, or that its alias stands for, and the one that the upstream was asked for. */
  model_name: z.string(),
  upstream_model: z.string(),
  /** The name that the client sent, where it is an alias of its key or user. */
  alias: z.optional(z.string()),
  /** The used up budget because of which another model or group was asked: `daily_quota`. */
  at_budget: z.optional(z.string()),
  is_stream: z.boolean(),
  end: z.string(),
  duration_ms: z.int(),
  first_byte_ms: z.optional(z.int()),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  /** Parts of the two above; absent when the upstream did not say. */
  cache_read_tokens: z.optional(z.int()),
  cache_write_tokens: z.optional(z.int()),
  /** Part of the writes that is kept for an hour. */
  cache_write_1h_tokens: z.optional(z.int()),
  audio_input_tokens: z.optional(z.int()),
  audio_output_tokens: z.optional(z.int()),
  reasoning_tokens: z.optional(z.int()),
  prompt_source: z.string(),
  completion_source: z.string(),
  quota: z.int(),
  /** The currency and rate of the request's day; absent on a site that shows US dollars alone. */
  display_currency: z.optional(z.string()),
  display_symbol: z.optional(z.string()),
  display_rate: z.optional(z.number()),
  /** The part of the answer's price that the balance could not cover; the user was not charged for it. */
  shortfall: z.int(),
  /** The part of `quota` that the key could not cover; absent for 0. The user was charged for it anyway. */
  key_shortfall: z.optional(z.int()),
  /** Which prices held: a number that grows with each change of them. */
  price_version: z.int(),
  /** The arithmetic in one line: `ceil((13 × 1 + 5 × 2) × 0.75 × 1) = 18`. */
  formula: z.string(),
  /**
   * The upstream's price of the answer, in thousandths of quota, and its arithmetic; absent when unknown, and always in
   * the owner's version.
   */
  cost_thousandths: z.optional(z.int()),
  cost_formula: z.optional(z.string()),
  /** The group by which it went, at whose price it is charged; absent for the usual one. */
  group: z.optional(z.string()),
  /** The price rule that held; absent for none. */
  rule: z.optional(appliedRuleSchema),
  /** Of a request that came to nothing: why, in the reader's language, with the code and the HTTP status of its answer. */
  reason: z.optional(z.string()),
  code: z.optional(z.string()),
  status: z.optional(z.int()),
  /** The upstream's own status, code and words behind it, for administrators; absent where none was sent. */
  original: z.optional(z.object({ status: z.int(), code: z.string(), message: z.string() })),
  /** Of a failure that happened several times within a minute: how often, and when last (unix seconds). */
  times: z.optional(z.int()),
  last_at: z.optional(z.int()),
  /** Absent for a request that was not refunded. */
  refund: z.optional(requestRefundSchema),
  /** Whether the texts of the request and its answer are stored (contract/api/bodies.ts). */
  has_body: z.boolean(),
  attempts: z.array(attemptSchema),
});
export type Receipt = z.infer<typeof receiptSchema>;

/** Whether the owner of a request is told of an override: not how the operator reaches the upstream. */
export const concernsOwner = (override: string): boolean =>
  /^(?:(?:body|system-prompt|effort):|cache-marks$)/.test(override);

/** A receipt, as answers have it. */
export const receipt = tolerant(receiptSchema);

export const getReceipt = endpoint({
  method: "GET",
  path: "/api/log/receipt",
  guard: "admin",
  area: "logs",
  summary: "The receipt of the request of request_id",
  query: REQUEST_ID_PARAMETER,
  data: receipt,
  reads: "receipts",
});

export const getOwnReceipt = endpoint({
  method: "GET",
  path: "/api/log/self/receipt",
  guard: "user",
  summary: "The receipt of one's own request of request_id, which names no channel",
  query: REQUEST_ID_PARAMETER,
  data: receipt,
  reads: "receipts",
});

/** How long the reason of a refund may be. */
export const MAX_REFUND_REASON = 200;

const refundBodySchema = z.object({
  request_id: z.string().check(z.trim(), z.minLength(1), z.maxLength(200)),
  /** Points to refund; absent for all of the charge. */
  quota: z.optional(z.int().check(z.minimum(1), z.maximum(MAX_QUOTA))),
  reason: z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_REFUND_REASON)),
});

export const refundRequest = endpoint({
  method: "POST",
  path: "/api/log/receipt/refund",
  guard: "admin",
  needsPresence: true,
  area: "balances",
  summary: "Refunds a charged request, whole or in part, once: the user sees the amount and the reason",
  data: optional(plain(requestRefundSchema)),
  body: refundBodySchema,
  changes: [
    "receipts",
    "ledger",
    "logs",
    "profit",
    "statements",
    "subscriptions",
    "tokens",
    "usage",
    "users",
  ],
});
