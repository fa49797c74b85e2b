import type { FinishReason } from "@tollgate/contract/relay/response";
import { lookUp } from "../shared/json/json-values";

/** https://ai.google.dev/api/generate-content#FinishReason; missing ones mean "stop". */
const MEANINGS: Readonly<Record<string, FinishReason>> = {
  MAX_TOKENS: "length",
  SAFETY: "content-filter",
  RECITATION: "content-filter",
  LANGUAGE: "content-filter",
  BLOCKLIST: "content-filter",
  PROHIBITED_CONTENT: "content-filter",
  SPII: "content-filter",
  IMAGE_SAFETY: "content-filter",
  IMAGE_PROHIBITED_CONTENT: "content-filter",
  IMAGE_RECITATION: "content-filter",
};

const SPELLINGS: Readonly<Record<FinishReason, string>> = {
  stop: "STOP",
  length: "MAX_TOKENS",
  // Calls have no separate reason here: the parts show them.
  "tool-calls": "STOP",
  "content-filter": "SAFETY",
};

/**
 * Reads `finishReason`.
 * @param hasToolCalls the answer contains calls, which this shape ends with STOP.
 * @returns undefined while the answer continues.
 */
export const readFinishReason = (value: unknown, hasToolCalls: boolean): FinishReason | undefined => {
  if (typeof value !== "string" || value === "" || value === "FINISH_REASON_UNSPECIFIED") return undefined;
  const reason = lookUp(MEANINGS, value) ?? "stop";
  return reason === "stop" && hasToolCalls ? "tool-calls" : reason;
};

/** @see readFinishReason */
export const encodeFinishReason = (reason: FinishReason): string => SPELLINGS[reason];
