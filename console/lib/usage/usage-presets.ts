import { toUnixSeconds } from "@tollgate/contract/values/time";
import { parseDate } from "../format";
import { STEP_SECONDS, type UsageRange, writeRange } from "./usage-range";

/** Named ranges. */
const PRESETS = ["today", "yesterday", "24h", "7d", "30d", "90d", "thisMonth", "lastMonth"] as const;
export type Preset = (typeof PRESETS)[number];

/** Presets that have ended; the others end now. */
const PAST = ["yesterday", "lastMonth"] as const satisfies readonly Preset[];
type PastPreset = (typeof PAST)[number];

/** Whether the preset's range has ended. */
export const isPast = (preset: Preset): preset is PastPreset => PAST.some((past): boolean => past === preset);

/** Days in a preset, today included. */
const DAYS: Record<"today" | "7d" | "30d" | "90d", number> = { today: 1, "7d": 7, "30d": 30, "90d": 90 };

const midnight = (now: Date, daysAgo: number): number =>
  toUnixSeconds(new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo).getTime());

const monthBegin = (now: Date, monthsAgo: number): number =>
  toUnixSeconds(new Date(now.getFullYear(), now.getMonth() - monthsAgo, 1).getTime());

/** The range of a preset, by this browser's clock. */
export const presetRange = (preset: Preset, now: Date): UsageRange => {
  const to = toUnixSeconds(now.getTime());
  switch (preset) {
    case "yesterday":
      return { from: midnight(now, 1), to: midnight(now, 0) - 1 };
    case "24h": {
      const thisHour = new Date(now).setMinutes(0, 0, 0);
      return { from: toUnixSeconds(thisHour) - 23 * STEP_SECONDS.hour, to };
    }
    case "thisMonth":
      return { from: monthBegin(now, 0), to };
    case "lastMonth":
      return { from: monthBegin(now, 1), to: monthBegin(now, 0) - 1 };
    default:
      return { from: midnight(now, DAYS[preset] - 1), to };
  }
};

interface TypedRange {
  from?: string | undefined;
  to?: string | undefined;
}

/** The typed range, until now if it has no end; undefined if invalid. */
export const typedRange = ({ from, to }: TypedRange, now: Date): UsageRange | undefined => {
  const begin = parseDate(from ?? "");
  const end = parseDate(to ?? "") ?? now;
  return begin && begin <= end
    ? { from: toUnixSeconds(begin.getTime()), to: toUnixSeconds(end.getTime()) }
    : undefined;
};

/**
 * The change of an address that chooses a range by its name. A custom range starts as the previous one; the default range
 * has no name in the address.
 */
export const chooseRange = <Name extends string>(name: Name, usual: NoInfer<Name>, previous: UsageRange) =>
  name === "own"
    ? { range: name, ...writeRange(previous) }
    : { range: name === usual ? undefined : name, from: undefined, to: undefined };

/** An equally long earlier range. It is shifted by whole days, so that mornings are compared with mornings. */
export const rangeBefore = ({ from, to }: UsageRange): UsageRange => {
  const distance = Math.ceil((to - from + 1) / STEP_SECONDS.day) * STEP_SECONDS.day;
  return { from: from - distance, to: to - distance };
};
