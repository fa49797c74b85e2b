import type { KeyDay } from "@tollgate/contract/relay/key-usage";

/** Sums of requests: of a model over all days, or of a day over all models. */
export interface DaySum {
  /** The model's name, or the day's begin in unix seconds. */
  key: string | number;
  /** Of the sum of all but the largest models, how many they are. */
  others: number | undefined;
  requests: number;
  errors: number;
  tokens: number;
  quota: number;
  /** Requests of each day, the oldest first; empty for a day. */
  course: number[];
}

const DAY_SECONDS = 86_400;

/** The begins of the latest days, the oldest first. @param offsetMinutes of the clock from UTC. */
export const dayBegins = (now: number, count: number, offsetMinutes: number): number[] => {
  const today = now - ((now + offsetMinutes * 60) % DAY_SECONDS);
  return Array.from({ length: count }, (_, index) => today - (count - 1 - index) * DAY_SECONDS);
};

const add = (sum: DaySum, day: KeyDay): void => {
  sum.requests += day.requests;
  sum.errors += day.errors;
  sum.tokens += day.tokens_prompt + day.tokens_completion;
  sum.quota += day.quota;
};

const blank = (key: string | number, course: number[]): DaySum => ({
  ...{ key, others: undefined, requests: 0, errors: 0, tokens: 0, quota: 0, course },
});

/** Sums by model, the most expensive first. */
export const sumByModel = (days: readonly KeyDay[], begins: readonly number[]): DaySum[] => {
  const sums = new Map<string, DaySum>();
  for (const day of days) {
    const name = day.others === undefined ? day.model : "\0others";
    const sum =
      sums.get(name) ??
      blank(
        day.model,
        begins.map(() => 0),
      );
    sums.set(name, sum);
    sum.others = day.others;
    add(sum, day);
    const index = begins.indexOf(day.time);
    if (index >= 0) sum.course[index] = (sum.course[index] ?? 0) + day.requests + day.errors;
  }
  return [...sums.values()].sort((a, b) => b.quota - a.quota || b.requests - a.requests);
};

/** Sums by day, the newest first. */
export const sumByDay = (days: readonly KeyDay[]): DaySum[] => {
  const sums = new Map<number, DaySum>();
  for (const day of days) {
    const sum = sums.get(day.time) ?? blank(day.time, []);
    sums.set(day.time, sum);
    add(sum, day);
  }
  return [...sums.values()].sort((a, b) => Number(b.key) - Number(a.key));
};
