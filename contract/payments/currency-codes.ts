/**
 * The currencies in which a site may sell, or show its amounts, with the digits of their smaller unit. Those without one are Stripe's zero-decimal
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

/** An amount after its currency's sign; a space separates letters. */
export const withSign = (amount: string, sign: string): string =>
  `${sign}${/^[A-Z]+$/.test(sign) ? "\u00a0" : ""}${amount}`;
