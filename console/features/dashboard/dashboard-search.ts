import {
  USAGE_GROUPINGS,
  USAGE_STEPS,
  type UsageGrouping,
  type UsageStep,
} from "@tollgate/contract/api/usage";
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

const text = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

const oneOf = <Value extends string>(values: readonly Value[], value: unknown): Value | undefined =>
  values.find((each) => each === value);

/** Reads the dashboard's state from the address; invalid values are left out. */
export const readDashboardSearch = (search: Record<string, unknown>): DashboardSearch => ({
  range: oneOf([...DASHBOARD_PRESETS, "own"], search.range),
  from: text(search.from),
  to: text(search.to),
  step: oneOf(USAGE_STEPS, search.step),
  by: oneOf(USAGE_GROUPINGS, search.by),
  metric: oneOf(USAGE_METRICS, search.metric),
  scope: oneOf(["own"], search.scope),
  token: text(search.token),
  model: text(search.model),
  channel: text(search.channel),
  username: text(search.username),
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
