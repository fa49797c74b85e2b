import type { WindowedChannel } from "@tollgate/contract/records/channel-record";
import { describe, expect, it } from "vitest";
import { watchingWindows, windowsAfter } from "./channel-windows";

const HOUR = 3600;
const NOW = 1_800_000_000;

const channelOf = (more: Partial<WindowedChannel> = {}): WindowedChannel => ({
  id: 1,
  calendar: {
    windows: [
      { hours: 5, limit: 10, unit: "requests" },
      { hours: 168, limit: 1000, unit: "quota" },
    ],
  },
  states: [],
  closedUntil: 0,
  usedRequests: 100,
  chargedQuota: 50_000,
  ...more,
});

/** Looks again after more was answered. */
const after = (before: WindowedChannel, requests: number, quota: number, now: number): WindowedChannel => {
  const channel = {
    ...before,
    usedRequests: before.usedRequests + requests,
    chargedQuota: before.chargedQuota + quota,
  };
  return { ...channel, ...windowsAfter(channel, now) };
};

describe("a window of a channel's calendar", () => {
  it("begins with the first request, and not with earlier answers", () => {
    const idle = after(channelOf(), 0, 0, NOW);
    expect(idle.states.map(({ startedAt }) => startedAt)).toEqual([0, 0]);
    const begun = after(after(idle, 0, 0, NOW + HOUR), 1, 5, NOW + 2 * HOUR);
    expect(begun.states.map(({ startedAt }) => startedAt)).toEqual([NOW + 2 * HOUR, NOW + 2 * HOUR]);
    expect(begun.closedUntil).toBe(0);
  });

  it("closes the channel until its end when it is used up, and then waits for the next request", () => {
    const begun = after(after(channelOf(), 0, 0, NOW), 9, 9, NOW);
    expect(begun.closedUntil).toBe(0);
    const closed = after(begun, 1, 1, NOW + HOUR);
    expect(closed.closedUntil).toBe(NOW + 5 * HOUR);
    const open = after(closed, 0, 0, NOW + 5 * HOUR);
    expect(open.closedUntil).toBe(0);
    expect(open.states[0]).toEqual({ startedAt: 0, from: 110 });
    expect(open.states[1]?.startedAt).toBe(NOW);
  });

  it("is closed by the one that ends last", () => {
    const closed = after(after(channelOf(), 0, 0, NOW), 10, 1000, NOW);
    expect(closed.closedUntil).toBe(NOW + 168 * HOUR);
    expect(after(closed, 0, 0, NOW + 5 * HOUR).closedUntil).toBe(NOW + 168 * HOUR);
  });

  it("that a clock far ahead began is over once the clock is right again", () => {
    const ahead = after(after(channelOf(), 0, 0, NOW), 10, 1, NOW + 9000 * HOUR);
    expect(ahead.closedUntil).toBe(NOW + 9005 * HOUR);
    const right = after(ahead, 0, 0, NOW + HOUR);
    expect([right.closedUntil, right.states[0]]).toEqual([0, { startedAt: 0, from: 110 }]);
    expect(after(right, 1, 0, NOW + 2 * HOUR).states[0]?.startedAt).toBe(NOW + 2 * HOUR);
  });

  it("is kept only when it moved, and forgotten with the calendar", async () => {
    const kept: unknown[] = [];
    let stored = channelOf();
    const job = watchingWindows(
      { windowed: async () => [stored] },
      {
        async change(id, { windows }) {
          kept.push(id);
          stored = { ...stored, ...windows };
          return undefined;
        },
      },
      () => NOW,
    );
    await job.run(() => false);
    await job.run(() => false);
    expect(kept).toEqual([1]);
    stored = { ...stored, calendar: {} };
    await job.run(() => false);
    expect(stored).toMatchObject({ states: [], closedUntil: 0 });
  });
});
