import { describe, expect, it } from "vitest";
import { ignoredModels } from "./ignored-models";

describe("models that an administrator ignores", () => {
  it.each([
    ["", []],
    ["gpt-4o", ["gpt-4o"]],
    ["gpt-4*", ["gpt-4o", "gpt-4o-preview-2"]],
    ["*-preview*", ["gpt-4o-preview-2", "o1-preview"]],
    ["gpt*o*2", ["gpt-4o-preview-2"]],
    ["*", ["gpt-4o", "gpt-4o-preview-2", "o1-preview"]],
    ["o1-preview\n gpt-4o , nothing", ["gpt-4o", "o1-preview"]],
    ["gpt-4o*o", []],
    ["o1-preview*preview", []],
    ["GPT-4O", []],
    ["gpt.4o", []],
  ])("%j ignores %j", (patterns, ignored) => {
    expect(ignoredModels(["gpt-4o", "gpt-4o-preview-2", "o1-preview"], patterns)).toEqual(ignored);
  });

  it("are found in no time, whatever the pattern", () => {
    const pattern = "*a".repeat(5000);
    const started = performance.now();
    expect(ignoredModels(["a".repeat(200)], pattern)).toEqual([]);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
