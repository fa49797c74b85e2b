import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { planEnd, planPeriodAt } from "./plan-periods";

const at = (text: string): number => new Date(text).getTime() / 1000;
const local = (seconds: number): string => {
  const date = new Date(seconds * 1000);
  const two = (n: number): string => String(n).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
};

const zone = process.env.TZ;
beforeAll(() => {
  process.env.TZ = "Europe/Berlin";
});
afterAll(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

describe("the end of a bought plan", () => {
  it.each([
    ["2026-01-31T10:00:00", "month", 1, "2026-02-28 10:00"],
    ["2024-01-31T10:00:00", "month", 1, "2024-02-29 10:00"],
    ["2026-01-31T10:00:00", "month", 2, "2026-03-31 10:00"],
    ["2024-02-29T10:00:00", "year", 1, "2025-02-28 10:00"],
    ["2026-03-28T10:00:00", "day", 1, "2026-03-29 10:00"],
    ["2026-10-24T10:00:00", "day", 1, "2026-10-25 10:00"],
    ["2026-12-30T00:00:00", "week", 1, "2027-01-06 00:00"],
  ] as const)("of %s after a %s times %i is %s", (start, unit, count, end) => {
    expect(local(planEnd(at(start), unit, count))).toBe(end);
  });
});

describe("the periods of a subscription", () => {
  const yearFrom = (start: string, reset: "day" | "week" | "month") => {
    const startsAt = at(start);
    return { startsAt, endsAt: planEnd(startsAt, "year", 1), reset };
  };

  it("reset on the last day of short months, and on the day of the begin after them", () => {
    const term = yearFrom("2026-01-31T10:00:00", "month");
    const ends = [1, 2, 3, 4].map((month) => planPeriodAt(term, planEnd(term.startsAt, "month", month) - 1));
    expect(ends.map((period) => period && [period.number, local(period.endsAt)])).toEqual([
      [1, "2026-02-28 10:00"],
      [2, "2026-03-31 10:00"],
      [3, "2026-04-30 10:00"],
      [4, "2026-05-31 10:00"],
    ]);
  });

  it.each(["day", "week", "month"] as const)(
    "follow each other without a gap for a year of every %s, over both changes of the clock",
    (reset) => {
      const term = yearFrom("2026-01-31T02:30:00", reset);
      let [now, number] = [term.startsAt, 0];
      for (;;) {
        const period = planPeriodAt(term, now);
        if (!period) break;
        expect([period.number, period.startsAt]).toEqual([number + 1, now]);
        expect(period.endsAt).toBeGreaterThan(period.startsAt);
        expect(planPeriodAt(term, period.endsAt - 1)).toEqual(period);
        [now, number] = [period.endsAt, period.number];
      }
      expect([now, number]).toEqual([term.endsAt, { day: 365, week: 53, month: 12 }[reset]]);
    },
  );

  it("are one where nothing resets, the first before the begin, and none after the end", () => {
    const term = { startsAt: 1000, endsAt: 9000, reset: "never" as const };
    expect(planPeriodAt(term, 8999)).toEqual({ number: 1, startsAt: 1000, endsAt: 9000 });
    expect(planPeriodAt(term, 9000)).toBeUndefined();
    expect(planPeriodAt(yearFrom("2026-06-01T00:00:00", "day"), 0)?.number).toBe(1);
  });
});
