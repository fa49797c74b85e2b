import * as z from "zod/mini";
import { tryParseJson } from "../values/parse-json";
import { fitsWildcard, isLiteral, literalLength } from "../values/wildcard";
import { hasWrongDate, type ModelPriceEntry, modelPriceEntrySchema, parseModelPrices } from "./model-price";

/*
 * The upstream's prices of a channel: /api/channel/buying_prices. Not part of the one-api contract. A model that no
 * rule names has no buying price; its cost is then unknown, and not 0 (docs/guides/profit.md).
 */

/**
 * The price that a factor multiplies: the list price of the model's vendor, or that of the upstream's own price list.
 */
export const FACTOR_BASES = ["list", "upstream"] as const;
export type FactorBasis = (typeof FACTOR_BASES)[number];

export const MAX_FACTOR = 1000;
const factorSchema = z.number().check(z.minimum(0), z.maximum(MAX_FACTOR));
const MAX_NAME = 200;
const MAX_GROUP = 100;
/** More than any upstream sells. */
const MAX_RULES = 1000;
const MAX_UPSTREAM_PRICES = 5000;

const buyingFactorSchema = z.strictObject({ of: z.enum(FACTOR_BASES), factor: factorSchema });
/** So many times a price that is known from elsewhere. */
export type BuyingFactor = z.infer<typeof buyingFactorSchema>;

const patternSchema = z.string().check(z.minLength(1), z.maxLength(MAX_NAME));

const buyingRuleSchema = z.union([
  z.strictObject({ model: patternSchema, of: z.enum(FACTOR_BASES), factor: factorSchema }),
  z.strictObject({ model: patternSchema, prices: z.array(modelPriceEntrySchema).check(z.minLength(1)) }),
]);
/** Buying price of models whose upstream names match a pattern with `*`. */
export type BuyingRule = z.infer<typeof buyingRuleSchema>;

const upstreamPriceSchema = z.object({ model: z.string(), price: modelPriceEntrySchema });

/** The price list of the upstream, as it was last read. */
const upstreamListSchema = z.strictObject({
  /** The group of the channel's key there, whose ratio is in the prices. */
  group: z.string().check(z.maxLength(MAX_GROUP)),
  /** Unix seconds. */
  as_of: z.int(),
  prices: z.array(upstreamPriceSchema).check(z.maxLength(MAX_UPSTREAM_PRICES)),
});
export type UpstreamPriceList = z.infer<typeof upstreamListSchema>;

export const buyingRulesSchema = z.strictObject({
  /** For models that no rule fits; absent where these have no known price. */
  default: z.optional(buyingFactorSchema),
  rules: z._default(z.array(buyingRuleSchema).check(z.maxLength(MAX_RULES)), []),
});
/** Rules of a channel's buying prices: the text of its field `buying_prices`. */
export type BuyingRules = z.infer<typeof buyingRulesSchema>;

/** The upstream's prices of one channel. */
export interface BuyingPrices extends BuyingRules {
  upstream?: UpstreamPriceList | undefined;
}

/** Where buying prices are wrong: `rules.3.factor`. */
export interface BuyingFault {
  fault: string;
}

/** Entries of a rule in the order of their dates. */
const readEntries = (model: string, entries: readonly ModelPriceEntry[]): ModelPriceEntry[] | BuyingFault => {
  const parsed = parseModelPrices(JSON.stringify({ [`x${model}`]: entries }));
  if ("fault" in parsed) return { fault: parsed.fault.slice(`x${model}`.length + 1) };
  return [...(parsed.get(`x${model}`) ?? [])];
};

/** Reads buying prices as an administrator wrote them; "" means that there are none. */
export const parseBuyingRules = (text: string): BuyingRules | BuyingFault => {
  if (text.trim() === "") return { rules: [] };
  const parsed = buyingRulesSchema.safeParse(tryParseJson(text));
  if (!parsed.success) return { fault: parsed.error.issues[0]?.path.join(".") || "JSON" };
  const names = new Set<string>();
  const rules: BuyingRule[] = [];
  for (const [index, rule] of parsed.data.rules.entries()) {
    if (names.has(rule.model)) return { fault: `rules.${index}.model` };
    names.add(rule.model);
    if (!("prices" in rule)) {
      rules.push(rule);
      continue;
    }
    const prices = readEntries(rule.model, rule.prices);
    if ("fault" in prices) return { fault: `rules.${index}.prices.${prices.fault}` };
    rules.push({ model: rule.model, prices });
  }
  return { ...parsed.data, rules };
};

