import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import { isRecord, type JsonRecord } from "../json/json-values";

/** No vendor's limit is higher; numbers above it only serve to cause overflows. */
const MAX_TOKENS_LIMIT = 2 ** 31 - 1;

/** @throws RequestInvalid when the body is not a JSON object. */
export const requireBody = (body: unknown): JsonRecord => {
  if (!isRecord(body)) throw new RequestInvalid({ code: "body-not-object" });
  return body;
};

/** @throws RequestInvalid when the model is missing. */
export const requireModel = (body: JsonRecord): string => {
  const { model } = body;
  if (typeof model !== "string" || model.trim() === "")
    throw new RequestInvalid({ code: "missing", field: "model" });
  return model;
};

/** @throws RequestInvalid when there are no messages. */
export const requireMessages = (body: JsonRecord): readonly unknown[] => {
  const { messages } = body;
  if (!Array.isArray(messages) || messages.length === 0) {
    throw new RequestInvalid({ code: "list-missing", field: "messages" });
  }
  return messages;
};

/**
 * A limit in tokens; null counts as absent.
 * @throws RequestInvalid when it is not a whole number from 1 to 2147483647.
 */
export const readTokenLimit = (body: JsonRecord, field: string): number | undefined =>
  readInteger(body, field, 1, MAX_TOKENS_LIMIT);

/** A whole number within bounds; null counts as absent. @throws RequestInvalid */
export const readInteger = (
  body: JsonRecord,
  field: string,
  min: number,
  max: number,
): number | undefined => {
  const value = body[field];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < min || value > max) {
    throw new RequestInvalid({ code: "no-whole-number-within", field, min, max });
  }
  return value;
};

/** A number within bounds; null counts as absent. @throws RequestInvalid */
export const readNumber = (body: JsonRecord, field: string, min: number, max: number): number | undefined => {
  const value = body[field];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "number" || !(value >= min && value <= max)) {
    throw new RequestInvalid({ code: "no-number-within", field, min, max });
  }
  return value;
};

/** A boolean; null counts as absent. @throws RequestInvalid */
export const readBoolean = (body: JsonRecord, field: string): boolean | undefined => {
  const value = body[field];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "boolean")
    throw new RequestInvalid({ code: "wrong-type", field, expected: "true-or-false" });
  return value;
};

/** @param param path of the value. @throws RequestInvalid when it is not an object. */
export const requireRecord = (value: unknown, param: string): JsonRecord => {
  if (!isRecord(value)) throw new RequestInvalid({ code: "wrong-type", field: param, expected: "object" });
  return value;
};

/** @param param path of the value. @throws RequestInvalid when it is not a string. */
export const requireString = (value: unknown, param: string): string => {
  if (typeof value !== "string")
    throw new RequestInvalid({ code: "wrong-type", field: param, expected: "text" });
  return value;
};

/** @param param path of the value. @throws RequestInvalid when it is not a string, or empty. */
export const requireText = (value: unknown, param: string): string => {
  const text = requireString(value, param);
  if (text === "") throw new RequestInvalid({ code: "empty", field: param });
  return text;
};

/** The description of a schema, if it has one. */
export const readDescription = ({ description }: JsonRecord): { description?: string } =>
  typeof description === "string" && description !== "" ? { description } : {};

/** A list, or an empty one when the field is absent or null. @throws RequestInvalid */
export const readList = (value: unknown, param: string): readonly unknown[] => {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new RequestInvalid({ code: "wrong-type", field: param, expected: "list" });
  return value;
};
