import { describe, expect, it } from "vitest";
import { applyBodyRetention, applyRetention, clearLog } from "./log-retention";

const DAY = 86_400;
const NOW = 1000 * DAY;

type Storage = Parameters<typeof applyRetention>[0];

/** A log that deletes two lines a step. */
const createLog = (lines: number, clearedBefore = 0) => {
  const calls: [timestamp: number, now: number][] = [];
  const bodyCalls: number[] = [];
  let left = lines;
  const storage = {
    bodies: {
      clearBefore: async (timestamp: number) => {
        bodyCalls.push(timestamp);
        return 1;
      },
    },
    log: {
      clearBefore: async (timestamp: number, now: number) => {
        calls.push([timestamp, now]);
        const deleted = Math.min(2, left);
        left -= deleted;
        return { deleted, isDone: left === 0 };
      },
      clearedBefore: async () => clearedBefore,
    },
  } as unknown as Storage;
  return { calls, bodyCalls, storage };
};

const optionsOf = (days: number) => ({ number: () => days });

describe("the retention of the log", () => {
  it("goes on step by step until all is deleted, and counts", async () => {
    const { storage, calls } = createLog(5);
    expect(await clearLog(storage, 7, NOW)).toBe(5);
    expect(calls).toHaveLength(3);
  });

  it("deletes lines older than the configured days", async () => {
    const { storage, calls } = createLog(1);
    await applyRetention(storage, optionsOf(30), NOW);
    expect(calls).toEqual([[NOW - 30 * DAY, NOW]]);
  });

  it("deletes nothing when the option is 0", async () => {
    const { storage, calls } = createLog(1);
    await applyRetention(storage, optionsOf(0), NOW);
    expect(calls).toEqual([]);
  });

  it("finishes a clearing that was cut off", async () => {
    const { storage, calls } = createLog(1, 500 * DAY);
    await applyRetention(storage, optionsOf(0), NOW);
    expect(calls).toEqual([[500 * DAY, NOW]]);
  });

  it("takes the bodies of the deleted lines along", async () => {
    const { storage, bodyCalls } = createLog(5);
    await applyRetention(storage, optionsOf(30), NOW);
    expect(bodyCalls).toEqual([NOW - 30 * DAY]);
  });
});

describe("the retention of bodies", () => {
  it("deletes those that are older than so many days, and no line", async () => {
    const { storage, calls, bodyCalls } = createLog(1);
    await applyBodyRetention(storage, optionsOf(7), NOW);
    expect(bodyCalls).toEqual([NOW - 7 * DAY]);
    expect(calls).toEqual([]);
  });
});
