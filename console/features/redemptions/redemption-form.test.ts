import { describe, expect, it } from "vitest";
import { NEW_REDEMPTION, redemptionFieldsSchema, toRedemptionBody } from "./redemption-form";

const mistakes = (change: Partial<typeof NEW_REDEMPTION>, isNew = true): string[] => {
  const parsed = redemptionFieldsSchema(isNew).safeParse({ ...NEW_REDEMPTION, name: "n", ...change });
  return parsed.success ? [] : parsed.error.issues.map((issue) => issue.message);
};

describe("redemption form", () => {
  it("begins with the default quota and one code", () => {
    expect(toRedemptionBody({ ...NEW_REDEMPTION, name: " 五月 " })).toEqual({
      name: "五月",
      quota: 100_000,
      count: 1,
    });
  });

  it("reads numbers with an exponent as their whole numbers", () => {
    const typed = { ...NEW_REDEMPTION, quota: "1e5", count: "1e2", uses: "1e1" };
    expect(toRedemptionBody(typed)).toMatchObject({ quota: 100_000, count: 100, max_uses: 10 });
  });

  it.each([
    [{ name: " " }, true, ["redemption.nameMissing"]],
    [{ name: "" }, false, []],
    [{ quota: "0" }, true, ["redemption.quotaInvalid"]],
    [{ quota: "" }, false, ["redemption.quotaInvalid"]],
    [{ count: "0" }, true, ["redemption.countInvalid"]],
    [{ count: "1001" }, true, ["redemption.countInvalid"]],
    [{ count: "1000" }, true, []],
    [{ count: "1e4" }, true, ["redemption.countInvalid"]],
  ])("of %j (new: %s) finds %j", (change, isNew, found) => expect(mistakes(change, isNew)).toEqual(found));
});
