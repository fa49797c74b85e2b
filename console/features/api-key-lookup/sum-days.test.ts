import { expect, it } from "vitest";
import { dayBegins, sumByDay, sumByModel } from "./sum-days";

const day = (time: number, model: string, quota: number, more = {}) => ({
  ...{ time, model, requests: 2, errors: 1, tokens_prompt: 10, tokens_completion: 5, usage: 0, quota },
  ...more,
});

it("begins days at midnight of the reader's clock", () => {
  const now = Date.UTC(2026, 10, 29, 17, 30) / 1000;
  expect(dayBegins(now, 2, 480).map((time) => new Date(time * 1000).toISOString())).toEqual([
    "2026-11-28T16:00:00.000Z",
    "2026-11-29T16:00:00.000Z",
  ]);
});

it("adds up each model with its course, apart from the sum of the others", () => {
  const days = [day(0, "a", 5), day(86_400, "a", 7), day(86_400, "", 1), day(0, "", 90, { others: 4 })];
  expect(sumByModel(days, [0, 86_400])).toEqual([
    { key: "", others: 4, requests: 2, errors: 1, tokens: 15, quota: 90, course: [3, 0] },
    { key: "a", others: undefined, requests: 4, errors: 2, tokens: 30, quota: 12, course: [3, 3] },
    { key: "", others: undefined, requests: 2, errors: 1, tokens: 15, quota: 1, course: [0, 3] },
  ]);
  expect(sumByDay(days).map(({ key, quota }) => [key, quota])).toEqual([
    [86_400, 8],
    [0, 95],
  ]);
});
