import { parseDecimal } from "@tollgate/contract/values/decimal";
import { describe, expect, it } from "vitest";
import { sitePrices } from "../prices/testing/site-prices";

describe("the prices that are kept", () => {
  it("are never those of other groups, whatever groups are called", async () => {
    const { pricing } = await sitePrices({
      ModelRatio: '{"m":1}',
      GroupGroupRatio: '{"a":{"b/c":5},"a/b":{"c":3},"2 x":{"y":7},"x":{"2 y":9}}',
    });
    const names = [
      ["a", "b/c", "5"],
      ["a/b", "c", "3"],
      ["2 x", "y", "7"],
      ["x", "2 y", "9"],
    ] as const;
    // The second time they are kept.
    for (const [own, group, ratio] of [...names, ...names])
      expect(pricing.find("m", group, { groups: [own] })).toMatchObject({
        group,
        perPromptToken: parseDecimal(ratio),
      });
  });
});
