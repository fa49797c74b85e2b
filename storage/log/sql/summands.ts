import { REFUNDED } from "../../outbox/log-content";
import type { RequestEntry } from "../../outbox/log-entry";
import type { CACHE_COLUMNS, SERVED_COLUMNS, Summands } from "./sum-columns";

export const NOTHING: Summands = {
  lines: 0,
  requests: 0,
  errors: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  quota: 0,
  duration_ms: 0,
  first_byte_ms: 0,
  streams: 0,
  costed_requests: 0,
  costed_quota: 0,
  cost: 0,
  faults: 0,
  cache_prompt_tokens: 0,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  named_answers: 0,
  other_model_answers: 0,
};

const ERROR: Summands = { ...NOTHING, errors: 1 };
const FAULT: Summands = { ...ERROR, faults: 1 };

const timesOf = ({ failure }: RequestEntry): number => failure?.count ?? 1;

const repeated = (once: Summands, times: number): Summands =>
  times === 1 ? once : { ...once, errors: once.errors * times, faults: once.faults * times };

/**
 * Summands of a model that failed in a request that another model then served: the request counts for the other one.
 */
export const replacedSummands = (entry: RequestEntry): Summands =>
  repeated({ ...NOTHING, faults: 1 }, timesOf(entry));

/** Adds to a sum, column by column: a loop over their names would cost each request several times as much. */
export const addSummands = (sum: Summands, more: Summands): void => {
  sum.lines += more.lines;
  sum.requests += more.requests;
  sum.errors += more.errors;
  sum.prompt_tokens += more.prompt_tokens;
  sum.completion_tokens += more.completion_tokens;
  sum.quota += more.quota;
  sum.duration_ms += more.duration_ms;
  sum.first_byte_ms += more.first_byte_ms;
  sum.streams += more.streams;
  sum.costed_requests += more.costed_requests;
  sum.costed_quota += more.costed_quota;
  sum.cost += more.cost;
  sum.faults += more.faults;
  sum.cache_prompt_tokens += more.cache_prompt_tokens;
  sum.cache_read_tokens += more.cache_read_tokens;
  sum.cache_write_tokens += more.cache_write_tokens;
  sum.named_answers += more.named_answers;
  sum.other_model_answers += more.other_model_answers;
};

/** Summands of what the upstream reported about its cache and its model. */
const answerSummands = ({
  promptTokens,
  cacheReadTokens,
  cacheWriteTokens = 0,
  isOtherModel,
}: RequestEntry): Pick<Summands, (typeof CACHE_COLUMNS)[number] | (typeof SERVED_COLUMNS)[number]> => ({
  cache_prompt_tokens: cacheReadTokens === undefined ? 0 : promptTokens,
  cache_read_tokens: cacheReadTokens ?? 0,
  cache_write_tokens: cacheWriteTokens,
  named_answers: isOtherModel === undefined ? 0 : 1,
  other_model_answers: isOtherModel ? 1 : 0,
});

/** Summands of a request; one that the client left adds nothing, an attempt that ended its cost alone. A refund takes from the charges, and is no request. */
export const summandsOf = (entry: RequestEntry): Summands => {
  switch (entry.count) {
    case "error":
      return repeated(FAULT, timesOf(entry));
    case "refused":
      return repeated(ERROR, timesOf(entry));
    case "left":
      return NOTHING;
    case "ended":
      return { ...NOTHING, cost: entry.cost ?? 0 };
  }
  const isRefund = entry.content === REFUNDED;
  return {
    lines: entry.isLogged ? 1 : 0,
    requests: isRefund ? 0 : 1,
    errors: 0,
    prompt_tokens: entry.promptTokens,
    completion_tokens: entry.completionTokens,
    quota: entry.quota,
    duration_ms: entry.durationMs,
    first_byte_ms: entry.isStream ? (entry.firstByteMs ?? 0) : 0,
    streams: entry.isStream ? 1 : 0,
    costed_requests: entry.cost === undefined || isRefund ? 0 : 1,
    costed_quota: entry.cost === undefined ? 0 : entry.quota,
    cost: entry.cost ?? 0,
    faults: 0,
    ...answerSummands(entry),
  };
};
