import { toUnixSeconds } from "@tollgate/contract/values/time";
import { parseDate } from "../format";
import { STEP_SECONDS, type UsageRange } from "./usage-range";

/** Named ranges; all but yesterday end now. */
export const PRESETS = ["today", "yesterday", "24h", "7d", "30d", "90d"] as const;
export type Preset = (typeof PRESETS)[number];

/** Days in a preset, today included. */
const DAYS: Record<Exclude<Preset, "24h" | "yesterday">, number> = {
  today: 1,
  "7d": 7,
  "30d": 30,
  "90d": 90,
};

const midnight = (now: Date, daysAgo: number): number =>
  toUnixSeconds(new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo).getTime());

/** The range of a preset, by this browser's clock. */
export const presetRange = (preset: Preset, now: Date): UsageRange => {
  const to = toUnixSeconds(now.getTime());
  if (preset === "yesterday") return { from: midnight(now, 1), to: midnight(now, 0) - 1 };
  if (preset !== "24h") return { from: midnight(now, DAYS[preset] - 1), to };
  const thisHour = new Date(now).setMinutes(0, 0, 0);
  return { from: toUnixSeconds(thisHour) - 23 * STEP_SECONDS.hour, to };
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

/** An equally long earlier range. It is shifted by whole days, so that mornings are compared with mornings. */
export const rangeBefore = ({ from, to }: UsageRange): UsageRange => {
  const distance = Math.ceil((to - from + 1) / STEP_SECONDS.day) * STEP_SECONDS.day;
  return { from: from - distance, to: to - distance };
};
