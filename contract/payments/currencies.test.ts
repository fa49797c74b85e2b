import { describe, expect, it } from "vitest";
import { formatMinor, formatMoney, formatUnitPrice, parseMinor } from "./currencies";
import { CURRENCY_CODES } from "./currency-codes";

describe("an amount of money", () => {
  it.each([
    [3600, "CNY", "¥36.00"],
    [1, "CNY", "¥0.01"],
    [3600, "USD", "$36.00"],
    [3600, "JPY", "JP¥3600"],
    [3600, "EUR", "€36.00"],
    [3600, "CAD", "CA$36.00"],
    [3600, "CHF", "CHF\u00a036.00"],
    [3600, "XYZ", "XYZ\u00a036.00"],
  ])("of %i in %s is %s", (amount, currency, text) => expect(formatMoney(amount, currency)).toBe(text));

  it("names each currency in a way of its own", () => {
    const written = CURRENCY_CODES.map((currency) => formatMoney(0, currency).replace(/[\d.]/g, ""));
    expect(new Set(written).size).toBe(CURRENCY_CODES.length);
  });

  it("is read back as it is written for providers", () => {
    for (const currency of CURRENCY_CODES)
      for (const amount of [0, 1, 99, 100, 123_456_789])
        expect(parseMinor(formatMinor(amount, currency), currency)).toBe(amount);
  });
});

it("writes the price of a dollar of quota to the last digit", () => {
  expect([
    formatUnitPrice("7.2", "CNY"),
    formatUnitPrice("7.123", "CNY"),
    formatUnitPrice("150", "JPY"),
  ]).toEqual(["¥7.20", "¥7.123", "JP¥150"]);
});
