import * as z from "zod/mini";
import { looseNumber } from "../management/wire";
import type { SentRefusal } from "../relay/error";
import { endpoint, PAGE_PARAMETER, SORT_PARAMETER } from "../resource/endpoint";
import { flag, int, maybeInt, maybeText, text } from "../resource/fields";
import { CLOCK_PARAMETERS, FORMAT_PARAMETER } from "../resource/file-parameters";
import {
  count,
  listOf,
  optional,
  plain,
  readerOf,
  resource,
  type ValueOf,
  type WireOf,
} from "../resource/resource";
import type { LogContent } from "../values/log-phrase";
import { USAGE_PARAMETERS } from "./usage";

/* The usage log (contract section 1.9): /api/log/…. */

/** The Log object of contract section 1.0 (with its id under the proper name), and more fields at its end. */
const logFields = {
  /** May be 0 or absent in other servers' answers (contract section 6.4): never a key. */
  id: int("id"),
  userId: int("user_id"),
  createdAt: int("created_at"),
  type: int("type"),
  content: text("content"),
  username: text("username"),
  tokenName: text("token_name"),
  modelName: text("model_name"),
  quota: int("quota"),
  promptTokens: int("prompt_tokens"),
  completionTokens: int("completion_tokens"),
  channelId: int("channel"),
  /** "" where the server does not tell, or the line is about an account. */
  requestId: text("request_id"),
  isStream: flag("is_stream"),
  /** Milliseconds; 0 where the server does not tell. */
  durationMs: int("duration_ms"),
  /** Milliseconds to the first byte of a stream; 0 for none. */
  firstByteMs: int("first_byte_ms"),
  /** Of the prompt's tokens those that the upstream had in its cache; absent where it did not report them. */
  cachedTokens: maybeInt("cached_tokens"),
  /** For administrators alone. */
  channelName: text("channel_name"),
  /** HTTP status of a failed request's answer; 0 for one that was answered, or whose client had left. */
  status: int("status"),
  /** Machine readable code of a failure; "" for none. */
  code: text("code"),
  /** The upstream's own status, code and words behind a failure, for administrators; absent for none. */
  upstreamError: maybeText("upstream_error"),
  /** How often the same failure happened within its minute; 0 for other lines. */
  times: int("times"),
  /** 0 where the server does not tell, or the line is about an account. */
  keyId: int("token_id"),
  /** Of the prompt's tokens those that the upstream wrote to its cache; absent where it did not report them. */
  cacheWriteTokens: maybeInt("cache_write_tokens"),
};

/** A line of the log, as answers have it. */
export const log = resource(logFields);
/** One line of the usage log. */
export type Log = ValueOf<typeof log>;
export type LogWire = WireOf<typeof log>;

/** A failed request. */
export interface LogFailure {
  /** The refusal's code, or how the request ended. */
  code: string;
  /** HTTP status of the upstream that was asked last, 0 for none. */
  upstreamStatus: number;
  /** undefined where its client was told nothing, or that was not kept. */
  told: SentRefusal | undefined;
  /** The group by which it went, where that is not the usual one. */
  group: string | undefined;
  /** How often the same happened within a minute. */
  times: number;
  /** When last, unix seconds. */
  lastAt: number;
}

/** A line as it is stored: its content is put into words for its reader. */
export interface StoredLog
  extends Omit<Log, "content" | "channelName" | "status" | "code" | "upstreamError" | "times"> {
  content: LogContent;
  /** Of a request that failed; its id is 0, and its content is made of this. */
  failure?: LogFailure | undefined;
}

/**
 * How a request ended, as a filter of the log: answered to its end, refused or failed, or cut off by its client, its
 * upstream or the gateway. `other-model` asks for answers that named another model than their upstream was asked for,
 * however they ended. Lines about accounts have none.
 */
export const LOG_OUTCOMES = ["succeeded", "failed", "interrupted", "other-model"] as const;
export type LogOutcome = (typeof LOG_OUTCOMES)[number];

/** Filters of a log list or a total; an absent field does not narrow. Both times are inclusive unix seconds. */
export interface LogFilter {
  userId?: number;
  type?: number;
  outcome?: LogOutcome;
  username?: string;
  /** With its user: only requests of this key. */
  keyId?: number;
  tokenName?: string;
  modelName?: string;
  channelId?: number;
  startTimestamp?: number;
  endTimestamp?: number;
  requestId?: string;
}

/** A total over the log. */
export const logTotal = plain(z.object({ quota: z.int() }), readerOf(z.object({ quota: looseNumber })));

/** The filters of one's own log. */
export const LOG_PARAMETERS = {
  type: "Only lines of this type: 1 top-ups, 2 requests that were answered, 3 changes by administrators, 4 by the system, 5 requests that failed.",
  start_timestamp: "Unix seconds, inclusive.",
  end_timestamp: "Unix seconds, inclusive.",
  token_name: USAGE_PARAMETERS.token_name,
  model_name: USAGE_PARAMETERS.model_name,
  request_id: "Only the request of this id.",
  outcome:
    "Only requests that ended so: succeeded (answered to the end), failed, interrupted (cut off by the client, the upstream or the gateway); or other-model (answered, but the answer names another model than the upstream was asked for).",
} as const;

