import { describe, expect, it } from "vitest";
import { applyRetention, clearLog } from "./log-retention";

const DAY = 86_400;
const NOW = 1000 * DAY;

/** A log that deletes two lines a step. */
const createLog = (lines: number, clearedBefore = 0) => {
  const calls: [timestamp: number, now: number][] = [];
  let left = lines;
  return {
    calls,
    log: {
      clearBefore: async (timestamp: number, now: number) => {
        calls.push([timestamp, now]);
        const deleted = Math.min(2, left);
        left -= deleted;
        return { deleted, isDone: left === 0 };
      },
      clearedBefore: async () => clearedBefore,
    } as unknown as Parameters<typeof applyRetention>[0]["log"],
  };
};

const optionsOf = (days: number) => ({ number: () => days });

describe("the retention of the log", () => {
  it("goes on step by step until all is deleted, and counts", async () => {
    const { log, calls } = createLog(5);
    expect(await clearLog(log, 7, NOW)).toBe(5);
    expect(calls).toHaveLength(3);
  });

  it("deletes what is older than so many days", async () => {
    const { log, calls } = createLog(1);
    await applyRetention({ log }, optionsOf(30), NOW);
    expect(calls).toEqual([[NOW - 30 * DAY, NOW]]);
  });

  it("deletes nothing when the option is 0", async () => {
    const { log, calls } = createLog(1);
    await applyRetention({ log }, optionsOf(0), NOW);
    expect(calls).toEqual([]);
  });

  it("finishes a clearing that was cut off", async () => {
    const { log, calls } = createLog(1, 500 * DAY);
    await applyRetention({ log }, optionsOf(0), NOW);
    expect(calls).toEqual([[500 * DAY, NOW]]);
  });
});
