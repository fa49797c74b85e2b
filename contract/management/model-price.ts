import * as z from "zod/mini";
import { isOnDay } from "../values/is-day";
import { isObject } from "../values/is-object";
import { tryParseJson } from "../values/parse-json";

/*
 * The options ModelPrice and CacheRatio: prices in money beside the ratios of the one-api contract
 * (docs/reference/prices.md). Both are JSON text.
 */

const MAX_USD = 1_000_000;
const usd = z.number().check(z.minimum(0), z.maximum(MAX_USD));

/** USD per million tokens of each class; a missing one follows from `input` (docs/reference/prices.md). */
const classPrices = {
  input: usd,
  output: z.optional(usd),
  cacheRead: z.optional(usd),
  cacheWrite5m: z.optional(usd),
  cacheWrite1h: z.optional(usd),
  audioInput: z.optional(usd),
  audioOutput: z.optional(usd),
};

const tierSchema = z.strictObject({ aboveTokens: z.int().check(z.minimum(1)), ...classPrices });

/** A day (its midnight, UTC) or a moment with its offset. */
const FROM = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:\d{2}))?$/;
const fromSchema = z.optional(
  z.string().check(
    z.regex(FROM),
    z.refine((text) => Number.isFinite(Date.parse(text))),
  ),
);

const tokenEntrySchema = z.strictObject({
  from: fromSchema,
  ...classPrices,
  tiers: z.optional(z.array(tierSchema)),
});
const callEntrySchema = z.strictObject({ from: fromSchema, perCall: usd });

/** Price of one model from one moment on, as the option has it. */
export const modelPriceEntrySchema = z.union([tokenEntrySchema, callEntrySchema]);

export type TierPrices = z.infer<typeof tierSchema>;
export type TokenPrices = z.infer<typeof tokenEntrySchema>;
/** Price of one model from one moment on. */
export type ModelPriceEntry = TokenPrices | z.infer<typeof callEntrySchema>;

/** Milliseconds since the epoch from which an entry holds; -Infinity for one without a date. */
export const holdsFromMs = ({ from }: ModelPriceEntry): number =>
  from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(from);

export type ModelPrices = ReadonlyMap<string, readonly ModelPriceEntry[]>;

export interface Fault {
  /** Where the text is wrong: `gpt-5.tiers.0.output`. */
  fault: string;
}

const parseObject = (text: string): Record<string, unknown> | undefined => {
  const parsed = tryParseJson(text);
  return isObject(parsed) ? parsed : undefined;
};

const NO_JSON: Fault = { fault: "JSON" };

const faultAt = (name: string, error: z.core.$ZodError): Fault => {
  const issue = error.issues[0];
  const unknown = issue?.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
  return { fault: [name, ...(issue?.path ?? []), ...unknown].join(".") };
};

/** A tier names the classes that its entry names: half a price list would be a guess. */
const findTierFault = (entry: TokenPrices): string | undefined => {
  for (const [index, tier] of (entry.tiers ?? []).entries()) {
    for (const name of Object.keys(classPrices) as (keyof typeof classPrices)[]) {
      if ((entry[name] === undefined) !== (tier[name] === undefined)) return `tiers.${index}.${name}`;
    }
    if (index > 0 && tier.aboveTokens <= (entry.tiers?.[index - 1]?.aboveTokens ?? 0))
      return `tiers.${index}.aboveTokens`;
  }
  return undefined;
};

const parseEntry = (name: string, value: unknown): ModelPriceEntry | Fault => {
  const isPerCall = isObject(value) && "perCall" in value;
  const parsed = isPerCall ? callEntrySchema.safeParse(value) : tokenEntrySchema.safeParse(value);
  if (!parsed.success) return faultAt(name, parsed.error);
  const fault = "input" in parsed.data ? findTierFault(parsed.data) : undefined;
  return fault === undefined ? parsed.data : { fault: `${name}.${fault}` };
};

/**
 * Reads the option ModelPrice: the model's name → an entry or a list of dated ones.
 * @returns the entries of each model, the one that holds last at the end.
 */
export const parseModelPrices = (text: string): ModelPrices | Fault => {
  const parsed = parseObject(text);
  if (!parsed) return NO_JSON;
  const prices = new Map<string, ModelPriceEntry[]>();
  for (const [model, value] of Object.entries(parsed)) {
    const entries: ModelPriceEntry[] = [];
    const isList = Array.isArray(value);
    for (const [index, each] of (isList ? value : [value]).entries()) {
      const entry = parseEntry(isList ? `${model}.${index}` : model, each);
      if ("fault" in entry) return entry;
      entries.push(entry);
    }
    entries.sort((a, b) => (holdsFromMs(a) < holdsFromMs(b) ? -1 : 1));
    const isTwice = entries.some((entry, index) => index > 0 && entries[index - 1]?.from === entry.from);
    if (isTwice) return { fault: `${model}.from` };
    prices.set(model, entries);
  }
  return prices;
};

/** Whether the day of an entry does not exist, or two entries hold from one moment on. */
export const hasWrongDate = (entries: readonly ModelPriceEntry[]): boolean =>
  new Set(entries.map(holdsFromMs)).size < entries.length ||
  entries.some(({ from }) => from !== undefined && !isOnDay(from));

/** Finds a wrong date, which a new text is refused for. A stored one may have it from before, and holds. */
export const findPriceDateFault = (text: string): Fault | undefined => {
  const prices = parseModelPrices(text);
  if ("fault" in prices) return undefined;
  const wrong = [...prices].find(([, entries]) => hasWrongDate(entries));
  return wrong && { fault: `${wrong[0]}.from` };
};

const factor = z.number().check(z.minimum(0), z.maximum(100));
const cacheRatioSchema = z.union([
  factor,
  z.strictObject({
    read: z.optional(factor),
    write5m: z.optional(factor),
    write1h: z.optional(factor),
  }),
]);

/** Cached tokens of one model as factors of its input price; a missing one is the vendor's. */
export interface CacheRatio {
  read?: number | undefined;
  write5m?: number | undefined;
  write1h?: number | undefined;
}

export type CacheRatios = ReadonlyMap<string, CacheRatio>;

/** Reads the option CacheRatio: the model's name → the factor of a read, or an object of the three factors. */
export const parseCacheRatios = (text: string): CacheRatios | Fault => {
  const parsed = parseObject(text);
  if (!parsed) return NO_JSON;
  const ratios = new Map<string, CacheRatio>();
  for (const [model, value] of Object.entries(parsed)) {
    const ratio = cacheRatioSchema.safeParse(value);
    if (!ratio.success) return { fault: model };
    ratios.set(model, typeof ratio.data === "number" ? { read: ratio.data } : ratio.data);
  }
  return ratios;
};
