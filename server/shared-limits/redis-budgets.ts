import type { BudgetUse } from "@tollgate/relay/limits/budget-book";
import * as z from "zod";
import type { RunScript } from "./scripts";

/** Time for which a period is kept after its end on any node's clock. */
const KEPT_MS = 2 * 86_400_000;

/** Maximum number of subjects per script: others wait for it. */
const AT_ONCE = 100;

/** As texts: numbers of replies are not exact up to the largest. */
const totalsReply = z.array(z.coerce.number().check(z.int()));

/** Sends this node's spending to all nodes, and receives the totals. @throws Error unless everything was sent. */
export type ExchangeBudgets = (uses: readonly BudgetUse[]) => Promise<number[][]>;

/**
 * Spending of budgets by nodes, in Redis. Each node writes only its own sum, so that repeated or late reports count
 * once.
 * @param node a unique name, which changes with each restart. @param prefix of all keys' names.
 */
export const budgetsInRedis = (run: RunScript, node: string, prefix: string): ExchangeBudgets => {
  const exchange = async (uses: readonly BudgetUse[]): Promise<number[][]> => {
    const keys = uses.flatMap(({ scope, id, spent }) =>
      spent.map(({ period, startMs }) => {
        const name = typeof period === "number" ? `${period}h` : period;
        return `${prefix}:{limits}:${scope}:${id}:${name}:${startMs}`;
      }),
    );
    if (keys.length === 0) return uses.map(() => []);
    const values = uses.flatMap(({ spent }) =>
      spent.flatMap(({ startMs, endMs, before, own }) => [endMs - startMs + KEPT_MS, before, own]),
    );
    const totals = totalsReply.parse(await run("spend", keys, [node, ...values]));
    return uses.map(({ spent }) => totals.splice(0, spent.length));
  };
  return async (uses) => {
    const totals: number[][] = [];
    for (let from = 0; from < uses.length; from += AT_ONCE)
      totals.push(...(await exchange(uses.slice(from, from + AT_ONCE))));
    return totals;
  };
};
