import { describe, expect, it } from "vitest";
import { formatNotice } from "../locales/format-notice";
import { currencyOf, noticeScale, statementCurrency, statusCurrency } from "./display-currency";

const DAY = 86_400;
const at = (day: string): number => Date.parse(day) / 1000;
const JANUARY = { from: "2026-01-01", currency: "CNY", rate: 7.3 };
const MARCH = { from: "2026-03-10", currency: "CNY", rate: 7.1 };

const optionsOf = (rows: readonly object[], isInCurrency = true) => ({
  text: () => JSON.stringify(rows),
  isOn: () => isInCurrency,
  number: () => 500_000,
});

describe("the currency of what people see", () => {
  it("is of the moment's day", () => {
    const shown = currencyOf(optionsOf([JANUARY, MARCH]));
    expect(
      ["2025-12-31", "2026-01-01", "2026-03-09", "2026-03-10"].map((day) => shown(at(day)).rate),
    ).toEqual(["1", "7.3", "7.3", "7.1"]);
    expect(shown(at("2026-03-10") - 1).rate).toBe("7.3");
  });

  it("is absent in the status of a site in US dollars, also before and after another one", () => {
    const back = { from: "2026-05-01", currency: "USD", rate: 1 };
    const rows = [JANUARY, back];
    const of = (day: string) => statusCurrency(optionsOf(rows), at(day));
    expect(statusCurrency(optionsOf([]), at("2026-02-01"))).toEqual({});
    expect([of("2025-12-31"), of("2026-05-01")]).toEqual([{}, {}]);
    expect(of("2026-02-01")).toEqual({ display_currency: "CNY", display_symbol: "¥", display_rate: 7.3 });
  });

  it("of a past month's statement stays when another rate is added", () => {
    const months = ["2025-12", "2026-01", "2026-02", "2026-03"];
    const of = (rows: readonly object[]) =>
      months.map((month) => statementCurrency(optionsOf(rows), month, at("2026-04-02")));
    const before = of([JANUARY, MARCH]);
    expect(before.map(({ display_currency, display_rate }) => [display_currency, display_rate])).toEqual([
      ["USD", 1],
      ["CNY", 7.3],
      ["CNY", 7.3],
      ["CNY", 7.1],
    ]);
    expect(of([JANUARY, MARCH, { from: "2026-04-01", currency: "EUR", rate: 0.9 }])).toEqual(before);
    expect(statementCurrency(optionsOf([]), "2026-01", at("2026-04-02"))).toEqual({});
  });

  it("is written in notices, which count points in US dollars as ever", () => {
    const textOf = (rows: readonly object[], isInCurrency?: boolean) => {
      const scale = noticeScale(optionsOf(rows, isInCurrency), at("2026-02-01") + DAY);
      return formatNotice("en", "balance-low", "opened", { quota: 694_444 }, scale).text;
    };
    expect(textOf([])).toContain(": 694444 is left");
    expect(textOf([{ ...JANUARY, rate: 7.2 }])).toContain(": ¥10.00 is left");
    expect(textOf([{ ...JANUARY, rate: 7.2 }], false)).toContain(": 694444 is left");
  });
});
