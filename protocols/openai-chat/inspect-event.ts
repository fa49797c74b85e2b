import type { EventInspection } from "@tollgate/contract/relay/protocol";
import { carriesError } from "../shared/errors/error-details";
import { NOTHING_FOUND, UNREADABLE } from "../shared/errors/nothing-found";
import { readOpenaiError } from "../shared/errors/read-openai-error";
import { isRecord, type JsonRecord, readArray, readRecord, readString } from "../shared/json/json-values";
import { parseEvent } from "../shared/stream/parse-event";
import { ContentTally } from "../shared/usage/content-tally";
import { readContent } from "./read-content";
import { readCallArguments } from "./read-response";
import { findChunkUsage } from "./read-usage";

/**
 * Substrings of every chunk with usage, the end mark or an error. Quotes inside an answer's text are escaped, so a text
 * about usage does not match.
 */
export const MARKERS: readonly string[] = ['"usage":{', "[DONE]", '"error":{', '"error":"'];

const END: EventInspection = { ...NOTHING_FOUND, isEnd: true };

/** Inspects one event of a passing stream, with all of its choices. Unreadable events pass without a result. */
export const inspectEvent = (data: string): EventInspection => {
  if (data === "[DONE]" || data.trim() === "[DONE]") return END;
  return inspectBody(parseEvent(data));
};

/** The same of an event, or a whole answer, that was parsed before. */
export const inspectBody = (chunk: unknown): EventInspection => {
  if (!isRecord(chunk)) return chunk === undefined ? UNREADABLE : NOTHING_FOUND;
  if (carriesError(chunk)) return { ...NOTHING_FOUND, error: readOpenaiError(200, {}, chunk) };
  const choices = readArray(chunk.choices);
  const given = new ContentTally();
  let isDelivery = false;
  let isFinish = false;
  for (const choice of choices) {
    if (!isRecord(choice)) continue;
    const delta = isRecord(choice.delta) ? choice.delta : readRecord(choice.message);
    isDelivery = addDelta(given, delta) || isDelivery;
    isFinish ||= isFinished(choice.finish_reason);
    // A normal stop has no content for the client.
    isDelivery ||= (isFinished(choice.finish_reason) && choice.finish_reason !== "stop") || hasCalls(delta);
  }
  const usage = findChunkUsage(chunk);
  return {
    usage,
    text: given.text,
    media: given.media,
    isDelivery,
    isFinish,
    isEnd: false,
    isUsageOnly: Array.isArray(chunk.choices) && choices.length === 0 && isRecord(chunk.usage),
    servedModel: chunk.model,
  };
};

const isFinished = (reason: unknown): boolean =>
  typeof reason === "string" && reason !== "" && reason !== "null";

const hasCalls = (delta: JsonRecord): boolean =>
  readArray(delta.tool_calls).length > 0 || isRecord(delta.function_call);

/** Fields of a delta that need separate handling, or are not content at all. */
const READ_APART = new Set([
  "role",
  "tool_calls",
  "function_call",
  "audio",
  "reasoning_details",
  "annotations",
]);
const WORDS = new Set(["content", "reasoning_content", "reasoning", "refusal"]);

/**
 * Adds all content of a delta, including fields unknown when this was written.
 * @returns whether any of it is certainly content.
 */
const addDelta = (given: ContentTally, delta: JsonRecord): boolean => {
  const { text, reasoning } = readContent(delta);
  given.addReasoning(reasoning);
  given.text += text + readString(delta.refusal);
  for (const call of readArray(delta.tool_calls)) addCall(given, readRecord(call));
  if (isRecord(delta.function_call)) addCall(given, { function: delta.function_call });
  const { data, transcript } = readRecord(delta.audio);
  given.addSound(readString(data), "");
  given.text += readString(transcript);
  // A repetition of the same reasoning, if both fields exist (OpenRouter); sealed reasoning is only here.
  for (const detail of readArray(delta.reasoning_details)) {
    const { text: words, summary, data: seal, signature } = readRecord(detail);
    if (reasoning === "") given.addReasoning(readString(words) + readString(summary));
    given.addSealed(readString(seal) + readString(signature));
  }
  const hasWords = given.text !== "";
  for (const [name, value] of Object.entries(delta))
    if (!READ_APART.has(name) && !WORDS.has(name)) given.addValue(value, name);
  // Pictures and audio in a list of parts, whose text was read above.
  for (const part of readArray(delta.content)) {
    if (!isRecord(part) || part.type === "thinking") continue;
    const { text: _, ...rest } = part;
    given.addValue(rest);
  }
  return hasWords || given.images > 0 || given.soundSeconds > 0;
};

/** Calls of functions, and of tools whose input is plain text. */
const addCall = (given: ContentTally, call: JsonRecord): void => {
  const called = { ...readRecord(call.function), ...readRecord(call.custom) };
  given.text +=
    readString(called.name) + readCallArguments(called.arguments) + readCallArguments(called.input);
};
