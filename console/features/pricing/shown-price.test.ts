// @vitest-environment happy-dom

import { afterEach, describe, expect, it } from "vitest";
import { formatPrice, formatTokens, priceDecimals } from "./shown-price";

afterEach(() => localStorage.clear());

describe("a price as it is shown", () => {
  it.each([
    [0, "$0.00"],
    [3, "$3.00"],
    [0.27, "$0.27"],
    [0.1 + 0.2, "$0.30"],
    [12.3456, "$12.35"],
    [1250, "$1250.00"],
    [0.0000005, "$0.0000005"],
    [1.25e-9, "$0.00000000125"],
  ])("%d is %s, however small it is", (usd, text) => {
    localStorage.setItem("display_in_currency", "true");
    expect(formatPrice(usd)).toBe(text);
  });

  it("has as many decimals as its column needs", () => {
    localStorage.setItem("display_in_currency", "true");
    const places = priceDecimals([75, 0.075, undefined]);
    expect([75, 0.075].map((usd) => formatPrice(usd, places))).toEqual(["$75.000", "$0.075"]);
    expect(priceDecimals([])).toBe(2);
  });

  it("is in the site's currency, at its rate", () => {
    localStorage.setItem("display_in_currency", "true");
    localStorage.setItem("display_currency", "CNY ¥ 7.2");
    expect([3, 0.27, 0.000_001].map((usd) => formatPrice(usd))).toEqual(["¥21.60", "¥1.944", "¥0.0000072"]);
    expect(priceDecimals([3, 0.27])).toBe(3);
  });

  it("is no nothing in points, either, where it is something", () => {
    expect([3, 0.000_000_5, 1e-9, 0].map((usd) => formatPrice(usd))).toEqual([
      "1500000",
      "0.25",
      "0.0005",
      "0",
    ]);
  });

  it("has lengths in thousands and millions", () => {
    expect([formatTokens(500), formatTokens(128_000), formatTokens(1_000_000)]).toEqual([
      "500",
      "128K",
      "1M",
    ]);
  });
});
