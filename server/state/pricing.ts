import type { BuyingPrices } from "@tollgate/contract/management/buying-price";
import { parseCacheRatios, parseModelPrices } from "@tollgate/contract/management/model-price";
import { parsePriceRules } from "@tollgate/contract/management/price-rule";
import { parseDecimal } from "@tollgate/contract/values/decimal";
import { findPrice, type Price, type PriceBook } from "@tollgate/metering/price";
import { type Payer, RuleBook } from "@tollgate/metering/price-rules";
import { parseGroupGroupRatios } from "@tollgate/metering/ratio-table";
import type { Pricing } from "@tollgate/relay/ports";
import { type BuyingPricing, createBuyingPricing } from "./buying-pricing";
import { findListPrice } from "./list-prices";
import { isPriceOption, type Options } from "./options";

/** Options are checked before they are stored; what is stored wrongly all the same counts as nothing. */
const usable = <T extends object>(parsed: T | { fault: string }, nothing: T): T =>
  "fault" in parsed ? nothing : parsed;

/** How many prices of single customers are kept at a time. */
const MOST_OWN_PRICES = 20_000;

/** None of them is no book, so that nobody looks into it. */
const ruleBookOf = (options: Options): RuleBook | undefined => {
  const rules = usable(parsePriceRules(options.text("PriceRules")), new Map());
  return rules.size === 0 ? undefined : new RuleBook(rules);
};

const readBook = (options: Options, rules: RuleBook | undefined): PriceBook => ({
  modelRatios: options.ratios("ModelRatio"),
  completionRatios: options.ratios("CompletionRatio"),
  findListPrice,
  groupRatios: options.ratios("GroupRatio"),
  groupGroupRatios: usable(parseGroupGroupRatios(options.text("GroupGroupRatio")), new Map()),
  rules,
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
  let rules = ruleBookOf(options);
  let book = readBook(options, rules);
  /** By group, then by model. */
  let cache = new Map<string, Map<string, Price>>();
  /** What rules and the ratios between groups make of prices, by payer and group, then by both names of the model. */
  let own = new Map<string, Map<string, Price>>();
  let ownCount = 0;
  options.onChange((key) => {
    if (!isPriceOption(key)) return;
    if (key === "PriceRules") rules = ruleBookOf(options);
    book = readBook(options, rules);
    cache = new Map();
    own = new Map();
    ownCount = 0;
  });
  const findOwn = (
    model: string,
    group: string,
    payer: Payer | undefined,
    requestedModel: string,
  ): Price | undefined => {
    // Customers whom no rule names share their prices.
    const id = payer && rules?.names(payer.id) ? payer.id : undefined;
    const payerKey = `${id ?? ""} ${payer?.groups.join(",") ?? ""}/${group}`;
    const modelKey = `${model.length} ${model}${requestedModel}`;
    const ofPayer = own.get(payerKey);
    const known = ofPayer?.get(modelKey);
    const nowMs = now();
    if (known && nowMs < known.holdsUntilMs) return known;
    const asked = payer && { id, groups: payer.groups };
    const price = findPrice(book, model, group, nowMs, asked, requestedModel);
    if (!price) return undefined;
    if (ownCount >= MOST_OWN_PRICES) {
      own = new Map();
      ownCount = 0;
    }
    ownCount += 1;
    const kept = own.get(payerKey) ?? new Map<string, Price>();
    own.set(payerKey, kept.set(modelKey, price));
    return price;
  };
  return {
    find(model, group, payer, requestedModel = model) {
      if (rules || (book.groupGroupRatios?.size ?? 0) > 0)
        return findOwn(model, group, payer, requestedModel);
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
