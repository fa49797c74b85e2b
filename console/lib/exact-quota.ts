import { formatQuota, isShownInCurrency } from "./format";

/** Of a dollar: a unit of quota is two millionths of one, unless the site says otherwise. */
const DECIMALS = 6;

/** Quota to the last unit, as accounts are kept: dollars with as many decimals as say all of it, or points with their thousands apart. */
export const exactQuota = (quota: number): string =>
  isShownInCurrency()
    ? formatQuota(quota, DECIMALS).replace(/(\.\d\d\d*?)0+$/, "$1")
    : quota.toLocaleString("en-US");

/** The same with the sign of what was given or taken. */
export const signedQuota = (quota: number): string =>
  `${quota < 0 ? "−" : "+"}${exactQuota(Math.abs(quota))}`;
