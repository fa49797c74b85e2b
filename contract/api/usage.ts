import * as z from "zod/mini";
import { endpoint } from "../resource/endpoint";
import { type FieldValues, int, maybeInt, text } from "../resource/fields";
import { listOf, plain, resource, type WireOf } from "../resource/resource";

/*
 * Sums over the usage log: data of the console's charts. Not part of the one-api contract; another server answers these
 * calls with 404.
 */

export const USAGE_GROUPINGS = ["none", "model", "token", "channel", "user"] as const;
export type UsageGrouping = (typeof USAGE_GROUPINGS)[number];

/**
 * The record that a group of requests lacks: failed requests for a model that is not offered have no model, and those
 * that were refused before they reached a channel have no channel.
 */
export const missingRecord = (by: string, key: string): "model" | "channel" | undefined => {
  if (by === "model" && key === "") return by;
  return by === "channel" && key === "0" ? by : undefined;
};

/** How much time one point stands for. Days begin at midnight in the offset that the caller names. */
export const USAGE_STEPS = ["hour", "day"] as const;
export type UsageStep = (typeof USAGE_STEPS)[number];

const usageSumFields = {
  /** Requests that were answered (and charged, unless they cost nothing). */
  requests: int("requests"),
  /** Requests that were refused by every upstream, broke off or could not be served; they cost nothing. */
  errors: int("errors"),
  promptTokens: int("prompt_tokens"),
  completionTokens: int("completion_tokens"),
  quota: int("quota"),
  /** Milliseconds from the request to the end of the answer, added up over `requests`. */
  durationMs: int("duration_ms"),
  /** Milliseconds to the first byte of the answer, added up over `streams`. */
  firstByteMs: int("first_byte_ms"),
  /** How many of the requests were streams. */
  streams: int("streams"),
  /**
   * Prompt tokens of the requests whose upstream reported how many of them it had in its cache, and these; absent where
   * none did, as before the gateway kept the counts.
   */
  cachePromptTokens: maybeInt("cache_prompt_tokens"),
  cacheReadTokens: maybeInt("cache_read_tokens"),
  /** Prompt tokens that upstreams wrote to their caches; absent where nothing is known of the requests' caches. */
  cacheWriteTokens: maybeInt("cache_write_tokens"),
};
export interface UsageSum extends FieldValues<typeof usageSumFields> {}

const usagePointFields = {
  /** Unix seconds of the span's begin. */
  time: int("time"),
  /** The model's name, or the id of the token, channel or user; "" without grouping. */
  key: text("key"),
  /** Display name: that of the token, channel or user; the model's own. */
  name: text("name"),
  ...usageSumFields,
  /**
   * Where only the largest were asked for: how many models, tokens, channels or users of the range this point adds up,
   * whose key and name are "". Undefined for a point of one.
   */
  others: maybeInt("others"),
};

/** Sums over the requests that ended in one span of time. */
export interface UsagePoint extends FieldValues<typeof usagePointFields> {}

/** The sums of one span, as answers have them. */
export const usagePoint = resource(usagePointFields);

/** How many keys a caller may ask to be told apart; more are told apart by asking for all. */
export const MAX_TOP = 1000;

export type UsagePointWire = WireOf<typeof usagePoint>;

/** The parameters of a picture. */
export const USAGE_PARAMETERS = {
  start_timestamp: "Unix seconds, inclusive; default: the beginning of the log.",
  end_timestamp: "Unix seconds, inclusive; default: now.",
  step: "The time span of a point: `hour` or `day` (default).",
  by: "The grouping: `none` (default), `model`, `token`, and for administrators `channel` or `user`.",
  offset_minutes: "The offset of the caller's clock from UTC, which decides where days begin.",
  top: `1 to ${MAX_TOP}: lists only so many groups, the largest of the range by requests, tokens, quota or errors, and adds up the others as one more point per span, with their number in \`others\`. By default it lists all groups, which can be a very long answer.`,
  token_name: "Only requests of keys with this name.",
  model_name: "Only requests of this model.",
} as const;

/*
 * The points are ordered by time; spans without any request are left out. Those apart by `top` are the N largest by requests
 * (failed ones too), tokens, quota or errors, up to four times N. The points of a span add up to the same with and without it.
 */

export const listUsage = endpoint({
  method: "GET",
  path: "/api/usage",
  guard: "admin",
  area: "usage",
  summary: "Sums over the log by hour or day and, with `by`, by model, token, channel or user",
  query: {
    ...USAGE_PARAMETERS,
    channel: "Only of the channel with this id.",
    username: "Only of this user.",
  },
  data: listOf(usagePoint),
  reads: "usage",
});

export const listOwnUsage = endpoint({
  method: "GET",
  path: "/api/usage/self",
  guard: "user",
  summary: "Sums over one's own log by hour or day and, with `by`, by model or token",
  query: USAGE_PARAMETERS,
  data: listOf(usagePoint),
  reads: "usage",
});

/** How many channels and models the check of served models lists. */
export const MAX_SERVED_MODELS = 100;

const servedModelSchema = z.object({
  channel: z.int(),
  channel_name: z.string(),
  /** The model as its upstream was asked for it. */
  model: z.string(),
  /** Answers that named a model that can be compared. */
  named: z.int(),
  /** Those that named another model. */
  other: z.int(),
  /** The newest answer of these; absent when its line or receipt is gone. */
  last: z.optional(
    z.object({
      /** The upstream's own word, cut. */
      name: z.string(),
      /** Unix seconds. */
      at: z.int(),
      request_id: z.string(),
    }),
  ),
});
export type ServedModel = z.infer<typeof servedModelSchema>;

