import { minorDigits } from "../payments/currency-codes";
import { type Decimal, formatDecimal, multiply, ONE, parseDecimal, simplify } from "./decimal";
import { DEFAULT_QUOTA_PER_UNIT, MAX_QUOTA } from "./quota";
import { type CurrencyFields, placesOf, type ShownCurrency, withSymbol } from "./shown-currency";

/*
 * Amounts of quota in a currency that people read: the arithmetic of the console's and the server's formats. The books
 * count points; a shown amount is only their picture, and identifies them to the point.
 */

/** @returns undefined where an answer does not say, or not completely. */
export const readCurrency = (
  fields: {
    [Name in keyof CurrencyFields]?: CurrencyFields[Name] | undefined;
  },
): ShownCurrency | undefined => {
  const { display_currency: currency, display_symbol: symbol, display_rate: rate } = fields;
  const isKnown = currency !== undefined && symbol !== undefined && rate !== undefined && rate > 0;
  return isKnown ? { currency, symbol, rate: String(rate) } : undefined;
};

/** What an amount is converted with. */
export interface AmountScale {
  /** Quota points per US dollar. */
  quotaPerUnit: number;
  shown: ShownCurrency;
}

/** Amounts without an exact decimal form are rounded to this many decimals. */
const MAX_DECIMALS = 12;

const ten = (places: number): bigint => 10n ** BigInt(places);

/** Points and the amount of the same worth. */
interface Ratio {
  points: Decimal;
  amount: Decimal;
}

const ratioOf = ({ quotaPerUnit, shown }: AmountScale): Ratio => ({
  points: parseDecimal(quotaPerUnit) ?? { digits: BigInt(DEFAULT_QUOTA_PER_UNIT), scale: 0 },
  amount: parseDecimal(shown.rate) ?? ONE,
});

/** `a / b` rounded half up to `places` decimals. */
const divideNearest = (a: Decimal, b: Decimal, places: number): Decimal => {
  const divisor = 2n * b.digits * ten(a.scale);
  return {
    digits: (2n * a.digits * ten(b.scale + places) + b.digits * ten(a.scale)) / divisor,
    scale: places,
  };
};

const toAmount = (quota: Decimal, { points, amount }: Ratio, places: number): Decimal =>
  divideNearest(multiply(quota, amount), points, places);

/** Decimals with which two numbers of points never look the same; exact for US dollars where that is possible. */
const pointDecimals = (scale: AmountScale): number => {
  const { points, amount } = ratioOf(scale);
  if (scale.shown.currency === "USD") {
    for (let places = 0; places <= MAX_DECIMALS; places += 1)
      if (ten(places + points.scale) % points.digits === 0n) return places;
    return Math.ceil(Math.log10(scale.quotaPerUnit));
  }
  let places = minorDigits(scale.shown.currency);
  while (amount.digits * ten(places + points.scale) < points.digits * ten(amount.scale)) places += 1;
  return places;
};

/** Whether an amount is nearer to this quota than to any other with as many decimals. */
const isNearest = (amount: Decimal, quota: Decimal, ratio: Ratio): boolean => {
  const back = multiply(amount, ratio.points);
  const own = multiply(quota, ratio.amount);
  const scale = Math.max(back.scale, own.scale);
  const difference = back.digits * ten(scale - back.scale) - own.digits * ten(scale - own.scale);
  const distance = 2n * (difference < 0n ? -difference : difference) * ten(quota.scale);
  return distance * ten(ratio.amount.scale) < ratio.amount.digits * ten(scale);
};

/** The shortest amount that means these points and no others, as people type it: 694,444 points at ¥7.2 are 10. */
const shortestAmount = (quota: Decimal, scale: AmountScale): Decimal => {
  const ratio = ratioOf(scale);
  const most = pointDecimals(scale) + quota.scale;
  if (scale.shown.currency === "USD") return simplify(toAmount(quota, ratio, most));
  for (let places = 0; places < most; places += 1) {
    const amount = toAmount(quota, ratio, places);
    if (isNearest(amount, quota, ratio)) return simplify(amount);
  }
  return simplify(toAmount(quota, ratio, most));
};

/** Longer exact amounts are unreadable: a column then has only as many decimals as identify its points. */
const MAX_EXACT_DECIMALS = 9;

/** Decimals with which any points are exact amounts; undefined where there are too many. */
const exactDecimals = (scale: AmountScale): number | undefined => {
  const { points, amount } = ratioOf(scale);
  const divisor = points.digits * ten(amount.scale);
  for (let places = 0; places <= MAX_EXACT_DECIMALS; places += 1)
    if ((amount.digits * ten(places + points.scale)) % divisor === 0n) return places;
  return undefined;
};

/**
 * Decimals of a column of amounts that add up: those of the exact amounts if the rate allows it, so that a shown sum is
 * the sum of the shown amounts; or else those that identify the points.
 */
