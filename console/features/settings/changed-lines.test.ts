import { expect, it } from "vitest";
import { findChangedLines, withAmounts } from "./changed-lines";

it("names the lines that go and those that come, whatever stands after them", () => {
  expect(findChangedLines('{\n  "a": 1,\n  "b": 2\n}', '{\n  "a": 1,\n  "b": 3,\n  "c": 4\n}')).toEqual({
    removed: ['"b": 2'],
    added: ['"b": 3', '"c": 4'],
  });
  expect(findChangedLines("x\nx", "x")).toEqual({ removed: ["x"], added: [] });
});

it("words amounts of limits, and no other number", () => {
  const money = (points: string) => `<${points}>`;
  expect(withAmounts('"vip": {"daily_quota": 5000000, "rpm": 60, "window_quota": 1}', money)).toBe(
    '"vip": {"daily_quota": <5000000>, "rpm": 60, "window_quota": <1>}',
  );
  expect(withAmounts('"quota": 7, "weekly_quotas": 8', money)).toBe('"quota": 7, "weekly_quotas": 8');
});
