import type { PlanReset, PlanTime } from "@tollgate/contract/api/plans";

/** A period of a plan; unix seconds. */
export interface PlanPeriod {
  /** Starts at 1. */
  readonly number: number;
  readonly startsAt: number;
  readonly endsAt: number;
}

/** The terms that determine the periods of a subscription. */
export interface PlanTerm {
  /** Unix seconds. */
  readonly startsAt: number;
  readonly endsAt: number;
  readonly reset: PlanReset;
}

const MONTHS_A_YEAR = 12;
const DAYS_A_WEEK = 7;

/**
 * Adds units of the calendar to a moment, by this machine's clock: the same time of day, also on days of 23 or 25
 * hours; in a month that is too short for the day, its last one.
 * @param start unix seconds.
 */
const later = (start: number, unit: PlanTime, count: number): number => {
  const from = new Date(start * 1000);
  const at = (year: number, month: number, day: number): number =>
    Math.floor(
      new Date(
        year,
        month,
        day,
        from.getHours(),
        from.getMinutes(),
        from.getSeconds(),
        from.getMilliseconds(),
      ).getTime() / 1000,
    );
  const [year, month, day] = [from.getFullYear(), from.getMonth(), from.getDate()];
  if (unit === "day") return at(year, month, day + count);
  if (unit === "week") return at(year, month, day + DAYS_A_WEEK * count);
  const months = month + (unit === "year" ? MONTHS_A_YEAR * count : count);
  const lastDay = new Date(year, months + 1, 0).getDate();
  return at(year, months, Math.min(day, lastDay));
};

/** The end of a term that starts at a time and lasts this long; unix seconds. */
export const planEnd = (startsAt: number, unit: PlanTime, count: number): number =>
  later(startsAt, unit, count);

const SECONDS: Readonly<Record<Exclude<PlanReset, "never">, number>> = {
  day: 86_400,
  week: 604_800,
  month: 2_678_400,
};

/**
 * The period of a moment: each starts at the end of the previous one, counted from the start of the subscription. A
 * subscription that started on the 31st therefore resets on the last day of shorter months, and on the 31st again after
 * them. The last period ends with the subscription, and may be shorter than the others.
 * @param now unix seconds. Before the start it is the first period.
 * @returns undefined when the subscription is over.
 */
export const planPeriodAt = ({ startsAt, endsAt, reset }: PlanTerm, now: number): PlanPeriod | undefined => {
  if (now >= endsAt) return undefined;
  if (reset === "never") return { number: 1, startsAt, endsAt };
  const begin = (number: number): number => (number === 1 ? startsAt : later(startsAt, reset, number - 1));
  // A lower bound from the longest month and the longest day; a few steps lead from there to the result.
  let number = Math.max(1, Math.floor((now - startsAt) / (SECONDS[reset] + 7200)));
  while (begin(number + 1) <= now) number += 1;
  return { number, startsAt: begin(number), endsAt: Math.min(begin(number + 1), endsAt) };
};
