import type { BudgetWindow, HourBudget } from "@tollgate/contract/records/budget-window";
import { toUnixSeconds } from "@tollgate/contract/values/time";
import type { BudgetBook } from "@tollgate/relay/limits/budget-book";
import type { AccountChanges, AccountQueries } from "@tollgate/storage/accounts/ports";

/** Pause before windows that could not be stored are stored again. */
const RETRY_MS = 1000;

/** Maximum number of windows that wait for the database; the oldest are dropped. */
const MAX_WAITING = 10_000;

/** Up to so many budgets are looked up one by one; for more, all open windows are read at once. */
const MAX_SINGLE = 10;

export interface BudgetWindowTools {
  budgets: Pick<BudgetBook, "openWindow">;
  read: Pick<AccountQueries, "budgetWindows">;
  write: Pick<AccountChanges, "budgetWindows">;
  /** Unix seconds. */
  now(): number;
  /** A window could not be stored; called once until storing works again. */
  reportError(error: Error): void;
}

/**
 * Stores windows of hours when a charge opens them: a restart finds them again, and all nodes count in the one that was
 * stored first.
 */
export const createBudgetWindows = ({ budgets, read, write, now, reportError }: BudgetWindowTools) => {
  const waiting = new Map<string, BudgetWindow>();
  let storing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isFailing = false;

  const adopt = (window: BudgetWindow): void => budgets.openWindow(window, window.started * 1000);

  const storeAll = async (): Promise<void> => {
    for (const [name, window] of waiting) {
      adopt(await write.budgetWindows.open(window));
      if (waiting.get(name) === window) waiting.delete(name);
    }
    isFailing = false;
  };

  const store = (): void => {
    storing ??= storeAll()
      .catch((error: unknown) => {
        if (!isFailing) reportError(error instanceof Error ? error : new Error(String(error)));
        isFailing = true;
        clearTimeout(timer);
        timer = setTimeout(store, RETRY_MS);
        timer.unref();
      })
      .finally(() => {
        storing = undefined;
        if (waiting.size > 0 && !isFailing) store();
      });
  };

  return {
    opened(budget: HourBudget, startMs: number): void {
      const name = `${budget.scope} ${budget.subject} ${budget.hours}`;
      const [oldest] = waiting.keys();
      if (waiting.size >= MAX_WAITING && oldest !== undefined) waiting.delete(oldest);
      waiting.set(name, { ...budget, started: toUnixSeconds(startMs) });
      store();
    },

    /** Opens the windows of these budgets that other nodes have opened. */
    async find(closed: readonly HourBudget[]): Promise<void> {
      if (closed.length > MAX_SINGLE) {
        for (const window of await read.budgetWindows.open(now())) adopt(window);
        return;
      }
      for (const budget of closed) {
        const window = await read.budgetWindows.find(budget);
        if (window) adopt(window);
      }
    },

    async close(): Promise<void> {
      clearTimeout(timer);
      await storing;
    },
  };
};
