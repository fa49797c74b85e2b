import type { Units } from "@tollgate/contract/relay/operation";
import { approximateTokens } from "@tollgate/metering/estimate";
import { settle } from "@tollgate/metering/ledger";
import { consumeLogContent, type UsageSource } from "@tollgate/metering/log-content";
import { priceAnswer } from "@tollgate/metering/price";
import { explainUnits, priceUnits } from "@tollgate/metering/unit-price";
import type { ChargeRecord, KeyEntry } from "../ports";
import type { PlacedHold } from "./place-hold";

/** Token counts of an answer and where they came from. */
export interface Counts {
  promptTokens: number;
  completionTokens: number;
  source: UsageSource;
  /** What is charged in place of tokens: images, seconds … */
  units?: Units | undefined;
}

/**
 * The last step: turns the hold into a charge, in memory, and gives what must be stored before the answer may end.
 */
export const settleRequest = (
  placed: PlacedHold,
  key: KeyEntry,
  channelId: number,
  requestId: string,
  counts: Counts,
  isInterrupted: boolean,
): ChargeRecord => {
  const { price } = placed;
  const { units } = counts;
  const asked = units
    ? priceUnits(price, units)
    : priceAnswer(price, counts.promptTokens, counts.completionTokens);
  const explanation = units ? `${price.explanation}，${explainUnits(price.model, units)}` : price.explanation;
  const { charged, shortfall } = settle(placed.hold, asked);
  return {
    requestId,
    key,
    channelId,
    quota: charged,
    model: price.model,
    promptTokens: counts.promptTokens,
    completionTokens: counts.completionTokens,
    content: consumeLogContent(explanation, counts.source, shortfall, isInterrupted),
  };
};

/** The prompt's tokens as the hold needs them, quickly. */
export const estimatePromptTokens = (text: string): number => approximateTokens(Buffer.byteLength(text));
