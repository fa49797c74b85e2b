import {
  type AskedTier,
  type AskedTool,
  type Extras,
  isStandardTier,
  TIER_FIELDS,
  type TierField,
} from "@tollgate/contract/relay/extras";
import type { Units } from "@tollgate/contract/relay/operation";
import { callsOf, NO_USAGE, type Usage } from "@tollgate/contract/relay/usage";
import type { Decimal } from "@tollgate/contract/values/decimal";
import { isObject } from "@tollgate/contract/values/is-object";
import { billExtras } from "./extra-charges";
import { type Price, priceAnswer } from "./price";
import type { TokenCounts } from "./token-classes";
import { priceUnits } from "./unit-price";

/**
 * What a charge was made of, so that it can be priced again: what many charges have in common as a text (`shape`), and the
 * numbers of this one. Kept with its line of the log (storage/log/priced-lines.ts).
 */
export interface PricedUse {
  /**
   * JSON: `[model, group]`; in a third place what is charged besides tokens, or instead of them, else 0; in a fourth and fifth one the
   * model that was asked for and the user's own groups, where these are others.
   */
  readonly shape: string;
  /**
   * Of tokens: those of each class, as COUNTED names them, how many calls a price per call is charged for, and the calls of each
   * tool; of units: their number. What is left out at the end is 0, but one call. None at all where nothing can be priced again.
   */
  readonly values: readonly number[];
}

type ServedWord = "asked" | "standard" | "other" | null;

interface UnitsShape {
  kind: Units["kind"];
  size?: string;
  quality?: string;
  asked?: { size: string; quality: string };
}

interface ExtrasShape {
  tiers: [field: TierField, name: string | null, served: ServedWord][];
  tools: [name: string, counts: string, isCounted: boolean][];
}

/** What a price depends on besides: rules may be about it, and ratios between groups. */
export interface Buyer {
  /** Before the channel's mapping: as the client named it, or as the model is called that took its place. */
  requestedModel: string;
  /** The user's own. */
  groups: readonly string[];
}

/** What a shape says. */
export interface UseShape extends Buyer {
  model: string;
  group: string;
  units?: UnitsShape;
  extras?: ExtrasShape;
}

/** The classes of tokens in the order of their numbers. */
export const COUNTED = [
  "input",
  "output",
  "cacheRead",
  "cacheWrite5m",
  "cacheWrite1h",
  "audioInput",
  "audioOutput",
] as const satisfies readonly (keyof TokenCounts)[];

/** Where the number of calls stands, and the first tool's behind it. */
const CALLS_AT = COUNTED.length;

/** Longer shapes are kept by no log: their charge stays what it was. */
const MAX_SHAPE_LENGTH = 2000;

const useOf = (
  price: Price,
  { requestedModel, groups }: Buyer,
  rare: UnitsShape | ExtrasShape | undefined,
  values: readonly number[],
): PricedUse => {
  const { model, group } = price;
  const isUsual = requestedModel === model && groups.length === 1 && groups[0] === group;
  if (isUsual && rare === undefined) return { shape: price.shape, values };
  const shape = JSON.stringify(
    isUsual ? [model, group, rare] : [model, group, rare ?? 0, requestedModel, groups],
  );
  return shape.length > MAX_SHAPE_LENGTH ? unpriceable(price) : { shape, values };
};

/** A charge that cannot be priced again. */
export const unpriceable = (price: Price): PricedUse => ({ shape: price.shape, values: [] });

const servedWord = ({ field, name }: AskedTier, { servedTiers }: Usage): ServedWord => {
  const served = servedTiers?.[field];
  if (served === undefined) return null;
  if (served === name) return "asked";
  return isStandardTier(served) ? "standard" : "other";
};

const callsOfTool = ({ isCounted, counts }: AskedTool, usage: Usage): number =>
  isCounted ? callsOf(usage, counts) : 1;

const countsOf = (counts: TokenCounts, calls: number, isWhole: boolean): number[] => {
  const { input, output, cacheRead, cacheWrite5m, cacheWrite1h, audioInput, audioOutput } = counts;
  const special = cacheRead + cacheWrite5m + cacheWrite1h + audioInput + audioOutput;
  if (special === 0 && calls === 1 && !isWhole) return [input, output];
  const values = [input, output, cacheRead, cacheWrite5m, cacheWrite1h, audioInput, audioOutput];
  if (calls !== 1 || isWhole) values.push(calls);
  return values;
};

