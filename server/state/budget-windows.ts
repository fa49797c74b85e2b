import type { BudgetWindow, HourBudget } from "@tollgate/contract/records/budget-window";
import { toUnixSeconds } from "@tollgate/contract/values/time";
import type { BudgetBook } from "@tollgate/relay/limits/budget-book";
import type { AccountChanges, AccountQueries } from "@tollgate/storage/accounts/ports";

/** Pause before windows that could not be stored are stored again. */
const RETRY_MS = 1000;

/**
 * Maximum number of windows of one key, user or group that wait for the database; its oldest are dropped. More keys can
 * come only when the database answers.
 */
const MAX_WAITING = 10;

/** Maximum number of budgets in one query. */
const MAX_ASKED = 1000;

export interface BudgetWindowTools {
  budgets: Pick<BudgetBook, "openWindow">;
  read: { budgetWindows: Pick<AccountQueries["budgetWindows"], "find"> };
  write: { budgetWindows: Pick<AccountChanges["budgetWindows"], "open"> };
  /** A window could not be stored; called once until storing works again. */
  reportError(error: Error): void;
}

/**
 * Stores windows of hours when a charge opens them: a restart finds them again, and all nodes count in the one that was
 * stored first.
 */
export const createBudgetWindows = ({ budgets, read, write, reportError }: BudgetWindowTools) => {
  /** By their subject and their hours. */
  const waiting = new Map<string, Map<number, BudgetWindow>>();
  let storing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isFailing = false;

  const adopt = (window: BudgetWindow): void => budgets.openWindow(window, window.started * 1000);

  const storeAll = async (): Promise<void> => {
    for (const [subject, windows] of waiting) {
      for (const [hours, window] of windows) {
        adopt(await write.budgetWindows.open(window));
        if (windows.get(hours) === window) windows.delete(hours);
      }
      if (windows.size === 0) waiting.delete(subject);
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
      const subject = `${budget.scope} ${budget.subject}`;
      const windows = waiting.get(subject) ?? new Map<number, BudgetWindow>();
      waiting.set(subject, windows);
      windows.set(budget.hours, { ...budget, started: toUnixSeconds(startMs) });
      const [oldest] = windows.keys();
      if (windows.size > MAX_WAITING && oldest !== undefined) windows.delete(oldest);
      store();
    },

    /** Opens the windows of these budgets that other nodes have opened. */
    async find(closed: readonly HourBudget[]): Promise<void> {
      for (let at = 0; at < closed.length; at += MAX_ASKED) {
        const windows = await read.budgetWindows.find(closed.slice(at, at + MAX_ASKED));
        for (const window of windows) adopt(window);
      }
    },

    async close(): Promise<void> {
      clearTimeout(timer);
      await storing;
    },
  };
};
