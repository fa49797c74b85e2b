import { parseModelPrices } from "@tollgate/contract/management/model-price";
import { parseDecimal } from "@tollgate/contract/values/decimal";
import { describe, expect, it } from "vitest";
import { findPrice, type PriceBook } from "./price";
import { isAbsurd, priceDifferences } from "./price-differences";
import { parseRatioTable } from "./ratio-table";
import { usdPriceOf } from "./usd-price";

const usd = (entry: unknown, book: Partial<PriceBook> = {}, perUnit = "500000") => {
  const modelPrices = parseModelPrices(JSON.stringify({ m: entry }));
  if ("fault" in modelPrices) throw new Error(modelPrices.fault);
  const quotaPerUnit = parseDecimal(perUnit)!;
  const price = findPrice(
    { modelRatios: new Map(), groupRatios: new Map(), modelPrices, quotaPerUnit, ...book },
    "m",
    "",
    0,
  );
  return price && usdPriceOf(price, quotaPerUnit);
};

describe("the amount of a price in money", () => {
  it("names everything that is charged by it", () => {
    const cacheRatios = new Map([["m", { read: 0.1, write5m: 1.25, write1h: 2 }]]);
    expect(usd({ input: 3, output: 15 }, { cacheRatios })).toEqual({
      input: 3,
      output: 15,
      cacheRead: 0.3,
      cacheWrite5m: 3.75,
      cacheWrite1h: 6,
      audioInput: 3,
      audioOutput: 15,
    });
  });

  it("is the same at any quota per dollar, and for the ratio that the price is", () => {
    for (const perUnit of ["500000", "700000", "1000000", "3"]) {
      expect(usd({ input: 0.078, output: 0.312 }, {}, perUnit)).toMatchObject({
        input: 0.078,
        output: 0.312,
      });
      expect(usd({ perCall: 0.065 }, {}, perUnit)).toEqual({ perCall: 0.065 });
    }
    const book = {
      modelPrices: new Map(),
      modelRatios: parseRatioTable('{"m":0.15}')!,
      completionRatios: parseRatioTable('{"m":4}')!,
    };
    expect(usd({ input: 1 }, book)).toMatchObject({ input: 0.3, output: 1.2 });
  });

  it("says nothing of an answer whose price is not known", () => {
    expect(usd({ input: 1 })).toEqual({
      input: 1,
      cacheRead: 1,
      cacheWrite5m: 1,
      cacheWrite1h: 1,
      audioInput: 1,
    });
  });
});

describe("the differences of two prices", () => {
  it("names the parts that became dearer, and not those that merely follow the input", () => {
    expect(priceDifferences(usd({ input: 1, output: 4 }), usd({ input: 1.5, output: 4 }))).toEqual([
      { part: "input", above_tokens: 0, old: 1, next: 1.5, percent: 50 },
    ]);
    expect(priceDifferences(usd({ input: 1, output: 4 }), usd({ input: 1, output: 4 }))).toEqual([]);
  });

  it("compares each length from which one of the two has another price", () => {
    const tiers = [{ aboveTokens: 200_000, input: 6, output: 22.5 }];
    expect(priceDifferences(usd({ input: 3, output: 15, tiers }), usd({ input: 3, output: 15 }))).toEqual([
      { part: "input", above_tokens: 200_000, old: 6, next: 3, percent: -50 },
      { part: "output", above_tokens: 200_000, old: 22.5, next: 15, percent: -33.3 },
    ]);
  });

  it("names a part that gets a price of its own, or loses it", () => {
    const [difference] = priceDifferences(
      usd({ input: 2, output: 8 }),
      usd({ input: 2, output: 8, cacheRead: 0.5 }),
    );
    expect(difference).toEqual({ part: "cacheRead", above_tokens: 0, old: 2, next: 0.5, percent: -75 });
  });

  it("of a new price have nothing to compare with", () => {
    expect(priceDifferences(undefined, usd({ perCall: 0.1 }))).toEqual([
      { part: "perCall", above_tokens: 0, next: 0.1 },
    ]);
    expect(priceDifferences(usd({ perCall: 0.1 }), usd({ input: 1, output: 2 }))).toEqual([
      { part: "perCall", above_tokens: 0, old: 0.1 },
      { part: "input", above_tokens: 0, next: 1 },
      { part: "output", above_tokens: 0, next: 2 },
    ]);
  });

  it.each([
    [1, 999.9, false],
    [1, 1000, true],
    [1000, 1, true],
    [1, 0.0011, false],
    // Free on purpose: there is nothing to be a thousandfold of.
    [0, 5, false],
  ])("from %f to %f is absurd: %s", (old, next, isIt) => {
    expect(isAbsurd(priceDifferences(usd({ input: old, output: 1 }), usd({ input: next, output: 1 })))).toBe(
      isIt,
    );
  });

  it.each([
    [{ input: 2, output: 8 }, { perCall: 0.000_000_1 }, true],
    [{ input: 2, output: 8 }, { perCall: 3 }, true],
    [{ input: 2, output: 8 }, { perCall: 0.04 }, false],
    [{ perCall: 0.04 }, { input: 0.000_01, output: 1 }, true],
    [{ perCall: 0.04 }, { input: 2, output: 8 }, false],
  ])("%j becoming %j is absurd: %s, where calls take the place of tokens", (old, next, is) => {
    expect(isAbsurd(priceDifferences(old, next))).toBe(is);
  });
});
