import { splitList } from "@tollgate/contract/control/channel";
import type { Option } from "@tollgate/contract/control/option";
import { findJsonMistake, type JsonMistake } from "../../lib/json-mistake";
import type { OptionField } from "./options";

/** Values by key, as the server stores them. */
export type OptionValues = Record<string, string>;

/** Why a typed value cannot be sent; named by its locale key. */
export type OptionMistake =
  | { key: "setting.urlInvalid" | "setting.picturePlain" | "setting.ratioShape" }
  | { key: "setting.numberInvalid" | "setting.wholeNumberInvalid"; min: number }
  | {
      key:
        | "setting.modelRatioInvalid"
        | "setting.completionRatioInvalid"
        | "setting.groupRatioInvalid"
        | "setting.serviceTierRatioInvalid"
        | "setting.toolPriceInvalid"
        | "setting.jsonInvalid";
      place?: JsonMistake;
    };

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** JSON on lines of its own, for reading; a text that is no JSON stays as it is. */
const spread = (json: string): string => {
  const value = parse(json);
  return value === undefined ? json : JSON.stringify(value, null, 2);
};

/** A stored value as its field shows it. */
export const shownValue = ({ kind, key }: OptionField, stored: OptionValues): string => {
  const value = stored[key] ?? "";
  if (kind === "secret") return "";
  return kind === "ratios" || kind === "json" ? spread(value) : value;
};

/** What is sent for a typed text. */
const toValue = ({ kind }: OptionField, typed: string): string => {
  switch (kind) {
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

/** How a table of ratios is said to be no JSON. */
const NOT_JSON: Partial<
  Record<
    OptionField["key"],
    | "setting.completionRatioInvalid"
    | "setting.groupRatioInvalid"
    | "setting.serviceTierRatioInvalid"
    | "setting.toolPriceInvalid"
  >
> = {
  CompletionRatio: "setting.completionRatioInvalid",
  GroupRatio: "setting.groupRatioInvalid",
  ServiceTierRatio: "setting.serviceTierRatioInvalid",
  ToolPrice: "setting.toolPriceInvalid",
};

const ADDRESS = /^(https?:\/\/\S+|\/\S*|data:image\/\S+)$/;

const isRatios = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((ratio) => typeof ratio === "number" && ratio >= 0);

const findMistake = (
  { key, kind, min = 0, isPicture }: OptionField,
  value: string,
  isHttps: boolean,
): OptionMistake | undefined => {
  switch (kind) {
    case "url":
      if (value !== "" && !ADDRESS.test(value)) return { key: "setting.urlInvalid" };
      return isPicture && isHttps && value.startsWith("http://")
        ? { key: "setting.picturePlain" }
        : undefined;
    case "number":
      return value !== "" && Number(value) >= min ? undefined : { key: "setting.numberInvalid", min };
    case "whole":
    case "quota":
      return value !== "" && Number.isSafeInteger(Number(value)) && Number(value) >= min
        ? undefined
        : { key: "setting.wholeNumberInvalid", min };
    case "ratios": {
      const parsed = parse(value);
      if (parsed !== undefined) return isRatios(parsed) ? undefined : { key: "setting.ratioShape" };
      return { key: NOT_JSON[key] ?? "setting.modelRatioInvalid", place: findJsonMistake(value) };
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

export interface OptionChanges {
  /** What differs from the server's values, in the order of the fields. */
  changes: Option[];
  mistakes: Partial<Record<string, OptionMistake>>;
}

/**
 * Only changed fields are sent, secrets only when something was typed (specification section 5).
 * @param isHttps whether the page is HTTPS, where browsers draw no unencrypted pictures.
 */
export const findChanges = (
  fields: readonly OptionField[],
  typed: OptionValues,
  stored: OptionValues,
  isHttps: boolean,
): OptionChanges => {
  const changes: Option[] = [];
  const mistakes: OptionChanges["mistakes"] = {};
  for (const field of fields) {
    const text = typed[field.key];
    if (text === undefined) continue;
    const value = toValue(field, text);
    const isSame = value === (stored[field.key] ?? "") || text === shownValue(field, stored);
    if (isSame || (field.kind === "secret" && value === "")) continue;
    const mistake = findMistake(field, value, isHttps);
    if (mistake) mistakes[field.key] = mistake;
    else changes.push({ key: field.key, value });
  }
  return { changes, mistakes };
};

/** Adds a domain to a list; an empty or repeated one is ignored. */
export const addDomain = (domains: readonly string[], typed: string): string[] => {
  const domain = typed.trim().replace(/^@/, "").toLowerCase();
  return domain === "" || domains.includes(domain) ? [...domains] : [...domains, ...splitList(domain)];
};
