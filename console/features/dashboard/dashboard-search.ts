import {
  USAGE_GROUPINGS,
  USAGE_STEPS,
  type UsageGrouping,
  type UsageStep,
} from "@tollgate/contract/api/usage";
import { readOneOf, readText } from "../../lib/address-values";
import { USAGE_METRICS, type UsageMetric } from "../../lib/usage/usage-metric";
import type { Preset } from "../../lib/usage/usage-presets";
import type { UsageFilter } from "../../lib/usage/usage-query";

/** The ranges of the dashboard by name. */
export const DASHBOARD_PRESETS = [
  "today",
  "yesterday",
  "24h",
  "7d",
  "30d",
  "90d",
] as const satisfies readonly Preset[];
type DashboardPreset = (typeof DASHBOARD_PRESETS)[number];
export type RangeName = DashboardPreset | "own";

/** The dashboard's state in the address. Absent values have their defaults. */
export interface DashboardSearch extends UsageFilter {
  range?: RangeName;
  /** The custom range, in the displayed time format. */
  from?: string;
  to?: string;
  step?: UsageStep;
  by?: UsageGrouping;
  metric?: UsageMetric;
  /** An administrator looks at their own usage. */
  scope?: "own";
}

export const DEFAULT_RANGE: DashboardPreset = "7d";
export const DEFAULT_METRIC: UsageMetric = "requests";
export const DEFAULT_GROUPING: UsageGrouping = "model";

/** Reads the dashboard's state from the address; invalid values are left out. */
export const readDashboardSearch = (search: Record<string, unknown>): DashboardSearch => ({
  range: readOneOf([...DASHBOARD_PRESETS, "own"], search.range),
  from: readText(search.from),
  to: readText(search.to),
  step: readOneOf(USAGE_STEPS, search.step),
  by: readOneOf(USAGE_GROUPINGS, search.by),
  metric: readOneOf(USAGE_METRICS, search.metric),
  scope: readOneOf(["own"], search.scope),
  token: readText(search.token),
  model: readText(search.model),
  channel: readText(search.channel),
  username: readText(search.username),
});

/** The groupings available to a user: channels and users only to administrators. */
export const offeredGroupings = (isAll: boolean): UsageGrouping[] =>
  USAGE_GROUPINGS.filter((by) => isAll || (by !== "channel" && by !== "user"));

/** The filters in the address. */
export const filterOf = (search: DashboardSearch, isAll: boolean): UsageFilter => ({
  token: search.token,
  model: search.model,
  ...(isAll ? { channel: search.channel, username: search.username } : {}),
});
