import type { Extras } from "@tollgate/contract/relay/extras";
import type { Units } from "@tollgate/contract/relay/operation";
import type { Usage } from "@tollgate/contract/relay/usage";
import {
  type Decimal,
  formatDecimal,
  multiplyInteger,
  roundNearest,
  simplify,
} from "@tollgate/contract/values/decimal";
import { COST_UNITS } from "@tollgate/contract/values/quota";
import { sumAnswer } from "./bill";
import { arithmeticOf, explainUnitCharge } from "./formula";
import type { Price } from "./price";
import { sumUnits } from "./unit-price";

/** The upstream's price of one answer, as shown on the receipt. */
export interface Cost {
  /** Thousandths of quota (COST_UNITS), rounded to the nearest once, at the end. */
  cost: number;
  /** The arithmetic in one line, in quota. */
  formula: string;
}

/** The counts of an answer. */
export interface CountedAnswer {
  promptTokens: number;
  completionTokens: number;
  usage?: Usage | undefined;
  extras?: Extras | undefined;
  /** Units charged in place of tokens. */
  units?: Units | undefined;
  /** Number of charges of a price per call; one by default. */
  calls?: number | undefined;
}

/** Two thousand dollars: no answer costs more, and sums of many answers stay exact. */
const MAX_COST = 1_000_000_000 * COST_UNITS;

const costText = (cost: number): string =>
  formatDecimal(simplify({ digits: BigInt(cost), scale: Math.log10(COST_UNITS) }));

const costOf = (sum: Decimal): number | undefined => {
  const cost = roundNearest(multiplyInteger(sum, COST_UNITS));
  return cost > MAX_COST ? undefined : cost;
};

/**
 * The operator's cost of an answer. It is not rounded up, which would overstate many small costs; an answer may cost
 * nothing.
 * @param price the upstream's price of the model.
 * @returns undefined when it is not known: the output has no buying price, or the cost is implausible.
 */
export const costAnswer = (price: Price, counted: CountedAnswer): Cost | undefined => {
  const { promptTokens, completionTokens, usage, extras, units, calls } = counted;
  if (units) {
    const cost = costOf(sumUnits(price, units));
    return cost === undefined ? undefined : { cost, formula: explainUnitCharge(price, costText(cost)) };
  }
  if (completionTokens > 0 && !price.isOutputPriced) return undefined;
  const bill = sumAnswer(price, promptTokens, completionTokens, usage, extras, calls);
  const cost = costOf(bill.sum);
  return cost === undefined
    ? undefined
    : { cost, formula: `${arithmeticOf(price, bill)} = ${costText(cost)}` };
};
