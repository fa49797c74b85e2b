import type { BudgetUse, Limiter } from "@tollgate/relay/limits/limiter";
import type { SpentQuota } from "@tollgate/relay/limits/spending";

/** Interval for exchanging the spending of used budgets between nodes. */
const TELL_MS = 250;

/** Interval for querying all spending from storage: where it is the only source, and where it only verifies. */
const READ_MS = 5000;
const READ_BESIDE_MS = 60_000;

/** A slow query is repeated less often: it takes at most 1/20 of the time. */
const PART_OF_TIME = 20;

export interface BudgetSources {
  limiter: Pick<Limiter, "share" | "takeMet" | "learn" | "putBack">;
  /** Queries the spending of all nodes from storage, for the limiter. @throws Error when storage does not answer. */
  readSpent(): Promise<void>;
  /** Sends this node's spending, and receives the totals; undefined where only storage has them. */
  exchange: ((uses: readonly BudgetUse[]) => Promise<SpentQuota[]>) | undefined;
  /** Storage does not answer, and budgets use the known values; called once, until it has answered again. */
  reportError(error: Error): void;
}

/**
 * Keeps this node's budgets of a day and a month up to date with the spending of all nodes. Sends no queries while no
 * request uses a budget.
 * @returns stops it, after sending the rest to the others.
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
  /** Time and duration of the last query to storage; milliseconds. */
  let readAtMs = performance.now();
  let tookMs = 0;
  let isFailing = false;

  /** @returns whether the others report their spending. */
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
      // The loss of the server is reported where rates are counted.
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
