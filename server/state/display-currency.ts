import {
  type DisplayRateFault,
  dayOf,
  displayRatesOf,
  parseDisplayRates,
  RATE_BOUNDS,
  refusedPast,
  shownInMonth,
  shownOn,
} from "@tollgate/contract/management/display-rates";
import { CURRENCY_CODES } from "@tollgate/contract/payments/currency-codes";
import type { AmountScale } from "@tollgate/contract/values/shown-amount";
import {
  type CurrencyFields,
  currencyFields,
  DOLLARS,
  type ShownCurrency,
} from "@tollgate/contract/values/shown-currency";
import { Failure } from "../management-api/failure";

const refuse = ({ reason, row, fault }: DisplayRateFault): Failure => {
  switch (reason) {
    case "day":
      return new Failure("display-rate-day", { row });
    case "currency":
      return new Failure("display-rate-currency", { row, values: CURRENCY_CODES.join(", ") });
    case "rate":
      return new Failure("display-rate-range", { row, ...RATE_BOUNDS });
    case "dollar":
      return new Failure("display-rate-dollar", { row });
    case "twice":
      return new Failure("display-rate-twice", { row });
    case "many":
      return new Failure("display-rate-many", { most: fault });
    case "shape":
      return new Failure("option-data-invalid", { key: "DisplayCurrency", place: fault });
  }
};

/** Checks the text of the option DisplayCurrency. @throws Failure that names the faulty rate. */
export const checkDisplayRates = (text: string): void => {
  const rates = parseDisplayRates(text);
  if ("fault" in rates) throw refuse(rates).at("value");
};

/** Checks that a change leaves the rates of statements that are over. @throws Failure */
export const checkPastRates = (before: string, after: string, nowSeconds: number): void => {
  const firstFree = refusedPast(displayRatesOf(before), displayRatesOf(after), nowSeconds);
  if (firstFree !== undefined) throw new Failure("display-rate-past", { day: firstFree }).at("value");
};

/** The options that decide how amounts are shown. */
interface DisplayOptions {
  text(key: "DisplayCurrency"): string;
}

/** Returns the currency in which a moment's amounts are shown: US dollars unless a rate holds on that day. */
export const currencyOf = (options: DisplayOptions): ((seconds: number) => ShownCurrency) => {
  const rates = displayRatesOf(options.text("DisplayCurrency"));
  return (seconds) => (rates.length === 0 ? DOLLARS : shownOn(rates, dayOf(seconds)));
};

/** Whether the site has shown another currency than US dollars, or will. */
export const hasDisplayRates = (options: DisplayOptions): boolean =>
  displayRatesOf(options.text("DisplayCurrency")).length > 0;

/** What a notice's quota is written in: points as ever, or the site's currency if it is another than US dollars. */
export const noticeScale = (
  options: DisplayOptions & {
    isOn(key: "DisplayInCurrencyEnabled"): boolean;
    number(key: "QuotaPerUnit"): number;
  },
  seconds: number,
): AmountScale | undefined => {
  const shown = currencyOf(options)(seconds);
  const isPoints = shown.currency === DOLLARS.currency || !options.isOn("DisplayInCurrencyEnabled");
  return isPoints ? undefined : { shown, quotaPerUnit: options.number("QuotaPerUnit") };
};

/** The fields of a month's statement that say how to show it; none on a site that never chose a currency. */
export const statementCurrency = (
  options: DisplayOptions,
  month: string,
  nowSeconds: number,
): Partial<CurrencyFields> => {
  const rates = displayRatesOf(options.text("DisplayCurrency"));
  return rates.length === 0 ? {} : currencyFields(shownInMonth(rates, month, nowSeconds));
};

/** The fields of a day's currency; none on a site that never chose one. */
export const dayCurrency = (options: DisplayOptions, seconds: number): Partial<CurrencyFields> =>
  hasDisplayRates(options) ? currencyFields(currencyOf(options)(seconds)) : {};

/** The public fields of a currency; none for US dollars, which readers assume. */
export const statusCurrency = (options: DisplayOptions, nowSeconds: number): Partial<CurrencyFields> => {
  const shown = currencyOf(options)(nowSeconds);
  return shown.currency === DOLLARS.currency ? {} : currencyFields(shown);
};
