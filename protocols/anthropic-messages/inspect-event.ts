import type { EventInspection } from "@tollgate/contract/relay/protocol";
import { NO_USAGE, type Usage } from "@tollgate/contract/relay/usage";
import { carriesError } from "../shared/errors/error-details";
import { NOTHING_FOUND, UNREADABLE } from "../shared/errors/nothing-found";
import { isRecord, type JsonRecord, readRecord, readString } from "../shared/json/json-values";
import { argumentsText } from "../shared/json/stringify-in-steps";
import { parseEvent } from "../shared/stream/parse-event";
import { ContentTally } from "../shared/usage/content-tally";
import { callIds } from "./extras";
import { readError } from "./read-error";
import {
  mergeRawUsage,
  NO_RAW_USAGE,
  readRawUsage,
  readStartUsage,
  toUsage,
  withReportedExtras,
} from "./read-usage";

/**
 * Substrings of every event with usage, the end or an error. Quotes inside an answer's text are escaped, so a text
 * about these does not match.
 */
export const MARKERS: readonly string[] = [
  '"message_start"',
  '"message_delta"',
  '"message_stop"',
  '"error"',
  // Billed calls, also when the client leaves before the end.
  'search_tool_result"',
  'execution_tool_result"',
];

/** Inspects one event of a passing stream. Unreadable events pass without a result. */
export const inspectEvent = (data: string): EventInspection => inspectBody(parseEvent(data));

/** The same of an event, or a whole answer, that was parsed before. */
export const inspectBody = (body: unknown): EventInspection => {
  if (!isRecord(body)) return body === undefined ? UNREADABLE : NOTHING_FOUND;
  if (carriesError(body)) return { ...NOTHING_FOUND, error: readError(200, {}, body) };
  switch (body.type) {
    case "message_start": {
      const { usage, model } = readRecord(body.message);
      const reported = withReportedExtras(toUsage(readStartUsage(usage)), usage);
      return { ...NOTHING_FOUND, usage: reported, servedModel: model };
    }
    case "content_block_start": {
      const observation = observeStart(readRecord(body.content_block));
      const toolCallIds = callIds([body.content_block]);
      return toolCallIds.length === 0 ? observation : { ...observation, usage: { ...NO_USAGE, toolCallIds } };
    }
    case "content_block_delta":
      return observeDelta(readRecord(body.delta));
    case "message_delta": {
      const reason = readString(readRecord(body.delta).stop_reason);
      // A normal stop has no content for the client.
      const isDelivery = reason !== "" && reason !== "end_turn";
      return { ...NOTHING_FOUND, usage: deltaUsage(body.usage), isDelivery, isFinish: reason !== "" };
    }
    case "message_stop":
      return { ...NOTHING_FOUND, isEnd: true };
    default:
      return NOTHING_FOUND;
  }
};

const observeStart = (block: JsonRecord): EventInspection => {
  const given = new ContentTally();
  const type = readString(block.type);
  given.addReasoning(readString(block.thinking));
  given.text += readString(block.name) + readString(block.text);
  if (isRecord(block.input) && Object.keys(block.input).length > 0) given.text += argumentsText(block.input);
  if (type === "redacted_thinking") given.addSealed(readString(block.data));
  const isDelivery = !given.isEmpty || type === "redacted_thinking";
  return isDelivery ? { ...NOTHING_FOUND, text: given.text, media: given.media, isDelivery } : NOTHING_FOUND;
};

/** Citations quote the model's input, and are not billed as output. */
const observeDelta = ({ type, ...delta }: JsonRecord): EventInspection => {
  if (type === "citations_delta") return NOTHING_FOUND;
  const given = new ContentTally();
  const { thinking, signature, ...rest } = delta;
  given.addReasoning(readString(thinking));
  given.addSealed(readString(signature));
  given.addValue(rest);
  if (given.isEmpty && !given.hasMedia) return NOTHING_FOUND;
  return { ...NOTHING_FOUND, text: given.text, media: given.media, isDelivery: !given.isEmpty };
};

/** Zeros on the input side count as silence, as they do when the whole stream is read. */
const deltaUsage = (value: unknown): Usage | undefined =>
  isRecord(value)
    ? withReportedExtras(toUsage(mergeRawUsage(NO_RAW_USAGE, readRawUsage(value))), value)
    : undefined;
