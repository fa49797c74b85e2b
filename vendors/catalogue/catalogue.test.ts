import { describe, expect, it } from "vitest";
import { findModel } from "./catalogue";

describe("a model's name", () => {
  it.each([
    ["gpt-4o", "gpt-4o"],
    ["gpt-4o-2024-11-20", "gpt-4o"],
    // Dearer than the model without the date: it stands in the list itself.
    ["gpt-4o-2024-05-13", "gpt-4o-2024-05-13"],
    ["gpt-5-mini-2025-08-07", "gpt-5-mini"],
    ["openai/gpt-5.1", "gpt-5.1"],
    ["claude-sonnet-4-5-20250929", "claude-sonnet-4-5"],
    ["claude-sonnet-4-5@20250929", "claude-sonnet-4-5"],
    ["anthropic/claude-sonnet-4.5", "claude-sonnet-4-5"],
    ["us.anthropic.claude-sonnet-4-5-20250929-v1:0", "claude-sonnet-4-5"],
    ["anthropic.claude-opus-4-20250514-v1:0", "claude-opus-4-0"],
  ])("%s means %s", (name, model) => {
    expect(findModel(name)?.name).toBe(model);
  });

  it.each([
    "gpt-4o-ultra",
    "gpt-5-mini-fast",
    "gpt-5.99",
    "ft:gpt-4o-2024-08-06:acme",
    "anthropic/gpt-5",
    "nobody/gpt-5",
    "models/gpt-5",
    "claude-opus-4-5-thinking",
    "",
  ])("%s is unknown: the beginning of a name decides nothing", (name) => {
    expect(findModel(name)).toBeUndefined();
  });
});
