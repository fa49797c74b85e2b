import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Job, startJob } from "./start-job";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const alone = { exclusively: (_: string, step: () => Promise<void>) => step() };
const failTest = (error: Error): void => expect.fail(error.message);

describe("a job", () => {
  it("is done at once and every so often, and not begun again while it runs", async () => {
    const ends: (() => void)[] = [];
    const job: Job = {
      name: "log-retention",
      everyMs: 1000,
      run: () => new Promise((resolve) => ends.push(resolve)),
    };
    const stop = startJob(job, alone, failTest);
    await vi.advanceTimersByTimeAsync(2500);
    expect(ends).toHaveLength(1);
    ends[0]?.();
    await vi.advanceTimersByTimeAsync(1000);
    expect(ends).toHaveLength(2);
    const stopped = stop();
    ends[1]?.();
    await stopped;
    await vi.advanceTimersByTimeAsync(5000);
    expect(ends).toHaveLength(2);
  });

  it("ends early where it is stopped", async () => {
    let rounds = 0;
    const stop = startJob(
      {
        name: "closing-buckets",
        everyMs: 1000,
        async run(isStopped) {
          while (!isStopped()) {
            rounds += 1;
            await Promise.resolve();
          }
        },
      },
      alone,
      failTest,
    );
    await Promise.resolve();
    await stop();
    expect(rounds).toBeGreaterThan(0);
  });

  it("is left to another process that is at it, and tried again later", async () => {
    let isTaken = true;
    let rounds = 0;
    const asked: string[] = [];
    const stop = startJob(
      {
        name: "adding-up",
        everyMs: 1000,
        run: async () => {
          rounds += 1;
        },
      },
      {
        exclusively: async (name, step) => {
          asked.push(name);
          if (!isTaken) await step();
        },
      },
      failTest,
    );
    await vi.advanceTimersByTimeAsync(0);
    expect([asked, rounds]).toEqual([["adding-up"], 0]);
    isTaken = false;
    await vi.advanceTimersByTimeAsync(1000);
    expect(rounds).toBe(1);
    await stop();
  });

  it("reports a failure, and runs again", async () => {
    const errors: string[] = [];
    const job: Job = {
      name: "log-retention",
      everyMs: 1000,
      run: () => Promise.reject(new Error("the disk is full")),
    };
    const stop = startJob(job, alone, ({ message }) => errors.push(message));
    await vi.advanceTimersByTimeAsync(1000);
    expect(errors).toEqual(["the disk is full", "the disk is full"]);
    await stop();
  });
});
