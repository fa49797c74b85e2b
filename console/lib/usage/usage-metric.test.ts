// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from "vitest";
import { errorRate, measureOf, metricOf } from "./usage-metric";
import { NO_USAGE } from "./usage-sum";

beforeEach(() => localStorage.clear());

describe("metricOf", () => {
  const sum = { ...NO_USAGE, requests: 4, errors: 1, durationMs: 1000, firstByteMs: 90, streams: 3 };

  it("counts failed requests among the requests, and divides means by the number of measured requests", () => {
    expect(metricOf("requests", sum)).toBe(5);
    expect(metricOf("duration", sum)).toBe(250);
    expect(metricOf("firstByte", sum)).toBe(30);
    expect(errorRate(sum)).toBe(0.2);
  });

  it("knows no mean of nothing", () => {
    expect(metricOf("duration", NO_USAGE)).toBeUndefined();
    expect(metricOf("firstByte", { ...sum, streams: 0 })).toBeUndefined();
    expect(errorRate(NO_USAGE)).toBeUndefined();
  });
});

describe("measureOf", () => {
  it("writes an axis of counts with k, M and B", () => {
    const { formatAxis } = measureOf("tokens");
    expect([0, 50, 100].map((value) => formatAxis(value, 50))).toEqual(["0", "50", "100"]);
    expect([500, 1500, 20_000].map((value) => formatAxis(value, 500))).toEqual(["500", "1.5k", "20k"]);
    expect([2_000_000, 3_000_000_000].map((value) => formatAxis(value, 1e6))).toEqual(["2M", "3B"]);
  });

  it("writes quota as the site shows it, with as many decimals as an axis needs", () => {
    expect(measureOf("quota").formatAxis(20_000, 10_000)).toBe("20k");
    localStorage.setItem("display_in_currency", "true");
    localStorage.setItem("quota_per_unit", "500000");
    const { format, formatAxis, unit } = measureOf("quota");
    expect(unit).toBe(500_000);
    expect(formatAxis(1_000_000, 500_000)).toBe("$2");
    expect(formatAxis(25_000, 12_500)).toBe("$0.05");
    expect([5_000_000, 18, 0].map((quota) => format(quota))).toEqual(["$10.00", "$0.000036", "$0.00"]);
    const column = [5_000_000, 250_000, 0];
    expect(column.map((quota) => format(quota, column))).toEqual(["$10.0000", "$0.5000", "$0.0000"]);
  });

  it("marks a sum that may be more than it was told as", () => {
    expect(measureOf("tokens").format(Number.MAX_SAFE_INTEGER)).toBe("≥ 9007199.3B");
    localStorage.setItem("display_in_currency", "true");
    expect(measureOf("quota").format(Number.MAX_SAFE_INTEGER)).toBe("≥ $18014398509.48");
  });
});
