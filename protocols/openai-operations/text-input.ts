import { PromptText } from "@tollgate/contract/relay/prompt-text";
import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import { isRecord, readString } from "../shared/json-values";

/** What an `input`, a `prompt` or a list of documents holds, however it is given. */
interface Gathered {
  pieces: string[];
  tokens: number;
  images: number;
}

const gather = (value: unknown, found: Gathered): void => {
  if (typeof value === "string") found.pieces.push(value);
  // A model's own token numbers.
  else if (typeof value === "number") found.tokens += 1;
  else if (Array.isArray(value)) for (const item of value) gather(item, found);
  else if (isRecord(value)) gatherPart(value, found);
};

/** Parts as moderations ({type, text}, {type, image_url}) and rerankers or embedders of images ({text}, {image}) take them. */
const gatherPart = (part: Record<string, unknown>, found: Gathered): void => {
  const text = readString(part.text);
  if (text !== "") found.pieces.push(text);
  if (part.image_url !== undefined || part.image !== undefined) found.images += 1;
  if (Array.isArray(part.content)) gather(part.content, found);
};

/**
 * Reads a text that may be one string, a list of strings, token numbers, lists of those, or parts.
 * Every form counts: a list is no way to a free prompt.
 */
export const readTextInput = (...values: unknown[]): PromptText => {
  const found: Gathered = { pieces: [], tokens: 0, images: 0 };
  gather(values, found);
  return new PromptText(found.pieces, 0, found.images, found.tokens);
};

/** @throws RequestInvalid when a field is missing, null, "" or an empty list. */
export const requireInput = (
  fields: Readonly<Record<string, unknown>>,
  field: string,
  code = "required_field_missing",
): unknown => {
  const value = fields[field];
  const isMissing = value === undefined || value === null || value === "";
  if (isMissing || (Array.isArray(value) && value.length === 0)) {
    throw new RequestInvalid(`field ${field} is required`, field, code);
  }
  return value;
};

/** @throws RequestInvalid when a field is no text with something in it. */
export const requireTextField = (
  fields: Readonly<Record<string, unknown>>,
  field: string,
  code = "required_field_missing",
): string => {
  const value = requireInput(fields, field, code);
  if (typeof value !== "string") throw new RequestInvalid(`field ${field} must be a string`, field, code);
  return value;
};
