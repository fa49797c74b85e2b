import { formatDecimal, parseDecimal } from "@tollgate/contract/values/decimal";
import {
  type AmountScale,
  amountText,
  columnPlaces,
  quotaText,
  readAmountPoints,
  signedQuotaText,
} from "@tollgate/contract/values/shown-amount";
import { DOLLARS, type ShownCurrency } from "@tollgate/contract/values/shown-currency";
import { isShownInCurrency, quotaPerUnit, shownCurrency } from "./format";

const scaleOf = (shown: ShownCurrency = shownCurrency()): AmountScale => ({
  quotaPerUnit: quotaPerUnit(),
  shown,
});

/** undefined on a site that shows points. */
const shownScale = (shown?: ShownCurrency): AmountScale | undefined =>
  isShownInCurrency() ? scaleOf(shown) : undefined;

/**
 * An amount of quota in the shown currency, without its symbol: "12.50".
 * @param places exactly this many decimals; default: as many as the amount needs, at least the currency's own.
 */
export const quotaInMoney = (quota: number, places?: number): string => amountText(quota, scaleOf(), places);

/**
 * Reads typed money ("12.5", "$12.50", "12,5", "1,200.50").
 * @returns points; undefined if invalid, ambiguous (1,200), or finer than a point.
 */
export const readMoney = (typed: string): number | undefined => {
  const read = readAmountPoints(typed, scaleOf());
  return read?.isExact ? read.points : undefined;
};

/** The points nearest to typed money; undefined if invalid or ambiguous. */
export const nearestPoints = (typed: string): number | undefined =>
  readAmountPoints(typed, scaleOf())?.points;

/** Decimals of a column of money: its amounts add up, and its points align. */
export const quotaDecimals = (quotas: readonly number[], shown?: ShownCurrency): number =>
  columnPlaces(quotas, scaleOf(shown));

/** Decimals of a column: a number (`quotaDecimals`), or "point" for enough decimals for every number of points. */
type Places = number | "point" | undefined;

/**
 * Quota exact to one point, as in the accounts: money with as many decimals as needed, or points with thousands
 * separators. @param places common decimals of a column, so that its points align.
 * @param shown the currency of a document that has its own; default: the site's.
 */
export const exactQuota = (quota: number, places?: Places, shown?: ShownCurrency): string =>
  quotaText(quota, shownScale(shown), places);

/** The same with as many decimals as every number of points needs, for columns of any amounts. */
export const exactPoints = (quota: number): string => exactQuota(quota, "point");

/** Exact quota with a plus or minus sign. */
export const signedQuota = (quota: number, places?: Places, shown?: ShownCurrency): string =>
  signedQuotaText(quota, shownScale(shown), places);

/** US dollars with all significant digits and at least `places` decimals: "$0.075", "$3.00". */
export const formatUsd = (usd: number | undefined, places = 2): string => {
  const amount = usd === undefined ? undefined : parseDecimal(usd);
  return amount === undefined ? "–" : `$${formatDecimal(amount, places)}`;
};

/** Whether amounts are in US dollars, whose texts have their own words. */
export const isInDollars = (): boolean => shownCurrency().currency === DOLLARS.currency;
