import {
  type BuyingPrices,
  buyingRuleFor,
  type FactorBasis,
} from "@tollgate/contract/management/buying-price";
import type { ModelPriceEntry } from "@tollgate/contract/management/model-price";
import { type Decimal, ONE, parseDecimal } from "@tollgate/contract/values/decimal";
import { findPrice, type Price, type PriceBook } from "./price";

/** The entries to which a factor applies: those of a price from another source, in the order of their dates. */
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
 * The upstream's price of a model on a channel at a moment, in quota. A price in money is a selling price without a
 * group; a factor replaces the group's ratio, also for service tiers and tools, which use the site's options. Tokens
 * without their own price (cached ones, audio) follow the rules of a selling price of the same kind.
 * @param model the upstream's model name. @param nowMs milliseconds since the epoch.
 * @returns undefined when it is not known.
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
