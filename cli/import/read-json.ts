import { isRecord, type JsonRecord } from "@tollgate/protocols/shared/json/json-values";
import { parseJson } from "@tollgate/protocols/shared/json/safe-json";

/** Parses a JSON object of the source; an empty one for an empty text, undefined for other text. */
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

/** Whether a field's value is neutral and needs no remark. */
export const isNeutral = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === "" ||
  value === false ||
  value === 0 ||
  (typeof value === "object" && Object.keys(value).length === 0);
