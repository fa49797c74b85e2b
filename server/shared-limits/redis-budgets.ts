import type { BudgetUse } from "@tollgate/relay/limits/limiter";
import type { SpentQuota } from "@tollgate/relay/limits/spending";
import * as z from "zod";
import type { RunScript } from "./scripts";

/** Longer than the day and the month of any node's clock. */
const DAY_KEPT_MS = 3 * 86_400_000;
const MONTH_KEPT_MS = 35 * 86_400_000;

/** So many are told by one script: others wait for it. */
const AT_ONCE = 100;

/** As texts: numbers of replies are not exact up to the largest. */
const totalsReply = z.array(z.coerce.number().check(z.int()));

/** Tells all nodes what this one has spent, and hears what all have. @throws Error when they cannot be told all of it. */
export type ExchangeBudgets = (uses: readonly BudgetUse[]) => Promise<SpentQuota[]>;

/**
 * What nodes have spent of budgets, in Redis. Each tells its own sum and none takes part in another's, so that what is told
 * twice, or late, counts once.
 * @param node no other node has this name, not even this one after a restart. @param prefix what the names of all keys begin with.
 */
export const budgetsInRedis = (run: RunScript, node: string, prefix: string): ExchangeBudgets => {
  const exchange = async (uses: readonly BudgetUse[]): Promise<SpentQuota[]> => {
    const keys = uses.flatMap(({ scope, id, day, month }) => {
      const name = `${prefix}:{limits}:${scope}:${id}`;
      return [`${name}:day:${day.startMs}`, `${name}:month:${month.startMs}`];
    });
    const values = uses.flatMap(({ day, month }) => [day.before, day.own, month.before, month.own]);
    const totals = totalsReply.parse(await run("spend", keys, [node, DAY_KEPT_MS, MONTH_KEPT_MS, ...values]));
    return uses.map((_, index) => ({ day: totals[2 * index] ?? 0, month: totals[2 * index + 1] ?? 0 }));
  };
  return async (uses) => {
    const totals: SpentQuota[] = [];
    for (let from = 0; from < uses.length; from += AT_ONCE)
      totals.push(...(await exchange(uses.slice(from, from + AT_ONCE))));
    return totals;
  };
};
