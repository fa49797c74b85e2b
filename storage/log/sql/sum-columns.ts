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
] as const;

/** What one entry adds to the sums. */
export type Summands = Record<(typeof SUM_COLUMNS)[number], number>;
