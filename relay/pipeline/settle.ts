import { approximateTokens } from "@tollgate/metering/estimate";
import { settle } from "@tollgate/metering/ledger";
import { consumeLogContent, type UsageSource } from "@tollgate/metering/log-content";
import { priceAnswer } from "@tollgate/metering/price";
import type { ChargeRecord, KeyEntry } from "../ports";
import type { PlacedHold } from "./place-hold";

/** Token counts of an answer and where they came from. */
export interface Counts {
  promptTokens: number;
  completionTokens: number;
  source: UsageSource;
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
  const asked = priceAnswer(placed.price, counts.promptTokens, counts.completionTokens);
  const { charged, shortfall } = settle(placed.hold, asked);
  return {
    requestId,
    key,
    channelId,
    quota: charged,
    model: placed.price.model,
    promptTokens: counts.promptTokens,
    completionTokens: counts.completionTokens,
    content: consumeLogContent(placed.price.explanation, counts.source, shortfall, isInterrupted),
  };
};

/** The prompt's tokens as the hold needs them, quickly. */
export const estimatePromptTokens = (text: string): number => approximateTokens(Buffer.byteLength(text));
