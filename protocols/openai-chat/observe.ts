import type { Observation } from "@tollgate/contract/relay/protocol";
import { carriesError } from "../shared/error-details";
import { isRecord, type JsonRecord, readArray, readRecord, readString } from "../shared/json-values";
import { readOpenaiError } from "../shared/read-openai-error";
import { parseJson } from "../shared/safe-json";
import { readContent } from "./read-content";
import { findChunkUsage } from "./read-usage";

/**
 * What every chunk with usage, the end mark or an error contains, in the two spellings of JSON writers. Quotes inside
 * an answer's text are escaped, so a text that speaks of usage does not match.
 */
export const LANDMARKS: readonly string[] = [
  '"usage":{',
  '"usage": {',
  "[DONE]",
  '"error":{',
  '"error": {',
  '"error":"',
  '"error": "',
];

const NOTHING: Observation = {
  text: "",
  isDelivery: false,
  isFinish: false,
  isEnd: false,
  isUsageOnly: false,
};
const END: Observation = { ...NOTHING, isEnd: true };

/** Looks at one event of a passing stream, all of its choices. What cannot be read passes without a word. */
export const observe = (data: string): Observation => {
  if (data === "[DONE]" || data.trim() === "[DONE]") return END;
  const chunk = parseJson(data);
  if (!isRecord(chunk)) return NOTHING;
  if (carriesError(chunk)) return { ...NOTHING, error: readOpenaiError(200, {}, chunk) };
  const choices = readArray(chunk.choices);
  let text = "";
  let isDelivery = false;
  let isFinish = false;
  for (const choice of choices) {
    if (!isRecord(choice)) continue;
    const delta = isRecord(choice.delta) ? choice.delta : readRecord(choice.message);
    text += deliveredText(delta);
    isFinish ||= isFinished(choice.finish_reason);
    // That the model simply stopped gives the client nothing.
    isDelivery ||= (isFinished(choice.finish_reason) && choice.finish_reason !== "stop") || hasCalls(delta);
  }
  const usage = findChunkUsage(chunk);
  return {
    usage,
    text,
    isDelivery: isDelivery || text !== "",
    isFinish,
    isEnd: false,
    isUsageOnly: Array.isArray(chunk.choices) && choices.length === 0 && isRecord(chunk.usage),
  };
};

const isFinished = (reason: unknown): boolean =>
  typeof reason === "string" && reason !== "" && reason !== "null";

const hasCalls = (delta: JsonRecord): boolean =>
  readArray(delta.tool_calls).length > 0 || isRecord(delta.function_call);

const deliveredText = (delta: JsonRecord): string => {
  const { text, reasoning } = readContent(delta);
  let delivered = reasoning + text + readString(delta.refusal);
  for (const call of readArray(delta.tool_calls)) delivered += calledText(readRecord(call).function);
  return delivered + calledText(delta.function_call);
};

const calledText = (called: unknown): string =>
  isRecord(called) ? readString(called.name) + readString(called.arguments) : "";
