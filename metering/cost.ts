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
import { arithmeticOf, explainUnitCharge } from "./formula";
import { type Price, sumAnswer } from "./price";
import { sumUnits } from "./unit-price";

/** What the upstream asks for one answer, as it stands on the receipt. */
export interface Cost {
  /** Thousandths of quota (COST_UNITS), rounded to the nearest once, at the end. */
  cost: number;
  /** The arithmetic in one line, in quota. */
  formula: string;
}

/** What an answer was counted with. */
export interface CountedAnswer {
  promptTokens: number;
  completionTokens: number;
  usage?: Usage | undefined;
  extras?: Extras | undefined;
  /** What is charged in place of tokens. */
  units?: Units | undefined;
  /** How many times a price per call is asked for; once unless said. */
  calls?: number | undefined;
}

/** Two thousand dollars: no answer costs more, and what many of them add up to stays exact. */
const MAX_COST = 1_000_000_000 * COST_UNITS;

const costText = (cost: number): string =>
  formatDecimal(simplify({ digits: BigInt(cost), scale: Math.log10(COST_UNITS) }));

const costOf = (sum: Decimal): number | undefined => {
  const cost = roundNearest(multiplyInteger(sum, COST_UNITS));
  return cost > MAX_COST ? undefined : cost;
};

/**
 * What an answer costs the operator. Nothing is rounded up, as many small costs would be overstated by it; an answer
 * may cost nothing.
 * @param price what the channel's upstream asks for the model.
 * @returns undefined where it is not known: what was written has no buying price, or the cost is beyond belief.
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
