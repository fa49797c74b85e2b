import * as z from "zod/mini";
import { looseList, looseNumber, looseString } from "./wire";

/*
 * Sums over the usage log: what the pictures of the console show. Not part of the one-api contract; another server
 * answers these calls with 404.
 */

/** By what sums are told apart. */
export const USAGE_GROUPINGS = ["none", "model", "token", "channel", "user"] as const;
export type UsageGrouping = (typeof USAGE_GROUPINGS)[number];

/** How much time one point stands for. Days begin at midnight in the offset that the caller names. */
export const USAGE_STEPS = ["hour", "day"] as const;
export type UsageStep = (typeof USAGE_STEPS)[number];

/** What is added up over requests. */
export interface UsageSum {
  /** Requests that were answered (and charged, unless they cost nothing). */
  requests: number;
  /** Requests that were refused by every upstream, broke off or could not be served; they cost nothing. */
  errors: number;
  promptTokens: number;
  completionTokens: number;
  quota: number;
  /** Milliseconds from the request to the end of the answer, added up over `requests`. */
  durationMs: number;
  /** Milliseconds to the first byte of the answer, added up over `streams`. */
  firstByteMs: number;
  /** How many of the requests were streams. */
  streams: number;
}

/** What is added up of the requests that ended in one span of time. */
export interface UsagePoint extends UsageSum {
  /** Unix seconds of the span's begin. */
  time: number;
  /** The model's name, or the id of the token, channel or user; "" without grouping. */
  key: string;
  /** What people call it: the name of the token, channel or user; the model's own. */
  name: string;
  /**
   * Where only the largest were asked for: how many models, tokens, channels or users of the range this point adds up,
   * whose key and name are "". Undefined for a point of one.
   */
  others?: number | undefined;
}

/** How many keys a caller may ask to be told apart; more are told apart by asking for all. */
export const MOST_TOP = 1000;

export const usagePointWireSchema = z.object({
  time: z.int(),
  key: z.string(),
  name: z.string(),
  requests: z.int(),
  errors: z.int(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  quota: z.int(),
  duration_ms: z.int(),
  first_byte_ms: z.int(),
  streams: z.int(),
  others: z.optional(z.int()),
});
export type UsagePointWire = z.infer<typeof usagePointWireSchema>;

export const encodeUsagePoint = (point: UsagePoint): UsagePointWire => ({
  time: point.time,
  key: point.key,
  name: point.name,
  requests: point.requests,
  errors: point.errors,
  prompt_tokens: point.promptTokens,
  completion_tokens: point.completionTokens,
  quota: point.quota,
  duration_ms: point.durationMs,
  first_byte_ms: point.firstByteMs,
  streams: point.streams,
  ...(point.others === undefined ? {} : { others: point.others }),
});

const usagePointReader = z.object({
  time: looseNumber,
  key: looseString,
  name: looseString,
  requests: looseNumber,
  errors: looseNumber,
  prompt_tokens: looseNumber,
  completion_tokens: looseNumber,
  quota: looseNumber,
  duration_ms: looseNumber,
  first_byte_ms: looseNumber,
  streams: looseNumber,
  others: z.optional(looseNumber),
});

export const readUsagePoint = (value: unknown): UsagePoint | undefined => {
  const parsed = usagePointReader.safeParse(value);
  if (!parsed.success) return undefined;
  const wire = parsed.data;
  return {
    time: wire.time,
    key: wire.key,
    name: wire.name,
    requests: wire.requests,
    errors: wire.errors,
    promptTokens: wire.prompt_tokens,
    completionTokens: wire.completion_tokens,
    quota: wire.quota,
    durationMs: wire.duration_ms,
    firstByteMs: wire.first_byte_ms,
    streams: wire.streams,
    ...(wire.others === undefined ? {} : { others: wire.others }),
  };
};

export const readUsagePoints = looseList(readUsagePoint);

/*
 * GET /api/usage/self and, for administrators, GET /api/usage: query start_timestamp, end_timestamp (inclusive unix
 * seconds), step, by, offset_minutes (of the caller's clock from UTC), and the filters of the log list (token_name,
 * model_name; for administrators also channel and username). `by=channel` and `by=user` are for administrators. `top=N`
 * (1 to 1000) tells only those apart that are among the N largest of the range by requests (failed ones too), tokens,
 * quota or errors, which are up to four times N; the others are one more point per span. Data: the list of points,
 * ordered by time, spans without any request left out. The points of a span add up to the same with and without `top`.
 */
