import { createRandom } from "@tollgate/testkit/random";
import { caseCount, seeds } from "@tollgate/testkit/seeds";
import { describe, expect, it, vi } from "vitest";
import { parseInSteps } from "./parse-in-steps";
import { type JsonBounds, MAX_JSON_DEPTH } from "./scan-json";

const BOUNDS: JsonBounds = {
  maxDepth: MAX_JSON_DEPTH,
  maxValues: 4_000_000,
  maxContainers: 400_000,
  maxNames: 1_000_000,
  maxShapes: 16_384,
  maxEscapes: 64_000_000,
  maxLooseBytes: 64_000_000,
};

/** Does all steps. @returns what was parsed, the text of each piece, and how many steps there were. */
const run = (text: string, pieceBytes?: number): { value: unknown; longest: number; steps: number } => {
  const parse = vi.spyOn(JSON, "parse");
  try {
    const reading = parseInSteps(Buffer.from(text), BOUNDS, undefined, pieceBytes);
    for (let steps = 1; ; steps += 1) {
      const step = reading.next();
      if (!step.done) continue;
      if ("fault" in step.value) throw new Error(step.value.fault.kind);
      const longest = Math.max(...parse.mock.calls.map(([piece]) => piece.length));
      return { value: step.value.value, longest, steps };
    }
  } finally {
    parse.mockRestore();
  }
};

/** The same way for both: what stands in it, or that it is no JSON. */
const outcomeOf = (parse: () => unknown): { value: unknown } | "no JSON" => {
  try {
    return { value: parse() };
  } catch (error) {
    if (error instanceof SyntaxError) return "no JSON";
    throw error;
  }
};

const NAMES = ["a", "b", "a", "", "__proto__", "constructor", "7", "12", 'q"\\', "é", "中文"];
const BLANKS = ["", "", "", " ", "\n", " \t\r\n "];
const SCALARS = ["0", "-1.5e3", "1e999", "true", "false", "null", '""', '"[1,{]"', '"\\\\"', '"\\u4e2d, 😀"'];

/** A random text of JSON, with blanks anywhere. */
const drawText = (random: () => number, depth: number): string => {
  const pick = (texts: readonly string[]): string => texts[Math.floor(random() * texts.length)] as string;
  const blank = (): string => pick(BLANKS);
  if (depth === 0 || random() < 0.3) return `${blank()}${pick(SCALARS)}${blank()}`;
  const count = Math.floor(random() * 6);
  const items = Array.from({ length: count }, () => drawText(random, depth - 1));
  return random() < 0.5
    ? `${blank()}[${items.join(",") || blank()}]${blank()}`
    : `${blank()}{${items.map((item) => `${blank()}${JSON.stringify(pick(NAMES))}${blank()}:${item}`).join(",") || blank()}}${blank()}`;
};

describe("a text that is parsed in pieces", () => {
  it("means the same as in one piece, wherever it is cut", () => {
    for (const seed of seeds(400)) {
      const random = createRandom(seed);
      const text = drawText(random, 5);
      for (const pieceBytes of [1, 4, 20])
        expect(run(text, pieceBytes).value, `seed ${seed}, pieces of ${pieceBytes}: ${text}`).toEqual(
          JSON.parse(text),
        );
    }
  });

  it("is no JSON where it is none in one piece", () => {
    const changes = ["", ",", "]", "}", "[", "{", '"', ":", "1", " ", "\\", "\u0001"];
    let refused = 0;
    for (const seed of seeds(1500)) {
      const random = createRandom(seed);
      const text = drawText(random, 4);
      const at = Math.floor(random() * (text.length + 1));
      const change = changes[Math.floor(random() * changes.length)] as string;
      const drawn = text.slice(0, at) + change + text.slice(at + Math.floor(random() * 2));
      // Half a character is no UTF-8.
      const changed = Buffer.from(drawn).toString();
      const expected = outcomeOf(() => JSON.parse(changed));
      if (expected === "no JSON") refused += 1;
      for (const pieceBytes of [1, 6])
        expect(
          outcomeOf(() => run(changed, pieceBytes).value),
          `seed ${seed}: ${changed}`,
        ).toEqual(expected);
    }
    expect(refused).toBeGreaterThan(caseCount(300));
  });

  it("keeps the names that objects are made by", () => {
    const { value } = run(`{"__proto__":{"x":[${"1,".repeat(20)}1]},"a":1,"__proto__":2}`, 8);
    expect(Object.getOwnPropertyDescriptor(value, "__proto__")).toMatchObject({ value: 2, enumerable: true });
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  it.each([
    ["numbers in one list", `{"data":[{"embedding":[${"0.01234567890123,".repeat(400_000)}1]}]}`],
    [
      "vectors",
      `{"object":"list","data":[${Array.from({ length: 300 }, (_, i) => `{"index":${i},"embedding":[${"-0.01234567,".repeat(1535)}0]}`).join(",")}],"usage":{"prompt_tokens":5}}`,
    ],
    [
      "many fields",
      `{${Array.from({ length: 12_000 }, (_, i) => `"n${i}":"${"text ".repeat(30)}"`).join(",")}}`,
    ],
    ["small lists", `[${"[1,2],".repeat(150_000)}[]]`],
  ])("of %s is never parsed by more than a piece at once", (_, text) => {
    const { value, longest, steps } = run(text);
    expect(longest).toBeLessThan(600 * 1024);
    expect(steps).toBeGreaterThan(text.length / (2.5 * 1024 * 1024));
    expect(JSON.stringify(value) === JSON.stringify(JSON.parse(text))).toBe(true);
  });
});
