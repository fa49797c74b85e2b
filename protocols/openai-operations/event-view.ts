import type { AnswerReading, DeliveredStream } from "@tollgate/contract/relay/operation";
import type { EventInspection } from "@tollgate/contract/relay/protocol";
import { carriesError } from "../shared/errors/error-details";
import { NOTHING_FOUND, UNREADABLE } from "../shared/errors/nothing-found";
import { readOpenaiError } from "../shared/errors/read-openai-error";
import { isRecord, type JsonRecord } from "../shared/json/json-values";
import { parseEvent } from "../shared/stream/parse-event";

/** Substrings of every event with usage, an error or the end mark. */
export const COMMON_MARKERS: readonly string[] = ['"usage":{', "[DONE]", '"error":{', '"error":"'];

/** Creates the inspection of a stream whose events are JSON and whose end mark, if any, is "[DONE]". */
export const createEventView =
  (read: (event: JsonRecord) => Partial<EventInspection>) =>
  (data: string): EventInspection => {
    if (data.trim() === "[DONE]") return { ...NOTHING_FOUND, isEnd: true };
    const event = parseEvent(data);
    if (!isRecord(event)) return event === undefined ? UNREADABLE : NOTHING_FOUND;
    if (carriesError(event)) return { ...NOTHING_FOUND, error: readOpenaiError(200, {}, event) };
    return { ...NOTHING_FOUND, ...read(event), servedModel: event.model };
  };

/** A stream that is charged by its tokens. */
export const readTokens = ({ usage, text }: DeliveredStream): AnswerReading => ({
  usage,
  text,
  units: undefined,
});
