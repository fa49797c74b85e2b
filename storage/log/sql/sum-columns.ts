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
  // Of requests whose cost is known: how many, what they were charged, and what they cost in thousandths of quota.
  "costed_requests",
  "costed_quota",
  "cost",
  // Those of the errors that are the service's.
  "faults",
] as const;

export type SumColumn = (typeof SUM_COLUMNS)[number];

/** What pictures and totals of usage are made of. */
export const USAGE_COLUMNS = [
  "requests",
  "errors",
  "prompt_tokens",
  "completion_tokens",
  "quota",
  "duration_ms",
  "first_byte_ms",
  "streams",
] as const satisfies readonly SumColumn[];

/** What profit is made of, which only administrators are shown. */
export const PROFIT_COLUMNS = [
  "requests",
  "quota",
  "costed_requests",
  "costed_quota",
  "cost",
] as const satisfies readonly SumColumn[];

/** What one entry adds to the sums. */
export type Summands = Record<SumColumn, number>;
