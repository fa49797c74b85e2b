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
import { tryParseJson } from "@tollgate/contract/values/parse-json";
import { priceAnswer } from "./bill";
import { billExtras } from "./extra-charges";
import type { Price } from "./price";
import type { TokenCounts } from "./token-classes";
import { priceUnits } from "./unit-price";

/**
 * The inputs of a charge, so that it can be priced again: a text shared by many charges (`shape`), and the numbers of
 * this one. Kept with its log line (storage/log/priced-lines.ts).
 */
export interface PricedUse {
  /**
   * JSON: `[model, group]`; third, the charges beyond or instead of tokens, else 0; fourth and fifth, the requested
   * model and the user's own groups, if these differ.
   */
  readonly shape: string;
  /**
   * For tokens: the count of each class, in the order of COUNTED, the number of charges of a price per call, and the
   * calls of each tool; for units: their number. Omitted numbers at the end are 0, except one call. Empty when the
   * charge cannot be priced again.
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

/** Other inputs of a price: rules and ratios between groups depend on them. */
export interface Buyer {
  /** Before the channel's mapping: the client's name, or the name of the fallback model. */
  requestedModel: string;
  /** The user's own. */
  groups: readonly string[];
}

/** The content of a shape. */
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

/** Index of the number of calls, followed by the first tool's. */
const CALLS_AT = COUNTED.length;

/** Maximum length: no log keeps longer shapes, and their charge cannot be changed later. */
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

/** The inputs of a charge by tokens, or by the call. */
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

/** The inputs of a charge by units. */
export const useOfUnits = (price: Price, buyer: Buyer, units: Units): PricedUse => {
  const { kind, count } = units;
  if (kind !== "images") return useOf(price, buyer, { kind }, [count]);
  const { size, quality, asked } = units;
  return useOf(price, buyer, { kind, size, quality, ...(asked ? { asked } : {}) }, [count]);
};

/** Parses a shape, which only this product writes. @returns undefined for an invalid one. */
export const readShape = (text: string): UseShape | undefined => {
  const parsed = tryParseJson(text);
  if (parsed === undefined) return undefined;
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
  // A name other than the requested and the usual ones.
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

/** The tiers' multiplier of a price; tools are not included. */
export const factorOf = (price: Price, extras: ExtrasShape): Decimal => {
  const [asked, told] = extrasOf(extras, []);
  return billExtras(price.extras, asked, told).factor;
};

/**
 * The price of a charge under another price, before any shortfall: the same arithmetic as the charge's own.
 * @param values as stored, at least one.
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
