import { readArray } from "../json/json-values";

/** Inserts a text before a field's value: nothing, another text, or a list of parts. @param part the text as a part. */
export const beforeText = (text: string, value: unknown, part: (text: string) => unknown): unknown => {
  if (Array.isArray(value)) return [part(text), ...readArray(value)];
  return typeof value === "string" && value.trim() !== "" ? `${text}\n\n${value}` : text;
};

/** Whether a field contains instructions: neither missing, nor blank, nor an empty list. */
export const hasInstructions = (value: unknown): boolean =>
  typeof value === "string"
    ? value.trim() !== ""
    : Array.isArray(value)
      ? value.length > 0
      : value !== undefined && value !== null;
