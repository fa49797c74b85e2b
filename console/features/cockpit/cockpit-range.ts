import { toUnixSeconds } from "@tollgate/contract/values/time";
import { STEP_SECONDS, type UsageRange } from "../../lib/usage/usage-range";

/** The time ranges of the cockpit, in unix seconds. */
export interface CockpitRanges {
  /** Since midnight. */
  today: UsageRange;
  /** The same weekday a week earlier, up to the same time of day. */
  weekBefore: UsageRange;
  /** The current hour and the 23 before it. */
  lastDay: UsageRange;
}

/** The compared ranges at a moment, by this browser's clock. */
export const cockpitRanges = (nowMs: number): CockpitRanges => {
  const now = new Date(nowMs);
  const moment = (daysAgo: number, hours: number, minutes: number, seconds: number): number =>
    toUnixSeconds(
      new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo, hours, minutes, seconds).getTime(),
    );
  const [hours, minutes] = [now.getHours(), now.getMinutes()];
  const thisHour = moment(0, hours, 0, 0);
  // Rounded to the minute, so that concurrent pages share one request.
  return {
    today: { from: moment(0, 0, 0, 0), to: moment(0, hours, minutes, 59) },
    weekBefore: { from: moment(7, 0, 0, 0), to: moment(7, hours, minutes, 59) },
    lastDay: { from: thisHour - 23 * STEP_SECONDS.hour, to: moment(0, hours, minutes, 59) },
  };
};
