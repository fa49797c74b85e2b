// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from "vitest";
import {
  formatCount,
  formatDate,
  formatQuota,
  formatTime,
  markBounded,
  parseDate,
  storeCurrency,
} from "./format";

beforeEach(() => localStorage.clear());

describe("formatCount", () => {
  it.each([
    [0, "0"],
    [9_999, "9999"],
    [10_000, "10.0k"],
    [999_999, "1000.0k"],
    [1_000_000, "1.0M"],
    [2_500_000_000, "2.5B"],
    [-12_000, "-12.0k"],
  ])("writes %d as %s", (count, text) => expect(formatCount(count)).toBe(text));
});

describe("markBounded", () => {
  it.each([
    [9_007_199_254_740_990, "1.0B"],
    [9_007_199_254_740_991, "≥ 1.0B"],
    [-9_007_199_254_740_991, "≤ 1.0B"],
    [0, "1.0B"],
  ])("says of a sum that was told as %d: %s", (sum, text) => expect(markBounded(sum, "1.0B")).toBe(text));
});

describe("formatQuota", () => {
  it("counts points until the site shows currency", () => {
    expect(formatQuota(500_000)).toBe("500.0k");
  });

  it("shows dollars, with 2 decimals in lists and 6 in logs", () => {
    localStorage.setItem("display_in_currency", "true");
    localStorage.setItem("quota_per_unit", "500000");
    expect(formatQuota(731)).toBe("$0.00");
    expect(formatQuota(731, 6)).toBe("$0.001462");
    expect(formatQuota(-500_000)).toBe("-$1.00");
  });

  it("falls back to the default unit when the stored one is unfit", () => {
    localStorage.setItem("display_in_currency", "true");
    localStorage.setItem("quota_per_unit", "undefined");
    expect(formatQuota(1_000_000)).toBe("$2.00");
  });
});

describe("formatQuota in another currency", () => {
  const show = (status: object) => {
    localStorage.setItem("display_in_currency", "true");
    storeCurrency(status);
  };

  it("converts at the site's rate and writes the currency's sign", () => {
    show({ display_currency: "CNY", display_symbol: "¥", display_rate: 7.2 });
    expect([formatQuota(500_000), formatQuota(731, 6), formatQuota(-500_000)]).toEqual([
      "¥7.20",
      "¥0.010526",
      "-¥7.20",
    ]);
  });

  it("has two decimals less in a currency without cents", () => {
    show({ display_currency: "JPY", display_symbol: "JP¥", display_rate: 150 });
    expect([formatQuota(500_000), formatQuota(731, 6)]).toEqual(["JP¥150", "JP¥0.2193"]);
  });

  it("goes back to dollars with a status that names no currency, or a rate that is none", () => {
    show({ display_currency: "CNY", display_symbol: "¥", display_rate: 7.2 });
    for (const status of [{}, { display_currency: "CNY", display_symbol: "¥", display_rate: 0 }]) {
      show(status);
      expect([formatQuota(500_000), localStorage.getItem("display_currency")]).toEqual(["$1.00", null]);
    }
    localStorage.setItem("display_currency", "nonsense");
    expect(formatQuota(500_000)).toBe("$1.00");
  });
});

describe("times", () => {
  it("writes local time and reads it back", () => {
    const date = new Date(2024, 1, 29, 3, 4, 5);
    expect(formatDate(date)).toBe("2024-02-29 03:04:05");
    expect(parseDate("2024-02-29 03:04:05")).toEqual(date);
    expect(parseDate("2024-2-29")).toEqual(new Date(2024, 1, 29));
  });

  it("shows nothing for 0, which means not yet", () => expect(formatTime(0)).toBe(""));

  it.each(["", "soon", "2023-02-29", "2024-13-01", "2024-01-01 24:00:00", "2024-01-01 10:60"])(
    "refuses %j",
    (text) => expect(parseDate(text)).toBeUndefined(),
  );
});
