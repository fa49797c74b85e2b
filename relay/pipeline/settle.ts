import type { CountSource } from "@tollgate/contract/control/receipt";
import type { Units } from "@tollgate/contract/relay/operation";
import { NO_USAGE, type Usage } from "@tollgate/contract/relay/usage";
import { approximateTokens } from "@tollgate/metering/estimate";
import { explainTokenCharge, explainUnitCharge } from "@tollgate/metering/formula";
import { settle } from "@tollgate/metering/ledger";
import { consumeLogContent, type Delivery, type UsageSource } from "@tollgate/metering/log-content";
import { priceAnswer } from "@tollgate/metering/price";
import { explainUnits, priceUnits } from "@tollgate/metering/unit-price";
import type { ChargeRecord, RequestRecord } from "../ports";
import type { PlacedHold } from "./place-hold";

/** Token counts of an answer and where they came from. */
export interface Counts {
  promptTokens: number;
  completionTokens: number;
  source: UsageSource;
  /** What is charged in place of tokens: images, seconds … */
  units?: Units | undefined;
  /** Where each of the two came from, where it is not the same. */
  promptSource?: CountSource;
  completionSource?: CountSource;
  /** What the upstream told of the classes within the two. */
  usage?: Usage;
}

/**
 * The last step: turns the hold into a charge, in memory, and gives what must be stored before the answer may end.
 */
export const settleRequest = (
  placed: PlacedHold,
  request: RequestRecord,
  counts: Counts,
  delivery: Delivery,
): ChargeRecord => {
  const { price } = placed;
  const { units, promptTokens, completionTokens } = counts;
  const asked = units ? priceUnits(price, units) : priceAnswer(price, promptTokens, completionTokens);
  const unitsText = units && explainUnits(price.model, units);
  const explanation = unitsText === undefined ? price.explanation : `${price.explanation}，${unitsText}`;
  const { charged, shortfall } = settle(placed.hold, asked);
  return {
    ...request,
    model: price.model,
    quota: charged,
    promptTokens,
    completionTokens,
    usage: counts.usage ?? NO_USAGE,
    promptSource: counts.promptSource ?? counts.source,
    completionSource: counts.completionSource ?? counts.source,
    shortfall,
    priceVersion: price.version,
    formula:
      unitsText === undefined
        ? explainTokenCharge(price, promptTokens, completionTokens, asked)
        : explainUnitCharge(price, unitsText, asked),
    content: consumeLogContent(explanation, counts.source, shortfall, delivery),
  };
};

/** The prompt's tokens as the hold needs them, quickly. */
export const estimatePromptTokens = (text: string): number => approximateTokens(Buffer.byteLength(text));
