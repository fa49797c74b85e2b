import type { TokenPrices } from "@tollgate/contract/management/model-price";

/** Prices have no more digits than this leaves. */
const SCALE = 1e6;

const times = (price: number, factor: number): number => Math.round(price * factor * SCALE) / SCALE;

/**
 * Prices of cached tokens from a list that gives them as factors of the input's price.
 * @param factors of reading, and of writing if that has its own price.
 * @returns adds these prices to others, and to each of their tiers.
 */
export const cachedAt = ({ read, write }: { read: number; write?: number }) => {
  const cachedOf = (input: number) => ({
    cacheRead: times(input, read),
    ...(write === undefined ? {} : { cacheWrite5m: times(input, write), cacheWrite1h: times(input, write) }),
  });
  return (prices: TokenPrices): TokenPrices => ({
    ...prices,
    ...cachedOf(prices.input),
    ...(prices.tiers && { tiers: prices.tiers.map((tier) => ({ ...tier, ...cachedOf(tier.input) })) }),
  });
};
