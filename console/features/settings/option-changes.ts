import { entryOf, isOfType, OPTIONS, type OptionKeyOf } from "@tollgate/contract/options/options";
import { splitList } from "@tollgate/contract/values/split-list";
import { findJsonMistake, formatJson, type JsonMistake, readJson } from "../../lib/json-text";
import type { FieldKey } from "./sections";

/** Values by key, as the server stores them. */
export type OptionValues = Record<string, string>;

/** Why a typed value cannot be sent; named by its locale key. */
export type OptionMistake =
  | { key: "setting.urlInvalid" | "setting.picturePlain" | "setting.ratioShape" }
  | { key: "setting.numberInvalid" | "setting.wholeNumberInvalid"; min: number }
  | { key: `optionInvalid.${OptionKeyOf<{ type: "ratios" }>}` | "setting.jsonInvalid"; place?: JsonMistake };

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** JSON on lines of its own, for reading; a text that is no JSON stays as it is. */
const spread = (json: string): string => {
  const read = readJson(json);
  return "node" in read ? formatJson(read.node) : json;
};

/** A stored value as its field shows it. */
export const shownValue = (key: FieldKey, stored: OptionValues): string => {
  const value = stored[key] ?? "";
  const { type } = OPTIONS[key];
  if (type === "secret") return "";
  return type === "ratios" || type === "json" ? spread(value) : value;
};

/** What is sent for a typed text. */
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

/**
 * Why a value cannot be sent.
 * @param isHttps whether the page is HTTPS, where browsers draw no unencrypted pictures.
 */
export const findMistake = (key: FieldKey, value: string, isHttps: boolean): OptionMistake | undefined => {
  const entry = entryOf(key);
  switch (entry.type) {
    case "url":
      if (value !== "" && !ADDRESS.test(value)) return { key: "setting.urlInvalid" };
      return entry.isPicture && isHttps && value.startsWith("http://")
        ? { key: "setting.picturePlain" }
        : undefined;
    case "decimal":
      return value !== "" && Number(value) >= entry.min
        ? undefined
        : { key: "setting.numberInvalid", min: entry.min };
    case "whole":
    case "quota":
      return value !== "" && Number.isSafeInteger(Number(value)) && Number(value) >= entry.min
        ? undefined
        : { key: "setting.wholeNumberInvalid", min: entry.min };
    case "ratios": {
      const parsed = parse(value);
      if (parsed !== undefined) return isRatios(parsed) ? undefined : { key: "setting.ratioShape" };
      return isOfType(key, "ratios")
        ? { key: `optionInvalid.${key}`, place: findJsonMistake(value) }
        : undefined;
    }
    case "json":
      // What it must hold, the server says: it names the place.
      return parse(value) === undefined
        ? { key: "setting.jsonInvalid", place: findJsonMistake(value) }
        : undefined;
    default:
      return undefined;
  }
};

/** What is sent for a typed text; undefined where nothing changes. Secrets are sent only where something was typed (specification section 5). */
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