/** What a charge by tokens, or by the call, was made of. */
export const useOfTokens = (
  price: Price,
  buyer: Buyer,
  counts: TokenCounts,
  calls: number,
  extras: Extras | undefined,
  usage: Usage,
): PricedUse => {
  if (!extras) return useOf(price, buyer, undefined, countsOf(counts, calls, false));
  const { tiers, tools } = extras;
  return useOf(
    price,
    buyer,
    {
      tiers: tiers.map((tier) => [tier.field, tier.name ?? null, servedWord(tier, usage)]),
      tools: tools.map(({ name, counts: counted, isCounted }) => [name, counted, isCounted]),
    },
    [...countsOf(counts, calls, true), ...tools.map((tool) => callsOfTool(tool, usage))],
  );
};

/** What a charge by units was made of. */
export const useOfUnits = (price: Price, buyer: Buyer, units: Units): PricedUse => {
  const { kind, count } = units;
  if (kind !== "images") return useOf(price, buyer, { kind }, [count]);
  const { size, quality, asked } = units;
  return useOf(price, buyer, { kind, size, quality, ...(asked ? { asked } : {}) }, [count]);
};

/** Reads a shape, which only this product writes. @returns undefined for what is none. */
export const readShape = (text: string): UseShape | undefined => {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!Array.isArray(parsed)) return undefined;
  const [model, group, rare = 0, requestedModel = model, groups = [group]]: unknown[] = parsed;
  if (typeof model !== "string" || typeof group !== "string" || typeof requestedModel !== "string")
    return undefined;
  if (!Array.isArray(groups)) return undefined;
  const priced = { model, group, requestedModel, groups: groups.map(String) };
  if (rare === 0) return priced;
  if (!isObject(rare)) return undefined;
  if ("kind" in rare) return { ...priced, units: rare as unknown as UnitsShape };
  return { ...priced, extras: rare as unknown as ExtrasShape };
};

const servedBy = (name: string | null, served: ServedWord): string | undefined => {
  if (served === null) return undefined;
  if (served === "asked") return name ?? undefined;
  // A name that is neither the one that was asked for nor a usual one.
  return served === "standard" ? "standard" : `not ${name ?? ""}`;
};

const extrasOf = ({ tiers, tools }: ExtrasShape, calls: readonly number[]): [Extras, Usage] => {
  const extras: Extras = {
    tiers: tiers.map(([field, name]) => ({ field, name: name ?? undefined, path: [] })),
    tools: tools.map(([name, counts, isCounted]) => ({ name, counts, most: undefined, isCounted, path: [] })),
  };
  const servedTiers: Partial<Record<TierField, string>> = {};
  for (const [field, name, served] of tiers) {
    const word = servedBy(name, served);
    if (word !== undefined && TIER_FIELDS.includes(field)) servedTiers[field] = word;
  }
  const toolCalls = Object.fromEntries(tools.map(([, counts], index) => [counts, calls[index] ?? 0]));
  return [extras, { ...NO_USAGE, servedTiers, toolCalls }];
};

const unitsOf = ({ kind, size = "", quality = "", asked }: UnitsShape, count: number): Units =>
  kind === "images" ? { kind, count, size, quality, ...(asked ? { asked } : {}) } : { kind, count };

/** What the tiers of service multiply a price by; there are no tools. */
export const factorOf = (price: Price, extras: ExtrasShape): Decimal => {
  const [asked, told] = extrasOf(extras, []);
  return billExtras(price.extras, asked, told).factor;
};

/**
 * What a charge would ask for under another price, before any shortfall: the same arithmetic as the charge's own.
 * @param values as they were kept, at least one.
 */
export const priceUse = (price: Price, shape: UseShape, values: readonly number[]): number => {
  if (shape.units) return priceUnits(price, unitsOf(shape.units, values[0] ?? 0));
  const [input = 0, output = 0, cacheRead = 0, cacheWrite5m = 0, cacheWrite1h = 0, audioInput = 0] = values;
  const [audioOutput = 0, calls = 1] = values.slice(CALLS_AT - 1);
  const [extras, told] = shape.extras
    ? extrasOf(shape.extras, values.slice(CALLS_AT + 1))
    : [undefined, NO_USAGE];
  const usage: Usage = {
    ...told,
    cacheReadTokens: cacheRead,
    cacheWriteTokens: cacheWrite5m + cacheWrite1h,
    cacheWrite1hTokens: cacheWrite1h,
    audioInputTokens: audioInput,
    audioOutputTokens: audioOutput,
  };
  const prompt = input + cacheRead + cacheWrite5m + cacheWrite1h + audioInput;
  return priceAnswer(price, prompt, output + audioOutput, usage, extras, calls).quota;
};