const CHANNEL_PARAMETER = { channel: "Only of the channel with this id." } as const;

/** The filters of all users' log besides. */
export const ALL_LOGS_PARAMETERS = { username: "Only of this user.", ...CHANNEL_PARAMETER } as const;

/** Sortable columns of a user's own log: by time always, by the others up to MAX_SORTED_LINES lines. */
export const OWN_LOG_SORTS = [
  "created_at",
  "token_name",
  "type",
  "model_name",
  "prompt_tokens",
  "completion_tokens",
  "quota",
  "duration_ms",
  "first_byte_ms",
  "cached_tokens",
  "cache_write_tokens",
  "content",
] as const;

export const LOG_SORTS = [...OWN_LOG_SORTS, "channel", "username"] as const;
export type LogSort = (typeof LOG_SORTS)[number];

/** How many lines are sorted by anything but time, of which alone there is an index: a day or a week of a busy gateway. */
export const MAX_SORTED_LINES = 100_000;

export const listLogs = endpoint({
  method: "GET",
  path: "/api/log/",
  guard: "admin",
  area: "logs",
  summary: "A page of the log",
  query: { ...PAGE_PARAMETER, ...SORT_PARAMETER, ...LOG_PARAMETERS, ...ALL_LOGS_PARAMETERS },
  sorts: LOG_SORTS,
  data: listOf(log),
  reads: "logs",
});

export const listOwnLogs = endpoint({
  method: "GET",
  path: "/api/log/self/",
  guard: "user",
  summary: "A page of one's own log",
  query: { ...PAGE_PARAMETER, ...SORT_PARAMETER, ...LOG_PARAMETERS },
  sorts: OWN_LOG_SORTS,
  data: listOf(log),
  reads: "logs",
});

export const searchLogs = endpoint({
  method: "GET",
  path: "/api/log/search",
  guard: "admin",
  area: "logs",
  summary: "Log lines by type or by the beginning of their text",
  query: { keyword: "A type, or the beginning of a text." },
  data: listOf(log),
});

export const searchOwnLogs = endpoint({
  method: "GET",
  path: "/api/log/self/search",
  guard: "user",
  summary: "One's own log lines by type",
  query: { keyword: "A type." },
  data: listOf(log),
});

export const clearLogs = endpoint({
  method: "DELETE",
  path: "/api/log/",
  guard: "admin",
  area: "logs",
  summary: "Deletes lines older than target_timestamp, with their bodies; returns the number of lines",
  query: { target_timestamp: "Unix seconds." },
  data: optional(count),
  changes: ["logs"],
});

export const getLogTotal = endpoint({
  method: "GET",
  path: "/api/log/stat",
  guard: "admin",
  area: "logs",
  summary: "The quota consumed",
  query: { ...LOG_PARAMETERS, ...ALL_LOGS_PARAMETERS },
  data: optional(logTotal),
  reads: "logs",
});

export const getOwnLogTotal = endpoint({
  method: "GET",
  path: "/api/log/self/stat",
  guard: "user",
  summary: "The quota that one has consumed",
  query: { ...LOG_PARAMETERS, ...CHANNEL_PARAMETER },
  data: optional(logTotal),
  reads: "logs",
});

const LINES_PARAMETERS = {
  ...CLOCK_PARAMETERS,
  language: "The language of the lines' texts, as in Accept-Language; default: that header's.",
  ...LOG_PARAMETERS,
};

export const exportLogs = endpoint({
  method: "GET",
  path: "/api/log/export",
  guard: "admin",
  area: "logs",
  summary: "All lines of the log that match a filter, as a file, the newest first",
  query: { ...LINES_PARAMETERS, ...ALL_LOGS_PARAMETERS },
  isFile: true,
});

export const exportOwnLogs = endpoint({
  method: "GET",
  path: "/api/log/self/export",
  guard: "user",
  summary: "All lines of one's own log that match a filter, as a file, the newest first",
  query: LINES_PARAMETERS,
  isFile: true,
});

export const exportUsage = endpoint({
  method: "GET",
  path: "/api/usage/export",
  guard: "admin",
  area: "usage",
  summary: "Sums over the log, as a file",
  query: { ...FORMAT_PARAMETER, ...USAGE_PARAMETERS, ...ALL_LOGS_PARAMETERS },
  isFile: true,
});

export const exportOwnUsage = endpoint({
  method: "GET",
  path: "/api/usage/self/export",
  guard: "user",
  summary: "Sums over one's own log, as a file",
  query: { ...FORMAT_PARAMETER, ...USAGE_PARAMETERS },
  isFile: true,
});
