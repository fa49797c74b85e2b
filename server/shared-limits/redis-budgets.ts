import type { BudgetUse } from "@tollgate/relay/limits/limiter";
import type { SpentQuota } from "@tollgate/relay/limits/spending";
import * as z from "zod";
import type { RunScript } from "./scripts";

/** Longer than the day and the month of any node's clock. */
const DAY_KEPT_MS = 3 * 86_400_000;
const MONTH_KEPT_MS = 35 * 86_400_000;

/** Maximum number of budgets per script: others wait for it. */
const AT_ONCE = 100;

/** As texts: numbers of replies are not exact up to the largest. */
const totalsReply = z.array(z.coerce.number().check(z.int()));

/** Sends this node's spending to all nodes, and receives the totals. @throws Error unless everything was sent. */
export type ExchangeBudgets = (uses: readonly BudgetUse[]) => Promise<SpentQuota[]>;

/**
 * Spending of budgets by nodes, in Redis. Each node writes only its own sum, so that repeated or late reports count
 * once.
 * @param node a unique name, which changes with each restart. @param prefix of all keys' names.
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
