// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from "vitest";
import { currencyName } from "./currency-name";
import { formatCount, formatDate, formatQuota, formatTime, markBounded, parseDate } from "./format";

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
  const show = (stored: string) => {
    localStorage.setItem("display_in_currency", "true");
    localStorage.setItem("display_currency", stored);
  };

  it("converts at the site's rate and writes the currency's sign", () => {
    show("CNY ¥ 7.2");
    expect([formatQuota(500_000), formatQuota(731, 6), formatQuota(-500_000)]).toEqual([
      "¥7.20",
      "¥0.010526",
      "-¥7.20",
    ]);
  });

  it("has two decimals less in a currency without cents", () => {
    show("JPY JP¥ 150");
    expect([formatQuota(500_000), formatQuota(731, 6)]).toEqual(["JP¥150", "JP¥0.2193"]);
  });

  it.each(["", "nonsense", "CNY ¥ 0", "CNY ¥ undefined"])("goes back to dollars with %j", (stored) => {
    show(stored);
    expect(formatQuota(500_000)).toBe("$1.00");
  });

  it("has its name in Chinese, and its code in English", () => {
    show("CNY ¥ 7.2");
    expect(["zh-CN", "zh-TW", "en"].map((language) => currencyName(language))).toEqual([
      "人民币",
      "人民幣",
      "CNY",
    ]);
    expect(currencyName("zh-CN", "JPY")).toBe("日元");
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
