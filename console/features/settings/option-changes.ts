import { entryOf, isOfType, OPTIONS, type OptionKeyOf } from "@tollgate/contract/options/options";
import { tryParseJson } from "@tollgate/contract/values/parse-json";
import { splitList } from "@tollgate/contract/values/split-list";
import { findJsonMistake, formatJson, type JsonMistake, readJson } from "../../lib/json-text";
import type { FieldKey } from "./sections";

/** Values by key, as the server stores them. */
export type OptionValues = Record<string, string>;

/** The mistake in a typed value, as its locale key. */
export type OptionMistake =
  | { key: "setting.urlInvalid" | "setting.picturePlain" | "setting.ratioShape" }
  | { key: "setting.numberInvalid" | "setting.wholeNumberInvalid"; min: number }
  | { key: `optionInvalid.${OptionKeyOf<{ type: "ratios" }>}` | "setting.jsonInvalid"; place?: JsonMistake };

/** Formats JSON for reading; an invalid text stays unchanged. */
const spread = (json: string): string => {
  const read = readJson(json);
  return "node" in read ? formatJson(read.node) : json;
};

/** A stored value as shown in its field. */
export const shownValue = (key: FieldKey, stored: OptionValues): string => {
  const value = stored[key] ?? "";
  const { type } = OPTIONS[key];
  if (type === "secret") return "";
  return type === "ratios" || type === "json" ? spread(value) : value;
};

/** The value to send for a typed text. */
const toValue = (key: FieldKey, typed: string): string => {
  switch (OPTIONS[key].type) {
    case "area":
    case "secret":
      return typed;
    case "url":
      return typed.trim().replace(/\/+$/, "");
    case "domains":
      return splitList(typed).join(",");
    default:
      return typed.trim();
  }
};

const ADDRESS = /^(https?:\/\/\S+|\/\S*|data:image\/\S+)$/;

const isRatios = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((ratio) => typeof ratio === "number" && ratio >= 0);

/** @param isHttpsOnly an unencrypted address is a mistake. */
const findAddressMistake = (value: string, isHttpsOnly: boolean): OptionMistake | undefined => {
  if (value !== "" && !ADDRESS.test(value)) return { key: "setting.urlInvalid" };
  return isHttpsOnly && value.startsWith("http://") ? { key: "setting.picturePlain" } : undefined;
};

const findRatiosMistake = (key: FieldKey, value: string): OptionMistake | undefined => {
  const parsed = tryParseJson(value);
  if (parsed !== undefined) return isRatios(parsed) ? undefined : { key: "setting.ratioShape" };
  return isOfType(key, "ratios") ? { key: `optionInvalid.${key}`, place: findJsonMistake(value) } : undefined;
};

const isFrom = (min: number, value: string): boolean => value !== "" && Number(value) >= min;

/**
 * The mistake in a value.
 * @param isHttps whether the page uses HTTPS, where browsers block unencrypted pictures.
 */
export const findMistake = (key: FieldKey, value: string, isHttps: boolean): OptionMistake | undefined => {
  const entry = entryOf(key);
  switch (entry.type) {
    case "url":
      return findAddressMistake(value, isHttps && entry.isPicture === true);
    case "decimal":
      return isFrom(entry.min, value) ? undefined : { key: "setting.numberInvalid", min: entry.min };
    case "whole":
    case "quota":
      return isFrom(entry.min, value) && Number.isSafeInteger(Number(value))
        ? undefined
        : { key: "setting.wholeNumberInvalid", min: entry.min };
    case "ratios":
      return findRatiosMistake(key, value);
    case "json":
      // The server checks its content and names the position.
      return tryParseJson(value) === undefined
        ? { key: "setting.jsonInvalid", place: findJsonMistake(value) }
        : undefined;
    default:
      return undefined;
  }
};

/** The value to send for a typed text; undefined if unchanged. Empty secrets are not sent (specification section 5). */
export const changeOf = (key: FieldKey, typed: string, stored: OptionValues): string | undefined => {
  const value = toValue(key, typed);
  const isSame = value === (stored[key] ?? "") || typed === shownValue(key, stored);
  return isSame || (isOfType(key, "secret") && value === "") ? undefined : value;
};

/** Adds a domain to a list; an empty or repeated one is ignored. */
export const addDomain = (domains: readonly string[], typed: string): string[] => {
  const domain = typed.trim().replace(/^@/, "").toLowerCase();
  return domain === "" || domains.includes(domain) ? [...domains] : [...domains, ...splitList(domain)];
};
