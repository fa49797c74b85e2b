import type { ModelPriceEntry } from "@tollgate/contract/management/model-price";
import {
  type Decimal,
  divideDown,
  formatDecimal,
  multiplyInteger,
  simplify,
} from "@tollgate/contract/values/decimal";
import type { Price } from "./price";
import type { Tier } from "./price-terms";
import { TOKEN_CLASSES, type TokenClass } from "./token-classes";

const MILLION = 1_000_000;

/** Digits after the point: a billionth of a dollar for a million tokens. Ratios that do not end are rounded to it. */
const PLACES = 9;

const usdOf = (quota: Decimal, quotaPerUnit: Decimal): number => {
  const { digits } = divideDown(quota, quotaPerUnit, PLACES + 1);
  return Number(formatDecimal(simplify({ digits: (digits + 5n) / 10n, scale: PLACES })));
};

/**
 * A price in money with all its classes, including those without an entry.
 * @param price of a group whose ratio is 1. @param quotaPerUnit quota per USD.
 * @returns USD per million tokens, or per call. Without `output` when the price of the model's answer is not known.
 */
export const usdPriceOf = (price: Price, quotaPerUnit: Decimal): ModelPriceEntry => {
  const { perCall, isOutputPriced, tiers } = price;
  if (perCall) return { perCall: usdOf(perCall, quotaPerUnit) };
  const classes = TOKEN_CLASSES.filter(
    (each) => isOutputPriced || (each !== "output" && each !== "audioOutput"),
  );
  const pricesOf = ({ perToken }: Tier) =>
    Object.fromEntries(
      classes.map((each) => [each, usdOf(multiplyInteger(perToken[each], MILLION), quotaPerUnit)]),
    ) as Partial<Record<TokenClass, number>> & { input: number };
  const [first, ...further] = tiers;
  return {
    ...pricesOf(first),
    ...(further.length === 0
      ? {}
      : { tiers: further.map((tier) => ({ aboveTokens: tier.aboveTokens, ...pricesOf(tier) })) }),
  };
};
