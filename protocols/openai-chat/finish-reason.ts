import type { FinishReason } from "@tollgate/contract/relay/response";
import { lookUp } from "../shared/json/json-values";

/** Values of OpenAI and of vendors with the same shape, with their meanings. */
const MEANINGS: Readonly<Record<string, FinishReason>> = {
  stop: "stop",
  length: "length",
  max_tokens: "length",
  model_length: "length",
  model_context_window_exceeded: "length",
  tool_calls: "tool-calls",
  function_call: "tool-calls",
  content_filter: "content-filter",
  sensitive: "content-filter",
  insufficient_system_resource: "length",
};

const SPELLINGS: Readonly<Record<FinishReason, string>> = {
  stop: "stop",
  length: "length",
  "tool-calls": "tool_calls",
  "content-filter": "content_filter",
};

/**
 * Reads `finish_reason`. Some vendors write "" or "null" while the answer continues; unknown words end it as "stop".
 * @param hasToolCalls a forced tool call ends with "stop" (https://platform.openai.com/docs/guides/function-calling),
 * and some vendors always write that; the calls take precedence over it.
 * @returns undefined while the answer continues.
 */
export const readFinishReason = (value: unknown, hasToolCalls: boolean): FinishReason | undefined => {
  if (typeof value !== "string" || value === "" || value === "null") return undefined;
  const reason = lookUp(MEANINGS, value) ?? "stop";
  return reason === "stop" && hasToolCalls ? "tool-calls" : reason;
};

/** @param isOlder the request has `functions` in place of `tools`. */
export const encodeFinishReason = (reason: FinishReason, isOlder: boolean): string =>
  isOlder && reason === "tool-calls" ? "function_call" : SPELLINGS[reason];
