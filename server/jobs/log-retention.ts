import type { StorageClient } from "@tollgate/storage/client";
import { DAY_SECONDS } from "@tollgate/storage/log/hours";
import type { Options } from "../state/options";

const EVERY_MS = 3_600_000;

/**
 * Deletes the log lines and receipts of before a moment, in small steps between which new lines are written.
 * @param timestamp unix seconds.
 * @param now unix seconds.
 * @returns how many lines.
 */
export const clearLog = async (
  log: StorageClient["log"],
  timestamp: number,
  now: number,
): Promise<number> => {
  let count = 0;
  for (;;) {
    const { deleted, isDone } = await log.clearBefore(timestamp, now);
    count += deleted;
    if (isDone) return count;
  }
};

/** One round: what is older than the option LogRetentionDays goes, and what an interrupted clearing left behind. */
export const applyRetention = async (
  { log }: Pick<StorageClient, "log">,
  options: Pick<Options, "number">,
  now: number,
): Promise<void> => {
  const days = options.number("LogRetentionDays");
  const cleared = await log.clearedBefore();
  const before = Math.max(cleared, days === 0 ? 0 : now - days * DAY_SECONDS);
  if (before > 0) await clearLog(log, before, now);
};

/** Applies the retention now and every hour. @returns what ends it. */
export const startLogRetention = (
  storage: Pick<StorageClient, "log">,
  options: Options,
  now: () => number,
  reportError: (error: Error) => void,
): (() => Promise<void>) => {
  let running = Promise.resolve();
  const round = (): void => {
    running = running.then(() => applyRetention(storage, options, now())).catch(reportError);
  };
  round();
  const timer = setInterval(round, EVERY_MS);
  return async () => {
    clearInterval(timer);
    await running;
  };
};
