import { describe, expect, it } from "vitest";
import { OutboxDrain } from "./outbox-drain";

/** Everything that follows from what was resolved is done in a later turn. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("the way out of an outbox that is shared", () => {
  it("is over for a reader only when a look that began after the question found no more", async () => {
    const looks: ((answer: { count: number; areMore: boolean }) => void)[] = [];
    const drain = new OutboxDrain(
      () => new Promise((resolve) => looks.push(resolve)),
      () => undefined,
    );
    const first = drain.drained();
    let areThere = false;
    const second = Promise.all([drain.drained(), drain.drained()]).then(() => {
      areThere = true;
    });
    looks[0]?.({ count: 200, areMore: true });
    await turn();
    looks[1]?.({ count: 1, areMore: false });
    await first;
    await turn();
    expect([areThere, looks.length]).toEqual([false, 3]);
    looks[2]?.({ count: 0, areMore: false });
    await second;
    expect(looks.length).toBe(3);
    const closed = drain.close();
    looks[3]?.({ count: 0, areMore: false });
    await closed;
  });

  it("lets a reader go on where nothing can be taken, and says so once until it can again", async () => {
    const errors: string[] = [];
    let isGone = true;
    const drain = new OutboxDrain(
      async () => {
        if (isGone) throw new Error("the database is gone");
        return { count: 0, areMore: false };
      },
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
});
