import { type ProfitSum, profitOf } from "@tollgate/contract/api/profit";
import { COST_UNITS, MAX_QUOTA } from "@tollgate/contract/values/quota";
import { markBounded } from "./format";
import { measureOf } from "./usage/usage-metric";

/** Amounts of quota in one column, with the same number of decimals. */
type Beside = readonly number[] | undefined;

/** All amounts of quota that a table shows of these sums. */
export const amountsOf = (sums: readonly ProfitSum[]): number[] =>
  sums.flatMap((sum) => [sum.revenue, ...[sum.cost, profitOf(sum)].map((cost) => cost / COST_UNITS)]);

/** Quota in the site's display format. */
export const formatRevenue = (quota: number, beside?: Beside): string =>
  measureOf("quota").format(quota, beside);

const inQuota = (thousandths: number, beside: Beside): string =>
  measureOf("quota").format(Math.round(thousandths) / COST_UNITS, beside);

/** A cost in thousandths of quota, in the site's quota format. */
export const formatCost = (thousandths: number, beside?: Beside): string =>
  markBounded(thousandths, inQuota(thousandths, beside));

/** Revenue minus cost: an upper bound if the cost, a lower bound if the revenue, exceeds the largest exact sum. */
export const formatProfit = (sum: ProfitSum, beside?: Beside): string => {
  const [isCostBounded, isRevenueBounded] = [sum.cost >= MAX_QUOTA, sum.costedRevenue >= MAX_QUOTA];
  if (isCostBounded && isRevenueBounded) return "–";
  const text = inQuota(profitOf(sum), beside);
  if (isCostBounded) return `≤ ${text}`;
  return isRevenueBounded ? `≥ ${text}` : text;
};
