import { readArray } from "../json/json-values";

/** A text in front of what a field holds: nothing, another text, or a list of parts. @param part the text as a part. */
export const beforeText = (text: string, value: unknown, part: (text: string) => unknown): unknown => {
  if (Array.isArray(value)) return [part(text), ...readArray(value)];
  return typeof value === "string" && value.trim() !== "" ? `${text}\n\n${value}` : text;
};

/** Whether a field holds instructions: not nothing, nor blanks, nor an empty list. */
export const isSaid = (value: unknown): boolean =>
  typeof value === "string"
    ? value.trim() !== ""
    : Array.isArray(value)
      ? value.length > 0
      : value !== undefined && value !== null;
