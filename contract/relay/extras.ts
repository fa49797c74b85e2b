/*
 * Features of a request that its upstream bills otherwise than by its tokens, or that change their price. A body goes
 * to an upstream with one only where it has a price (docs/reference/prices.md, "Tiers and tools").
 */

/** Where something stands in a body: `["tools", 0]`. */
export type BodyPath = readonly (string | number)[];

/** The fields that ask for a tier, by the name under which answers tell which one was served. */
export const TIER_FIELDS = ["service_tier", "speed", "inference_geo"] as const;
export type TierField = (typeof TIER_FIELDS)[number];

/** A tier of service, a speed or a place, which changes the price of every token. */
export interface AskedTier {
  field: TierField;
  /** "priority"; undefined for a value that is no text. */
  name: string | undefined;
  path: BodyPath;
}

/** The tiers that an upstream tells to have served. */
export type ServedTiers = Readonly<Partial<Record<TierField, string>>>;

/** A tool that the vendor runs. */
export interface AskedTool {
  /** Name of its price: "web_search". */
  name: string;
  /** The name under which answers count its calls. */
  counts: string;
  /** How often it may be called, by the request's own word; undefined where it says nothing. */
  most: number | undefined;
  /** False where no answer of this protocol tells its calls. */
  isCounted: boolean;
  path: BodyPath;
}

/** All of it; absent where a request asks for nothing of the kind, as hardly any does. */
export interface Extras {
  tiers: readonly AskedTier[];
  tools: readonly AskedTool[];
}

/** Names of tiers at the model's own price. */
const STANDARD_TIERS: ReadonlySet<string> = new Set([
  "auto",
  "default",
  "global",
  "not_available",
  "on_demand",
  "standard",
  "standard_only",
]);

/** Whether a tier is the usual one, at the model's own price. */
export const isStandardTier = (name: string): boolean => STANDARD_TIERS.has(name);
