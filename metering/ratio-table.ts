import { type Decimal, parseDecimal } from "@tollgate/contract/values/decimal";

/** Names (of models or groups) and their ratios, as the options ModelRatio and GroupRatio hold them. */
export type RatioTable = ReadonlyMap<string, Decimal>;

/**
 * Reads the JSON text of a ratio option.
 * @returns undefined when it is no JSON object whose values are non-negative numbers.
 */
export const parseRatioTable = (text: string): RatioTable | undefined => {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return undefined;
  const table = new Map<string, Decimal>();
  for (const [name, value] of Object.entries(parsed)) {
    const ratio = typeof value === "number" ? parseDecimal(value) : undefined;
    if (ratio === undefined) return undefined;
    table.set(name, ratio);
  }
  return table;
};
