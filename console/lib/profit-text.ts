import { type ProfitSum, profitOf } from "@tollgate/contract/api/profit";
import { COST_UNITS, MAX_QUOTA } from "@tollgate/contract/values/quota";
import { markBounded } from "./format";
import { measureOf } from "./usage/usage-metric";

/** Amounts of quota that are shown beside one another, with the same number of decimals. */
type Beside = readonly number[] | undefined;

/** Everything that a table says of these sums, as amounts of quota. */
export const amountsOf = (sums: readonly ProfitSum[]): number[] =>
  sums.flatMap((sum) => [sum.revenue, ...[sum.cost, profitOf(sum)].map((cost) => cost / COST_UNITS)]);

/** Quota, as the site shows it. */
export const formatRevenue = (quota: number, beside?: Beside): string =>
  measureOf("quota").format(quota, beside);

const inQuota = (thousandths: number, beside: Beside): string =>
  measureOf("quota").format(Math.round(thousandths) / COST_UNITS, beside);

/** A cost in thousandths of quota, as the site shows quota. */
export const formatCost = (thousandths: number, beside?: Beside): string =>
  markBounded(thousandths, inQuota(thousandths, beside));

/** What is left of what was charged, in the same way: at most that where it cost more than can be told, at least where more was charged. */
export const formatProfit = (sum: ProfitSum, beside?: Beside): string => {
  const [isCostBounded, isRevenueBounded] = [sum.cost >= MAX_QUOTA, sum.costedRevenue >= MAX_QUOTA];
  if (isCostBounded && isRevenueBounded) return "–";
  const text = inQuota(profitOf(sum), beside);
  if (isCostBounded) return `≤ ${text}`;
  return isRevenueBounded ? `≥ ${text}` : text;
};
