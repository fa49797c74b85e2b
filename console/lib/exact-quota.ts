import { type Decimal, formatDecimal, parseDecimal, simplify } from "@tollgate/contract/values/decimal";
import { DEFAULT_QUOTA_PER_UNIT, MAX_QUOTA } from "@tollgate/contract/values/quota";
import { isShownInCurrency, quotaPerUnit } from "./format";

/** Amounts without an exact decimal form are rounded to this many decimals. */
const MAX_DECIMALS = 12;

const ten = (places: number): bigint => 10n ** BigInt(places);

const pointsOfDollar = (): Decimal =>
  parseDecimal(quotaPerUnit()) ?? { digits: BigInt(DEFAULT_QUOTA_PER_UNIT), scale: 0 };

/** Decimals of a dollar that represent every number of points exactly, or at least distinguishably. */
const pointDecimals = (dollar: Decimal): number => {
  for (let places = 0; places <= MAX_DECIMALS; places += 1)
    if (ten(places + dollar.scale) % dollar.digits === 0n) return places;
  return Math.ceil(Math.log10(quotaPerUnit()));
};

/** Points in dollars, rounded half up to `places` decimals. */
const toDollars = (points: Decimal, places: number): Decimal => {
  const dollar = pointsOfDollar();
  const whole = dollar.digits * ten(points.scale);
  return { digits: (2n * points.digits * ten(dollar.scale + places) + whole) / (2n * whole), scale: places };
};

const exactDollars = (points: Decimal): Decimal =>
  simplify(toDollars(points, pointDecimals(pointsOfDollar()) + points.scale));

/**
 * An amount of quota in dollars, without the dollar sign: "12.50".
 * @param places exactly this many decimals; default: as many as the exact amount needs, at least 2.
 */
export const quotaInDollars = (quota: number, places?: number): string => {
  const points = parseDecimal(Math.abs(quota));
  if (points === undefined) return "–";
  const text =
    places === undefined ? formatDecimal(exactDollars(points), 2) : formatDecimal(toDollars(points, places));
  return quota < 0 && /[1-9]/.test(text) ? `-${text}` : text;
};

/** Accepts a comma before the fraction, or commas between thousands with a point before the fraction. */
const readAmount = (text: string): Decimal | undefined => {
  if (/^[1-9]\d{0,2}(?:,\d{3})+$/.test(text)) return undefined;
  const plain = /^\d{1,3}(?:,\d{3})+\.\d+$/.test(text) ? text.replaceAll(",", "") : text.replace(",", ".");
  return /^\d+\.?\d*$|^\.\d+$/.test(plain) ? parseDecimal(`0${plain}`.replace(/\.$/, "")) : undefined;
};

/** Typed dollars as the nearest points, and whether these are exactly the amount; undefined if invalid. */
const readPoints = (typed: string): { points: number; isExact: boolean } | undefined => {
  const [, minus, text = ""] = /^([-−]?)\$?(.*)$/.exec(typed.normalize("NFKC").replaceAll(/\s/g, "")) ?? [];
  const amount = readAmount(text);
  if (amount === undefined) return undefined;
  const dollar = pointsOfDollar();
  const scale = ten(amount.scale + dollar.scale);
  const points = (2n * amount.digits * dollar.digits + scale) / (2n * scale);
  if (points > BigInt(MAX_QUOTA)) return undefined;
  const back = exactDollars({ digits: points, scale: 0 });
  const { digits, scale: decimals } = simplify(amount);
  const isExact = back.digits === digits && back.scale === decimals;
  return { points: minus ? 0 - Number(points) : Number(points), isExact };
};

/**
 * Reads typed dollars ("12.5", "$12.50", "12,5", "1,200.50").
 * @returns points; undefined if invalid, ambiguous (1,200), or finer than a point.
 */
export const readDollars = (typed: string): number | undefined => {
  const read = readPoints(typed);
  return read?.isExact ? read.points : undefined;
};

/** The points nearest to typed dollars; undefined if invalid or ambiguous. */
export const nearestPoints = (typed: string): number | undefined => readPoints(typed)?.points;

/** Decimals that represent each of these amounts exactly, so that a column of money aligns its points. */
export const quotaDecimals = (quotas: readonly number[]): number =>
  Math.max(2, ...quotas.map((quota) => (quotaInDollars(quota).split(".")[1] ?? "").length));

/** Decimals of a column: a number (`quotaDecimals`), or "point" for enough decimals for every number of points. */
type Places = number | "point" | undefined;

/**
 * Quota exact to one point, as in the accounts: dollars with as many decimals as needed, or points with thousands
 * separators. @param places common decimals of a column, so that its points align.
 */
export const exactQuota = (quota: number, places?: Places): string => {
  if (!isShownInCurrency()) return quota.toLocaleString("en-US");
  return withSign(quotaInDollars(quota, places === "point" ? pointDecimals(pointsOfDollar()) : places));
};

/** The same with as many decimals as every number of points needs, for columns of any amounts. */
export const exactPoints = (quota: number): string => exactQuota(quota, "point");

const withSign = (dollars: string): string =>
  dollars.startsWith("-") ? `-$${dollars.slice(1)}` : `$${dollars}`;

/** Exact quota with a plus or minus sign. */
export const signedQuota = (quota: number, places?: Places): string =>
  `${quota < 0 ? "−" : "+"}${exactQuota(Math.abs(quota), places)}`;

/** US dollars with all significant digits and at least `places` decimals: "$0.075", "$3.00". */
export const formatUsd = (usd: number | undefined, places = 2): string => {
  const amount = usd === undefined ? undefined : parseDecimal(usd);
  return amount === undefined ? "–" : `$${formatDecimal(amount, places)}`;
};
