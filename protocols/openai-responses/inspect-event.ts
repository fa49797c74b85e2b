import type { EventInspection } from "@tollgate/contract/relay/protocol";
import { NO_USAGE } from "@tollgate/contract/relay/usage";
import { carriesError } from "../shared/errors/error-details";
import { NOTHING_FOUND, UNREADABLE } from "../shared/errors/nothing-found";
import { readOpenaiError } from "../shared/errors/read-openai-error";
import { isRecord, type JsonRecord, readRecord, readString } from "../shared/json/json-values";
import { parseEvent } from "../shared/stream/parse-event";
import { ContentTally } from "../shared/usage/content-tally";
import { callIds } from "./extras";
import { readUsage } from "./read-usage";

/**
 * Substrings of every event with usage, the end or an error. Quotes inside an answer's text are escaped, so a text
 * about these does not match.
 */
export const MARKERS: readonly string[] = [
  '"response.completed"',
  '"response.incomplete"',
  '"response.failed"',
  '"error":{',
  '"type":"error"',
  // Billed calls, also when the client leaves before the end.
  'search_call"',
  'interpreter_call"',
  'generation_call"',
  '"shell_call"',
];

/** Inspects one event of a passing stream. Unreadable events pass without a result. */
export const inspectEvent = (data: string): EventInspection => inspectBody(parseEvent(data));

/** The same of an event, or a whole answer, that was parsed before. */
export const inspectBody = (body: unknown): EventInspection => {
  if (!isRecord(body)) return body === undefined ? UNREADABLE : NOTHING_FOUND;
  const response = readRecord(body.response);
  if (carriesError(body)) return { ...NOTHING_FOUND, error: readOpenaiError(200, {}, body) };
  if (carriesError(response)) return { ...NOTHING_FOUND, error: readOpenaiError(200, {}, response) };
  const type = readString(body.type);
  switch (type) {
    case "response.failed":
      return { ...NOTHING_FOUND, error: readOpenaiError(200, {}, response) };
    case "response.completed":
    case "response.incomplete": {
      // A normal stop has no content for the client.
      const isDelivery = type === "response.incomplete";
      const { model } = response;
      const usage = readUsage(response);
      return { ...NOTHING_FOUND, usage, isDelivery, isFinish: true, isEnd: true, servedModel: model };
    }
    case "response.created":
      return { ...NOTHING_FOUND, servedModel: response.model };
    case "response.output_item.added": {
      const item = readRecord(body.item);
      const isGiven = item.type !== "message" && item.type !== "reasoning";
      return isGiven ? { ...NOTHING_FOUND, text: readString(item.name), isDelivery: true } : NOTHING_FOUND;
    }
    case "response.output_item.done":
      return withCalls(observeItem(readRecord(body.item)), body);
    default: {
      const given = new ContentTally();
      addEvent(given, type, body);
      return given.isEmpty && !given.hasMedia
        ? NOTHING_FOUND
        : { ...NOTHING_FOUND, text: given.text, media: given.media, isDelivery: !given.isEmpty };
    }
  }
};

/** Items whose content arrived in pieces, or as previews, before the item was done. */
const STREAMED = new Set([
  "message",
  "function_call",
  "custom_tool_call",
  "mcp_call",
  "code_interpreter_call",
]);

/** A finished item: nothing is new in those that arrived in pieces; of reasoning only its seal is new. */
const observeItem = (item: JsonRecord): EventInspection => {
  if (STREAMED.has(readString(item.type))) return NOTHING_FOUND;
  const given = new ContentTally();
  if (item.type === "reasoning") given.addSealed(readString(item.encrypted_content));
  else if (item.type === "image_generation_call") given.addMedia(readString(item.result), "image");
  else given.addValue({ ...item, name: undefined });
  return { ...NOTHING_FOUND, text: given.text, media: given.media, isDelivery: item.type !== "reasoning" };
};

/** A finished item may be a call that is billed. */
const withCalls = (
  observation: EventInspection,
  { item, output_index: index }: JsonRecord,
): EventInspection => {
  const toolCallIds = callIds([item], typeof index === "number" ? index : 0);
  return toolCallIds.length === 0 ? observation : { ...observation, usage: { ...NO_USAGE, toolCallIds } };
};

/** Pieces of words, code, input of tools; previews of pictures; sound. */
const addEvent = (given: ContentTally, type: string, body: JsonRecord): void => {
  given.addMedia(readString(body.partial_image_b64), "image");
  if (!type.endsWith(".delta")) return;
  const { delta } = body;
  if (type === "response.audio.delta" || type === "response.output_audio.delta")
    given.addSound(readString(delta), "");
  else if (type.startsWith("response.reasoning")) given.addReasoning(readString(delta));
  else given.addValue(delta, "delta");
};
