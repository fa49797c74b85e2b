import { describe, expect, it } from "vitest";
import { isSameModel } from "./same-model";

describe("isSameModel", () => {
  it.each([
    ["gpt-4o", "gpt-4o"],
    ["gpt-4o", "GPT-4o"],
    ["gpt-4o", "gpt-4o-2024-08-06"],
    ["gpt-4o-2024-08-06", "gpt-4o"],
    ["gpt-4", "gpt-4-0613"],
    ["gpt-4", "openai/gpt-4-0613"],
    ["openai/gpt-4o", "gpt-4o"],
    ["openai/gpt-4o:free", "openai/gpt-4o"],
    ["models/gemini-2.5-pro", "gemini-2.5-pro-preview-05-06"],
    ["gemini-2.0-flash", "gemini-2.0-flash-001"],
    ["claude-3-5-sonnet-latest", "claude-3-5-sonnet-20241022"],
    ["anthropic/claude-3.5-sonnet", "claude-3-5-sonnet-20241022"],
    ["claude-3-5-sonnet@20240620", "claude-3-5-sonnet-20240620"],
    ["us.anthropic.claude-sonnet-4-20250514-v1:0", "claude-sonnet-4-20250514"],
    ["mistral-large", "mistral-large-2407"],
    ["command-r", "command-r-08-2024"],
    ["accounts/fireworks/models/deepseek-v3", "deepseek-v3"],
  ])("takes %s and %s for the same model", (sent, served) => {
    expect(isSameModel(sent, served)).toBe(true);
  });

  it.each([
    ["gpt-4o", "gpt-4o-mini"],
    ["gpt-4o", "gpt-4o-mini-2024-07-18"],
    ["gpt-4o-2024-08-06", "gpt-4o-2024-05-13"],
    ["gpt-4", "gpt-4-turbo"],
    ["gpt-4.1", "gpt-4"],
    ["o1", "o1-preview"],
    ["claude-opus-4", "claude-sonnet-4"],
    ["llama3:70b", "llama3:8b"],
    ["qwen2.5-72b-instruct", "qwen2.5-7b-instruct"],
    ["deepseek-chat", "deepseek-reasoner"],
    ["gpt-4o", ""],
    ["", "gpt-4o"],
  ])("tells %s and %s apart", (sent, served) => {
    expect(isSameModel(sent, served)).toBe(false);
  });

  it("is quick with hostile names", () => {
    const begun = performance.now();
    for (const part of ["/", "a.", "-1", ":", " ", "-00"]) isSameModel("gpt-4o", part.repeat(50_000));
    expect(performance.now() - begun).toBeLessThan(2000);
  });
});
