import type { Channel } from "@tollgate/contract/api/channels";
import {
  type BuyingPrices,
  type BuyingRow,
  buyingRuleFor,
  type Loss,
} from "@tollgate/contract/management/buying-price";
import { type Decimal, isZero, ONE } from "@tollgate/contract/values/decimal";
import { findBuyingPrice } from "@tollgate/metering/buying-price";
import { findPrice, type Price, type PriceBook, quotaPerUnitOf } from "@tollgate/metering/price";
import type { Tier } from "@tollgate/metering/price-terms";
import { usdPriceOf } from "@tollgate/metering/usd-price";
import { listedPriceNow } from "./catalogue-prices";
import { offeredModels } from "./offered-models";

const numberOf = ({ digits, scale }: Decimal): number => Number(digits) / 10 ** scale;

const CLASSES = ["input", "cacheRead", "cacheWrite5m", "cacheWrite1h", "output"] as const;

const marginOf = (sells: Decimal, buys: Decimal): number | undefined => {
  const [income, expense] = [numberOf(sells), numberOf(buys)];
  if (income === 0) return expense === 0 ? undefined : -1;
  return (income - expense) / income;
};

const tierFor = ({ tiers }: Price, tokens: number): Tier =>
  tiers.findLast(({ aboveTokens }) => tokens > aboveTokens) ?? tiers[0];

/**
 * The profit as a part of the selling price, for the class of tokens and the length of prompts with the least.
 * @returns undefined where the prices are of different kinds, or one is unknown.
 */
export const priceMargin = (sells: Price, buys: Price): number | undefined => {
  const isCalls = sells.perCall !== undefined;
  if (isCalls !== (buys.perCall !== undefined)) return undefined;
  if (sells.perCall && buys.perCall) return marginOf(sells.perCall, buys.perCall);
  const margins: number[] = [];
  const lengths = new Set([...sells.tiers, ...buys.tiers].map(({ aboveTokens }) => aboveTokens + 1));
  for (const length of lengths) {
    const [one, other] = [tierFor(sells, length), tierFor(buys, length)];
    for (const each of CLASSES) {
      if (each === "output" && !(sells.isOutputPriced && buys.isOutputPriced)) continue;
      const margin = marginOf(one.perToken[each], other.perToken[each]);
      if (margin !== undefined) margins.push(margin);
    }
  }
  return margins.length === 0 ? undefined : Math.min(...margins);
};

/** The fields of a channel that determine its offer. */
export type SellingChannel = Pick<Channel, "id" | "name" | "models" | "modelMapping" | "groups">;

/** Prices between two turns of others: one takes some hundredths of a millisecond. */
const PRICES_A_TURN = 20;

/** Prices, and the time for reading them. */
export interface BuyingAndSelling {
  book: PriceBook;
  /** Milliseconds since the epoch. */
  nowMs: number;
  /** Yields to other waiting work. */
  yieldToOthers(): Promise<void>;
}

/**
 * Buying and selling prices of a channel's models.
 * @param buying undefined if unknown.
 */
export const buyingTable = async (
  { book, nowMs, yieldToOthers }: BuyingAndSelling,
  channel: SellingChannel,
  buying: BuyingPrices | undefined,
): Promise<BuyingRow[]> => {
  const perUnit = quotaPerUnitOf(book);
  const rows: BuyingRow[] = [];
  let count = 0;
  for (const model of offeredModels([channel]).keys()) {
    const rule = buying && buyingRuleFor(buying, model);
    const buys = buying && findBuyingPrice(book, buying, model, nowMs);
    const list = listedPriceNow(model, nowMs);
    const upstream = buying?.upstream?.prices.find((each) => each.model === model)?.price;
    const sells: BuyingRow["sells"] = [];
    for (const group of channel.groups) {
      if (++count % PRICES_A_TURN === 0) await yieldToOthers();
      const price = findPrice(book, model, group, nowMs);
      const margin = price && buys && priceMargin(price, buys);
      sells.push({
        group,
        ...(price ? { price: usdPriceOf(price, perUnit) } : {}),
        ...(margin === undefined ? {} : { margin }),
      });
    }
    rows.push({
      model,
      ...(rule ? { rule: "model" in rule ? rule.model : "" } : {}),
      ...(list ? { list } : {}),
      ...(upstream ? { upstream } : {}),
      ...(buys ? { buys: usdPriceOf(buys, perUnit) } : {}),
      sells,
    });
  }
  return rows;
};

/** Maximum number of reported losses: those with the lowest margin. */
const MAX_LOSSES = 1000;

/** Models currently sold below their buying price, the largest loss first; free ones are free on purpose. */
export const findLosses = async (
  { book, nowMs, yieldToOthers }: BuyingAndSelling,
  channels: readonly SellingChannel[],
  buyingPricesOf: (channelId: number) => BuyingPrices | undefined,
): Promise<Loss[]> => {
  const losses: Loss[] = [];
  let count = 0;
  for (const channel of channels) {
    const buying = buyingPricesOf(channel.id);
    if (!buying) continue;
    for (const model of offeredModels([channel]).keys()) {
      if (++count % PRICES_A_TURN === 0) await yieldToOthers();
      const buys = findBuyingPrice(book, buying, model, nowMs);
      if (!buys) continue;
      for (const group of channel.groups) {
        const sells = findPrice(book, model, group, nowMs);
        if (!sells || isZero(book.groupRatios.get(group) ?? ONE)) continue;
        const margin = priceMargin(sells, buys);
        if (margin === undefined || margin >= 0) continue;
        losses.push({ channel: channel.id, channel_name: channel.name, model, group, margin });
      }
    }
  }
  return losses.sort((a, b) => a.margin - b.margin).slice(0, MAX_LOSSES);
};
