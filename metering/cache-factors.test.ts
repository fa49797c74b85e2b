import { formatDecimal } from "@tollgate/contract/values/decimal";
import { describe, expect, it } from "vitest";
import { cacheFactors } from "./cache-factors";

const texts = (...args: Parameters<typeof cacheFactors>): string[] => {
  const { read, write5m, write1h } = cacheFactors(...args);
  return [read, write5m, write1h].map((each) => formatDecimal(each));
};

describe("cacheFactors", () => {
  it.each([
    ["gpt-5.4-mini", ["0.1", "1", "1"]],
    ["gpt-4.1-nano", ["0.25", "1", "1"]],
    ["o3", ["0.25", "1", "1"]],
    ["o3-mini-2025-01-31", ["0.5", "1", "1"]],
    ["o4-mini", ["0.25", "1", "1"]],
    ["gpt-4o-2024-08-06", ["0.5", "1", "1"]],
    ["claude-opus-4-8", ["0.1", "1.25", "2"]],
    ["anthropic/Claude-Sonnet-4.5", ["0.1", "1.25", "2"]],
    ["gemini-2.5-pro", ["0.25", "1", "1"]],
    ["deepseek-chat", ["0.1", "1", "1"]],
    ["qwen3-max", ["0.2", "1.25", "1.25"]],
    ["gpt-4", ["1", "1", "1"]],
    ["my-own-model", ["1", "1", "1"]],
  ])("knows the factors of %s", (model, expected) => {
    expect(texts(model, undefined, true)).toEqual(expected);
  });

  it("goes by the vendor's list where the model stands in it, and knows no discount that the list does not name", () => {
    const listed = { input: 2.5, output: 10, cacheRead: 0.25, cacheWrite1h: 5 };
    expect(texts("gpt-4o", undefined, true, listed)).toEqual(["0.1", "1", "2"]);
    expect(texts("gpt-4o", undefined, true, { input: 5, output: 15 })).toEqual(["1", "1", "1"]);
    expect(texts("free", undefined, true, { input: 0, cacheRead: 0 })).toEqual(["1", "1", "1"]);
  });

  it("lets the administrator's table go first, factor by factor", () => {
    expect(texts("claude-opus-4-8", { read: 0.2 }, true)).toEqual(["0.2", "1.25", "2"]);
    const listed = { input: 5, cacheRead: 0.5, cacheWrite5m: 6.25 };
    expect(texts("claude-opus-4-8", { read: 0.2 }, true, listed)).toEqual(["0.2", "1.25", "1"]);
  });

  it("knows only the full price when cached tokens are not billed apart", () => {
    expect(texts("claude-opus-4-8", { read: 0.2 }, false)).toEqual(["1", "1", "1"]);
  });
});
