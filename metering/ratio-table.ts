import { type Decimal, parseDecimal } from "@tollgate/contract/values/decimal";

/** Names (of models or groups) and their ratios, as the options ModelRatio and GroupRatio hold them. */
export type RatioTable = ReadonlyMap<string, Decimal>;

/** The ratios of groups for users of others: by the user's group, then the request's group (option GroupGroupRatio). */
export type GroupGroupRatios = ReadonlyMap<string, RatioTable>;

const entriesOf = (value: unknown): [string, unknown][] | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : undefined;

const parseEntries = (text: string): [string, unknown][] | undefined => {
  try {
    return entriesOf(JSON.parse(text));
  } catch {
    return undefined;
  }
};

const readTable = (entries: readonly [string, unknown][] | undefined): RatioTable | undefined => {
  if (!entries) return undefined;
  const table = new Map<string, Decimal>();
  for (const [name, value] of entries) {
    const ratio = typeof value === "number" ? parseDecimal(value) : undefined;
    if (ratio === undefined) return undefined;
    table.set(name, ratio);
  }
  return table;
};

/**
 * Parses the JSON text of a ratio option.
 * @returns undefined when it is not a JSON object whose values are non-negative numbers.
 */
export const parseRatioTable = (text: string): RatioTable | undefined => readTable(parseEntries(text));

/** Parses the option GroupGroupRatio: a table of ratios for each group of users. @returns where it is wrong. */
export const parseGroupGroupRatios = (text: string): GroupGroupRatios | { fault: string } => {
  const entries = parseEntries(text);
  if (!entries) return { fault: "JSON" };
  const tables = new Map<string, RatioTable>();
  for (const [group, value] of entries) {
    const table = readTable(entriesOf(value));
    if (!table) return { fault: group };
    tables.set(group, table);
  }
  return tables;
};
