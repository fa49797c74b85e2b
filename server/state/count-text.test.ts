import { describe, expect, it } from "vitest";
import { countText } from "./count-text";

describe("counting a text", () => {
  it("takes the tokenizer of the model", () => {
    expect(countText("gpt-4o", "你好，世界", () => false)).toBeLessThan(
      countText("gpt-4", "你好，世界", () => false),
    );
  });

  it("takes the text of a special token for plain text", () => {
    expect(countText("gpt-4o", "<|endoftext|>", () => false)).toBeGreaterThan(1);
  });

  it("estimates the rest when its time is up", () => {
    const text = "word ".repeat(20_000);
    let pieces = 0;
    const tokens = countText("gpt-4o", text, () => {
      pieces += 1;
      return pieces > 3;
    });
    expect(pieces).toBe(4);
    // Five bytes are one token counted and 1.9 estimated.
    expect(tokens).toBeGreaterThan(20_000);
    expect(tokens).toBeLessThan(38_000);
    expect(countText("gpt-4o", text, () => true)).toBe(38_000);
  });
});
