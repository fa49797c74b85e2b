import {
  type BuyingPrices,
  buyingRuleFor,
  type FactorBasis,
} from "@tollgate/contract/management/buying-price";
import type { ModelPriceEntry } from "@tollgate/contract/management/model-price";
import { type Decimal, ONE, parseDecimal } from "@tollgate/contract/values/decimal";
import { findPrice, type Price, type PriceBook } from "./price";

/** What a factor is of: the entries of a price that is known from elsewhere, in the order of their dates. */
const entriesOf = (
  book: PriceBook,
  { upstream }: BuyingPrices,
  of: FactorBasis,
  model: string,
): readonly ModelPriceEntry[] => {
  if (of === "list") return book.findListPrice?.(model)?.entries ?? [];
  const listed = upstream?.prices.find((each) => each.model === model);
  return listed ? [listed.price] : [];
};

const NO_RATIOS = new Map<string, Decimal>();

/**
 * What a channel's upstream asks for a model, at a moment, in quota. A price in money is a selling price without a group; a
 * factor stands in the place of the group's ratio, also for tiers of service and tools, which cost what the site's options say.
 * Tokens that a price does not name (cached ones, sound) cost what they cost where such a price is a selling price.
 * @param model the name that the upstream is asked for. @param nowMs milliseconds since the epoch.
 * @returns undefined where it is not known.
 */
export const findBuyingPrice = (
  book: PriceBook,
  buying: BuyingPrices,
  model: string,
  nowMs: number,
): Price | undefined => {
  const rule = buyingRuleFor(buying, model);
  if (rule === undefined) return undefined;
  const isTyped = "prices" in rule;
  const entries = isTyped ? rule.prices : entriesOf(book, buying, rule.of, model);
  if (entries.length === 0) return undefined;
  const factor = isTyped ? ONE : parseDecimal(rule.factor);
  if (factor === undefined) return undefined;
  const { findListPrice, tierRatios, toolPrices, quotaPerUnit } = book;
  const boughtAt: PriceBook = {
    modelRatios: NO_RATIOS,
    groupRatios: new Map([["", factor]]),
    modelPrices: new Map([[model, entries]]),
    quotaPerUnit,
    ...(findListPrice ? { findListPrice } : {}),
    ...(tierRatios ? { tierRatios } : {}),
    ...(toolPrices ? { toolPrices } : {}),
  };
  return findPrice(boughtAt, model, "", nowMs);
};
