import { type ProfitSum, profitOf } from "@tollgate/contract/api/profit";
import { COST_UNITS, MAX_QUOTA } from "@tollgate/contract/values/quota";
import { markBounded } from "./format";
import { measureOf } from "./usage/usage-metric";

/** Quota, as the site shows it. */
export const formatRevenue = (quota: number): string => measureOf("quota").format(quota);

const inQuota = (thousandths: number): string =>
  measureOf("quota").format(Math.round(thousandths) / COST_UNITS);

/** A cost in thousandths of quota, as the site shows quota. */
export const formatCost = (thousandths: number): string => markBounded(thousandths, inQuota(thousandths));

/** What is left of what was charged, in the same way: at most that where it cost more than can be told, at least where more was charged. */
export const formatProfit = (sum: ProfitSum): string => {
  const [isCostBounded, isRevenueBounded] = [sum.cost >= MAX_QUOTA, sum.costedRevenue >= MAX_QUOTA];
  if (isCostBounded && isRevenueBounded) return "–";
  const text = inQuota(profitOf(sum));
  if (isCostBounded) return `≤ ${text}`;
  return isRevenueBounded ? `≥ ${text}` : text;
};
