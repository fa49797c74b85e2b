import type { PromptText } from "@tollgate/contract/relay/prompt-text";
import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import { isRecord } from "../shared/json/json-values";
import { PromptTally } from "../shared/usage/prompt-tally";

const gather = (value: unknown, tally: PromptTally): void => {
  if (typeof value === "string") tally.add(value);
  // A model's own token numbers.
  else if (typeof value === "number") tally.addTokens(1);
  else if (Array.isArray(value)) for (const item of value) gather(item, tally);
  else if (isRecord(value)) gatherPart(value, tally);
};

const PART_FIELDS = new Set(["type", "text", "image_url", "image", "content"]);

/**
 * Parts in the formats of moderations ({type, text}, {type, image_url}) and of rerankers or embedders of images
 * ({text}, {image}); unknown fields count by their apparent type.
 */
const gatherPart = (part: Record<string, unknown>, tally: PromptTally): void => {
  tally.add(part.text);
  if (part.image_url !== undefined || part.image !== undefined) tally.addImage();
  gather(part.content, tally);
  tally.addOthers(part, PART_FIELDS);
};

/**
 * Reads a text that may be one string, a list of strings, token numbers, lists of those, or parts. Every form counts,
 * so that no form makes a prompt free.
 */
export const readTextInput = (...values: unknown[]): PromptText => {
  const tally = new PromptTally();
  gather(values, tally);
  return tally.prompt(0);
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
    throw new RequestInvalid({ code: "field-missing", field }, undefined, code);
  }
  return value;
};

/** @throws RequestInvalid when a field is not a text, or is empty. */
export const requireTextField = (
  fields: Readonly<Record<string, unknown>>,
  field: string,
  code = "required_field_missing",
): string => {
  const value = requireInput(fields, field, code);
  if (typeof value !== "string")
    throw new RequestInvalid({ code: "wrong-type", field, expected: "text" }, undefined, code);
  return value;
};
