import { DAY_SECONDS } from "@tollgate/storage/log/hours";
import type { Stores } from "@tollgate/storage/stores";
import type { Options } from "../state/options";
import type { Job } from "./start-job";

const EVERY_MS = 3_600_000;

/**
 * Deletes log lines and receipts older than a moment, in small steps so that new lines are written in between, and the
 * stored bodies of those requests.
 * @param timestamp unix seconds.
 * @param now unix seconds.
 * @returns the number of deleted lines.
 */
export const clearLog = async (
  { log, bodies }: Pick<Stores, "log" | "bodies">,
  timestamp: number,
  now: number,
): Promise<number> => {
  let count = 0;
  for (;;) {
    const { deleted, isDone } = await log.clearBefore(timestamp, now);
    count += deleted;
    if (isDone) break;
  }
  await bodies.clearBefore(timestamp);
  return count;
};

/** Deletes stored bodies after BodyRetentionDays, even when no more bodies are stored. */
export const applyBodyRetention = async (
  { bodies }: Pick<Stores, "bodies">,
  options: Pick<Options, "number">,
  now: number,
): Promise<void> => {
  await bodies.clearBefore(now - options.number("BodyRetentionDays") * DAY_SECONDS);
};

/** One round: deletes lines older than the option LogRetentionDays, and the remains of an interrupted clearing. */
export const applyRetention = async (
  storage: Pick<Stores, "log" | "bodies">,
  options: Pick<Options, "number">,
  now: number,
): Promise<void> => {
  const days = options.number("LogRetentionDays");
  const cleared = await storage.log.clearedBefore();
  const before = Math.max(cleared, days === 0 ? 0 : now - days * DAY_SECONDS);
  if (before > 0) await clearLog(storage, before, now);
};

/** Failures go after FailureRetentionDays, also where lines are kept for ever: any holder of a key can cause them. */
export const applyFailureRetention = async (
  { log }: Pick<Stores, "log">,
  options: Pick<Options, "number">,
  now: number,
): Promise<void> => {
  const days = options.number("FailureRetentionDays");
  if (days === 0) return;
  while (!(await log.clearFailuresBefore(now - days * DAY_SECONDS))) {
    // Step by step.
  }
};

/** All of them, every hour. @param now unix seconds. */
export const retentions = (
  storage: Pick<Stores, "log" | "bodies">,
  options: Options,
  now: () => number,
): readonly Job[] => [
  { name: "body-retention", everyMs: EVERY_MS, run: () => applyBodyRetention(storage, options, now()) },
  {
    name: "log-retention",
    everyMs: EVERY_MS,
    async run() {
      await applyRetention(storage, options, now());
      await applyFailureRetention(storage, options, now());
    },
  },
];
