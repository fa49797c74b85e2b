import { channel as format } from "@tollgate/contract/api/channels";
import { describe, expect, it, vi } from "vitest";
import { type BulkProgress, followBulkRun } from "./bulk-run";

const channel = (id: number, more: object = {}) => {
  const read = format.read({ id, status: 1, test_time: 5, ...more });
  if (!read) throw new Error("no channel");
  return read;
};

/** Each read of the list returns the next of these, then the last one again. */
const follow = async (
  lists: ReturnType<typeof channel>[][],
  start: () => Promise<unknown> = async () => 0,
) => {
  const told: BulkProgress[] = [];
  let at = 0;
  const outcome = await followBulkRun({
    start,
    concerns: (each) => each.type !== 99,
    mark: (each) => String(each.testTime),
    quietLooks: 3,
    readAll: async () => {
      const list = lists[Math.min(at, lists.length - 1)] ?? [];
      at += 1;
      return list;
    },
    wait: async () => undefined,
    onProgress: ({ done, total }) => told.push({ done, total }),
  });
  return { outcome, told, looks: at };
};

describe("a run over all channels", () => {
  it("counts the enabled channels that it has been at, and ends with the last of them", async () => {
    const before = [channel(1), channel(2), channel(3, { status: 2 }), channel(4, { type: 99 })];
    const { outcome, told } = await follow([
      before,
      before,
      [channel(1, { test_time: 6 }), ...before.slice(1)],
      [channel(1, { test_time: 6 }), channel(2, { test_time: 7, status: 3 }), ...before.slice(2)],
    ]);
    expect(told).toEqual([
      { done: 0, total: 2 },
      { done: 0, total: 2 },
      { done: 1, total: 2 },
      { done: 2, total: 2 },
    ]);
    expect(outcome).toEqual({ done: 2, total: 2, disabled: 1 });
  });

  it("does not wait for a channel that is gone", async () => {
    expect((await follow([[channel(1), channel(2)], [channel(2, { test_time: 6 })]])).outcome.done).toBe(2);
  });

  it("gives up on the others after some looks without news", async () => {
    const { outcome, looks } = await follow([
      [channel(1), channel(2)],
      [channel(1), channel(2, { test_time: 6 })],
    ]);
    expect(outcome).toEqual({ done: 1, total: 2, disabled: 0 });
    expect(looks).toBe(5);
  });

  it("goes on while the server has not answered, however quiet it is", async () => {
    let answer: (value: unknown) => void = () => undefined;
    const start = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    const wait = vi.fn(async () => {
      if (wait.mock.calls.length === 20) answer(0);
    });
    const outcome = await followBulkRun({
      start,
      concerns: () => true,
      mark: (each) => String(each.testTime),
      quietLooks: 1,
      readAll: async () => [channel(1)],
      wait,
      onProgress: () => undefined,
    });
    expect(wait.mock.calls.length).toBeGreaterThanOrEqual(20);
    expect(outcome).toEqual({ done: 0, total: 1, disabled: 0 });
  });

  it("takes a list that cannot be read for no news", async () => {
    let looks = 0;
    const outcome = await followBulkRun({
      start: async () => 0,
      concerns: () => true,
      mark: (each) => String(each.testTime),
      quietLooks: 3,
      readAll: async () => {
        looks += 1;
        if (looks === 2) throw new Error("busy");
        return [channel(1, { test_time: looks })];
      },
      wait: async () => undefined,
      onProgress: () => undefined,
    });
    expect(outcome.done).toBe(1);
  });

  it("fails when the server refuses to begin it", async () => {
    await expect(follow([[channel(1)]], () => Promise.reject(new Error("already running")))).rejects.toThrow(
      "already running",
    );
  });
});
