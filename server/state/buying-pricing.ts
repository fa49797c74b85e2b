import type { BuyingPrices } from "@tollgate/contract/management/buying-price";
import { findBuyingPrice } from "@tollgate/metering/buying-price";
import type { Price, PriceBook } from "@tollgate/metering/price";

/** Time an unknown price is cached: it may begin to hold. */
const UNKNOWN_MS = 60_000;
/** Names of models that are remembered for one channel. */
const MAX_MODELS = 2000;

interface Known {
  price: Price | undefined;
  untilMs: number;
}

/** Buying prices, computed once per channel and model. */
export interface BuyingPricing {
  /**
   * @param model the name at the upstream.
   * @returns undefined if unknown.
   */
  buys(channelId: number, model: string): Price | undefined;
}

/**
 * @param book the source of the site's prices: another object whenever it changes.
 * @param buyingPricesOf of a channel: another object whenever they change; undefined if unknown.
 * @param now milliseconds since the epoch.
 */
export const createBuyingPricing = (
  book: () => PriceBook,
  buyingPricesOf: (channelId: number) => BuyingPrices | undefined,
  now: () => number,
): BuyingPricing => {
  let known = new WeakMap<BuyingPrices, Map<string, Known>>();
  let ofBook: PriceBook | undefined;
  return {
    buys(channelId, model) {
      const buying = buyingPricesOf(channelId);
      if (buying === undefined) return undefined;
      const current = book();
      if (current !== ofBook) {
        ofBook = current;
        known = new WeakMap();
      }
      let models = known.get(buying);
      if (models === undefined) {
        models = new Map();
        known.set(buying, models);
      }
      const nowMs = now();
      const remembered = models.get(model);
      if (remembered && nowMs < remembered.untilMs) return remembered.price;
      const price = findBuyingPrice(current, buying, model, nowMs);
      if (models.size >= MAX_MODELS) models.clear();
      models.set(model, { price, untilMs: price?.holdsUntilMs ?? nowMs + UNKNOWN_MS });
      return price;
    },
  };
};
