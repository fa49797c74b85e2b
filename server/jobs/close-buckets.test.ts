import { expect, it } from "vitest";
import { startClosingBuckets } from "./close-buckets";

const createLog = (steps: number, failure?: Error) => {
  const calls: number[] = [];
  return {
    calls,
    log: {
      closeBucket: async (now: number) => {
        calls.push(now);
        if (failure) throw failure;
        return calls.length < steps;
      },
    } as unknown as Parameters<typeof startClosingBuckets>[0]["log"],
  };
};

it("adds up one bucket after the other until none is left, and ends when it is stopped", async () => {
  const { log, calls } = createLog(3);
  const stop = startClosingBuckets(
    { log },
    () => 7,
    (error) => expect.fail(error.message),
  );
  await expect.poll(() => calls).toEqual([7, 7, 7]);
  await stop();
  expect(calls).toHaveLength(3);
});

it("stops between two buckets", async () => {
  const { log, calls } = createLog(Number.POSITIVE_INFINITY);
  const stop = startClosingBuckets(
    { log },
    () => 7,
    (error) => expect.fail(error.message),
  );
  await stop();
  const made = calls.length;
  await Promise.resolve();
  expect(calls).toHaveLength(made);
});

it("reports what fails", async () => {
  const { log } = createLog(1, new Error("the disk is full"));
  const errors: string[] = [];
  const stop = startClosingBuckets(
    { log },
    () => 7,
    ({ message }) => errors.push(message),
  );
  await expect.poll(() => errors).toEqual(["the disk is full"]);
  await stop();
});
