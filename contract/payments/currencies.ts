import {
  type Decimal,
  formatDecimal,
  multiplyInteger,
  parseDecimal,
  roundDown,
  simplify,
} from "../values/decimal";

/**
 * The currencies in which a site may sell, with the digits of their smaller unit. Those without one are Stripe's zero-decimal
 * currencies (https://docs.stripe.com/currencies#zero-decimal).
 */
export const CURRENCIES = {
  CNY: 2,
  USD: 2,
  EUR: 2,
  GBP: 2,
  HKD: 2,
  TWD: 2,
  SGD: 2,
  MYR: 2,
  THB: 2,
  AUD: 2,
  NZD: 2,
  CAD: 2,
  CHF: 2,
  BRL: 2,
  INR: 2,
  JPY: 0,
  KRW: 0,
  VND: 0,
} as const satisfies Readonly<Record<string, number>>;

export type Currency = keyof typeof CURRENCIES;

export const CURRENCY_CODES = Object.keys(CURRENCIES).filter((code): code is Currency => code in CURRENCIES);

export const isCurrency = (code: string): code is Currency => Object.hasOwn(CURRENCIES, code);

/** Digits behind the point; 2 for a currency that this version does not know. */
export const minorDigits = (currency: string): number => (isCurrency(currency) ? CURRENCIES[currency] : 2);

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

/** An amount after its currency's sign; a space separates letters. */
export const withSign = (amount: string, sign: string): string =>
  `${sign}${/^[A-Z]+$/.test(sign) ? "\u00a0" : ""}${amount}`;

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
