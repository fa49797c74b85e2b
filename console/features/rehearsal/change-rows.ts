import {
  type CurrentPrices,
  isPriceTable,
  PRICE_OPTIONS,
  type PriceChanges,
} from "@tollgate/contract/management/price-draft";
import { entryOf, type OptionKey } from "@tollgate/contract/options/options";
import { isObject } from "@tollgate/contract/values/is-object";
import { tryParseJson } from "@tollgate/contract/values/parse-json";

/** A typed entry of a draft. */
export interface ChangeRow {
  option: OptionKey;
  /** "" if the option is not a table. */
  name: string;
  /** "" removes an entry of a table. */
  text: string;
}

const textOf = (value: unknown): string =>
  value === undefined || value === null ? "" : typeof value === "string" ? value : JSON.stringify(value);

/** The entries of a table by their names. */
export const entriesOf = (current: CurrentPrices | undefined, option: OptionKey): Map<string, unknown> => {
  const table = tryParseJson(current?.options[option] ?? "");
  return new Map(isObject(table) ? Object.entries(table) : []);
};

/** The current value of an entry, as text; undefined if missing. */
export const currentText = (
  current: CurrentPrices | undefined,
  { option, name }: Pick<ChangeRow, "option" | "name">,
): string | undefined => {
  if (!isPriceTable(option)) return current?.options[option];
  const entries = entriesOf(current, option);
  return entries.has(name) ? textOf(entries.get(name)) : undefined;
};

/** The changes of a draft, one row per entry. */
export const rowsOf = (changes: PriceChanges): ChangeRow[] =>
  PRICE_OPTIONS.flatMap((option): ChangeRow[] => {
    const change = changes[option];
    if (change === undefined) return [];
    if (typeof change === "string") return [{ option, name: "", text: change }];
    return Object.entries(change).map(([name, value]) => ({ option, name, text: textOf(value) }));
  });

/** Whether the typed text can be a value of its option, as far as the console can check. */
export const isUsable = ({ option, text }: ChangeRow): boolean => {
  if (!isPriceTable(option) || text.trim() === "") return true;
  const value = tryParseJson(text);
  return entryOf(option).type === "ratios" ? typeof value === "number" && value >= 0 : value !== undefined;
};

/** Rows as the draft's changes; the last one of a name counts. */
export const changesOf = (rows: readonly ChangeRow[]): PriceChanges => {
  const tables = new Map<OptionKey, Map<string, unknown>>();
  const values = new Map<OptionKey, string>();
  for (const { option, name, text } of rows) {
    if (!isPriceTable(option)) values.set(option, text);
    else {
      const table = tables.get(option) ?? new Map<string, unknown>();
      tables.set(option, table.set(name, text.trim() === "" ? null : tryParseJson(text)));
    }
  }
  return Object.fromEntries([
    ...values,
    ...[...tables].map(([option, table]) => [option, Object.fromEntries(table)] as const),
  ]);
};
