import { describe, expect, it } from "vitest";
import { add, formatDecimal, multiply, parseDecimal, roundUp } from "./decimal";

const decimal = (text: string) => parseDecimal(text)!;

describe("parseDecimal", () => {
  it.each([
    ["0.75", 75n, 2],
    ["2", 2n, 0],
    ["2.50", 25n, 1],
    ["1e-3", 1n, 3],
    ["1.5e2", 150n, 0],
    ["0", 0n, 0],
    ["2.965517", 2_965_517n, 6],
  ])("reads %s", (text, digits, scale) => {
    expect(parseDecimal(text)).toEqual({ digits, scale });
  });

  it.each(["-1", "", "abc", "1.", ".5", "NaN", "Infinity", "1e999", "0x10"])("refuses %s", (text) => {
    expect(parseDecimal(text)).toBeUndefined();
  });

  it("refuses a far too long text without reading it, and accepts zeros that change nothing", () => {
    const started = performance.now();
    for (const text of [`1.${"0".repeat(1_000_000)}`, "9".repeat(1_000_000), `0.${"1".repeat(1_000_000)}`])
      expect(parseDecimal(text)).toBeUndefined();
    expect(performance.now() - started).toBeLessThan(1000);
    expect(parseDecimal(`2.5${"0".repeat(60)}`)).toEqual({ digits: 25n, scale: 1 });
  });
});

describe("arithmetic", () => {
  it("is exact", () => {
    expect(formatDecimal(multiply(decimal("1.1"), decimal("10")))).toBe("11.0");
    expect(formatDecimal(add(decimal("0.1"), decimal("0.2")))).toBe("0.3");
    expect(roundUp(add(decimal("0.1"), decimal("0.2")))).toBe(1);
    expect(roundUp(decimal("11"))).toBe(11);
    expect(roundUp(decimal("11.0001"))).toBe(12);
  });

  it("stops at the largest exact number", () => {
    expect(roundUp(decimal("1e29"))).toBe(Number.MAX_SAFE_INTEGER);
  });

  it("shows at least the places asked for and never drops a digit", () => {
    expect(formatDecimal(decimal("0.75"), 2)).toBe("0.75");
    expect(formatDecimal(decimal("15"), 2)).toBe("15.00");
    expect(formatDecimal(decimal("2.965517"), 2)).toBe("2.965517");
  });
});
