import { describe, expect, it } from "vitest";
import { cutText } from "./cut-text";

/** Characters of one to several code units: a letter, a Chinese one, a pair, a flag, a family, an accent of its own. */
const CHARACTERS = ["a", "中", "😀", "🇨🇳", "👨‍👩‍👧‍👦", "e\u0301", "👍🏽"];

describe("cutText", () => {
  it.each(CHARACTERS)("never cuts within %s, wherever it stands", (character) => {
    for (let before = 0; before <= 16; before += 1) {
      const text = "x".repeat(before) + character.repeat(17 - before);
      const whole = before >= 15 ? "x".repeat(15) : "x".repeat(before) + character.repeat(15 - before);
      expect(cutText(text, 15)).toBe(`${whole}…`);
    }
  });

  it("leaves a text of exactly that many characters whole, and marks one more", () => {
    for (const character of CHARACTERS) {
      expect(cutText(character.repeat(15), 15)).toBe(character.repeat(15));
      expect(cutText(character.repeat(16), 15)).toBe(`${character.repeat(15)}…`);
    }
    expect(cutText("", 15)).toBe("");
  });

  it("cuts between code points where the browser cannot tell characters", () => {
    const { Segmenter } = Intl;
    Object.defineProperty(Intl, "Segmenter", { value: undefined, configurable: true, writable: true });
    Reflect.deleteProperty(Intl, "Segmenter");
    try {
      expect(cutText("😀😀😀", 2)).toBe("😀😀…");
    } finally {
      Object.defineProperty(Intl, "Segmenter", { value: Segmenter, configurable: true, writable: true });
    }
  });
});
