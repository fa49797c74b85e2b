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

describe("the price of a name with an effort", () => {
  const RULES = { Acme: { user: 7, models: "gpt-5-high", factor: 3 } };
  const find = async (userId: number, options: Record<string, string> = {}) => {
    const { pricing } = await sitePrices({
      ...{ ModelRatio: '{"gpt-5":10}', CompletionRatio: '{"gpt-5":1}', FallbackModelRatio: "1" },
      PriceRules: JSON.stringify(RULES),
      ...options,
    });
    // The second time it is kept.
    for (let time = 0; time < 2; time += 1)
      pricing.find("gpt-5", "default", { id: userId, groups: ["default"] }, "gpt-5", undefined);
    return pricing.find("gpt-5", "default", { id: userId, groups: ["default"] }, "gpt-5", "gpt-5-high")
      ?.perPromptToken;
  };

  it("is the model's, however one customer's rule names it", async () => {
    expect(await find(8)).toEqual(parseDecimal("10"));
  });

  it("is the model's times the factor, for the customer of the rule", async () => {
    expect(await find(7)).toEqual(parseDecimal("30"));
  });

  it("is its own where an option names it", async () => {
    expect(await find(8, { ModelRatio: '{"gpt-5":10,"gpt-5-high":20}' })).toEqual(parseDecimal("20"));
  });
});
