import { type Decimal, multiply, ONE } from "@tollgate/contract/values/decimal";
import type { Price } from "./price";
import type { Tier } from "./price-terms";
import { COUNTED, factorOf, priceUse, type UseShape } from "./priced-use";
import { ceilShare, type WholeTerms, wholeTermsOf } from "./whole-terms";

/** Prices a charge again: `values` as stored, of which the first `count` are used. */
export type Repricer = (values: readonly number[], count: number) => number;

/** Prices of a token of each class, in the order of COUNTED. */
interface WholeTier extends WholeTerms {
  aboveTokens: number;
}

/** @returns undefined when they exceed exact numbers. */
const wholeTier = ({ perToken, aboveTokens }: Tier, factor: Decimal): WholeTier | undefined => {
  const terms = wholeTermsOf(COUNTED.map((each) => multiply(perToken[each], factor)));
  return terms && { ...terms, aboveTokens };
};

/** Size of the cache of computed prices. */
const MAX_REMEMBERED = 10_000;

const remembering = (price: Price, shape: UseShape): Repricer => {
  const known = new Map<string | number, number>();
  return (values, count) => {
    const own = values.slice(0, count);
    const key = own.length === 1 ? (own[0] ?? 0) : own.join(" ");
    let quota = known.get(key);
    if (quota === undefined) {
      quota = priceUse(price, shape, own);
      if (known.size >= MAX_REMEMBERED) known.clear();
      known.set(key, quota);
    }
    return quota;
  };
};

/** A price per call, whatever the tokens. */
const byCalls = (price: Price, shape: UseShape): Repricer => {
  const once = priceUse(price, shape, [0, 0]);
  const others = remembering(price, shape);
  return (values, count) =>
    count <= COUNTED.length ? once : others([0, 0, 0, 0, 0, 0, 0, values[7] ?? 1], 8);
};

const exactly =
  (price: Price, shape: UseShape): Repricer =>
  (values, count) =>
    priceUse(price, shape, values.slice(0, count));

/** The tier with the largest bound below the prompt; the first one applies to all. */
const tierFor = (tiers: readonly WholeTier[], promptTokens: number): WholeTier | undefined => {
  let found = tiers[0];
  for (const tier of tiers) if (promptTokens > tier.aboveTokens) found = tier;
  return found;
};

/**
 * Prices very many charges of one shape: the same result as priceUse for each, in whole-number arithmetic where that is
 * exact (below 2^53), and by priceUse itself elsewhere.
 */
export const repricerOf = (price: Price, shape: UseShape): Repricer => {
  if (shape.units) return remembering(price, shape);
  const exact = exactly(price, shape);
  if (shape.extras && shape.extras.tools.length > 0) return exact;
  if (price.perCall && !shape.extras) return byCalls(price, shape);
  const tiers: WholeTier[] = [];
  const factor = shape.extras ? factorOf(price, shape.extras) : ONE;
  for (const tier of price.tiers) {
    const whole = wholeTier(tier, factor);
    if (!whole || price.perCall) return exact;
    tiers.push(whole);
  }
  const { isFree } = price;
  return (values, count) => {
    const classes = Math.min(count, COUNTED.length);
    let tokens = 0;
    for (let i = 0; i < classes; i += 1) tokens += values[i] ?? 0;
    if (isFree || tokens === 0) return 0;
    const written = (values[1] ?? 0) + (classes === COUNTED.length ? (values[6] ?? 0) : 0);
    const tier = tiers.length === 1 ? tiers[0] : tierFor(tiers, tokens - written);
    if (!tier) return exact(values, count);
    const { weights, denominator } = tier;
    let sum = 0;
    for (let i = 0; i < classes; i += 1) sum += (values[i] ?? 0) * (weights[i] ?? 0);
    // A sum that was rounded anywhere is not below this.
    if (sum >= Number.MAX_SAFE_INTEGER) return exact(values, count);
    return Math.max(1, ceilShare(sum, denominator));
  };
};