/** Finds a wrong date, which new rules are refused for. Stored ones may have it from before, and hold. */
export const findBuyingDateFault = ({ rules }: BuyingRules): BuyingFault | undefined => {
  const index = rules.findIndex((rule) => "prices" in rule && hasWrongDate(rule.prices));
  return index === -1 ? undefined : { fault: `rules.${index}.prices.from` };
};

/** Buying prices as they are written down; "" for none. */
export const encodeBuyingRules = (rules: BuyingRules): string =>
  rules.default === undefined && rules.rules.length === 0 ? "" : JSON.stringify(rules);

/**
 * Combines the stored texts of a channel.
 * @param upstream JSON of an UpstreamPriceList; "" for none.
 * @returns undefined for no prices; an unreadable text counts as none.
 */
export const decodeBuyingPrices = (text: string, upstream: string): BuyingPrices | undefined => {
  if (text === "" && upstream === "") return undefined;
  const rules = parseBuyingRules(text);
  if ("fault" in rules) return undefined;
  const list = upstream === "" ? undefined : upstreamListSchema.safeParse(tryParseJson(upstream));
  return list?.success ? { ...rules, upstream: list.data } : rules;
};

/**
 * Returns the rule of a model: its own, else the matching pattern with the most literal characters (the first of
 * equals), else the default.
 * @param model the upstream's name of the model.
 */
export const buyingRuleFor = (
  { default: usual, rules }: BuyingPrices,
  model: string,
): BuyingRule | BuyingFactor | undefined => {
  let found: BuyingRule | undefined;
  for (const rule of rules) {
    if (rule.model === model && isLiteral(rule.model)) return rule;
    if (isLiteral(rule.model) || !fitsWildcard(rule.model, model)) continue;
    if (found === undefined || literalLength(rule.model) > literalLength(found.model)) found = rule;
  }
  return found ?? usual;
};

/** POST /api/channel/buying_prices/preview: a channel as it stands in a form, saved or not. */
export const buyingPreviewBodySchema = z.object({
  /** Of the stored channel, for its upstream's own list. */
  id: z.optional(z.int()),
  /** As the channel has them. */
  models: z.string(),
  model_mapping: z.optional(z.string()),
  group: z.optional(z.string()),
  buying_prices: z.string(),
});
export type BuyingPreviewBody = z.infer<typeof buyingPreviewBodySchema>;

const sellingSchema = z.object({
  group: z.string(),
  /** USD; absent where the model has no price. */
  price: z.optional(modelPriceEntrySchema),
  /** The part of the selling price that is profit, of the class of tokens of which least is; absent where one side is unknown. */
  margin: z.optional(z.number()),
});

export const buyingRowSchema = z.object({
  /** The upstream's name of the model. */
  model: z.string(),
  /** The pattern that holds, or "" for the default; absent where nothing does. */
  rule: z.optional(z.string()),
  /** USD: the vendor's list price, the upstream's own, and the buying price; absent when unknown. */
  list: z.optional(modelPriceEntrySchema),
  upstream: z.optional(modelPriceEntrySchema),
  buys: z.optional(modelPriceEntrySchema),
  sells: z.array(sellingSchema),
});
export type BuyingRow = z.infer<typeof buyingRowSchema>;

export const buyingPreviewSchema = z.object({
  rows: z.array(buyingRowSchema),
  /** The upstream's own list, as it was last read; absent where it was not. */
  upstream: z.optional(z.object({ group: z.string(), as_of: z.int(), models: z.int() })),
});

/** POST /api/channel/upstream_prices: reads the list; without a group it only says which groups the upstream has. */
export const upstreamPricesBodySchema = z.object({
  id: z.int(),
  group: z.optional(z.string().check(z.maxLength(MAX_GROUP))),
});

export const upstreamPricesSchema = z.object({
  /** Ratios of the upstream's groups; empty where it has none. */
  groups: z.array(z.object({ name: z.string(), ratio: z.number() })),
  /** How many prices were kept, and how many models have none that can be used. */
  models: z.int(),
  refused: z.int(),
});

/**
 * Converts an upstream's answer into its list for one of its groups. Leaves out prices that a list cannot hold: one of
 * them, or a ratio that leads to one, would make the whole list unreadable.
 */
export const upstreamListOf = (
  group: string,
  asOf: number,
  prices: UpstreamPriceList["prices"],
): UpstreamPriceList => {
  const usable = prices.filter((price) => upstreamPriceSchema.safeParse(price).success);
  return { group, as_of: asOf, prices: usable.slice(0, MAX_UPSTREAM_PRICES) };
};

/** GET /api/profit/losses: models sold below their buying price. */
export const lossSchema = z.object({
  channel: z.int(),
  channel_name: z.string(),
  model: z.string(),
  group: z.string(),
  margin: z.number(),
});
export type Loss = z.infer<typeof lossSchema>;
