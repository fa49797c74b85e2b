import * as z from "zod/mini";

/*
 * A user's statement of one month: what was on its balance, what moved it, what its requests cost, what is left. Beyond the contract.
 */

const movedSchema = z.object({
  cause: z.string(),
  /** How many entries of the ledger it is. */
  entries: z.int(),
  quota: z.int(),
});

const usedSchema = z.object({
  /** The model, or the number of the API key. */
  key: z.string(),
  name: z.string(),
  requests: z.int(),
  quota: z.int(),
});

export const statementWireSchema = z.object({
  user_id: z.int(),
  username: z.string(),
  /** YYYY-MM. */
  month: z.string(),
  /** Of the clock by which the month begins, from UTC. */
  offset_minutes: z.int(),
  /** Unix seconds: the first hour of the month, or of what is known of it. */
  from: z.int(),
  /** Unix seconds, excluded. */
  end: z.int(),
  /**
   * What there was at the beginning, and at the end; null where nothing is known of the whole month, which ended before the ledger
   * began.
   */
  opening: z.nullable(z.int()),
  closing: z.nullable(z.int()),
  /** Whether the ledger began within the month: what was before is brought forward in `opening`. */
  is_partial: z.boolean(),
  /** What moved the balance and was no charge, by cause. */
  movements: z.array(movedSchema),
  /** What was charged in all; the sums by model and by key are the same. */
  charged: z.int(),
  models: z.array(usedSchema),
  tokens: z.array(usedSchema),
});
export type StatementWire = z.infer<typeof statementWireSchema>;

/** Reads a statement from a server's answer; undefined for anything else. */
export const readStatement = (value: unknown): StatementWire | undefined => {
  const parsed = statementWireSchema.safeParse(value);
  return parsed.success ? parsed.data : undefined;
};
