import { describe, expect, it } from "vitest";
import { stringifyInSteps } from "./stringify-in-steps";

const run = (value: unknown): { text: string; steps: number; most: number } => {
  const writing = stringifyInSteps(value);
  for (let steps = 1; ; steps += 1) {
    const step = writing.next();
    if (!step.done) continue;
    const most = Math.max(...step.value.map((piece) => piece.length));
    return { text: Buffer.concat(step.value).toString(), steps, most };
  }
};

const MB = 1024 * 1024;

describe("writing JSON in steps", () => {
  it.each([
    ["a long text", "word ".repeat(MB)],
    ["characters at every place of a cut", ["", "a"].map((before) => before + "😀".repeat(MB))],
    ["halves of characters", `${"\ud83d".repeat(MB)}\ude00`],
    ["escapes", '"\\\n\u0001'.repeat(MB / 2)],
    ["many values", { a: Array.from({ length: 300_000 }, (_, i) => [i, null, true, `n${i}`, {}]) }],
    ["many names", Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`"${i}"`, { i }]))],
    [
      "what JSON does not know",
      { a: undefined, b: [undefined, Number.NaN, "x".repeat(MB)], c: { d: undefined } },
    ],
    ["nothing but that", [{ a: undefined, b: undefined }, "x".repeat(MB)]],
    [
      "lists within each other",
      Array.from({ length: 100 }).reduce((inner) => [inner, {}], "deep ".repeat(MB)),
    ],
    ["something short", { a: [1, "b", null], "": {} }],
  ])("writes %s as it is written at once", (_, value) => {
    expect(run(value).text === JSON.stringify(value)).toBe(true);
  });

  it("writes a bounded piece in each step", () => {
    const { steps, most } = run(["word ".repeat(2 * MB), "中文".repeat(3 * MB)]);
    expect(most).toBeLessThan(5 * MB);
    expect(steps).toBeGreaterThan(10);
    // Short values take time of their own.
    expect(run(Array.from({ length: 300_000 }, () => 1)).steps).toBeGreaterThan(10);
  });
});
