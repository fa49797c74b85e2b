import { isShownInCurrency, quotaInCurrency } from "./format";

/**
 * Quota to the last unit, as accounts are kept: dollars where the site shows them, as long as their six decimals say all of it, else
 * points with their thousands apart.
 */
export const exactQuota = (quota: number): string => {
  const points = quota.toLocaleString("en-US");
  if (!isShownInCurrency()) return points;
  return quotaInCurrency(quota) ?? points;
};

/** The same with the sign of what was given or taken. */
export const signedQuota = (quota: number): string =>
  `${quota < 0 ? "−" : "+"}${exactQuota(Math.abs(quota))}`;
