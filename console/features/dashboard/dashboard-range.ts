import type { UsageStep } from "@tollgate/contract/api/usage";
import { toUnixSeconds } from "@tollgate/contract/values/time";
import { parseDate } from "../../lib/format";
import { fitsStep, STEP_SECONDS, type UsageRange } from "../../lib/usage/usage-range";
import { type DashboardSearch, DEFAULT_RANGE, type Preset } from "./dashboard-search";

/** How many days a preset looks back, this one included. */
const DAYS: Record<Exclude<Preset, "24h" | "yesterday">, number> = {
  today: 1,
  "7d": 7,
  "30d": 30,
  "90d": 90,
};

const midnight = (now: Date, daysAgo: number): number =>
  toUnixSeconds(new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo).getTime());

const presetRange = (preset: Preset, now: Date): UsageRange => {
  const to = toUnixSeconds(now.getTime());
  if (preset === "yesterday") return { from: midnight(now, 1), to: midnight(now, 0) - 1 };
  if (preset !== "24h") return { from: midnight(now, DAYS[preset] - 1), to };
  const thisHour = new Date(now).setMinutes(0, 0, 0);
  return { from: toUnixSeconds(thisHour) - 23 * STEP_SECONDS.hour, to };
};

/** The range that was typed; undefined where it is none. */
const ownRange = ({ from, to }: DashboardSearch, now: Date): UsageRange | undefined => {
  const begin = parseDate(from ?? "");
  const end = parseDate(to ?? "") ?? now;
  return begin && begin <= end
    ? { from: toUnixSeconds(begin.getTime()), to: toUnixSeconds(end.getTime()) }
    : undefined;
};

/** How far a range and the one before it are apart. Whole days, so that mornings are compared with mornings. */
const distanceSeconds = ({ from, to }: UsageRange): number =>
  Math.ceil((to - from + 1) / STEP_SECONDS.day) * STEP_SECONDS.day;

export interface DashboardRange {
  range: UsageRange;
  /** Equally long, before it. */
  before: UsageRange;
  step: UsageStep;
}

/** The longest range whose points are hours unless the address says otherwise. */
const HOURLY_SECONDS = 2 * STEP_SECONDS.day;

/** The time that the address asks for, in steps that it can be looked at in. */
export const readRange = (search: DashboardSearch, now: Date): DashboardRange => {
  const preset = search.range === "own" ? undefined : search.range;
  const own = search.range === "own" ? ownRange(search, now) : undefined;
  const range = own ?? presetRange(preset ?? DEFAULT_RANGE, now);
  const distance = distanceSeconds(range);
  const usual: UsageStep = range.to - range.from <= HOURLY_SECONDS ? "hour" : "day";
  return {
    range,
    before: { from: range.from - distance, to: range.to - distance },
    step: search.step && fitsStep(range, search.step) ? search.step : usual,
  };
};
