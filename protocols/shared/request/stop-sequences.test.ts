import type { StreamPart } from "@tollgate/contract/relay/stream";
import { createRandom } from "@tollgate/testkit/random";
import { seeds } from "@tollgate/testkit/seeds";
import { describe, expect, it } from "vitest";
import { refusalOf } from "../testing/refusal-of";
import { StopCutter, usableStops } from "./stop-sequences";

const textOf = (parts: readonly StreamPart[]): string =>
  parts.map((part) => (part.kind === "text" ? part.text : "")).join("");

/** The text before the sequence that ends first; of several that end together, before the longest. */
const expected = (text: string, sequences: readonly string[]): string => {
  for (let end = 1; end <= text.length; end += 1) {
    const found = sequences.filter((sequence) => text.slice(0, end).endsWith(sequence));
    if (found.length > 0) return text.slice(0, end - Math.max(...found.map(({ length }) => length)));
  }
  return text;
};

describe("StopCutter", () => {
  it("cuts at the sequence that is complete first, however the text is divided (seeded)", () => {
    for (const seed of seeds(400)) {
      const random = createRandom(seed);
      const letters = (most: number): string =>
        Array.from({ length: 1 + Math.floor(random() * most) }, () => "ab"[Math.floor(random() * 2)]).join(
          "",
        );
      const text = letters(40);
      const sequences = Array.from({ length: 1 + Math.floor(random() * 3) }, () => letters(6));
      const cutter = new StopCutter(sequences);
      const parts: StreamPart[] = [];
      for (let at = 0; at < text.length; ) {
        const to = at + 1 + Math.floor(random() * 5);
        parts.push(...cutter.push({ kind: "text", index: 0, text: text.slice(at, to) }));
        at = to;
      }
      parts.push(...cutter.push({ kind: "finish", reason: "length" }));
      const kept = expected(text, sequences);
      expect(textOf(parts), `seed ${seed}`).toBe(kept);
      const isCut = kept !== text;
      expect(parts.at(-1)).toMatchObject({ kind: "finish", reason: isCut ? "stop" : "length" });
    }
  });

  it("gives nothing after the stop but the usage", () => {
    const cutter = new StopCutter(["X"]);
    const usage: StreamPart = {
      kind: "usage",
      usage: {
        inputTokens: 1,
        outputTokens: 2,
        cacheReadTokens: undefined,
        cacheWriteTokens: undefined,
        reasoningTokens: undefined,
      },
    };
    const parts: StreamPart[] = [
      { kind: "text", index: 0, text: "aXb" },
      { kind: "tool-call", index: 1, id: "1", name: "f" },
      { kind: "tool-arguments", index: 1, text: "{}" },
      usage,
      { kind: "finish", reason: "tool-calls" },
    ];
    expect(parts.flatMap((part) => cutter.push(part))).toEqual([
      { kind: "text", index: 0, text: "a" },
      usage,
      { kind: "finish", reason: "stop", stopSequence: "X" },
    ]);
  });

  it("releases held text before a call, and searches nothing across it", () => {
    const cutter = new StopCutter(["END"]);
    const call: StreamPart = { kind: "tool-call", index: 1, id: "1", name: "f" };
    expect(cutter.push({ kind: "text", index: 0, text: "aEN" })).toEqual([
      { kind: "text", index: 0, text: "a" },
    ]);
    expect(cutter.push(call)).toEqual([{ kind: "text", index: 0, text: "EN" }, call]);
    expect(textOf(cutter.push({ kind: "text", index: 2, text: "Db" }))).toBe("Db");
  });

  it("takes no more sequences than it can look for in time", () => {
    const many = Array.from({ length: 65 }, (_, index) => `s${index}`);
    expect(refusalOf(() => new StopCutter(many)).param).toBe("stop");
    expect(refusalOf(() => new StopCutter(["a".repeat(70_000)])).param).toBe("stop");
    expect(usableStops([""])).toBeUndefined();
  });
});
