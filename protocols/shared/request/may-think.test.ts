import { expect, it } from "vitest";
import { mayThink } from "./may-think";

it.each<[Record<string, unknown>, string]>([
  [{ reasoning_effort: "low" }, "m"],
  [{ reasoning: { effort: "high" } }, "m"],
  [{ reasoning: { max_tokens: 2000 } }, "m"],
  [{ thinking: { type: "enabled", budget_tokens: 1024 } }, "claude-sonnet-4-5"],
  [{ thinking: { type: "adaptive" } }, "claude-opus-4-6"],
  [{ enable_thinking: true }, "qwen3-32b"],
  [{ extra_body: { google: { thinking_config: { thinking_level: "high" } } } }, "m"],
  [{ generationConfig: { thinkingConfig: { thinkingBudget: -1 } } }, "gemini-2.0-flash"],
  [{}, "o4-mini"],
  [{}, "openai/gpt-5-mini"],
  [{}, "deepseek-reasoner"],
  [{}, "deepseek-ai/DeepSeek-R1"],
  [{}, "kimi-k2-thinking"],
  [{}, "QwQ-32B"],
  [{}, "gemini-2.5-pro"],
])("takes %j for %s as thinking", (request, model) => {
  expect(mayThink(request, model)).toBe(true);
});

it.each<[Record<string, unknown>, string]>([
  [{}, "gpt-4o"],
  [{}, "claude-sonnet-4-5"],
  [{}, "deepseek-chat"],
  [{}, "grok-4-fast-non-reasoning"],
  [{ reasoning_effort: "none" }, "gpt-5.1"],
  [{ thinking: { type: "disabled" } }, "glm-4.6"],
  [{ enable_thinking: false }, "qwen3-thinking"],
  [{ generationConfig: { thinkingConfig: { thinkingBudget: 0 } } }, "gemini-2.5-flash"],
  [{ thinking: "much", reasoning: [], generationConfig: 7 }, "gpt-4o"],
])("takes %j for %s as not thinking", (request, model) => {
  expect(mayThink(request, model)).toBe(false);
});
