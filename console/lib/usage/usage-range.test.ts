import { describe, expect, it } from "vitest";
import { fitsStep, isOpenSpan, spanBegins, spanRange } from "./usage-range";

const at = (text: string): number => Date.parse(text) / 1000;

describe("spanBegins", () => {
  it("begins days at midnight of a clock ahead of UTC, also for a range that begins in the middle of one", () => {
    const range = { from: at("2026-11-19T10:00:00+08:00"), to: at("2026-11-21T16:00:00+08:00") };
    expect(spanBegins(range, "day", 480)).toEqual([
      at("2026-11-19T00:00:00+08:00"),
      at("2026-11-20T00:00:00+08:00"),
      at("2026-11-21T00:00:00+08:00"),
    ]);
  });

  it("begins hours of a clock that is half an hour off at its full hours", () => {
    const range = { from: at("2026-11-19T10:10:00+05:30"), to: at("2026-11-19T12:00:00+05:30") };
    expect(spanBegins(range, "hour", 330)).toEqual([
      at("2026-11-19T10:00:00+05:30"),
      at("2026-11-19T11:00:00+05:30"),
      at("2026-11-19T12:00:00+05:30"),
    ]);
  });
});

it("cuts a span to the range it is part of", () => {
  const range = { from: 5000, to: 9000 };
  expect(spanRange(3600, "hour", range)).toEqual({ from: 5000, to: 7199 });
  expect(spanRange(7200, "hour", range)).toEqual({ from: 7200, to: 9000 });
});

it("shows hours for up to two weeks, days for any time", () => {
  const days = (count: number) => ({ from: 0, to: count * 86_400 });
  expect(fitsStep(days(14), "hour")).toBe(true);
  expect(fitsStep(days(15), "hour")).toBe(false);
  expect(fitsStep(days(900), "day")).toBe(true);
});

it.each([
  [3600, 3599, false],
  [3600, 3600, true],
  [3600, 7199, true],
  [3600, 7200, false],
])("an hour that begins at %i is open at %i: %s", (begin, now, isOpen) => {
  expect(isOpenSpan(begin, "hour", now)).toBe(isOpen);
});
