import type { FinishReason } from "@tollgate/contract/relay/response";
import { lookUp } from "../shared/json/json-values";

/** https://docs.anthropic.com/en/api/handling-stop-reasons */
const MEANINGS: Readonly<Record<string, FinishReason>> = {
  end_turn: "stop",
  stop_sequence: "stop",
  // Only server tools pause a turn; the client can send the conversation again.
  pause_turn: "stop",
  max_tokens: "length",
  model_context_window_exceeded: "length",
  tool_use: "tool-calls",
  refusal: "content-filter",
};

const SPELLINGS: Readonly<Record<FinishReason, string>> = {
  stop: "end_turn",
  length: "max_tokens",
  "tool-calls": "tool_use",
  "content-filter": "refusal",
};

/** Reads `stop_reason`; unknown words end the answer as "stop". @returns undefined while the answer continues. */
export const readStopReason = (value: unknown): FinishReason | undefined =>
  typeof value === "string" && value !== "" ? (lookUp(MEANINGS, value) ?? "stop") : undefined;

/** Both fields about the end of an answer. @param sequence the client's stop sequence that ended it. */
export const encodeStop = (
  reason: FinishReason,
  sequence: string | undefined,
  hasRefusal: boolean,
): { stop_reason: string; stop_sequence: string | null } =>
  sequence === undefined
    ? { stop_reason: encodeStopReason(reason, hasRefusal), stop_sequence: null }
    : { stop_reason: "stop_sequence", stop_sequence: sequence };

/** @param hasRefusal the answer contains a refusal in the model's words, which this shape marks by its stop reason. */
const encodeStopReason = (reason: FinishReason, hasRefusal: boolean): string =>
  hasRefusal ? SPELLINGS["content-filter"] : SPELLINGS[reason];
