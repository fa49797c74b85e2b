import type { LogWire } from "@tollgate/contract/api/logs";
import type { Receipt } from "@tollgate/contract/api/receipts";

/** The fields of a log line about its charged request. */
type ChargedLine = Pick<
  LogWire,
  | "request_id"
  | "created_at"
  | "user_id"
  | "username"
  | "token_name"
  | "model_name"
  | "channel"
  | "quota"
  | "prompt_tokens"
  | "completion_tokens"
>;

/** One request in the double's memory: the source of receipts and usage sums. */
export interface RequestRecord extends Receipt {
  user_id: number;
  token_id: number;
  /** The channel that answered, or the last one that was tried. */
  channel: number;
}

/** Duration of a made-up request: the same for the same index. */
const durationMs = (index: number): number => 380 + ((index * 197) % 2900);

/** One in this many requests is refused by its first channel. */
const RETRIED_EVERY = 5;

const attemptsOf = (log: ChargedLine, index: number, isStream: boolean): Receipt["attempts"] => {
  const duration = durationMs(index);
  const isRetried = index % RETRIED_EVERY === 0;
  const refusal = {
    channel: log.channel + 1,
    channel_name: `渠道 ${log.channel + 1}`,
    outcome: index % 2 === 0 ? "rate-limited" : "network",
    status: index % 2 === 0 ? 429 : 0,
    started_ms: 2,
    duration_ms: 120,
  };
  const answer = {
    channel: log.channel,
    channel_name: `渠道 ${log.channel}`,
    outcome: "ok",
    status: 200,
    started_ms: isRetried ? 124 : 2,
    ...(isStream ? { first_byte_ms: Math.round(duration / 4) } : {}),
    duration_ms: duration,
  };
  return isRetried ? [refusal, answer] : [answer];
};

/** The request behind a line of the log that charges for one. */
export const recordOf = (log: ChargedLine, index: number, tokenId: number): RequestRecord => {
  const isStream = index % 2 === 1;
  const attempts = attemptsOf(log, index, isStream);
  const last = attempts.at(-1);
  const firstByteMs = last?.first_byte_ms;
  return {
    request_id: log.request_id,
    created_at: log.created_at,
    user_id: log.user_id,
    username: log.username,
    token_id: tokenId,
    token_name: log.token_name,
    channel: log.channel,
    model_name: log.model_name,
    upstream_model: log.model_name,
    is_stream: isStream,
    end: index % 11 === 7 && isStream ? "client-left" : "complete",
    duration_ms: (last?.started_ms ?? 0) + (last?.duration_ms ?? 0),
    ...(firstByteMs === undefined ? {} : { first_byte_ms: (last?.started_ms ?? 0) + firstByteMs }),
    prompt_tokens: log.prompt_tokens,
    completion_tokens: log.completion_tokens,
    ...(index % 3 === 0 ? { cache_read_tokens: Math.floor(log.prompt_tokens / 2) } : {}),
    prompt_source: "upstream",
    completion_source: index % 4 === 3 ? "counted" : "upstream",
    quota: log.quota,
    shortfall: 0,
    price_version: 3,
    formula: `ceil((${log.prompt_tokens} × 1 + ${log.completion_tokens} × 2) × 0.75 × 1) = ${log.quota}`,
    has_body: false,
    attempts,
  };
};

/** A request without an answer, at the same time and place as another one. */
export const failureLike = (record: RequestRecord, requestId: string): RequestRecord => ({
  ...record,
  request_id: requestId,
  end: "failed",
  is_stream: false,
  first_byte_ms: undefined,
  prompt_tokens: 0,
  completion_tokens: 0,
  cache_read_tokens: undefined,
  prompt_source: "none",
  completion_source: "none",
  quota: 0,
  formula: "",
  duration_ms: 1240,
  attempts: [
    {
      channel: record.channel,
      channel_name: `渠道 ${record.channel}`,
      outcome: "overloaded",
      status: 503,
      started_ms: 1,
      duration_ms: 640,
    },
    {
      channel: record.channel + 1,
      channel_name: `渠道 ${record.channel + 1}`,
      outcome: "dead-key",
      status: 401,
      started_ms: 642,
      duration_ms: 598,
    },
  ],
});
