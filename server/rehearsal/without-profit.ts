import type { Rehearsal, RehearsalSum } from "@tollgate/contract/management/price-draft";

const NO_COST = { cost_thousandths: 0, costed_lines: 0, costed_charged: 0, costed_rehearsed: 0 } as const;

const withoutCost = <Sum extends RehearsalSum>(sum: Sum): Sum => ({ ...sum, ...NO_COST });

/**
 * A rehearsal for a reader of prices who may read no profit: without the upstreams' costs, and without what single
 * users were charged.
 */
export const withoutProfit = (rehearsal: Rehearsal): Rehearsal => {
  const { result } = rehearsal;
  if (!result) return rehearsal;
  return {
    ...rehearsal,
    result: {
      ...result,
      total: withoutCost(result.total),
      models: result.models.map(withoutCost),
      groups: result.groups.map(withoutCost),
      users: [],
      other_users: { ...withoutCost(result.other_users), count: result.other_users.count },
    },
  };
};
