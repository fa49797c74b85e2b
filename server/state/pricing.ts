import type { BuyingPrices } from "@tollgate/contract/management/buying-price";
import { parseGroupRouting, type RoutingStrategy } from "@tollgate/contract/management/group-routing";
import { findPrice, type Price, type PriceBook } from "@tollgate/metering/price";
import type { Payer } from "@tollgate/metering/price-rules";
import type { Pricing } from "@tollgate/relay/ports/charges";
import { type BuyingPricing, createBuyingPricing } from "./buying-pricing";
import { isPriceOption, type Options } from "./options";
import { readPriceBook, ruleBookOf } from "./price-book";
import { usualCostOf } from "./usual-cost";

/** Maximum number of cached prices of single customers. */
const MAX_OWN_PRICES = 20_000;

/** Prices, and their sources. */
export interface SitePricing extends Omit<Pricing, "buys">, BuyingPricing {
  /** The names of the groups. */
  groups(): string[];
  /** Everything that prices follow from now. */
  book(): PriceBook;
}

/** Options are checked before they are stored; an invalid stored value counts as empty. */
const readStrategies = (options: Options): ReadonlyMap<string, RoutingStrategy> => {
  const parsed = parseGroupRouting(options.text("GroupRouting"));
  return "fault" in parsed ? new Map() : parsed;
};

/**
 * Prices from the options, computed once per model and group.
 * @param now milliseconds since the epoch: prices may change at a date.
 * @param buyingPricesOf the prices of a channel's upstream; undefined if unknown.
 */
export const createPricing = (
  options: Options,
  now: () => number,
  buyingPricesOf: (channelId: number) => BuyingPrices | undefined = () => undefined,
): SitePricing => {
  let rules = ruleBookOf(options);
  let book = readPriceBook(options, rules);
  /** By group, then by model. */
  let cache = new Map<string, Map<string, Price>>();
  /** Prices after rules and the ratios between groups, by payer and group, then by both names of the model. */
  let own = new Map<string, Map<string, Price>>();
  let ownCount = 0;
  options.onChange((key) => {
    if (!isPriceOption(key)) return;
    if (key === "PriceRules") rules = ruleBookOf(options);
    book = readPriceBook(options, rules);
    cache = new Map();
    own = new Map();
    ownCount = 0;
  });
  const findOwn = (
    model: string,
    group: string,
    payer: Payer | undefined,
    requestedModel: string,
    effortName: string | undefined,
  ): Price | undefined => {
    // Customers that no rule names share their prices.
    const id = payer && rules?.names(payer.id) ? payer.id : undefined;
    // Names may contain any character except a comma: a length marks the end of each but the last.
    const payerKey = `${id ?? ""} ${group.length} ${group}${payer?.groups.join(",") ?? ""}`;
    const modelKey = `${model.length} ${requestedModel.length} ${model}${requestedModel}${effortName ?? ""}`;
    const ofPayer = own.get(payerKey);
    const known = ofPayer?.get(modelKey);
    const nowMs = now();
    if (known && nowMs < known.holdsUntilMs) return known;
    const asked = payer && { id, groups: payer.groups };
    const price = findPrice(book, model, group, nowMs, asked, requestedModel, effortName);
    if (!price) return undefined;
    if (ownCount >= MAX_OWN_PRICES) {
      own = new Map();
      ownCount = 0;
    }
    ownCount += 1;
    const kept = own.get(payerKey) ?? new Map<string, Price>();
    own.set(payerKey, kept.set(modelKey, price));
    return price;
  };
  /** Whether an option has a price under exactly this name. */
  const hasOwnPrice = (name: string): boolean =>
    book.modelRatios.has(name) || book.modelPrices?.has(name) === true;
  const buying = createBuyingPricing(() => book, buyingPricesOf, now);
  let strategies = readStrategies(options);
  options.onChange((key) => {
    if (key === "GroupRouting") strategies = readStrategies(options);
  });
  return {
    find(modelName, group, payer, requestedModel = modelName, effortName = undefined) {
      const model = effortName !== undefined && hasOwnPrice(effortName) ? effortName : modelName;
      if (rules || (book.groupGroupRatios?.size ?? 0) > 0)
        return findOwn(model, group, payer, requestedModel, effortName);
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
    strategyOf(group) {
      const strategy = strategies.get(group);
      return strategy === "weight" ? undefined : strategy;
    },
    usualCost: (channelId, model) => usualCostOf(buying.buys(channelId, model)),
    ...buying,
    groups: () => [...book.groupRatios.keys()],
    book: () => book,
  };
};
