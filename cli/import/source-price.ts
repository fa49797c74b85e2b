import {
  type ModelPriceEntry,
  parseModelPrices,
  type TokenPrices,
} from "@tollgate/contract/management/model-price";
import {
  type Decimal,
  divideDown,
  formatDecimal,
  multiply,
  ONE,
  simplify,
} from "@tollgate/contract/values/decimal";
import { readBillingExpression } from "./billing-expression";
import { codedCompletionRatio } from "./completion-defaults";
import type { Series } from "./origin";
import type { PriceTables } from "./price-tables";

/**
 * Price of a model in the source, as an entry of ModelPrice, or the reason why it cannot be expressed; undefined for no
 * price.
 */
export type SourcePrice = ModelPriceEntry | { fault: "expression" | "too-large" } | undefined;

const MILLION: Decimal = { digits: 1_000_000n, scale: 0 };
/** new-api's ratio of writing a cache where its table does not name the model. */
const USUAL_WRITE: Decimal = { digits: 125n, scale: 2 };
/** Ratio of an hour to five minutes: 6 / 3.75. */
const HOUR: Decimal = { digits: 16n, scale: 1 };
const PLACES = 12;

const toNumber = (value: Decimal): number => Number(formatDecimal(simplify(value)));

/** Names that share one entry of new-api's tables (`FormatMatchingModelName`). */
const tableName = (name: string): string => {
  if (name.startsWith("gpt-4-gizmo")) return "gpt-4-gizmo-*";
  if (name.startsWith("gpt-4o-gizmo")) return "gpt-4o-gizmo-*";
  const thinking = /^(gemini-2\.5-(?:flash-lite|flash|pro)).*-thinking-\d+$/.exec(name);
  return thinking ? `${thinking[1]}-thinking-*` : name;
};

/** Returns the source's price of a model's completion token, in prompt tokens. */
export const completionRatioOf = (series: Series, tables: PriceTables, name: string): Decimal => {
  const own = tables.completionRatio?.get(name);
  if (own && tables.isCompletionCharged) return own;
  const coded = codedCompletionRatio(series, name);
  return coded.isLocked && !(name.includes("/") && own) ? coded.ratio : (own ?? coded.ratio);
};

const ratioPrice = (series: Series, tables: PriceTables, name: string, ratio: Decimal): SourcePrice => {
  // A ratio of 1 is one point of quota for a token of the prompt.
  const input = divideDown(multiply(ratio, MILLION), tables.quotaPerUnit, PLACES);
  const times = (factor: Decimal): Decimal => multiply(input, factor);
  const output = times(completionRatioOf(series, tables, name));
  const prices: Partial<Record<keyof Omit<TokenPrices, "from" | "tiers">, Decimal>> = { input, output };
  if (series === "new-api") {
    const read = tables.cacheRatio && (tables.cacheRatio.get(name) ?? ONE);
    if (read) prices.cacheRead = times(read);
    const write = tables.createCacheRatio?.get(name) ?? (name.includes("claude") ? USUAL_WRITE : undefined);
    if (write) {
      prices.cacheWrite5m = times(write);
      prices.cacheWrite1h = multiply(prices.cacheWrite5m, HOUR);
    }
    const sound = tables.audioRatio?.get(name);
    const spoken = tables.audioCompletionRatio?.get(name);
    if (sound || spoken) {
      prices.audioInput = times(sound ?? ONE);
      prices.audioOutput = multiply(prices.audioInput, spoken ?? ONE);
    }
  }
  const entry = Object.fromEntries(Object.entries(prices).map(([field, value]) => [field, toNumber(value)]));
  return checked({ ...entry, input: toNumber(input) });
};

/** The option's own reader decides which prices are valid. */
const checked = (entry: ModelPriceEntry): SourcePrice =>
  "fault" in parseModelPrices(JSON.stringify({ model: entry })) ? { fault: "too-large" } : entry;

/**
 * Returns the source's price of a model, in the source's order: a billing expression, a price for a call, a ratio.
 * `perCall` and prices for tokens are USD, tokens by the million.
 * @param model the name by which the source looks a price up.
 */
export const sourcePriceOf = (series: Series, tables: PriceTables, model: string): SourcePrice => {
  const name = series === "new-api" ? tableName(model) : model;
  const expression = tables.expressions.get(model) ?? tables.expressions.get(name);
  if (expression !== undefined) {
    const entry = readBillingExpression(expression);
    return entry ? checked(entry) : { fault: "expression" };
  }
  const perCall = tables.callPrice?.get(name);
  if (perCall) return checked({ perCall: toNumber(perCall) });
  const ratio = tables.modelRatio?.get(name);
  return ratio && ratioPrice(series, tables, name, ratio);
};
