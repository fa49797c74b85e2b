import { describe, expect, it } from "vitest";
import { numeral, quote, quoteOnce } from "./write-json";

describe("a text as JSON", () => {
  it("equals JSON.stringify each time", () => {
    const texts = ["", "gpt-4o", 'a"b\\c', "\n\u001f", "\ud800", "x".repeat(1000)];
    for (let round = 0; round < 2; round += 1)
      for (const text of texts) expect(quote(text)).toBe(JSON.stringify(text));
  });

  it("holds nothing beyond ASCII, and says the same", () => {
    const texts = ["模型倍率 0.75，分组倍率 1.00", "a\u00e9\u2028 😀", "\ud800模"];
    for (let round = 0; round < 2; round += 1)
      for (const text of texts) {
        expect(quote(text)).toMatch(/^[ -~]+$/);
        expect(JSON.parse(quote(text))).toBe(text);
      }
    expect(quote("模")).toBe('"\\u6a21"');
    expect(quote("模".repeat(300))).toBe(JSON.stringify("模".repeat(300)));
  });

  it("is right for more texts than are remembered", () => {
    for (let i = 0; i < 3000; i += 1) expect(quote(`model-${i}`)).toBe(`"model-${i}"`);
  });
});

describe("a text that comes once", () => {
  it("equals JSON.stringify, for any character", () => {
    for (let code = 0; code <= 0xffff; code += 1) {
      const text = `a${String.fromCharCode(code)}b`;
      if (quoteOnce(text) !== JSON.stringify(text)) expect(quoteOnce(text)).toBe(JSON.stringify(text));
    }
    expect(quoteOnce("😀 × 2")).toBe('"😀 × 2"');
    expect(quoteOnce("")).toBe('""');
  });
});

describe("a number as JSON", () => {
  it("equals JSON.stringify", () => {
    for (const value of [0, -0, 1, -5, 0.25, 1e21, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY])
      expect(`${numeral(value)}`).toBe(JSON.stringify(value));
    expect(`${numeral(undefined)}`).toBe("null");
  });
});
