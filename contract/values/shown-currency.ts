import { minorDigits, withSign } from "../payments/currency-codes";

/*
 * The currency in which people see quota. Apart from the arithmetic (shown-amount.ts), because each page of the console
 * loads this.
 */

/** A currency in which amounts are shown. */
export interface ShownCurrency {
  currency: string;
  /** Before the number: "¥", or letters such as "CHF". */
  symbol: string;
  /** Units of the currency per US dollar, an exact decimal. */
  rate: string;
}

export const DOLLARS: ShownCurrency = { currency: "USD", symbol: "$", rate: "1" };

/** A currency as answers of `/api` have it. */
export interface CurrencyFields {
  display_currency: string;
  display_symbol: string;
  /** Units per US dollar. */
  display_rate: number;
}

export const currencyFields = ({ currency, symbol, rate }: ShownCurrency): CurrencyFields => ({
  display_currency: currency,
  display_symbol: symbol,
  display_rate: Number(rate),
});

/** Decimals in a currency with the weight of so many in US dollars: a currency without cents needs two less. */
export const placesOf = (currency: string, places: number): number =>
  Math.max(0, places + minorDigits(currency) - minorDigits(DOLLARS.currency));

/** An amount with its currency, its minus before both: "-¥12.50", "CHF 12.50". */
export const withSymbol = (amount: string, { symbol }: ShownCurrency): string => {
  const isBelow = amount.startsWith("-");
  return `${isBelow ? "-" : ""}${withSign(isBelow ? amount.slice(1) : amount, symbol)}`;
};
