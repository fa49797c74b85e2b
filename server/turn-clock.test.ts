import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createTurnClock } from "./turn-clock";

describe("the clock of a turn", () => {
  it("is read once in a turn of the event loop, however often it is queried, and again in the next", async () => {
    let readings = 0;
    const now = createTurnClock(() => {
      readings += 1;
      return 1000 * readings;
    });
    expect([now(), now(), now()]).toEqual([1000, 1000, 1000]);
    await Promise.resolve();
    expect(now()).toBe(1000);
    await nextTurn();
    expect([now(), now()]).toEqual([2000, 2000]);
    expect(readings).toBe(2);
  });

  it("keeps no time while the loop waits", async () => {
    const now = createTurnClock();
    // Called at a turn's end, when its due work is already running.
    await nextTurn();
    const before = now();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(now()).toBeGreaterThan(before);
  });
});
