// @vitest-environment happy-dom

import { MAX_QUOTA } from "@tollgate/contract/values/quota";
import { afterEach, describe, expect, it } from "vitest";
import {
  exactPoints,
  exactQuota,
  isInDollars,
  nearestPoints,
  quotaDecimals,
  quotaInMoney,
  readMoney,
  signedQuota,
} from "./exact-quota";
import { writeStored } from "./local-store";

afterEach(() => localStorage.clear());

const showDollars = (perUnit = 500_000) => {
  writeStored("display_in_currency", "true");
  writeStored("quota_per_unit", String(perUnit));
};

describe("an exact amount", () => {
  it.each([
    [500_000, "$1.00"],
    [550_000, "$1.10"],
    [731, "$0.001462"],
    [1000, "$0.002"],
    [99_265_433, "$198.530866"],
    [MAX_QUOTA, "$18014398509.481982"],
    [1, "$0.000002"],
    [0, "$0.00"],
  ])("of %i points is %s", (quota, text) => {
    showDollars();
    expect(exactQuota(quota)).toBe(text);
    expect(signedQuota(0 - quota)).toBe(quota === 0 ? "+$0.00" : `−${text}`);
  });

  it("is points where the site shows points", () => {
    expect([exactQuota(1_234_567), signedQuota(1000), signedQuota(-1)]).toEqual([
      "1,234,567",
      "+1,000",
      "−1",
    ]);
  });

  it("has as many decimals as its column needs, so that the points of the column align", () => {
    showDollars();
    const column = [36_553_960, 0, 677_597, -37_500];
    const places = quotaDecimals(column);
    expect(column.map((quota) => exactQuota(quota, places))).toEqual([
      "$73.107920",
      "$0.000000",
      "$1.355194",
      "-$0.075000",
    ]);
    expect(quotaDecimals([500_000, 250_000])).toBe(2);
    expect(quotaDecimals([])).toBe(2);
  });
});

describe("typed dollars", () => {
  const QUOTAS = [0, 1, 2, 3, 999_999, 500_000, 123_456_789_012, MAX_QUOTA - 1, MAX_QUOTA];

  it.each([500_000, 400_000, 300_000, 1, 7, 1_000_000, 500_000.5])(
    "of %d points each read back the written amount",
    (perUnit) => {
      showDollars(perUnit);
      for (let seed = 1; seed < 2000; seed += 1)
        QUOTAS.push((seed * 7_919_317_081) % 10 ** (1 + (seed % 15)));
      expect(QUOTAS.filter((quota) => readMoney(quotaInMoney(quota)) !== quota)).toEqual([]);
      expect(QUOTAS.filter((quota) => readMoney(quotaInMoney(0 - quota)) !== 0 - quota && quota > 0)).toEqual(
        [],
      );
    },
  );

  it.each([
    ["10", 5_000_000],
    ["$10", 5_000_000],
    [" 10.50 ", 5_250_000],
    ["0.1", 50_000],
    ["1.1", 550_000],
    ["12,5", 6_250_000],
    ["1,234.50", 617_250_000],
    ["１０．５", 5_250_000],
    [".5", 250_000],
    ["1.", 500_000],
    ["0.000002", 1],
    ["-1", -500_000],
  ])("%j are %i points", (typed, quota) => {
    showDollars();
    expect(readMoney(typed)).toBe(quota);
  });

  it.each([
    "",
    "ten",
    "1,234",
    "1.2.3",
    "1e3",
    "$",
    "-",
    ".",
    "0.000001",
    "0.0000021",
    "18014398509.481984",
    "9".repeat(500),
  ])("%j are no amount that can be kept to the point", (typed) => {
    showDollars();
    expect(readMoney(typed)).toBeUndefined();
  });
});

describe("another currency", () => {
  const showYuan = () => {
    showDollars();
    writeStored("display_currency", "CNY ¥ 7.2");
  };

  it("has amounts that identify their points, and reads them back", () => {
    showYuan();
    expect([exactQuota(694_444), signedQuota(-694_440), exactPoints(3)]).toEqual([
      "¥10.00",
      "−¥9.99994",
      "¥0.00004",
    ]);
    expect([readMoney("10"), readMoney("¥9.99994"), readMoney("0.00002")]).toEqual([
      694_444,
      694_440,
      undefined,
    ]);
    expect(nearestPoints("0.00002")).toBe(1);
  });

  it("may be a document's own", () => {
    showYuan();
    const dollars = { currency: "USD", symbol: "$", rate: "1" };
    expect([quotaDecimals([731], dollars), exactQuota(731, 6, dollars)]).toEqual([6, "$0.001462"]);
  });

  it("is told from US dollars", () => {
    expect(isInDollars()).toBe(true);
    showYuan();
    expect(isInDollars()).toBe(false);
  });
});
