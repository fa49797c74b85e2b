import { costAnswer } from "@tollgate/metering/cost";
import type { Price } from "@tollgate/metering/price";

/** What buying prices are compared by: three tokens are read for each that is written, as is usual of chats. */
const USUAL = { promptTokens: 3000, completionTokens: 1000 };
/** Where nothing is written, as of embeddings. */
const READING = { promptTokens: 4000, completionTokens: 0 };

/** Worked out once for each price. */
const known = new WeakMap<Price, number>();

/**
 * What a request of a usual size costs by a buying price; thousandths of quota.
 * @returns undefined where it is not known.
 */
export const usualCostOf = (price: Price | undefined): number | undefined => {
  if (price === undefined) return undefined;
  const before = known.get(price);
  if (before !== undefined) return before;
  const cost = costAnswer(price, price.isOutputPriced ? USUAL : READING)?.cost;
  if (cost !== undefined) known.set(price, cost);
  return cost;
};