export const listServedModels = endpoint({
  method: "GET",
  path: "/api/usage/served-models",
  guard: "admin",
  area: "usage",
  summary: `How many answers named another model than their upstream was asked for, by channel and model, the most first, at most ${MAX_SERVED_MODELS}. Dates of snapshots, vendors' prefixes and capitals are no difference; answers without a name do not count`,
  query: {
    start_timestamp: USAGE_PARAMETERS.start_timestamp,
    end_timestamp: USAGE_PARAMETERS.end_timestamp,
    model_name: USAGE_PARAMETERS.model_name,
    channel: "Only of the channel with this id.",
  },
  data: listOf(plain(servedModelSchema)),
  reads: "usage",
});

export const LATENCY_GROUPINGS = ["none", "model", "channel"] as const satisfies readonly UsageGrouping[];
export type LatencyGrouping = (typeof LATENCY_GROUPINGS)[number];

/** "range" is one point over all of the range. */
export const LATENCY_STEPS = ["hour", "day", "range"] as const;
export type LatencyStep = (typeof LATENCY_STEPS)[number];

const quantilesSchema = z.object({
  /** How many requests they are of. */
  requests: z.int(),
  /** Milliseconds, off by at most 9.1 %. */
  p50_ms: z.int(),
  p95_ms: z.int(),
});
export type Quantiles = z.infer<typeof quantilesSchema>;

const latencyPointSchema = z.object({
  /** Unix seconds of the span's begin; 0 for the whole range. */
  time: z.int(),
  /** The model's name or the channel's id; "" without grouping. */
  key: z.string(),
  name: z.string(),
  /** Time to the first byte of streams; absent without streams. */
  first_byte: z.optional(quantilesSchema),
  /** Of all answered requests, to the end of the answer. */
  duration: z.optional(quantilesSchema),
});
export type LatencyPoint = z.infer<typeof latencyPointSchema>;

const LATENCY_PARAMETERS = {
  step: "The time span of a point: `hour`, `day` (default) or `range`.",
  by: "The grouping: `none` (default), `model` or `channel`.",
  offset_minutes: USAGE_PARAMETERS.offset_minutes,
} as const;

/** Filters of percentiles of a user's newest requests. */
const NEWEST_PARAMETERS = {
  start_timestamp: USAGE_PARAMETERS.start_timestamp,
  end_timestamp: USAGE_PARAMETERS.end_timestamp,
  model_name: `${USAGE_PARAMETERS.model_name} Requests of other models count among the newest.`,
  token_name: `${USAGE_PARAMETERS.token_name} Requests of other keys count among the newest.`,
} as const;

export const listLatency = endpoint({
  method: "GET",
  path: "/api/usage/latency",
  guard: "admin",
  area: "usage",
  summary:
    "p50 and p95 of the first byte and of the whole duration by hour, day or range and, with `by`, by model or channel; computed from hourly counts, with an error of at most 9.1 %, for requests since counts are kept",
  query: {
    start_timestamp: "Unix seconds; the hour (UTC) in which it lies counts as a whole.",
    end_timestamp: "Unix seconds; the hour in which it lies counts as a whole; default: now.",
    ...LATENCY_PARAMETERS,
    model_name: USAGE_PARAMETERS.model_name,
    channel: "Only of the channel with this id.",
  },
  data: listOf(plain(latencyPointSchema)),
  reads: "usage",
});

/** The newest requests of a range, of which one's own percentiles are. */
export const MAX_OWN_LATENCY_REQUESTS = 10_000;

/** Groupings of a user's own percentiles. */
export const OWN_LATENCY_GROUPINGS = ["none", "model"] as const satisfies readonly LatencyGrouping[];

export type OwnLatencyGrouping = (typeof OWN_LATENCY_GROUPINGS)[number];

const ownLatencySchema = z.object({
  points: z.array(latencyPointSchema),
  /** Unix seconds of the oldest request that counts, where older ones of the range do not. */
  since: z.optional(z.int()),
});
export type OwnLatency = z.infer<typeof ownLatencySchema>;

export const listOwnLatency = endpoint({
  method: "GET",
  path: "/api/usage/self/latency",
  guard: "user",
  summary: `p50 and p95 of one's own newest ${MAX_OWN_LATENCY_REQUESTS} requests of a range that have a line in the log, by hour, day or range and, with \`by\`, by model; with an error of at most 9.1 %. \`since\` is the time of the oldest of them when the range has more`,
  query: {
    ...LATENCY_PARAMETERS,
    ...NEWEST_PARAMETERS,
    by: "The grouping: `none` (default) or `model`.",
  },
  data: plain(ownLatencySchema),
  reads: "usage",
});

const userLatencySchema = z.extend(ownLatencySchema, {
  /** Several users have keys of this name: the newest lines of one user alone can be found. */
  is_shared: z.optional(z.boolean()),
});
export type UserLatency = z.infer<typeof userLatencySchema>;

export const listUserLatency = endpoint({
  method: "GET",
  path: "/api/usage/user/latency",
  guard: "admin",
  area: "usage",
  summary: `p50 and p95 of the newest ${MAX_OWN_LATENCY_REQUESTS} requests of one user that have a line in the log, as users see their own. Of several accounts that have had a username, the present one counts. For the name of a key alone, if several users have it, \`is_shared\` is true and there are no points`,
  query: {
    ...LATENCY_PARAMETERS,
    ...NEWEST_PARAMETERS,
    channel: "Only of the channel with this id. Requests over other channels count among the newest.",
    username: "Only of this user; needed without `token_name`.",
  },
  data: plain(userLatencySchema),
  reads: "usage",
});
