import { describe, expect, it, vi } from "vitest";
import { OutboxDrain } from "./outbox-drain";

/** Everything that follows from what was resolved is done in a later turn. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("the way out of an outbox that is shared", () => {
  it("is over for a reader only when a look that began after the question is", async () => {
    const looks: (() => void)[] = [];
    const look = () => new Promise<void>((resolve) => looks.push(resolve));
    const drain = new OutboxDrain(async () => 0, look, vi.fn());
    const first = drain.drained();
    let areThere = false;
    const others = Promise.all([drain.drained(), drain.drained()]).then(() => {
      areThere = true;
    });
    looks[0]?.();
    await first;
    await turn();
    expect([areThere, looks.length]).toEqual([false, 2]);
    looks[1]?.();
    await others;
    expect(looks.length).toBe(2);
    const closed = drain.close();
    await turn();
    looks[2]?.();
    await closed;
  });

  it("lets a reader go on where nothing can be taken, and says so once until it can again", async () => {
    const errors: string[] = [];
    let isGone = true;
    const look = async (): Promise<void> => {
      if (isGone) throw new Error("the database is gone");
    };
    const drain = new OutboxDrain(
      () => look().then(() => 0),
      look,
      (error) => errors.push(error.message),
    );
    await drain.drained();
    await drain.drained();
    expect(errors.length).toBe(1);
    isGone = false;
    await drain.drained();
    isGone = true;
    await drain.close();
    expect(errors.length).toBe(2);
  });

  it("is gone by itself, too: soon while there is something, now and then while there is nothing", async () => {
    vi.useFakeTimers();
    let waiting = 2;
    let looks = 0;
    const take = async (): Promise<number> => {
      looks += 1;
      return waiting-- > 0 ? 1 : 0;
    };
    const drain = new OutboxDrain(take, async () => undefined, vi.fn());
    await vi.advanceTimersByTimeAsync(450);
    expect(looks).toBe(3);
    await vi.advanceTimersByTimeAsync(500);
    expect(looks).toBe(3);
    await vi.advanceTimersByTimeAsync(500);
    expect(looks).toBe(4);
    await drain.close();
    await vi.advanceTimersByTimeAsync(5000);
    expect(looks).toBe(4);
    vi.useRealTimers();
  });
});
