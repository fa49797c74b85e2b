import type { UsageStep } from "@tollgate/contract/api/usage";
import { presetRange, rangeBefore, typedRange } from "../../lib/usage/usage-presets";
import { fitsStep, STEP_SECONDS, type UsageRange } from "../../lib/usage/usage-range";
import { type DashboardSearch, DEFAULT_RANGE } from "./dashboard-search";

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
  const own = search.range === "own" ? typedRange(search, now) : undefined;
  const range = own ?? presetRange(preset ?? DEFAULT_RANGE, now);
  const usual: UsageStep = range.to - range.from <= HOURLY_SECONDS ? "hour" : "day";
  return {
    range,
    before: rangeBefore(range),
    step: search.step && fitsStep(range, search.step) ? search.step : usual,
  };
};
