import {
  type Decimal,
  formatDecimal,
  multiplyInteger,
  parseDecimal,
  roundDown,
  simplify,
} from "../values/decimal";
import { isCurrency, minorDigits, withSign } from "./currency-codes";

/** An amount in minor units as people and providers write it: 1234 CNY is "12.34", 1234 JPY is "1234". */
export const formatMinor = (amount: number, currency: string): string => {
  const digits = minorDigits(currency);
  const text = String(amount).padStart(digits + 1, "0");
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
};

/** The sign of a currency: Intl's, which tells JP¥ from ¥ and CA$ from $, but plain $ for US dollars, as quota is written. */
export const currencySign = (currency: string): string => {
  if (currency === "USD" || !isCurrency(currency)) return currency === "USD" ? "$" : currency;
  const parts = new Intl.NumberFormat("zh-CN", { style: "currency", currency }).formatToParts(0);
  return parts.find(({ type }) => type === "currency")?.value ?? currency;
};

const withCurrency = (amount: string, currency: string): string => withSign(amount, currencySign(currency));

/** An amount in minor units with its currency: "¥12.34", "JP¥1234", "CHF 12.34". */
export const formatMoney = (amount: number, currency: string): string =>
  withCurrency(formatMinor(amount, currency), currency);

/** Formats the exact price of a dollar of quota: "¥7.20". */
export const formatUnitPrice = (price: string, currency: string): string => {
  const exact = parseDecimal(price);
  return withCurrency(exact ? formatDecimal(exact, minorDigits(currency)) : price, currency);
};

/**
 * Parses a provider's amount ("12.34", "12.3", "12").
 * @returns minor units; undefined for an amount that is invalid in the currency, or too large to be exact.
 */
export const parseMinor = (text: string, currency: string): number | undefined => {
  const read: Decimal | undefined = /^\d{1,15}(?:\.\d{1,9})?$/.test(text) ? parseDecimal(text) : undefined;
  if (!read) return undefined;
  const minor = simplify(multiplyInteger(read, 10 ** minorDigits(currency)));
  const amount = roundDown(minor);
  return minor.scale === 0 && amount < Number.MAX_SAFE_INTEGER ? amount : undefined;
};
