import {
  isPriceTable,
  PRICE_OPTIONS,
  type PriceChanges,
  type PriceConflict,
  priceChangesSchema,
} from "@tollgate/contract/management/price-draft";
import type { OptionKey } from "@tollgate/contract/options/options";
import { isObject } from "@tollgate/contract/values/is-object";
import { tryParseJson } from "@tollgate/contract/values/parse-json";
import { Failure } from "../management-api/failure";
import { checkOption } from "../state/options";

/** The values of options, by their names. */
export type TextOf = (key: OptionKey) => string;

/** The most that an option may hold (contract/management/option.ts). */
const MAX_LENGTH = 1_000_000;

/** The entries of an option's table, with any names; none for an invalid text. */
const tableOf = (text: string): Map<string, unknown> => {
  const parsed = tryParseJson(text);
  if (parsed === undefined) return new Map();
  return new Map(isObject(parsed) ? Object.entries(parsed) : []);
};

/** A text that is equal for equal values, in any order of their fields. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    isObject(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  ) ?? "null";

const isSame = (one: unknown, other: unknown): boolean => canonical(one) === canonical(other);

/** A draft's changes, each with its option. @throws Failure for a change of the wrong kind. */
const changesOf = (changes: PriceChanges): [OptionKey, string | Record<string, unknown>][] =>
  PRICE_OPTIONS.flatMap((key) => {
    const change = changes[key];
    if (change === undefined) return [];
    if (isPriceTable(key) === (typeof change === "string")) throw new Failure("invalid-parameter");
    return [[key, change]];
  });

/** Current values of the options that a draft changes: of tables only the changed entries, as far as they exist. */
export const baseOf = (changes: PriceChanges, textOf: TextOf): PriceChanges =>
  Object.fromEntries(
    changesOf(changes).map(([key, change]) => {
      const text = textOf(key);
      if (typeof change === "string") return [key, text];
      const table = tableOf(text);
      const known = Object.keys(change).filter((name) => table.has(name));
      return [key, Object.fromEntries(known.map((name) => [name, table.get(name)]))];
    }),
  );

/** Changes by others since, to the values that a draft changes. */
export const conflictsOf = (changes: PriceChanges, base: PriceChanges, textOf: TextOf): PriceConflict[] => {
  const now = baseOf(changes, textOf);
  const conflicts: PriceConflict[] = [];
  for (const [key, change] of changesOf(changes)) {
    const [was, is] = [base[key], now[key]];
    if (typeof change === "string") {
      if (was !== is) conflicts.push({ option: key, name: "" });
      continue;
    }
    const [wasTable, isTable] = [new Map(Object.entries(was ?? {})), new Map(Object.entries(is ?? {}))];
    for (const name of Object.keys(change))
      if (!isSame(wasTable.get(name), isTable.get(name))) conflicts.push({ option: key, name });
  }
  return conflicts;
};

/**
 * The options as a draft makes them: those alone that it changes.
 * @throws Failure where one would be no value of its option.
 */
export const textsWith = (changes: PriceChanges, textOf: TextOf): Map<OptionKey, string> => {
  const texts = new Map<OptionKey, string>();
  for (const [key, change] of changesOf(changes)) {
    const before = textOf(key);
    if (typeof change === "string") {
      if (change !== before) texts.set(key, change);
      continue;
    }
    const table = tableOf(before);
    let isChanged = false;
    for (const [name, value] of Object.entries(change)) {
      if (value === null ? !table.has(name) : isSame(table.get(name), value)) continue;
      isChanged = true;
      if (value === null) table.delete(name);
      else table.set(name, value);
    }
    if (isChanged) texts.set(key, JSON.stringify(Object.fromEntries(table)));
  }
  for (const [key, text] of texts) {
    if (text.length > MAX_LENGTH) throw new Failure("price-draft-too-large", { key });
    checkOption(key, text, (other) => texts.get(other) ?? textOf(other), textOf(key));
  }
  return texts;
};

/** Number of entries changed by a draft. */
export const countChanges = (changes: PriceChanges): number =>
  changesOf(changes).reduce(
    (sum, [, change]) => sum + (typeof change === "string" ? 1 : Object.keys(change).length),
    0,
  );

/** Parses a stored draft. */
export const readChanges = (text: string): PriceChanges => {
  const read = priceChangesSchema.safeParse(JSON.parse(text));
  return read.success ? read.data : {};
};
