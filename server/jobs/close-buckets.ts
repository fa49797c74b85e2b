import type { Stores } from "@tollgate/storage/stores";

const EVERY_MS = 600_000;

/**
 * Adds up the log's buckets of eight hours that have ended, now and every ten minutes, in small steps between which new lines are
 * written.
 * @param now unix seconds.
 * @returns what ends it.
 */
export const startClosingBuckets = (
  { log }: Pick<Stores, "log">,
  now: () => number,
  reportError: (error: Error) => void,
): (() => Promise<void>) => {
  let isStopped = false;
  const round = async (): Promise<void> => {
    let areMore = true;
    while (areMore && !isStopped) areMore = await log.closeBucket(now());
  };
  let running = Promise.resolve();
  const start = (): void => {
    running = running.then(round).catch(reportError);
  };
  start();
  const timer = setInterval(start, EVERY_MS);
  return async () => {
    isStopped = true;
    clearInterval(timer);
    await running;
  };
};
