/** The columns that the sums have in common, in the order of the tables. */
export const SUM_COLUMNS = [
  "lines",
  "requests",
  "errors",
  "prompt_tokens",
  "completion_tokens",
  "quota",
  "duration_ms",
  "first_byte_ms",
  "streams",
  // Of requests whose cost is known: their number, charge, and cost in thousandths of quota.
  "costed_requests",
  "costed_quota",
  "cost",
  // Those of the errors that are the service's.
  "faults",
  // Of requests whose upstream reported how much of the prompt it had in its cache: their prompt tokens, and the cached
  // tokens. Of all requests, the tokens written to a cache.
  "cache_prompt_tokens",
  "cache_read_tokens",
  "cache_write_tokens",
  // Requests whose answer names a model that can be compared with the one sent upstream, and those that name another.
  "named_answers",
  "other_model_answers",
] as const;

export type SumColumn = (typeof SUM_COLUMNS)[number];

/** Columns of the prompt's cache, which came later: lines that were older count 0. */
export const CACHE_COLUMNS = [
  "cache_prompt_tokens",
  "cache_read_tokens",
  "cache_write_tokens",
] as const satisfies readonly SumColumn[];

/** Columns of the check of served models, which came later as well. */
export const SERVED_COLUMNS = [
  "named_answers",
  "other_model_answers",
] as const satisfies readonly SumColumn[];

/** Columns of the charts and totals of usage. */
export const USAGE_COLUMNS = [
  "requests",
  "errors",
  "prompt_tokens",
  "completion_tokens",
  "quota",
  "duration_ms",
  "first_byte_ms",
  "streams",
  ...CACHE_COLUMNS,
] as const satisfies readonly SumColumn[];

export type UsageColumn = (typeof USAGE_COLUMNS)[number];

/** Columns of profit, which only administrators see. */
export const PROFIT_COLUMNS = [
  "requests",
  "quota",
  "costed_requests",
  "costed_quota",
  "cost",
] as const satisfies readonly SumColumn[];

/** Values that one entry adds to the sums. */
export type Summands = Record<SumColumn, number>;
