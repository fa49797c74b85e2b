import * as z from "zod/mini";
import { currencySign } from "../payments/currencies";
import { CURRENCY_CODES, type Currency } from "../payments/currency-codes";
import { compare, formatDecimal, ONE, parseDecimal } from "../values/decimal";
import { isDay } from "../values/is-day";
import { tryParseJson } from "../values/parse-json";
import type { ShownCurrency } from "../values/shown-currency";

/*
 * The option DisplayCurrency: the currency in which people see quota, with a rate that holds from a day on (docs/guides/
 * display-currency.md). Quota stays what the books count. Days are those of UTC, because a rate begins on all nodes and
 * for all readers at the same moment.
 */

/** Units of a currency per US dollar, from a day on until the next one. */
export interface DisplayRate {
  /** YYYY-MM-DD. */
  from: string;
  currency: Currency;
  /** An exact decimal. */
  rate: string;
}

const MIN_RATE = "0.01";
const MAX_RATE = "1000000";
/** Decimals of a rate: more would make amounts of a point unreadably long. */
const MAX_PLACES = 6;
/** A rate for each day of ten years is more than a site needs. */
const MAX_RATES = 3660;

/** Bounds of a rate, for the sentence that refuses one. */
export const RATE_BOUNDS = { min: MIN_RATE, max: MAX_RATE, places: MAX_PLACES } as const;

export interface DisplayRateFault {
  /** Where the text is wrong: `2.rate`. */
  fault: string;
  reason: "shape" | "day" | "currency" | "rate" | "dollar" | "twice" | "many";
  /** Of the faulty rate, from 1; 0 for the whole text. */
  row: number;
}

const listSchema = z.array(z.unknown());
const rowSchema = z.strictObject({
  from: z.unknown(),
  currency: z.unknown(),
  rate: z.union([z.number(), z.string()]),
});
const currencySchema = z.enum(CURRENCY_CODES);

/** @returns the rate as an exact decimal; undefined outside the bounds. */
const readRate = (value: string | number): string | undefined => {
  const rate = parseDecimal(value);
  const [min, max] = [parseDecimal(MIN_RATE), parseDecimal(MAX_RATE)];
  if (!rate || !min || !max || rate.scale > MAX_PLACES) return undefined;
  return compare(rate, min) < 0 || compare(rate, max) > 0 ? undefined : formatDecimal(rate);
};

const readRow = (value: unknown): DisplayRate | Pick<DisplayRateFault, "fault" | "reason"> => {
  const row = rowSchema.safeParse(value);
  if (!row.success) {
    const isRate = row.error.issues[0]?.path[0] === "rate";
    return isRate ? { fault: ".rate", reason: "rate" } : { fault: "", reason: "shape" };
  }
  const { from } = row.data;
  if (!isDay(from)) return { fault: ".from", reason: "day" };
  const currency = currencySchema.safeParse(row.data.currency);
  if (!currency.success) return { fault: ".currency", reason: "currency" };
  const rate = readRate(row.data.rate);
  if (rate === undefined) return { fault: ".rate", reason: "rate" };
  const isWrongDollar = currency.data === "USD" && rate !== formatDecimal(ONE);
  return isWrongDollar ? { fault: ".rate", reason: "dollar" } : { from, currency: currency.data, rate };
};

/**
 * Reads the option's text: a list of `{"from": "2026-12-01", "currency": "CNY", "rate": 7.2}`.
 * @returns the rates by their days, or the first fault.
 */
export const parseDisplayRates = (text: string): readonly DisplayRate[] | DisplayRateFault => {
  const list = listSchema.safeParse(tryParseJson(text));
  if (!list.success) return { fault: "JSON", reason: "shape", row: 0 };
  if (list.data.length > MAX_RATES) return { fault: String(MAX_RATES), reason: "many", row: 0 };
  const rates: DisplayRate[] = [];
  const days = new Set<string>();
  for (const [index, value] of list.data.entries()) {
    const read = readRow(value);
    if ("fault" in read) return { fault: `${index}${read.fault}`, reason: read.reason, row: index + 1 };
    if (days.has(read.from)) return { fault: `${index}.from`, reason: "twice", row: index + 1 };
    days.add(read.from);
    rates.push(read);
  }
  return rates.sort((a, b) => (a.from < b.from ? -1 : 1));
};

/** The rates of a stored text; none for one that cannot be read, so that amounts stay in US dollars. */
export const displayRatesOf = (text: string): readonly DisplayRate[] => {
  const rates = parseDisplayRates(text);
  return "fault" in rates ? [] : rates;
};

/** The day of a moment, in UTC. */
export const dayOf = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10);

/** The currency and rate of a day; US dollars before the first rate. */
export const shownOn = (rates: readonly DisplayRate[], day: string): ShownCurrency => {
  const { currency, rate } = rates.findLast(({ from }) => from <= day) ?? { currency: "USD", rate: "1" };
  return { currency, rate, symbol: currencySign(currency) };
};

/** The last day of a month (YYYY-MM). */
const lastDayOf = (month: string): string => {
  const [year = 0, number = 0] = month.split("-").map(Number);
  return dayOf(Date.UTC(year, number, 0) / 1000);
};

/** The currency and rate of a month's statement: those of its last day, or of today while the month runs. */
export const shownInMonth = (
  rates: readonly DisplayRate[],
  month: string,
  nowSeconds: number,
): ShownCurrency => {
  const days = [lastDayOf(month), dayOf(nowSeconds)].toSorted();
  return shownOn(rates, days[0] ?? "");
};

/** The clock that is furthest ahead of UTC: there a month ends first. */
const EARLIEST_MIDNIGHT_SECONDS = 14 * 3600;

/**
 * Returns the first day whose rates may still change, if a change touches an earlier one. Statements of months that are
 * over, by the clock of any reader, use the earlier rates and stay as they are. The first rates of a site may begin at
 * any day.
 */
export const refusedPast = (
  before: readonly DisplayRate[],
  after: readonly DisplayRate[],
  nowSeconds: number,
): string | undefined => {
  if (before.length === 0) return undefined;
  const firstFree = `${dayOf(nowSeconds + EARLIEST_MIDNIGHT_SECONDS).slice(0, 7)}-01`;
  const past = (rates: readonly DisplayRate[]): string =>
    JSON.stringify(
      rates.filter(({ from }) => from < firstFree).map(({ from, currency, rate }) => [from, currency, rate]),
    );
  return past(before) === past(after) ? undefined : firstFree;
};
