import { describe, expect, it } from "vitest";
import { nearNames } from "./near-names";

const NAMES = ["gpt-4o", "gpt-4o-mini", "claude-sonnet-4-5", "meta/llama-3.3-70b", "通义千问", "o3"];

describe("the names near a model's", () => {
  it.each([
    ["gpt4o", ["gpt-4o"]],
    ["openai/GPT-4o", ["gpt-4o", "gpt-4o-mini"]],
    ["claude-sonnet-4.5", ["claude-sonnet-4-5"]],
    ["claude sonet 4-5", ["claude-sonnet-4-5"]],
    ["llama-3.3-70b", ["meta/llama-3.3-70b"]],
    ["通义千", ["通义千问"]],
    ["", []],
    ["/", []],
    ["whisper-1", []],
  ])("of %j are %j", (sought, near) => {
    expect(nearNames(sought, NAMES).slice(0, near.length || 1)).toEqual(near);
  });

  it("are at most five, also of a very long name among many", () => {
    const many = Array.from({ length: 3000 }, (_, index) => `model-${index}`);
    expect(nearNames("model-1", many)).toHaveLength(5);
    expect(nearNames("x".repeat(100_000), many)).toEqual([]);
  });
});
