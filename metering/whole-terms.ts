import type { Decimal } from "@tollgate/contract/values/decimal";

/** Prices of a token of several kinds, over one denominator: exact whole numbers. */
export interface WholeTerms {
  readonly weights: readonly number[];
  readonly denominator: number;
}

const gcd = (a: bigint, b: bigint): bigint => {
  let [one, other] = [a, b];
  while (other !== 0n) [one, other] = [other, one % other];
  return one;
};

/**
 * Prices as whole numbers, computed once: decimal arithmetic costs a request thousands of steps.
 * @returns undefined when they exceed exact numbers.
 */
export const wholeTermsOf = (prices: readonly Decimal[]): WholeTerms | undefined => {
  const scale = prices.reduce((most, price) => Math.max(most, price.scale), 0);
  const digits = prices.map((price) => price.digits * 10n ** BigInt(scale - price.scale));
  const denominator = 10n ** BigInt(scale);
  const common = digits.reduce(gcd, denominator);
  const isExact = [...digits, denominator].every((each) => each / common <= Number.MAX_SAFE_INTEGER);
  if (!isExact) return undefined;
  return {
    weights: digits.map((each) => Number(each / common)),
    denominator: Number(denominator / common),
  };
};

/**
 * The smallest whole number that is not below `sum / denominator`, exactly.
 * @param sum a whole number below 2^53; above it the result is not exact. @param denominator a whole number above 0.
 */
export const ceilShare = (sum: number, denominator: number): number => {
  const rest = sum % denominator;
  const whole = (sum - rest) / denominator;
  return rest > 0 ? whole + 1 : whole;
};
