import type { TierPrices, TokenPrices } from "@tollgate/contract/management/model-price";
import { TOKEN_PRICES } from "@tollgate/contract/values/token-prices";
import { type CatalogueEntry, PRICE_SHEETS } from "./catalogue";
import type { ListPrice, PriceSheet } from "./sheet";

/**
 * CNY per US dollar for prices listed in CNY: the rate of the contract's own table (section 3.6: 0.012 CNY per 1,000
 * tokens is the ratio 0.8572), which was also within a few hundredths of the market's in the autumn of 2026.
 */
export const CNY_PER_USD = 7;

const PLACES = 1e6;

/** Millionths of a dollar per million tokens: less than one quota point in a million tokens. */
const rounded = (usd: number): number => Math.round(usd * PLACES) / PLACES;

/** Images, seconds and searches count as prompt tokens (metering/unit-price.ts): a price per unit is one per token. */
const IMAGES_PER_MILLION_TOKENS = 1000;
const MINUTES_PER_MILLION_TOKENS = 5000;

const inTokens = (price: ListPrice): readonly TokenPrices[] => {
  if ("perImage" in price) return [{ input: price.perImage * IMAGES_PER_MILLION_TOKENS }];
  if ("perMinute" in price) return [{ input: price.perMinute * MINUTES_PER_MILLION_TOKENS }];
  if ("perMillionCharacters" in price) return [{ input: price.perMillionCharacters }];
  if ("perThousandSearches" in price) return [{ input: price.perThousandSearches }];
  return "input" in price ? [price] : price;
};

/** Converts to dollars, without floating-point noise. */
const toUsd = <T extends TokenPrices | TierPrices>(prices: T, { currency }: PriceSheet): T => {
  const converted = { ...prices };
  for (const name of TOKEN_PRICES) {
    const value = prices[name];
    if (value !== undefined) converted[name] = rounded(currency === "CNY" ? value / CNY_PER_USD : value);
  }
  return converted;
};

/** The list prices of a model, USD per million tokens in the order of dates; empty when the price is not known. */
export const usdPricesOf = ({ facts, sheet }: CatalogueEntry): readonly TokenPrices[] =>
  facts.price === "unknown"
    ? []
    : inTokens(facts.price).map((entry) => {
        const prices = toUsd(entry, sheet);
        return entry.tiers ? { ...prices, tiers: entry.tiers.map((tier) => toUsd(tier, sheet)) } : prices;
      });

/** Every model of the catalogue under its own name. */
export const listModels = (): CatalogueEntry[] =>
  PRICE_SHEETS.flatMap((sheet) =>
    Object.entries(sheet.models).map(([name, facts]): CatalogueEntry => ({ name, facts, sheet })),
  );
