import { parseDecimal } from "@tollgate/contract/values/decimal";
import { describe, expect, it } from "vitest";
import { priceAnswer, priceHold } from "./bill";
import { findPrice, type PriceBook } from "./price";
import { parseRatioTable } from "./ratio-table";

const models = parseRatioTable(
  '{"gpt-3.5-turbo":0.75,"gpt-4":15,"claude-2":5.51,"text-moderation-stable":0.1}',
)!;
const groups = parseRatioTable(JSON.stringify({ default: 1, svip: 1, vip: 1, half: 0.5, free: 0 }))!;
const book: PriceBook = { modelRatios: models, groupRatios: groups };
const price = (model: string, group = "default", more: Partial<PriceBook> = {}) =>
  findPrice({ ...book, ...more }, model, group, 0)!;

describe("priceAnswer", () => {
  it.each([
    ["gpt-3.5-turbo", "default", 13, 5, 18],
    ["gpt-4", "default", 13, 5, 345],
    ["gpt-4", "half", 13, 5, 173],
    ["gpt-4", "free", 13, 5, 0],
    ["gpt-4", "unheard-of", 13, 5, 345],
    ["claude-2", "default", 10, 10, 219],
    ["text-moderation-stable", "default", 1, 0, 1],
    ["gpt-4", "default", 0, 0, 0],
  ])("%s in group %s with %i + %i tokens costs %i", (model, group, prompt, completion, expected) => {
    expect(priceAnswer(price(model, group), prompt, completion).quota).toBe(expected);
  });

  it("is exact where binary fractions are not", () => {
    const table = parseRatioTable('{"m": 0.07}')!;
    const exact = price("m", "default", { modelRatios: table });
    expect(Math.ceil(0.07 * 100)).toBe(8);
    expect(priceAnswer(exact, 100, 0).quota).toBe(7);
  });
});

describe("findPrice", () => {
  it("knows no price for a model outside the table, unless a fallback ratio is set", () => {
    expect(findPrice(book, "unheard-of", "default", 0)).toBeUndefined();
    const fallback = price("unheard-of", "default", { fallbackRatio: parseDecimal(30) });
    expect(priceAnswer(fallback, 13, 5).quota).toBe(540);
  });
});

describe("priceHold", () => {
  it("covers the client's limit at the completion price, else the default", () => {
    expect(priceHold(price("gpt-3.5-turbo"), 10, 100)).toBe(158);
    expect(priceHold(price("gpt-3.5-turbo"), 10, 500)).toBe(758);
  });
});

describe("parseRatioTable", () => {
  it.each(["", "[]", "null", '{"a":"1"}', '{"a":-1}', '{"a":null}', "{"])("refuses %s", (text) => {
    expect(parseRatioTable(text)).toBeUndefined();
  });
});
