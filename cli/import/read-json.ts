import { isRecord, type JsonRecord } from "@tollgate/protocols/shared/json/json-values";
import { parseJson } from "@tollgate/protocols/shared/json/safe-json";

/** A JSON object of the source; an empty one for a text that is none, undefined for a text that is something else. */
export const readObject = (text: string | undefined): JsonRecord | undefined => {
  if (text === undefined || text.trim() === "") return {};
  const parsed = parseJson(text);
  if (parsed === null) return {};
  return isRecord(parsed) ? parsed : undefined;
};

/** The texts of a JSON list of the source; none for a text that is no such list. */
export const readTexts = (text: string | undefined): string[] => {
  const parsed = text === undefined || text.trim() === "" ? undefined : parseJson(text);
  return Array.isArray(parsed) ? parsed.filter((each) => typeof each === "string") : [];
};

/** What a field holds that says nothing: it is not worth a word. */
export const isNeutral = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === "" ||
  value === false ||
  value === 0 ||
  (typeof value === "object" && Object.keys(value).length === 0);
