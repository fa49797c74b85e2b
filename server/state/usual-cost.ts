import { costAnswer } from "@tollgate/metering/cost";
import type { Price } from "@tollgate/metering/price";

/** Basis for comparing buying prices: three tokens are read for each written one, as is usual in chats. */
const USUAL = { promptTokens: 3000, completionTokens: 1000 };
/** For models without output, such as embeddings. */
const READING = { promptTokens: 4000, completionTokens: 0 };

/** Worked out once for each price. */
const known = new WeakMap<Price, number>();

/**
 * Cost of a request of a usual size by a buying price; thousandths of quota.
 * @returns undefined if unknown.
 */
export const usualCostOf = (price: Price | undefined): number | undefined => {
  if (price === undefined) return undefined;
  const before = known.get(price);
  if (before !== undefined) return before;
  const cost = costAnswer(price, price.isOutputPriced ? USUAL : READING)?.cost;
  if (cost !== undefined) known.set(price, cost);
  return cost;
};
