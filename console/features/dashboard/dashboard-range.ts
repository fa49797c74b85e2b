import type { UsageStep } from "@tollgate/contract/api/usage";
import { presetRange, rangeBefore, typedRange } from "../../lib/usage/usage-presets";
import { fitsStep, STEP_SECONDS, type UsageRange } from "../../lib/usage/usage-range";
import { type DashboardSearch, DEFAULT_RANGE } from "./dashboard-search";

export interface DashboardRange {
  range: UsageRange;
  /** The equally long range before. */
  before: UsageRange;
  step: UsageStep;
}

/** Up to this length, a range has hourly points by default. */
const HOURLY_SECONDS = 2 * STEP_SECONDS.day;

/** The range in the address, with a step that fits it. */
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
