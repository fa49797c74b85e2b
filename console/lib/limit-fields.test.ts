import { expect, it } from "vitest";
import { changedLimits, limitFieldSchemas, NO_LIMITS, toLimitFields } from "./limit-fields";

it("sends only limits that changed, and 0 for one that is taken away", () => {
  expect(changedLimits(NO_LIMITS, NO_LIMITS)).toEqual({});
  const before = toLimitFields({ rpm: 60, dailyQuota: 1000 });
  expect(changedLimits(before, before)).toEqual({});
  expect(changedLimits({ ...before, rpm: "", tpm: " 500 ", dailyQuota: "01000" }, before)).toEqual({
    rpm: 0,
    tpm: 500,
  });
});

it("takes whole numbers of 0 or more for every limit of a key or a user", () => {
  for (const [name, schema] of Object.entries(limitFieldSchemas)) {
    expect(schema.safeParse("0").success, name).toBe(true);
    expect(schema.safeParse("-1").error?.issues[0]?.message, name).toBe("field.wholeNumber");
  }
});
