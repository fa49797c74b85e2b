import { expect, it } from "vitest";
import { closingBuckets } from "./close-buckets";

const createLog = (steps: number) => {
  const calls: number[] = [];
  return {
    calls,
    log: {
      closeBucket: async (now: number) => {
        calls.push(now);
        return calls.length < steps;
      },
    } as unknown as Parameters<typeof closingBuckets>[0]["log"],
  };
};

it("adds up one bucket after the other until none is left", async () => {
  const { log, calls } = createLog(3);
  await closingBuckets({ log }, () => 7).run(() => false);
  expect(calls).toEqual([7, 7, 7]);
});

it("stops between two buckets", async () => {
  const { log, calls } = createLog(Number.POSITIVE_INFINITY);
  await closingBuckets({ log }, () => 7).run(() => calls.length === 2);
  expect(calls).toHaveLength(2);
});
