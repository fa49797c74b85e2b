import type { CountPurpose } from "@tollgate/relay/ports/charges";
import { afterEach, describe, expect, it } from "vitest";
import { ThreadedTokenCounter } from "./token-counter";

/** Counts characters; takes 200 ms with "slow", never comes to an end with "hang", and fails with "throw". */
const THREAD = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from "node:worker_threads";
    parentPort.on("message", ({ text }) => {
      if (text.startsWith("hang")) for (;;) {}
      const end = Date.now() + (text.startsWith("slow") ? 200 : 0);
      while (Date.now() < end) {}
      if (text.startsWith("throw")) throw new Error("broken");
      parentPort.postMessage(text.length);
    });`)}`,
);

const open: ThreadedTokenCounter[] = [];
afterEach(async () => {
  for (const counter of open.splice(0)) await counter.close();
});

const createCounter = (patienceMs = 10_000, isApproximate = false, stuckMs = 10_000) => {
  const errors: string[] = [];
  const counter = new ThreadedTokenCounter({
    workerPath: THREAD,
    isApproximate: () => isApproximate,
    reportError: (error) => errors.push(error.message),
    patienceMs,
    stuckMs,
  });
  open.push(counter);
  const answers: string[] = [];
  const ask = (userId: number, text: string, purpose: CountPurpose = "information"): Promise<number> =>
    new Promise((resolve) => {
      counter.count(
        "gpt-4o",
        text,
        (tokens) => {
          answers.push(text);
          resolve(tokens);
        },
        userId,
        purpose,
      );
    });
  return { counter, errors, answers, ask };
};

describe("S2: the counting thread", () => {
  it("counts, and estimates where it is told to", async () => {
    expect(await createCounter().ask(1, "abcd")).toBe(4);
    expect(await createCounter(10_000, true).ask(1, "abcdefghij")).toBe(3);
    expect(await createCounter().ask(1, "")).toBe(0);
  });

  it("takes one text of each user in turn", async () => {
    const { answers, ask } = createCounter();
    const flood = Array.from({ length: 20 }, (_, i) => ask(1, `flood-${i}`));
    await Promise.all([ask(2, "second"), ask(3, "third"), ...flood]);
    expect(answers.indexOf("second")).toBeLessThanOrEqual(2);
    expect(answers.indexOf("third")).toBeLessThanOrEqual(3);
  });

  it("estimates a text that keeps it too long, and counts the others", async () => {
    const { ask } = createCounter(10_000, false, 1000);
    const [hung, counted] = await Promise.all([ask(1, "hang".repeat(10)), ask(2, "abcd")]);
    expect(hung).toBe(15);
    expect(counted).toBe(4);
    expect(await ask(2, "abcd")).toBe(4);
  });

  it("estimates a count for information when it waits for long, and keeps its thread", async () => {
    const { ask, errors } = createCounter(50);
    expect(await Promise.all([ask(1, "slow 6789 "), ask(2, "1234567890")])).toEqual([3, 3]);
    expect(await ask(3, "slow", "charge")).toBe(4);
    expect(errors).toEqual([]);
  });

  it("counts a charged text however long it waits and however long it is", async () => {
    const { ask } = createCounter(50);
    const texts = Array.from({ length: 60 }, (_, i) => `${i < 2 ? "slow" : "fast"} ${i}`);
    const counted = await Promise.all(texts.map((text) => ask(1, text, "charge")));
    expect(counted).toEqual(texts.map(({ length }) => length));
  });

  it("counts texts that are charged before texts for information", async () => {
    const { ask, answers } = createCounter();
    const flood = [1, 2, 3, 4].map((userId) => ask(userId, `flood-${userId}`));
    await Promise.all([...flood, ask(1, "charged", "charge")]);
    expect(answers.slice(0, 2)).toEqual(["flood-1", "charged"]);
  });

  it("estimates a user's texts beyond the limit at once", () => {
    const { ask, answers } = createCounter();
    for (let i = 0; i < 40; i += 1) void ask(1, `hang-${i}`);
    // One is being counted and 32 wait.
    expect(answers).toEqual(["hang-33", "hang-34", "hang-35", "hang-36", "hang-37", "hang-38", "hang-39"]);
  });

  it("goes on after a thread that failed, and after an answer that could not be used", async () => {
    const { ask, counter, errors } = createCounter();
    expect(await ask(1, "throw")).toBe(1);
    counter.count(
      "gpt-4o",
      "abc",
      () => {
        throw new Error("the client is gone");
      },
      1,
      "information",
    );
    expect(await ask(1, "abcd")).toBe(4);
    expect(errors).toEqual(["broken", "the client is gone"]);
  });

  it("ends while it is counting, with an estimate for every request", async () => {
    const { ask, counter } = createCounter();
    const hung = [ask(1, "hang"), ask(1, "hang"), ask(2, "hang")];
    await counter.close();
    expect(await Promise.all(hung)).toEqual([1, 1, 1]);
    expect(await ask(1, "abcdefghij")).toBe(3);
  });
});
