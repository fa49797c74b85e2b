import { isRecord, type JsonRecord } from "../json/json-values";
import { parseJson } from "../json/safe-json";

/** Replaces arguments that are not an object. */
export const unreadArguments = (text: string): JsonRecord => (text.trim() === "" ? {} : { _raw: text });

/**
 * The arguments of a tool call as an object, for protocols that carry no text. "" counts as "{}"; text that is no
 * JSON object is kept under `_raw` rather than failing the request: the model sees its own mistake.
 */
export const parseToolArguments = (text: string): JsonRecord => {
  const value = parseJson(text);
  return isRecord(value) ? value : unreadArguments(text);
};
