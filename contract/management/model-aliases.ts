import * as z from "zod/mini";
import { isObject } from "../values/is-object";
import { tryParseJson } from "../values/parse-json";
import { maybe } from "./wire";

/* Names that clients send in place of a model's own: settings of API keys and users (docs/reference/aliases.md). */

/** Of one key, or of one user. */
export const MAX_ALIASES = 100;
/** Of a name, and of a model, in UTF-16 units. */
export const MAX_ALIAS_LENGTH = 200;
/** Of the JSON text of all of them, in UTF-16 units: each key keeps them in memory. */
export const MAX_ALIASES_TEXT = 20_000;

/** The JSON text of aliases in a request; absence leaves them as they are, "" removes them. */
export const aliasesText = maybe(z.string().check(z.maxLength(MAX_ALIASES_TEXT)));

/** The aliases of one owner. Names are compared exactly. */
export interface ModelAliases {
  /** The model for which a name stands; undefined for a name that is no alias. */
  find(name: string): string | undefined;
  /** The names without a wildcard, in the written order. */
  readonly names: readonly string[];
}

/** A fault of a text of aliases. */
export type AliasFault =
  | { code: "not-aliases" }
  | { code: "too-many" }
  | { code: "name-invalid" | "model-invalid"; name: string }
  /** The alias `name` leads to `model`, which is itself an alias. */
  | { code: "chain"; name: string; model: string };

/** Control characters, halves of surrogate pairs, and characters that people do not see. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/u;

const isName = (name: string): boolean =>
  name !== "" && name.length <= MAX_ALIAS_LENGTH && name === name.trim() && !UNSEEN.test(name);

/** A name may end with "*", which stands for any further characters. */
const isAlias = (name: string): boolean => isName(name) && !name.slice(0, -1).includes("*");

const isModel = (model: unknown): model is string =>
  typeof model === "string" && isName(model) && !model.includes("*");

const toAliases = (entries: ReadonlyMap<string, string>): ModelAliases => {
  const exact = new Map([...entries].filter(([name]) => !name.endsWith("*")));
  const begins = [...entries]
    .filter(([name]) => name.endsWith("*"))
    .map(([name, model]) => ({ begin: name.slice(0, -1), model }))
    .sort((a, b) => b.begin.length - a.begin.length);
  return {
    find: (name) => exact.get(name) ?? begins.find(({ begin }) => name.startsWith(begin))?.model,
    names: [...exact.keys()],
  };
};

/**
 * Reads the JSON text of aliases, `{"name": "model", "begin*": "model"}`. Of several that fit, the exact name holds, else
 * the one with the longest beginning.
 * @returns undefined for no aliases.
 */
export const parseModelAliases = (text: string): ModelAliases | { fault: AliasFault } | undefined => {
  if (text.trim() === "") return undefined;
  const parsed = tryParseJson(text);
  if (!isObject(parsed)) return { fault: { code: "not-aliases" } };
  const given = Object.entries(parsed);
  if (given.length === 0) return undefined;
  if (given.length > MAX_ALIASES) return { fault: { code: "too-many" } };
  const entries = new Map<string, string>();
  for (const [name, model] of given) {
    if (!isAlias(name)) return { fault: { code: "name-invalid", name } };
    if (!isModel(model)) return { fault: { code: "model-invalid", name } };
    entries.set(name, model);
  }
  const aliases = toAliases(entries);
  for (const [name, model] of entries)
    if ((aliases.find(model) ?? model) !== model) return { fault: { code: "chain", name, model } };
  return aliases;
};

/** The aliases of a stored text; undefined for none. They were checked before; an invalid stored text has none. */
export const readModelAliases = (text: string): ModelAliases | undefined => {
  const parsed = parseModelAliases(text);
  return parsed && "fault" in parsed ? undefined : parsed;
};

/** Whether each alias of a text has a name and a model. A server says more about names that it does not accept. */
export const hasWholeAliases = (text: string): boolean => {
  const parsed = parseModelAliases(text);
  if (!parsed || !("fault" in parsed)) return true;
  return parsed.fault.code === "chain" || parsed.fault.code === "too-many";
};

/** The migration that adds the columns of aliases. */
export const MODEL_ALIASES_SINCE = "0025-model-aliases";
