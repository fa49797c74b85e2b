import { isObject } from "../values/is-object";
import { tryParseJson } from "../values/parse-json";

/* Models that may answer in place of one that cannot: the option ModelFallbacks (docs/guides/fallback-models.md). */

/** Reasons for using another model. */
export const FALLBACK_CAUSES = [
  /** Its channels are asked too much for now, or all of them are full. */
  "rate-limited",
  /** Its upstreams fail, answer with nothing, or refuse their keys. */
  "failed",
  /** No upstream answered in time. */
  "timeout",
  /** No channel offers it, or none that works; or it has no price. */
  "no-channel",
  /** The prompt is longer than it can read. */
  "context-length",
  /** Its upstream finds the prompt unfit. */
  "content-filter",
  /** A budget of the key, its user or group is used up, but not its extra quota. */
  "budget",
] as const;
export type FallbackCause = (typeof FALLBACK_CAUSES)[number];

/**
 * A filter is an opinion that a client should not get around by accident; and what answers at a budget, an administrator
 * decides on purpose.
 */
export const USUAL_CAUSES: readonly FallbackCause[] = FALLBACK_CAUSES.filter(
  (cause) => cause !== "content-filter" && cause !== "budget",
);

/** Models used in place of one, in this order. */
export interface FallbackList {
  models: readonly string[];
  on: readonly FallbackCause[];
}

/** The list of all models that have none of their own. */
export const ANY_MODEL = "*";

/** So many models are asked in place of one. */
export const MAX_FALLBACKS = 8;
const MAX_LISTS = 2000;
const MAX_NAME = 200;

/** A fault of lists, and its place. */
export interface FallbackFault {
  fault: string;
}

const isName = (value: unknown): value is string =>
  typeof value === "string" && value.trim() !== "" && value.length <= MAX_NAME && !/\p{Cc}/u.test(value);

const isCause = (value: unknown): value is FallbackCause => FALLBACK_CAUSES.some((cause) => cause === value);

const readList = (value: unknown): FallbackList | undefined => {
  const { models, on = USUAL_CAUSES } = isObject(value) ? value : { models: value };
  const isUsable =
    Array.isArray(models) &&
    models.length <= MAX_FALLBACKS &&
    models.every(isName) &&
    Array.isArray(on) &&
    on.every(isCause);
  return isUsable ? { models: [...new Set<string>(models)], on } : undefined;
};

/**
 * Reads the JSON text of the lists: `{"model": ["another", …]}`, or `{"model": {"models": […], "on": [causes]}}`.
 * @returns the name at which it is wrong, "" for the whole.
 */
export const parseModelFallbacks = (text: string): ReadonlyMap<string, FallbackList> | FallbackFault => {
  const parsed = tryParseJson(text);
  if (parsed === undefined) return { fault: "" };
  if (!isObject(parsed) || Object.keys(parsed).length > MAX_LISTS) return { fault: "" };
  const lists = new Map<string, FallbackList>();
  for (const [model, value] of Object.entries(parsed)) {
    const list = isName(model) ? readList(value) : undefined;
    if (!list) return { fault: model.slice(0, MAX_NAME) };
    lists.set(model, list);
  }
  return lists;
};
