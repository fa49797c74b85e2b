import { expect, it } from "vitest";
import { changedLimits, NO_LIMITS, toLimitFields } from "./limit-fields";

it("sends only limits that changed, and 0 for one that is taken away", () => {
  expect(changedLimits(NO_LIMITS, NO_LIMITS)).toEqual({});
  const before = toLimitFields({ rpm: 60, dailyQuota: 1000 });
  expect(changedLimits(before, before)).toEqual({});
  expect(changedLimits({ ...before, rpm: "", tpm: " 500 ", dailyQuota: "01000" }, before)).toEqual({
    rpm: 0,
    tpm: 500,
  });
});
