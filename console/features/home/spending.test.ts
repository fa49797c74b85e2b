import type { UsagePoint } from "@tollgate/contract/api/usage";
import { describe, expect, it } from "vitest";
import { daysLeft, spendingOf, spendingRange } from "./spending";

const day = (month: number, date: number): number => new Date(2026, month, date).getTime() / 1000;

const point = (time: number, quota: number, requests = 1, errors = 0): UsagePoint => ({
  time,
  key: "",
  name: "",
  requests,
  errors,
  promptTokens: 0,
  completionTokens: 0,
  quota,
  durationMs: 0,
  firstByteMs: 0,
  streams: 0,
});

describe("spending", () => {
  it("is told of today, the month and the last seven days, which may reach into the month before", () => {
    const now = new Date(2026, 2, 3, 14, 25);
    expect(spendingRange(now)).toEqual({ from: day(1, 25), to: day(2, 4) - 1 });
    const points = [
      point(day(1, 25), 100),
      point(day(1, 28), 10),
      point(day(2, 1), 5),
      point(day(2, 3), 2, 3, 4),
    ];
    expect(spendingOf(points, now)).toEqual({
      today: 2,
      month: 7,
      week: 117,
      requestsToday: 7,
      failedToday: 4,
    });
  });

  it("is asked for from the month's begin, where that is longer ago", () => {
    expect(spendingRange(new Date(2026, 2, 30)).from).toBe(day(2, 1));
  });
});

describe("how long a balance lasts", () => {
  it.each([
    [700, 70, 70],
    [69, 70, 6],
    [0, 70, 0],
    [100, 0, undefined],
  ])("%i at %i in a week: %s days", (balance, week, days) => expect(daysLeft(balance, { week })).toBe(days));
});
