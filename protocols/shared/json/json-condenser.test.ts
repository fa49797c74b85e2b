import { createRandom } from "@tollgate/testkit/random";
import { caseCount } from "@tollgate/testkit/seeds";
import { describe, expect, it } from "vitest";
import { JsonCondenser } from "./json-condenser";
import { MAX_JSON_DEPTH } from "./scan-json";

const condense = (text: string, cutEvery = Number.POSITIVE_INFINITY): string | undefined => {
  const bytes = Buffer.from(text);
  const condenser = new JsonCondenser();
  for (let from = 0; from < bytes.length; from += cutEvery)
    condenser.push(bytes.subarray(from, Math.min(bytes.length, from + cutEvery)));
  return condenser.end();
};

const nest = (depth: number, core: string): string => "[".repeat(depth) + core + "]".repeat(depth);

describe("JsonCondenser", () => {
  it("leaves small JSON as it is, wherever its bytes are cut", () => {
    const random = createRandom(7);
    const PIECES = ["a", '"', "\\", "\n", "你", "🌍", "{", "]", "\u0001", "\\\\", '\\"'];
    const make = (depth: number): unknown => {
      const kind = random();
      if (kind < 0.4 || depth > 6)
        return Array.from({ length: random() * 8 }, () => PIECES[Math.floor(random() * PIECES.length)]).join(
          "",
        );
      if (kind < 0.5) return Math.floor(random() * 1e6);
      if (kind < 0.55) return null;
      if (kind < 0.75) return Array.from({ length: random() * 5 }, () => make(depth + 1));
      return Object.fromEntries(
        Array.from({ length: random() * 5 }, (_, i) => [`k"\\${i}`, make(depth + 1)]),
      );
    };
    for (let round = 0; round < caseCount(300); round += 1) {
      const text = JSON.stringify(make(0));
      for (const cutEvery of [1, 2, 3, 7, Number.POSITIVE_INFINITY])
        expect(condense(text, cutEvery)).toBe(text);
    }
  });

  it("cuts long strings only, never within an escape", () => {
    for (const unit of ["A", "\\", '"', "\u0001", "你", "\\u0001"]) {
      for (const shift of [0, 1, 2, 3, 4, 5]) {
        const value = {
          before: 1,
          image: "x".repeat(shift) + unit.repeat(300_000),
          usage: { output_tokens: 42 },
        };
        const small = condense(JSON.stringify(value), 10_007);
        expect(small!.length).toBeLessThan(300_000);
        expect(JSON.parse(small!)).toMatchObject({ before: 1, usage: { output_tokens: 42 } });
      }
    }
  });

  it("replaces a too deeply nested value by null, and keeps the rest", () => {
    for (const depth of [MAX_JSON_DEPTH - 2, MAX_JSON_DEPTH, 5000, 100_000]) {
      const text = `{"a":${nest(depth, '{"x":"]"}')},"b":[1],"usage":{"output_tokens":42}}`;
      const parsed: unknown = JSON.parse(condense(text, 1009)!);
      expect(parsed).toMatchObject({ b: [1], usage: { output_tokens: 42 } });
    }
  });

  it("fails on a value that is too large even without its long strings", () => {
    expect(condense(`[${'"word",'.repeat(2_000_000)}1]`)).toBeUndefined();
  });
});
