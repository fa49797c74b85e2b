import { describe, expect, it } from "vitest";
import { type DisplayRate, parseDisplayRates, refusedPast, shownInMonth, shownOn } from "./display-rates";

const YUAN = { from: "2026-11-01", currency: "CNY", rate: 7.2 };
const parse = (...rows: readonly object[]) => parseDisplayRates(JSON.stringify(rows));
const ratesOf = (...rows: readonly object[]): readonly DisplayRate[] => {
  const rates = parse(...rows);
  if ("fault" in rates) throw new Error(rates.fault);
  return rates;
};
const at = (time: string): number => Date.parse(time) / 1000;

describe("display rates", () => {
  it("are read in the order of their days, with exact rates", () => {
    const rates = ratesOf({ ...YUAN, from: "2026-12-01", rate: "7.10" }, YUAN);
    expect(rates.map(({ from, rate }) => [from, rate])).toEqual([
      ["2026-11-01", "7.2"],
      ["2026-12-01", "7.1"],
    ]);
    expect(parseDisplayRates("[]")).toEqual([]);
  });

  it.each<[string, unknown, object]>([
    ["no list", {}, { fault: "JSON", reason: "shape", row: 0 }],
    ["a text", "CNY", { fault: "JSON", reason: "shape", row: 0 }],
    ["no day", [{ ...YUAN, from: "" }], { fault: "0.from", reason: "day", row: 1 }],
    ["a day that does not exist", [{ ...YUAN, from: "2026-02-30" }], { reason: "day" }],
    ["a moment", [{ ...YUAN, from: "2026-02-03T00:00Z" }], { reason: "day" }],
    ["an unknown currency", [{ ...YUAN, currency: "XXX" }], { fault: "0.currency", reason: "currency" }],
    ["a currency without a rate", [{ from: YUAN.from, currency: "CNY" }], { reason: "rate" }],
    ["an unknown property", [{ ...YUAN, to: "2027-01-01" }], { reason: "shape" }],
    ...[0, -7.2, 1e-9, 1e9, 0.009, 1_000_000.1, 7.1234567, null, "", "abc", true].map(
      (rate): [string, unknown, object] => [
        `the rate ${rate}`,
        [YUAN, { ...YUAN, from: "2026-12-01", rate }],
        { fault: "1.rate", reason: "rate", row: 2 },
      ],
    ),
    ["dollars at another rate", [{ ...YUAN, currency: "USD" }], { reason: "dollar" }],
    ["two rates of a day", [YUAN, { ...YUAN, rate: 7.1 }], { fault: "1.from", reason: "twice", row: 2 }],
  ])("are refused with %s", (_, text, fault) => {
    expect(parseDisplayRates(JSON.stringify(text))).toMatchObject(fault);
  });

  it("hold from their day until the next one, and leave US dollars before", () => {
    const rates = ratesOf(YUAN, { from: "2026-12-10", currency: "EUR", rate: 0.9 });
    const days = ["2026-10-31", "2026-11-01", "2026-12-09", "2026-12-10"];
    expect(days.map((day) => shownOn(rates, day))).toEqual([
      { currency: "USD", symbol: "$", rate: "1" },
      { currency: "CNY", symbol: "¥", rate: "7.2" },
      { currency: "CNY", symbol: "¥", rate: "7.2" },
      { currency: "EUR", symbol: "€", rate: "0.9" },
    ]);
  });

  it("give a month's statement the rate of its last day, or of today while it runs", () => {
    const rates = ratesOf(YUAN, { ...YUAN, from: "2026-12-15", rate: 7.1 }, { ...YUAN, from: "2026-12-31" });
    const rateOf = (month: string, now: string) => shownInMonth(rates, month, at(now)).rate;
    expect(rateOf("2026-11", "2026-12-20T00:00Z")).toBe("7.2");
    expect(rateOf("2026-12", "2026-12-14T23:59Z")).toBe("7.2");
    expect(rateOf("2026-12", "2026-12-15T00:00Z")).toBe("7.1");
    expect(rateOf("2026-12", "2027-03-01T00:00Z")).toBe("7.2");
    expect(shownInMonth(rates, "2026-02", at("2026-12-20T00:00Z")).currency).toBe("USD");
  });
});

describe("a change of the past", () => {
  const now = at("2026-12-15T12:00Z");
  const before = ratesOf(YUAN, { ...YUAN, from: "2026-12-10", rate: 7.1 });
  const [first, second] = before;

  it("is refused if it adds, changes or removes a rate of a month that is over", () => {
    const late = (rate: DisplayRate | undefined, other: object) => ({ ...rate, ...other });
    for (const rows of [
      [],
      [second],
      [late(first, { rate: 7.3 }), second],
      [late(first, { currency: "EUR" }), second],
      [late(first, { from: "2026-11-02" }), second],
      [first, { ...YUAN, from: "2026-11-30" }, second],
    ])
      expect(refusedPast(before, ratesOf(...rows.map((row) => row ?? {})), now)).toBe("2026-12-01");
  });

  it("is allowed for this month and later ones, and for the first rates of a site", () => {
    for (const rows of [
      before,
      [first],
      [first, { ...second, from: "2026-12-01" }],
      [first, { ...second, rate: 9 }],
    ])
      expect(refusedPast(before, ratesOf(...rows.map((row) => row ?? {})), now)).toBeUndefined();
    expect(refusedPast([], before, now)).toBeUndefined();
  });

  it("counts months by the clock that is ahead of all others", () => {
    const after = ratesOf(YUAN, { ...YUAN, from: "2026-11-30", rate: 9 });
    const [old] = before;
    const only = old ? [old] : [];
    expect(refusedPast(only, after, at("2026-11-30T09:59Z"))).toBeUndefined();
    expect(refusedPast(only, after, at("2026-11-30T10:00Z"))).toBe("2026-12-01");
  });
});
