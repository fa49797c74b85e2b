import { describe, expect, it } from "vitest";
import { OutboxConsumer } from "./outbox-consumer";

/** A step whose end the test decides. */
const createStep = <T>() => {
  const ends: ((value: T) => void)[] = [];
  return {
    calls: ends,
    run: () =>
      new Promise<T>((resolve) => {
        ends.push(resolve);
      }),
  };
};

/** Everything that follows from what was resolved is done in a later turn. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("the way into the log file", () => {
  it("is over for a reader only when everything committed before is there, whatever was under way", async () => {
    const ingest = createStep<number>();
    const trim = createStep<void>();
    const feed = new OutboxConsumer(ingest.run, trim.run, () => undefined, 0, 60_000);
    feed.note(1);
    const first = feed.ingested();
    ingest.calls[0]?.(1);
    await turn();
    // The first row is there; deleting it in the outbox is still under way when the next one is committed.
    feed.note(2);
    let isThere = false;
    const second = feed.ingested().then(() => {
      isThere = true;
    });
    trim.calls[0]?.();
    await turn();
    expect(isThere).toBe(false);
    ingest.calls[1]?.(2);
    await turn();
    trim.calls[1]?.();
    await Promise.all([first, second]);
    expect(isThere).toBe(true);
  });

  it("lets a reader go on where it cannot be brought there", async () => {
    const errors: string[] = [];
    const feed = new OutboxConsumer(
      () => Promise.reject(new Error("the disk is full")),
      async () => undefined,
      (error) => errors.push(error.message),
      0,
      60_000,
    );
    feed.note(1);
    await feed.ingested();
    expect(errors).toEqual(["the disk is full"]);
  });
});
