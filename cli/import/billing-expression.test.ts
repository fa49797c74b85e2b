import { describe, expect, it } from "vitest";
import { readBillingExpression } from "./billing-expression";

describe("billing expressions of new-api", () => {
  it("of one sum are prices for tokens; a part without a name is priced as input", () => {
    expect(readBillingExpression('tier("base", p * 3 + c * 15)')).toEqual({
      input: 3,
      output: 15,
      cacheRead: 3,
      cacheWrite5m: 3,
      cacheWrite1h: 3,
    });
    expect(
      readBillingExpression('v1:tier("x", 3*p + c*15 + cr*0.3 + cc*3.75 + cc1h*6 + ai*10 + ao*20)'),
    ).toEqual({
      input: 3,
      output: 15,
      cacheRead: 0.3,
      cacheWrite5m: 3.75,
      cacheWrite1h: 6,
      audioInput: 10,
      audioOutput: 20,
    });
  });

  it("of the prompt's length are tiers", () => {
    const text = 'len <= 200000 ? tier("a", p * 1.25 + c * 10 + cr * 0.125) : tier("b", p * 2.5 + c * 15)';
    expect(readBillingExpression(text)).toMatchObject({
      input: 1.25,
      cacheRead: 0.125,
      tiers: [{ aboveTokens: 200_000, input: 2.5, output: 15, cacheRead: 2.5 }],
    });
    const three = 'len < 32000 ? tier("a", p * 1) : (len <= 128000 ? tier("b", p * 2) : tier("c", p * 3))';
    expect(readBillingExpression(three)).toMatchObject({
      tiers: [
        { aboveTokens: 31_999, input: 2 },
        { aboveTokens: 128_000, input: 3 },
      ],
    });
  });

  it("of a fixed amount are prices for a call", () => {
    expect(readBillingExpression('tier("request", fixed(0.04))')).toEqual({ perCall: 0.04 });
  });

  it.each([
    "",
    "p * 3",
    'tier("a", p * 3) * 2',
    'tier("a", p * 3 - c)',
    'tier("a", p * -3)',
    'tier("a", img * 3)',
    'tier("a", p * 3 + p * 4)',
    'tier("a", u("x"))',
    'param("stream") == true ? tier("a", p) : tier("b", p)',
    'hour("UTC") >= 9 ? tier("a", p) : tier("b", p)',
    'len > 5 ? tier("a", p) : tier("b", p)',
    'len <= 5 && c <= 2 ? tier("a", p) : tier("b", p)',
    'len <= 9 ? tier("a", p) : len <= 5 ? tier("b", p) : tier("c", p)',
    'len <= 9 ? tier("a", p) : tier("b", fixed(1))',
    'len <= 1e30 ? tier("a", p) : tier("b", p)',
    'tier("a", p * 3) tier("b", p)',
    "tier(a, p)",
    `${"(".repeat(100_000)}`,
    `tier("a", ${"p * 1 + ".repeat(10_000)}p)`,
    'v2:tier("base", p * 2)',
  ])("that say anything else cannot be said: %#", (text) => {
    expect(readBillingExpression(text)).toBeUndefined();
  });
});
