import { toUnixSeconds } from "@tollgate/contract/values/time";
import type { UsageRange } from "./usage-range";

/** Today and the days before it, by this browser's clock, rounded to the minute: concurrent pages share one request. */
export const lastDays = (days: number, nowMs: number): UsageRange => {
  const now = new Date(nowMs);
  const begin = new Date(now.getFullYear(), now.getMonth(), now.getDate() - days + 1);
  const end = new Date(
    now.getFullYear(),
    now.getMonth(),
    now.getDate(),
    now.getHours(),
    now.getMinutes(),
    59,
  );
  return { from: toUnixSeconds(begin.getTime()), to: toUnixSeconds(end.getTime()) };
};
