import { expect, it } from "vitest";
import { readRange } from "./dashboard-range";

// Local times, so that the tests pass in every time zone.
const at = (...parts: [number, number, number, number?, number?, number?]): number =>
  new Date(parts[0], parts[1] - 1, ...(parts.slice(2) as [number])).getTime() / 1000;

const NOW = new Date(2026, 5, 15, 16, 20, 30);
const now = NOW.getTime() / 1000;

it("looks at seven days by day unless told otherwise, and compares with the seven days before until the same time", () => {
  expect(readRange({}, NOW)).toEqual({
    range: { from: at(2026, 6, 9), to: now },
    before: { from: at(2026, 6, 2), to: at(2026, 6, 8, 16, 20, 30) },
    step: "day",
  });
});

it("compares today until now with yesterday until the same time, by hour", () => {
  expect(readRange({ range: "today" }, NOW)).toEqual({
    range: { from: at(2026, 6, 15), to: now },
    before: { from: at(2026, 6, 14), to: at(2026, 6, 14, 16, 20, 30) },
    step: "hour",
  });
});

it("counts 24 hours with the one that runs", () => {
  const { range, step } = readRange({ range: "24h" }, NOW);
  expect(range).toEqual({ from: at(2026, 6, 14, 17), to: now });
  expect(step).toBe("hour");
});

it("takes the step of the address where the range can be looked at in it", () => {
  expect(readRange({ step: "hour" }, NOW).step).toBe("hour");
  expect(readRange({ range: "30d", step: "hour" }, NOW).step).toBe("day");
  expect(readRange({ range: "today", step: "day" }, NOW).step).toBe("day");
});

it("reads an own range, and falls back to the usual one where it is none", () => {
  const own = { range: "own" as const, from: "2026-06-01", to: "2026-06-02 12:00:00" };
  expect(readRange(own, NOW).range).toEqual({ from: at(2026, 6, 1), to: at(2026, 6, 2, 12) });
  expect(readRange({ ...own, from: "2026-06-03" }, NOW).range.from).toBe(at(2026, 6, 9));
  expect(readRange({ ...own, from: "soon" }, NOW).range.from).toBe(at(2026, 6, 9));
});
