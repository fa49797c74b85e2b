import type { BudgetUse, Limiter } from "@tollgate/relay/limits/limiter";
import type { SpentQuota } from "@tollgate/relay/limits/spending";

/** How often nodes tell each other what they have spent of budgets that requests meet. */
const TELL_MS = 250;

/** How often storage is asked what all have spent: where nothing else says it, and where it is asked for certainty alone. */
const READ_MS = 5000;
const READ_BESIDE_MS = 60_000;

/** A question that takes long is asked so much less often. */
const PART_OF_TIME = 20;

export interface BudgetSources {
  limiter: Pick<Limiter, "share" | "takeMet" | "learn" | "putBack">;
  /** Asks storage what all nodes have spent, and tells the limiter. @throws Error when storage does not answer. */
  readSpent(): Promise<void>;
  /** Tells the others, and hears what all have spent; undefined where only storage says so. */
  exchange: ((uses: readonly BudgetUse[]) => Promise<SpentQuota[]>) | undefined;
  /** Storage does not answer, and budgets go by what is known; told once, until it has answered again. */
  reportError(error: Error): void;
}

/**
 * Keeps what this node knows of budgets of a day and a month up to what all nodes have spent. Nothing is asked or told while no
 * request meets a budget.
 * @returns what stops it, once the others have been told the rest.
 */
export const startSharingBudgets = ({
  limiter,
  readSpent,
  exchange,
  reportError,
}: BudgetSources): (() => Promise<void>) => {
  limiter.share();
  let isMet = false;
  let under = Promise.resolve();
  let isBusy = false;
  /** When storage was last asked, and how long it took; milliseconds. */
  let readAtMs = performance.now();
  let tookMs = 0;
  let isFailing = false;

  /** @returns whether the others say what they have spent. */
  const tell = async (): Promise<boolean> => {
    const uses = limiter.takeMet();
    isMet ||= uses.length > 0;
    if (!exchange || uses.length === 0) return exchange !== undefined;
    try {
      const totals = await exchange(uses);
      for (const [index, use] of uses.entries()) {
        const total = totals[index];
        if (total) limiter.learn(use, total);
      }
      return true;
    } catch {
      // That the server is gone is told where rates are counted.
      limiter.putBack(uses);
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
