import { expect, it, vi } from "vitest";
import { countText } from "./count-text";

const tokenizer = vi.hoisted(() => ({ remembered: 0, most: 0 }));
vi.mock("gpt-tokenizer/encoding/o200k_base", () => ({
  countTokens(piece: string) {
    tokenizer.remembered += piece.length;
    tokenizer.most = Math.max(tokenizer.most, tokenizer.remembered);
    return piece.length;
  },
  clearMergeCache() {
    tokenizer.remembered = 0;
  },
}));

it("has the tokenizer forget words before it searches for the oldest of 100,000", () => {
  const text = "字 ".repeat(400_000);
  expect(countText("gpt-4o", text, () => false)).toBe(text.length);
  for (let i = 0; i < 200; i += 1) countText("gpt-4o", "字 ".repeat(1000), () => false);
  expect(tokenizer.most).toBeGreaterThan(50_000);
  expect(tokenizer.most).toBeLessThanOrEqual(100_000);
});
