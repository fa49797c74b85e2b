import { createRandom } from "@tollgate/testkit/random";
import { seeds } from "@tollgate/testkit/seeds";
import { describe, expect, it } from "vitest";
import { currencySign } from "../payments/currencies";
import { CURRENCY_CODES } from "../payments/currency-codes";
import { MAX_QUOTA } from "./quota";
import { type AmountScale, amountText, columnPlaces, convertDollars, readAmountPoints } from "./shown-amount";
import { withSymbol } from "./shown-currency";

const scaleOf = (currency: string, rate: string, quotaPerUnit = 500_000): AmountScale => ({
  quotaPerUnit,
  shown: { currency, symbol: currencySign(currency), rate },
});

const yuan = scaleOf("CNY", "7.2");
const shown = (quota: number, scale = yuan): string => withSymbol(amountText(quota, scale), scale.shown);

const FOREIGN = CURRENCY_CODES.filter((code) => code !== "USD");
const UNITS = [500_000, 1, 7, 100, 300_000, 1_000_000, 1e12, 500_000.5];

/** Amounts, rates and units of any size, from one seed. */
const createDraw = (seed: number) => {
  const random = createRandom(seed);
  const upTo = (most: number): number => Math.floor(random() * (most + 1));
  const oneOf = <Each>(list: readonly Each[]): Each => list[upTo(list.length - 1)]!;
  const ofAnySize = (most: number): number => upTo(Math.min(most, 10 ** (1 + upTo(15))));
  return {
    upTo,
    quota: (): number => oneOf([ofAnySize(MAX_QUOTA), upTo(5_000_000_000), MAX_QUOTA - upTo(1)]),
    scale: (): AmountScale =>
      scaleOf(
        oneOf(FOREIGN),
        String((10_000 + ofAnySize(999_999_990_000)) / 1_000_000),
        oneOf([oneOf(UNITS), 1 + ofAnySize(100_000_000)]),
      ),
  };
};

const DRAWS = 400;

describe("an amount in a currency", () => {
  it.each([
    [0, "¥0.00"],
    [500_000, "¥7.20"],
    [694_444, "¥10.00"],
    [694_440, "¥9.99994"],
    [1, "¥0.00001"],
    [-694_444, "-¥10.00"],
  ])("of %i points is %s", (quota, text) => {
    expect(shown(quota)).toBe(text);
  });

  it("has the digits of its currency and its sign", () => {
    expect(shown(500_000, scaleOf("JPY", "150"))).toBe("JP¥150");
    expect(shown(500_000, scaleOf("CHF", "0.9"))).toBe("CHF\u00a00.90");
    expect(amountText(694_444, yuan, 4)).toBe("10.0000");
    expect(amountText(3, yuan, "point")).toBe("0.00004");
  });

  it.each(seeds(5))("is read back as the same points, at any rate and QuotaPerUnit (seed %i)", (seed) => {
    const draw = createDraw(seed);
    for (let count = 0; count < DRAWS; count += 1) {
      const [quota, scale] = [draw.quota(), draw.scale()];
      const place = JSON.stringify({ quota, scale });
      expect(readAmountPoints(shown(quota, scale), scale), place).toEqual({ points: quota, isExact: true });
      expect(readAmountPoints(shown(0 - quota, scale), scale)?.points, place).toBe(0 - quota);
    }
  });

  it.each(seeds(5))("identifies its points with the decimals of a column, too (seed %i)", (seed) => {
    const draw = createDraw(seed);
    for (let count = 0; count < DRAWS; count += 1) {
      const [quota, scale] = [draw.quota(), draw.scale()];
      const places = (amountText(quota, scale).split(".")[1] ?? "").length + draw.upTo(3);
      for (const text of [amountText(quota, scale, places), amountText(quota, scale, "point")])
        expect(readAmountPoints(text, scale)?.points, JSON.stringify({ quota, scale, text })).toBe(quota);
    }
  });

  it.each(seeds(5))("adds up in a column at any rate with at most three decimals (seed %i)", (seed) => {
    const draw = createDraw(seed);
    for (let count = 0; count < DRAWS; count += 1) {
      const scale = scaleOf("CNY", String((10 + draw.upTo(100_000)) / 1000));
      const quotas = Array.from({ length: 1 + draw.upTo(5) }, () => draw.upTo(5_000_000_000));
      const sum = quotas.reduce((all, quota) => all + quota, 0);
      const places = columnPlaces([...quotas, sum], scale);
      const inUnits = (quota: number) => BigInt(amountText(quota, scale, places).replace(".", ""));
      expect(quotas.map(inUnits).reduce((all, each) => all + each, 0n)).toBe(inUnits(sum));
      expect(places).toBeLessThanOrEqual(9);
    }
  });

  it("identifies its points in a column whose exact amounts would be too long", () => {
    const long = scaleOf("CNY", "7.123456");
    expect(columnPlaces([694_444, 1], long)).toBe(5);
    expect(columnPlaces([1], scaleOf("CNY", "7.2", 300_000))).toBe(6);
    expect([columnPlaces([], yuan), columnPlaces([], scaleOf("JPY", "150"))]).toEqual([2, 0]);
  });

  it.each(seeds(5))("is shown as it was typed, if points can tell such amounts apart (seed %i)", (seed) => {
    const draw = createDraw(seed);
    let seen = 0;
    for (let count = 0; count < DRAWS; count += 1) {
      const [scale, places] = [draw.scale(), draw.upTo(6)];
      const padded = String(draw.upTo(10 ** draw.upTo(11))).padStart(places + 1, "0");
      const typed = places === 0 ? padded : `${padded.slice(0, -places)}.${padded.slice(-places)}`;
      const isCoarse = 10 ** -places <= (Number(scale.shown.rate) / scale.quotaPerUnit) * 1.000001;
      const read = isCoarse ? undefined : readAmountPoints(typed, scale);
      if (read === undefined) continue;
      seen += 1;
      expect(read.isExact, JSON.stringify({ typed, scale })).toBe(true);
      expect(Number(amountText(read.points, scale))).toBe(Number(typed));
    }
    expect(seen).toBeGreaterThan(DRAWS / 10);
  });

  it.each(["10.00", "10", "¥10", "￥10.00", "CNY 10", " 10,00 "])("is read from %j", (typed) => {
    expect(readAmountPoints(typed, yuan)).toEqual({ points: 694_444, isExact: true });
  });

  it.each(["", "ten", "1,234", "¥", "$10", "-", "1e3", "9".repeat(60)])("is not read from %j", (typed) => {
    expect(readAmountPoints(typed, yuan)).toBeUndefined();
  });

  it("is no amount of whole points when it is finer than a point", () => {
    expect(readAmountPoints("0.00002", yuan)).toEqual({ points: 1, isExact: false });
    expect(readAmountPoints("9.9999936", yuan)).toEqual({ points: 694_444, isExact: false });
  });
});

describe("dollars in a currency", () => {
  it("keep the decimals of a line of the log", () => {
    expect(convertDollars("20.000000", yuan.shown, 6)).toBe("144.000000");
    expect(convertDollars("-0.000002", yuan.shown, 6)).toBe("-0.000014");
    expect(convertDollars("20.000000", scaleOf("JPY", "150").shown, 6)).toBe("3000.0000");
  });
});
