import type { EventInspection } from "@tollgate/contract/relay/protocol";
import { NO_USAGE } from "@tollgate/contract/relay/usage";
import { carriesError } from "../shared/errors/error-details";
import { NOTHING_FOUND, UNREADABLE } from "../shared/errors/nothing-found";
import { isRecord, type JsonRecord, readArray, readRecord, readString } from "../shared/json/json-values";
import { argumentsText } from "../shared/json/stringify-in-steps";
import { parseEvent } from "../shared/stream/parse-event";
import { ContentTally } from "../shared/usage/content-tally";
import { readFinishReason } from "./finish-reason";
import { readError } from "./read-error";
import { isPromptBlocked, partsOf } from "./read-response";
import { readUsage } from "./read-usage";

/**
 * Substrings of every event with usage, a finish reason or an error. Quotes inside an answer's text are escaped, so a
 * text about these does not match.
 */
export const MARKERS: readonly string[] = [
  '"usageMetadata"',
  '"finishReason"',
  '"promptFeedback"',
  '"error"',
  // Searches, which are billed.
  '"webSearchQueries"',
];

/**
 * Inspects one event of a passing stream, with all of its candidates. There is no end mark: the vendor closes the
 * connection. Unreadable events pass without a result.
 */
export const inspectEvent = (data: string): EventInspection => inspectBody(parseEvent(data));

/** The same of an event, or a whole answer, that was parsed before. */
export const inspectBody = (body: unknown): EventInspection => {
  if (!isRecord(body)) return body === undefined ? UNREADABLE : NOTHING_FOUND;
  if (carriesError(body)) return { ...NOTHING_FOUND, error: readError(200, {}, body) };
  const given = new ContentTally();
  let isDelivery = isPromptBlocked(body);
  let isFinish = isDelivery;
  for (const candidate of readArray(body.candidates)) {
    const parts = partsOf(candidate);
    for (const part of parts) addPart(given, part);
    const reason = readFinishReason(readRecord(candidate).finishReason, false);
    isFinish ||= reason !== undefined;
    // A normal stop has no content for the client.
    isDelivery ||= (reason !== undefined && reason !== "stop") || parts.some(isGiven);
  }
  const usage = readUsage(body);
  return {
    ...NOTHING_FOUND,
    ...(usage === NO_USAGE ? {} : { usage }),
    text: given.text,
    media: given.media,
    isDelivery: isDelivery || given.text !== "",
    isFinish,
    servedModel: body.modelVersion,
  };
};

/** Words, calls, code and its results, pictures, sound, and whatever else a part may hold. */
const addPart = (given: ContentTally, part: JsonRecord): void => {
  if (isPlainText(part)) {
    given.text += part.text;
    return;
  }
  const { text, thought, functionCall, inlineData, inline_data, thoughtSignature, ...rest } = part;
  if (thought === true) given.addReasoning(readString(text));
  else given.text += readString(text);
  given.addSealed(readString(thoughtSignature));
  if (isRecord(functionCall))
    given.text += readString(functionCall.name) + argumentsText(readRecord(functionCall.args));
  const blob = readRecord(inlineData ?? inline_data);
  given.addMedia(readString(blob.data), readString(blob.mimeType) || readString(blob.mime_type));
  given.addValue(rest);
};

/** Images, calls, code and whatever else is no text. */
const isGiven = (part: JsonRecord): boolean => {
  if (isPlainText(part)) return false;
  const { text, thought, thoughtSignature, ...rest } = part;
  return Object.keys(rest).length > 0;
};

/** Most parts are, and some events have very many. */
const isPlainText = (part: JsonRecord): part is { text: string } => {
  for (const name in part) if (name !== "text") return false;
  return typeof part.text === "string";
};
