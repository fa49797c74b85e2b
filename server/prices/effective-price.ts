import type { ModelPriceEntry } from "@tollgate/contract/management/model-price";
import type { Decimal } from "@tollgate/contract/values/decimal";
import { findPrice, type Price, type PriceBook, quotaPerUnitOf } from "@tollgate/metering/price";
import { usdPriceOf } from "@tollgate/metering/usd-price";

/** Without groups all users pay the price itself. */
const NO_GROUPS = new Map<string, Decimal>();

/**
 * The price of a model without any group's ratio.
 * @param entry replaces the model's entry of the option ModelPrice.
 */
export const groupless = (
  book: PriceBook,
  model: string,
  nowMs: number,
  entry?: ModelPriceEntry,
): Price | undefined => {
  const modelPrices = entry ? new Map([[model, [entry]]]) : book.modelPrices;
  return findPrice(
    { ...book, groupRatios: NO_GROUPS, rules: undefined, ...(modelPrices ? { modelPrices } : {}) },
    model,
    "",
    nowMs,
  );
};

/**
 * A model's effective price in money, including everything derived from its entry.
 * @param entry replaces the model's entry of the option ModelPrice.
 * @returns undefined when the model has no price.
 */
export const effectivePrice = (
  book: PriceBook,
  model: string,
  nowMs: number,
  entry?: ModelPriceEntry,
): ModelPriceEntry | undefined => {
  const price = groupless(book, model, nowMs, entry);
  const perUnit = quotaPerUnitOf(book);
  return price && usdPriceOf(price, perUnit);
};
