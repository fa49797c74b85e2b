import type { OptionEntry } from "@tollgate/contract/options/option-entry";
import { entryOf, isOptionKey, type OptionKey } from "@tollgate/contract/options/options";
import { isRecord } from "@tollgate/protocols/shared/json/json-values";
import { parseJson } from "@tollgate/protocols/shared/json/safe-json";

/* Options are texts on the wire. In a file they have their types: switches and numbers, lists of domains, objects. */

/** Returns the value of an option as a file has it; a text that does not fit its type stays a text. */
export const readOptionText = (key: OptionKey, text: string): unknown => {
  switch (entryOf(key).type) {
    case "switch":
      return text === "true" ? true : text === "false" ? false : text;
    case "decimal":
    case "whole":
    case "quota":
      return text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
    case "domains":
      return text === "" ? [] : text.split(",").map((each) => each.trim());
    case "ratios":
    case "json": {
      const parsed = parseJson(text);
      return isRecord(parsed) ? parsed : text;
    }
    default:
      return text;
  }
};

const writeNumber = (value: unknown) => (typeof value === "number" ? String(value) : undefined);
const writeObject = (value: unknown) => (isRecord(value) ? JSON.stringify(value) : undefined);

/** The values other than texts that a file may give options of a type. */
const WRITERS: Partial<Record<OptionEntry["type"], (value: unknown) => string | undefined>> = {
  switch: (value) => (typeof value === "boolean" ? String(value) : undefined),
  decimal: writeNumber,
  whole: writeNumber,
  quota: writeNumber,
  // A text that looks like a number in YAML: FallbackModelRatio: 30.
  text: writeNumber,
  choice: writeNumber,
  domains: (value) =>
    Array.isArray(value) && value.every((each) => typeof each === "string") ? value.join(",") : undefined,
  ratios: writeObject,
  json: writeObject,
};

/** A value of a file as the wire has it; undefined for one that no option of this type has. */
export const writeOptionText = (key: OptionKey, value: unknown): string | undefined =>
  typeof value === "string" ? value : WRITERS[entryOf(key).type]?.(value);

/** A text in which equal values are equal, in whatever order their names stand. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) =>
    isRecord(each) ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1))) : each,
  ) ?? "";

/** Whether two texts of an option mean the same. */
export const meansSame = (key: OptionKey, one: string, other: string): boolean =>
  canonical(readOptionText(key, one)) === canonical(readOptionText(key, other));

/** The options that a file may have. */
export const isFileOption = (key: string): key is OptionKey => isOptionKey(key);
