import type { BuyingPrices } from "@tollgate/contract/management/buying-price";
import { parseCacheRatios, parseModelPrices } from "@tollgate/contract/management/model-price";
import { parseDecimal } from "@tollgate/contract/values/decimal";
import { findPrice, type Price, type PriceBook } from "@tollgate/metering/price";
import type { Pricing } from "@tollgate/relay/ports";
import { type BuyingPricing, createBuyingPricing } from "./buying-pricing";
import { findListPrice } from "./list-prices";
import { isPriceOption, type Options } from "./options";

/** Options are checked before they are stored; what is stored wrongly all the same counts as nothing. */
const usable = <T extends object>(parsed: T | { fault: string }, nothing: T): T =>
  "fault" in parsed ? nothing : parsed;

const readBook = (options: Options): PriceBook => ({
  modelRatios: options.ratios("ModelRatio"),
  completionRatios: options.ratios("CompletionRatio"),
  findListPrice,
  groupRatios: options.ratios("GroupRatio"),
  fallbackRatio: parseDecimal(options.text("FallbackModelRatio")),
  modelPrices: usable(parseModelPrices(options.text("ModelPrice")), new Map()),
  cacheRatios: usable(parseCacheRatios(options.text("CacheRatio")), new Map()),
  isCacheBilled: options.isOn("CacheBillingEnabled"),
  tierRatios: options.ratios("ServiceTierRatio"),
  toolPrices: options.ratios("ToolPrice"),
  quotaPerUnit: parseDecimal(options.text("QuotaPerUnit")),
  version: options.priceVersion,
});

/** Prices, and what they follow from. */
export interface SitePricing extends Omit<Pricing, "buys">, BuyingPricing {
  /** The names of the groups. */
  groups(): string[];
  /** Everything that prices follow from now. */
  book(): PriceBook;
}

/**
 * Prices as the options say, worked out once per model and group.
 * @param now milliseconds since the epoch: prices may change at a date.
 * @param buyingPricesOf what a channel's upstream asks; undefined where nothing is known.
 */
export const createPricing = (
  options: Options,
  now: () => number,
  buyingPricesOf: (channelId: number) => BuyingPrices | undefined = () => undefined,
): SitePricing => {
  let book = readBook(options);
  /** By group, then by model. */
  let cache = new Map<string, Map<string, Price>>();
  options.onChange((key) => {
    if (!isPriceOption(key)) return;
    book = readBook(options);
    cache = new Map();
  });
  return {
    find(model, group) {
      const ofGroup = cache.get(group);
      const known = ofGroup?.get(model);
      const nowMs = now();
      if (known && nowMs < known.holdsUntilMs) return known;
      const price = findPrice(book, model, group, nowMs);
      // Unknown names are the clients' to make up: only prices are kept.
      if (price) {
        if (ofGroup) ofGroup.set(model, price);
        else cache.set(group, new Map([[model, price]]));
      }
      return price;
    },
    defaultHoldTokens: () => options.number("PreConsumedQuota"),
    drainMs: () =>
      options.text("InterruptionPolicy") === "drain" ? options.number("InterruptionDrainSeconds") * 1000 : 0,
    countsDrainMs: () => options.number("InterruptionDrainSeconds") * 1000,
    retryTimes: () => options.number("RetryTimes"),
    ...createBuyingPricing(() => book, buyingPricesOf, now),
    groups: () => [...book.groupRatios.keys()],
    book: () => book,
  };
};
