import { expect, it } from "vitest";
import { isoTimes } from "./iso-time";

it.each([
  [0, "2026-01-01T00:00:00Z"],
  [480, "2026-01-01T08:00:00+08:00"],
  [330, "2026-01-01T05:30:00+05:30"],
  [-210, "2025-12-31T20:30:00-03:30"],
])("says a moment by a clock of %i minutes", (offset, said) => {
  expect(isoTimes(offset)(1_767_225_600)).toBe(said);
  expect(Date.parse(said)).toBe(1_767_225_600_000);
});

it("returns an empty text for a missing or impossible moment", () => {
  expect([0, Number.MAX_SAFE_INTEGER, Number.NaN].map(isoTimes(480))).toEqual(["", "", ""]);
});
