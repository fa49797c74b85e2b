import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { cutRuns, MAX_PIECE, MAX_RUN } from "./cut-runs";

/** The longest run of blanks or of anything else: a tokenizer's work is bounded by its square. */
const longestRun = (piece: string): number =>
  Math.max(0, ...[...piece.matchAll(/\s+|\S+/gu)].map(([run]) => [...run].length));

const HOSTILE: Record<string, string> = {
  spaces: " ",
  "ideographic spaces": "\u3000",
  "spaces that do not break": "\u00a0",
  "line breaks": "\n",
  "line breaks of another kind": "\u0085",
  "spaces and line breaks": " \n",
  tabs: "\t",
  letters: "a",
  "letters of both cases": "aA",
  digits: "1",
  signs: "!",
  "pictures of two code units": "😀",
  "combined letters": "e\u0301",
  "Chinese letters": "中",
  nothing: "\u0000",
};

describe("S2: the input of a tokenizer", () => {
  it.each(Object.entries(HOSTILE))("holds no long run of %s, and nothing is lost", (_, unit) => {
    for (const length of [MAX_RUN - 1, MAX_RUN, MAX_RUN + 1, 400_000]) {
      const text = `one${unit.repeat(length)}two three`;
      const pieces = [...cutRuns(text)];
      expect(pieces.join("")).toBe(text);
      expect(Math.max(...pieces.map(longestRun))).toBeLessThanOrEqual(MAX_RUN + 8);
      expect(pieces.every((piece) => piece.length <= MAX_PIECE && piece !== "")).toBe(true);
      // Cutting is no work by itself.
      expect(pieces.length).toBeLessThan(text.length / (MAX_RUN / 2) + 10);
    }
  });

  it("is cut where it does not matter for the count", () => {
    const text = "The quick brown fox, it's said, jumps over 12345 lazy dogs.\n\n  Twice! ".repeat(500);
    let tokens = 0;
    for (const piece of cutRuns(text)) tokens += countTokens(piece);
    expect(tokens).toBe(countTokens(text));
  });
});
