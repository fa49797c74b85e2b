import type { HourBudget } from "@tollgate/contract/records/budget-window";
import type { BudgetBook, BudgetUse } from "@tollgate/relay/limits/budget-book";

/** Interval for exchanging the spending of used budgets between nodes. */
const TELL_MS = 250;

/** Interval for querying all spending from storage: where it is the only source, and where it only verifies. */
const READ_MS = 5000;
const READ_BESIDE_MS = 60_000;

/** A slow query is repeated less often: it takes at most 1/20 of the time. */
const PART_OF_TIME = 20;

export interface BudgetSources {
  budgets: Pick<BudgetBook, "share" | "takeMet" | "learn" | "putBack" | "closedWindows">;
  /** Opens the windows of these budgets that other nodes have opened. @throws Error when storage does not answer. */
  findWindows(closed: readonly HourBudget[]): Promise<void>;
  /** Queries the spending of all nodes from storage, for the limiter. @throws Error when storage does not answer. */
  readSpent(): Promise<void>;
  /** Sends this node's spending, and receives the totals; undefined where only storage has them. */
  exchange: ((uses: readonly BudgetUse[]) => Promise<number[][]>) | undefined;
  /** Storage does not answer, and budgets use the known values; called once, until it has answered again. */
  reportError(error: Error): void;
}

/**
 * Keeps this node's budgets up to date with the spending of all nodes. Sends no queries while no
 * request uses a budget.
 * @returns stops it, after sending the rest to the others.
 */
export const startSharingBudgets = ({
  budgets,
  findWindows,
  readSpent,
  exchange,
  reportError,
}: BudgetSources): (() => Promise<void>) => {
  budgets.share();
  let isMet = false;
  let under = Promise.resolve();
  let isBusy = false;
  /** Time and duration of the last query to storage; milliseconds. */
  let readAtMs = performance.now();
  let tookMs = 0;
  let isFailing = false;

  /** @returns whether the others report their spending. */
  const tell = async (): Promise<boolean> => {
    // Without an answer, the windows are asked for again with the next request.
    const closed = budgets.closedWindows();
    if (closed.length > 0) await findWindows(closed).catch(() => undefined);
    const uses = budgets.takeMet();
    isMet ||= uses.length > 0;
    if (!exchange || uses.length === 0) return exchange !== undefined;
    try {
      const totals = await exchange(uses);
      for (const [index, use] of uses.entries()) {
        const total = totals[index];
        if (total) budgets.learn(use, total);
      }
      return true;
    } catch {
      // The loss of the server is reported where rates are counted.
      budgets.putBack(uses);
      return false;
    }
  };

  const read = async (): Promise<void> => {
    isMet = false;
    const begunMs = performance.now();
    try {
      await readSpent();
      isFailing = false;
    } catch (error) {
      if (!isFailing) reportError(error instanceof Error ? error : new Error(String(error)));
      isFailing = true;
    }
    readAtMs = performance.now();
    tookMs = readAtMs - begunMs;
  };

  const turn = async (): Promise<void> => {
    const everyMs = (await tell()) ? READ_BESIDE_MS : READ_MS;
    const isDue = performance.now() - readAtMs >= Math.max(everyMs, PART_OF_TIME * tookMs);
    if (isMet && isDue) await read();
  };

  const timer = setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    under = turn().finally(() => {
      isBusy = false;
    });
  }, TELL_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await under;
    await tell();
  };
};
