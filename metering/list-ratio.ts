import type { TokenPrices } from "@tollgate/contract/management/model-price";
import { type Decimal, multiply, parseDecimal, simplify, ZERO } from "@tollgate/contract/values/decimal";

/** A ratio of 1 is 2 USD per million prompt tokens (contract section 3.6). */
const RATIO_PER_USD: Decimal = { digits: 5n, scale: 1 };

/** The model ratio equivalent to a list price. @param prices USD per million tokens. */
export const listRatio = ({ input }: TokenPrices): Decimal =>
  simplify(multiply(parseDecimal(input) ?? ZERO, RATIO_PER_USD));
