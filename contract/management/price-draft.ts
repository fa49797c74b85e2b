import * as z from "zod/mini";
import { entryOf, OPTION_KEYS, type OptionKey } from "../options/options";

/* Drafts of prices, and results of their rehearsals (docs/guides/rehearse-prices.md). */

/** The options that prices follow from, in the order of the settings. */
export const PRICE_OPTIONS: readonly OptionKey[] = OPTION_KEYS.filter((key) => entryOf(key).isPrice === true);

/** Whether an option's value is a table of names, of which a draft changes single entries; others are changed as a whole. */
export const isPriceTable = (key: OptionKey): boolean => {
  const { type } = entryOf(key);
  return type === "ratios" || type === "json";
};

const MAX_NAME = 100;
const MAX_VALUE = 1_000_000;
/** Names of one option that a draft may change. */
const MAX_ENTRIES = 5000;

const entriesSchema = z
  .record(z.string(), z.unknown())
  .check(z.refine((entries) => Object.keys(entries).length <= MAX_ENTRIES));

/**
 * Changes of a draft, by the option: of a table the changed entries, `null` for a removed one; of other options the new
 * value.
 */
export const priceChangesSchema = z.record(
  z.string().check(z.refine((key) => PRICE_OPTIONS.some((option) => option === key))),
  z.union([z.string().check(z.maxLength(MAX_VALUE)), entriesSchema]),
);
export type PriceChanges = z.infer<typeof priceChangesSchema>;

const nameSchema = z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_NAME));

export const newPriceDraftSchema = z.object({ name: nameSchema, changes: priceChangesSchema });
export type NewPriceDraft = z.infer<typeof newPriceDraftSchema>;

/** A caller that changes a draft says which one it has seen: it grows with each change. */
export const changePriceDraftSchema = z.object({
  name: nameSchema,
  changes: priceChangesSchema,
  revision: z.int(),
  /** The draft is compared with the prices of now from here on, whatever was changed since it was made. */
  rebase: z.optional(z.boolean()),
});
export type ChangePriceDraft = z.infer<typeof changePriceDraftSchema>;

/** Unix seconds; left out for now. */
export const publishPriceDraftSchema = z.object({ revision: z.int(), holds_from: z.optional(z.int()) });
export type PublishPriceDraft = z.infer<typeof publishPriceDraftSchema>;

export const PRICE_DRAFT_STATES = ["draft", "scheduled", "published", "discarded"] as const;
export type PriceDraftState = (typeof PRICE_DRAFT_STATES)[number];

/** An entry that the draft changes and another person has changed meanwhile; `name` is "" where the option is no table. */
const conflictSchema = z.object({ option: z.string(), name: z.string() });
export type PriceConflict = z.infer<typeof conflictSchema>;

export const REHEARSAL_STATES = ["running", "done", "cancelled", "failed"] as const;

/** How far a rehearsal is; `total` is not exact before the end. */
const progressSchema = z.object({
  state: z.enum(REHEARSAL_STATES),
  from: z.int(),
  to: z.int(),
  lines: z.int(),
  total: z.int(),
  /** Why it failed: a code. */
  reason: z.optional(z.string()),
});

const sumFields = {
  lines: z.int(),
  /** Quota that was charged. */
  charged: z.int(),
  /** Quota that would be charged. */
  rehearsed: z.int(),
  /**
   * The upstreams' cost, in thousandths of quota, of lines where it is known; and the actual and rehearsed charge of
   * these.
   */
  cost_thousandths: z.int(),
  costed_lines: z.int(),
  costed_charged: z.int(),
  costed_rehearsed: z.int(),
};
const sumSchema = z.object(sumFields);
export type RehearsalSum = z.infer<typeof sumSchema>;

const namedSumSchema = z.object({ name: z.string(), ...sumFields });
export type NamedSum = z.infer<typeof namedSumSchema>;
const userSumSchema = z.object({ id: z.int(), name: z.string(), ...sumFields });
export type UserSum = z.infer<typeof userSumSchema>;

/** Lines whose charge does not change, and the reason. */
const keptSchema = z.object({ lines: z.int(), quota: z.int() });
export const KEPT_REASONS = ["unrecorded", "not-repriceable", "shortfall", "no-price"] as const;
export type KeptReason = (typeof KEPT_REASONS)[number];

export const rehearsalResultSchema = z.object({
  /** Unix seconds; `to` is excluded. */
  from: z.int(),
  to: z.int(),
  /** At which moment prices with dates were looked up; left out where at each line's own. */
  as_of: z.optional(z.int()),
  /** Version of the prices used in the comparison with the charges; and revision of the draft. */
  price_version: z.int(),
  revision: z.int(),
  total: sumSchema,
  models: z.array(namedSumSchema),
  groups: z.array(namedSumSchema),
  /** Those with the largest differences; the rest together. */
  users: z.array(userSumSchema),
  other_users: z.object({ count: z.int(), ...sumFields }),
  kept: z.object({
    unrecorded: keptSchema,
    "not-repriceable": keptSchema,
    shortfall: keptSchema,
    "no-price": keptSchema,
  }),
  /** A sum is larger than can be told exactly. */
  is_overflowing: z.boolean(),
  ms: z.int(),
  finished_at: z.int(),
});
export type RehearsalResult = z.infer<typeof rehearsalResultSchema>;

export const rehearsalSchema = z.extend(progressSchema, {
  started_at: z.int(),
  /** When it last said how far it is: one that is silent for long has ended with its process. */
  seen_at: z.int(),
  result: z.optional(rehearsalResultSchema),
});
export type Rehearsal = z.infer<typeof rehearsalSchema>;

export const startRehearsalSchema = z.object({
  from: z.int(),
  to: z.int(),
  as_of: z.optional(z.int()),
});
export type StartRehearsal = z.infer<typeof startRehearsalSchema>;

const draftFields = {
  id: z.int(),
  name: z.string(),
  author: z.string(),
  created_at: z.int(),
  changed_at: z.int(),
  revision: z.int(),
  state: z.enum(PRICE_DRAFT_STATES),
  /** When it is to hold, or holds since; 0 for none. */
  holds_from: z.int(),
  /** Another reason why a scheduled draft was not published. */
  fault: z.string(),
};

export const priceDraftSchema = z.object({
  ...draftFields,
  changes: priceChangesSchema,
  /** Values of the changed entries when the draft was made; of tables without missing ones. */
  base: priceChangesSchema,
  conflicts: z.array(conflictSchema),
});
export type PriceDraft = z.infer<typeof priceDraftSchema>;

/** A draft in a list: of its entries, which may be thousands, only the number. */
export const priceDraftSummarySchema = z.object({
  ...draftFields,
  /** Entries that it changes, and those of them that another person has changed meanwhile. */
  change_count: z.int(),
  conflict_count: z.int(),
});
export type PriceDraftSummary = z.infer<typeof priceDraftSummarySchema>;

export const priceDraftSummariesSchema = z.array(priceDraftSummarySchema);

/** The prices of now, in the form of a draft that changes everything. */
export const currentPricesSchema = z.object({
  price_version: z.int(),
  options: z.record(z.string(), z.string()),
});
export type CurrentPrices = z.infer<typeof currentPricesSchema>;