export const columnPlaces = (quotas: readonly number[], scale: AmountScale): number => {
  const exact = exactDecimals(scale);
  const placesOfEach = (quota: number): number => {
    const points = parseDecimal(Math.abs(quota));
    if (points === undefined) return 0;
    return exact === undefined
      ? shortestAmount(points, scale).scale
      : simplify(toAmount(points, ratioOf(scale), exact + points.scale)).scale;
  };
  return Math.max(minorDigits(scale.shown.currency), ...quotas.map(placesOfEach));
};

/**
 * An amount of quota in a currency, without its symbol: "12.50".
 * @param places exactly this many decimals, or "point" for as many as any points need; default: as many as identify these
 * points, and at least the currency's own.
 */
export const amountText = (quota: number, scale: AmountScale, places?: number | "point"): string => {
  const points = parseDecimal(Math.abs(quota));
  if (points === undefined) return "–";
  const text =
    places === undefined
      ? formatDecimal(shortestAmount(points, scale), minorDigits(scale.shown.currency))
      : formatDecimal(toAmount(points, ratioOf(scale), places === "point" ? pointDecimals(scale) : places));
  return quota < 0 && /[1-9]/.test(text) ? `-${text}` : text;
};

/**
 * Quota exact to one point, as in the accounts: money with its currency, or points with thousands separators without a
 * scale. @param places as in `amountText`.
 */
export const quotaText = (
  quota: number,
  scale: AmountScale | undefined,
  places?: number | "point",
): string =>
  scale === undefined
    ? quota.toLocaleString("en-US")
    : withSymbol(amountText(quota, scale, places), scale.shown);

/** The same with a plus or minus sign. */
export const signedQuotaText = (
  quota: number,
  scale: AmountScale | undefined,
  places?: number | "point",
): string => `${quota < 0 ? "−" : "+"}${quotaText(Math.abs(quota), scale, places)}`;

/** An amount of US dollars (a decimal, also negative) in a currency. @param places as in dollars. */
export const convertDollars = (
  dollars: string,
  { currency, rate }: ShownCurrency,
  places: number,
): string => {
  const isBelow = dollars.startsWith("-");
  const amount = parseDecimal(isBelow ? dollars.slice(1) : dollars);
  if (amount === undefined) return dollars;
  const converted = divideNearest(
    multiply(amount, parseDecimal(rate) ?? ONE),
    ONE,
    placesOf(currency, places),
  );
  const text = formatDecimal(converted);
  return isBelow && /[1-9]/.test(text) ? `-${text}` : text;
};

/** A price in US dollars (a decimal) in a currency, exactly: "18", "0.0072". */
export const convertPrice = (dollars: string, { rate }: ShownCurrency): string => {
  const price = parseDecimal(dollars);
  return price === undefined ? dollars : formatDecimal(simplify(multiply(price, parseDecimal(rate) ?? ONE)));
};

/** Accepts a comma before the fraction, or commas between thousands with a point before the fraction. */
const readAmount = (text: string): Decimal | undefined => {
  if (/^[1-9]\d{0,2}(?:,\d{3})+$/.test(text)) return undefined;
  const plain = /^\d{1,3}(?:,\d{3})+\.\d+$/.test(text) ? text.replaceAll(",", "") : text.replace(",", ".");
  return /^\d+\.?\d*$|^\.\d+$/.test(plain) ? parseDecimal(`0${plain}`.replace(/\.$/, "")) : undefined;
};

/** The text after the currency's symbol or code, if it begins with one. */
const withoutSymbol = (text: string, { symbol, currency }: ShownCurrency): string => {
  const names = [symbol, symbol.normalize("NFKC"), currency];
  const found = names.find((name) => name !== "" && text.toUpperCase().startsWith(name.toUpperCase()));
  return found === undefined ? text : text.slice(found.length);
};

/** A typed amount as the nearest points, and whether it is what these points are shown as; undefined if invalid. */
export const readAmountPoints = (
  typed: string,
  scale: AmountScale,
): { points: number; isExact: boolean } | undefined => {
  const [, minus, text = ""] = /^([-−]?)(.*)$/.exec(typed.normalize("NFKC").replaceAll(/\s/g, "")) ?? [];
  const amount = readAmount(withoutSymbol(text, scale.shown));
  if (amount === undefined) return undefined;
  const ratio = ratioOf(scale);
  const points = divideNearest(multiply(amount, ratio.points), ratio.amount, 0).digits;
  if (points > BigInt(MAX_QUOTA)) return undefined;
  const back = shortestAmount({ digits: points, scale: 0 }, scale);
  const { digits, scale: decimals } = simplify(amount);
  const isExact = back.digits === digits && back.scale === decimals;
  return { points: minus ? 0 - Number(points) : Number(points), isExact };
};
