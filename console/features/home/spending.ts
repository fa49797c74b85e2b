import type { UsagePoint } from "@tollgate/contract/api/usage";
import { toUnixSeconds } from "@tollgate/contract/values/time";
import type { UsageRange } from "../../lib/usage/usage-range";

const WEEK_DAYS = 7;

const dayBegin = (now: Date, daysAgo: number): number =>
  toUnixSeconds(new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo).getTime());

const monthBegin = (now: Date): number =>
  toUnixSeconds(new Date(now.getFullYear(), now.getMonth()).getTime());

/** The queried range: this month, extended to the last seven days if they begin earlier. */
export const spendingRange = (now: Date): UsageRange => ({
  from: Math.min(monthBegin(now), dayBegin(now, WEEK_DAYS - 1)),
  to: dayBegin(now, -1) - 1,
});

/** A user's spending, in quota, by this browser's clock. */
export interface Spending {
  today: number;
  month: number;
  /** The last seven days, today included. */
  week: number;
  requestsToday: number;
  failedToday: number;
}

/** Sums of days. @param points by day, of `spendingRange`. */
export const spendingOf = (points: readonly UsagePoint[], now: Date): Spending => {
  const since = (begin: number): UsagePoint[] => points.filter(({ time }) => time >= begin);
  const sum = (of: readonly UsagePoint[], field: "quota" | "requests" | "errors"): number =>
    of.reduce((all, point) => all + point[field], 0);
  const today = since(dayBegin(now, 0));
  return {
    today: sum(today, "quota"),
    month: sum(since(monthBegin(now)), "quota"),
    week: sum(since(dayBegin(now, WEEK_DAYS - 1)), "quota"),
    requestsToday: sum(today, "requests") + sum(today, "errors"),
    failedToday: sum(today, "errors"),
  };
};

/** Whole days that a balance lasts at the spending of the last seven days; undefined without spending. */
export const daysLeft = (balance: number, { week }: Pick<Spending, "week">): number | undefined =>
  week === 0 ? undefined : Math.floor((balance * WEEK_DAYS) / week);
