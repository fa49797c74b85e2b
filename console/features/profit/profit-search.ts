import { PROFIT_ORDERS, type ProfitGrouping } from "@tollgate/contract/api/profit";
import { readOneOf, readText } from "../../lib/address-values";
import { presetRange, typedRange } from "../../lib/usage/usage-presets";
import type { UsageRange } from "../../lib/usage/usage-range";

export const PROFIT_RANGES = ["today", "yesterday", "7d", "30d", "90d", "own"] as const;
export type ProfitRangeName = (typeof PROFIT_RANGES)[number];

/** Groupings of the table. */
export const TABLE_GROUPINGS = ["channel", "model", "user", "channel_model", "day"] as const;
export type TableGrouping = Extract<ProfitGrouping, (typeof TABLE_GROUPINGS)[number]>;

/** Filters of profit, named as in the log list. */
export interface ProfitFilter {
  channel?: string | undefined;
  model?: string | undefined;
  username?: string | undefined;
}

/** The page's state in the address. Absent values have their defaults. */
export interface ProfitSearch extends ProfitFilter {
  range?: ProfitRangeName | undefined;
  /** The custom range, in the displayed time format. */
  from?: string | undefined;
  to?: string | undefined;
  by?: TableGrouping | undefined;
  sort?: string | undefined;
}

export const USUAL_RANGE = "30d";
export const USUAL_GROUPING = "channel";
export const USUAL_SORT = "-revenue";

/** Reads the page's state from the address; invalid values are left out. */
export const readProfitSearch = (search: Record<string, unknown>): ProfitSearch => {
  const sort = readText(search.sort);
  return {
    range: readOneOf(PROFIT_RANGES, search.range),
    from: readText(search.from),
    to: readText(search.to),
    by: readOneOf(TABLE_GROUPINGS, search.by),
    sort: sort && readOneOf(PROFIT_ORDERS, sort.replace(/^-/, "")) ? sort : undefined,
    channel: readText(search.channel),
    model: readText(search.model),
    username: readText(search.username),
  };
};

/** The range in the address; the default one if the typed range is invalid. */
export const profitRange = ({ range = USUAL_RANGE, from, to }: ProfitSearch, nowMs: number): UsageRange => {
  const now = new Date(nowMs);
  return range === "own"
    ? (typedRange({ from, to }, now) ?? presetRange(USUAL_RANGE, now))
    : presetRange(range, now);
};
