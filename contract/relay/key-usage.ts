import * as z from "zod/mini";
import { PLAN_RESETS } from "../api/plans";

/*
 * Answers to a key about itself (docs/reference/endpoints.md#the-key-itself). Amounts of money are USD; those with
 * `quota` in their name are quota.
 */

/** Whether the key's requests are admitted now, and why not. */
export const KEY_STATES = ["enabled", "expired", "exhausted", "account_exhausted"] as const;
export type KeyState = (typeof KEY_STATES)[number];

const keyLimitSchema = z.object({
  scope: z.enum(["key", "user", "group"]),
  /** Of the scope "group". */
  group: z.optional(z.string()),
  limit: z.string(),
  max: z.int(),
  /** Absent where others' use is in it that the key may not see. */
  used: z.optional(z.int()),
  remaining: z.optional(z.int()),
  /** Quota beyond a budget, for requests that another model or group answers, and its rest. */
  extra: z.optional(z.int()),
  extra_remaining: z.optional(z.int()),
  /** Length of the window of a budget that opens with its first charge. */
  hours: z.optional(z.int()),
  /** A budget that refuses no request. */
  soft: z.optional(z.boolean()),
  /** A limit of the user that the user's plans set. */
  of_plan: z.optional(z.boolean()),
  /**
   * Unix seconds at which the use is counted from 0 again; absent for running requests, and for a window that is not
   * open.
   */
  resets_at: z.optional(z.int()),
});
export type KeyLimit = z.infer<typeof keyLimitSchema>;

const planSchema = z.object({
  title: z.string(),
  ends_at: z.int(),
  /** Quota of the current period. */
  granted_quota: z.int(),
  used_quota: z.int(),
  remaining_quota: z.int(),
  reset: z.enum(PLAN_RESETS),
  /** End of the current period. */
  resets_at: z.int(),
});

export const keyUsageSchema = z.object({
  object: z.literal("key_usage"),
  status: z.enum(KEY_STATES),
  /** These four by the names that sub2api introduced, which programs read. */
  isValid: z.boolean(),
  planName: z.string(),
  /** The smaller of the key's and the account's rest; absent where neither is limited or may be shown. */
  remaining: z.optional(z.number()),
  unit: z.literal("USD"),
  quota_per_unit: z.number(),
  key: z.object({
    name: z.string(),
    group: z.optional(z.string()),
    /** Unix seconds; absent for a key that does not expire. */
    expires_at: z.optional(z.int()),
    unlimited: z.boolean(),
    used: z.number(),
    used_quota: z.int(),
    /** Absent for an unlimited key. */
    remaining: z.optional(z.number()),
    remaining_quota: z.optional(z.int()),
  }),
  /** Of the key's user; absent where the site shows a key only its own figures. */
  account: z.optional(
    z.object({
      used: z.number(),
      used_quota: z.int(),
      remaining: z.number(),
      remaining_quota: z.int(),
      plans: z.array(planSchema),
    }),
  ),
  limits: z.array(keyLimitSchema),
});
export type KeyUsage = z.infer<typeof keyUsageSchema>;

const keyDaySchema = z.object({
  /** Begin of the day by the caller's clock, unix seconds. */
  time: z.int(),
  /** "" for requests without a model, and for the sum of all but the largest models. */
  model: z.string(),
  /** How many models the sum is of. */
  others: z.optional(z.int()),
  requests: z.int(),
  errors: z.int(),
  tokens_prompt: z.int(),
  tokens_completion: z.int(),
  usage: z.number(),
  quota: z.int(),
});
export type KeyDay = z.infer<typeof keyDaySchema>;

/** Days without a request are left out. */
export const keyDaysSchema = z.object({ object: z.literal("list"), data: z.array(keyDaySchema) });

export const generationSchema = z.object({
  id: z.string(),
  /** ISO 8601. */
  created_at: z.string(),
  model: z.string(),
  streamed: z.boolean(),
  /** Milliseconds to the end of the answer, and to a stream's first byte. */
  latency: z.int(),
  first_byte_ms: z.optional(z.int()),
  tokens_prompt: z.int(),
  tokens_completion: z.int(),
  native_tokens_prompt: z.int(),
  native_tokens_completion: z.int(),
  /** Parts of the two above; absent when the upstream did not report them. */
  native_tokens_cached: z.optional(z.int()),
  native_tokens_reasoning: z.optional(z.int()),
  total_cost: z.number(),
  usage: z.number(),
  quota: z.int(),
  /** Why it came to nothing. */
  error: z.optional(z.object({ status: z.int(), code: z.string(), message: z.string() })),
});
export type Generation = z.infer<typeof generationSchema>;

/** A single request also has details of its end and its charge. */
export const generationDetailSchema = z.extend(generationSchema, {
  /** complete, client-left, interrupted or failed. */
  end: z.string(),
  cancelled: z.boolean(),
  generation_time: z.int(),
  group: z.optional(z.string()),
  formula: z.string(),
  /** Refunded by an administrator: dollars, points, time and reason; absent for none. */
  refund: z.optional(
    z.object({ amount: z.number(), quota: z.int(), created_at: z.string(), reason: z.string() }),
  ),
});
export type GenerationDetail = z.infer<typeof generationDetailSchema>;

export const generationListSchema = z.object({ object: z.literal("list"), data: z.array(generationSchema) });
