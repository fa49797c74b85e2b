import { expect, it } from "vitest";
import { cockpitRanges } from "./cockpit-range";

const at = (...parts: [number, number, number, number, number, number]): number =>
  new Date(...parts).getTime();

it("compares today with the same weekday a week before, until the same minute", () => {
  const { today, weekBefore, lastDay } = cockpitRanges(at(2026, 2, 3, 14, 25, 30));
  expect(today).toEqual({ from: at(2026, 2, 3, 0, 0, 0) / 1000, to: at(2026, 2, 3, 14, 25, 59) / 1000 });
  expect(weekBefore).toEqual({
    from: at(2026, 1, 24, 0, 0, 0) / 1000,
    to: at(2026, 1, 24, 14, 25, 59) / 1000,
  });
  expect(lastDay).toEqual({ from: at(2026, 2, 2, 15, 0, 0) / 1000, to: today.to });
});

it("asks for the same within a minute", () => {
  expect(cockpitRanges(at(2026, 2, 3, 14, 25, 1))).toEqual(cockpitRanges(at(2026, 2, 3, 14, 25, 58)));
});
