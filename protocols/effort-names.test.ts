import { describe, expect, it } from "vitest";
import { readEffortName } from "./effort-names";
import { CLIENT_PROTOCOLS } from "./protocols";

describe("a name with an effort", () => {
  it.each([
    ["o3-mini-high", "o3-mini", { effort: "high" }],
    ["o4-mini-low", "o4-mini", { effort: "low" }],
    ["gpt-5-minimal", "gpt-5", { effort: "minimal" }],
    ["gpt-5.1-none", "gpt-5.1", { effort: "none" }],
    ["openai/gpt-5-mini-medium", "openai/gpt-5-mini", { effort: "medium" }],
    ["claude-3-7-sonnet-20250219-thinking", "claude-3-7-sonnet-20250219", { effort: "medium" }],
    ["claude-opus-4-6-high", "claude-opus-4-6", { effort: "high" }],
    ["gemini-2.5-flash-thinking", "gemini-2.5-flash", { effort: "medium" }],
    ["gemini-2.5-flash-nothinking", "gemini-2.5-flash", { effort: "none" }],
    ["gemini-2.5-pro-thinking-128", "gemini-2.5-pro", { budgetTokens: 128 }],
    ["gemini-2.5-flash-thinking-0", "gemini-2.5-flash", { effort: "none" }],
    ["gemini-3-pro-low", "gemini-3-pro", { effort: "low" }],
  ])("%s is %s with %j", (name, base, reasoning) => {
    expect(readEffortName(name)).toEqual({ base, reasoning });
  });

  it.each([
    ...["gpt-4o-high", "gpt-5", "o3-mini", "o3-mini-minimal", "-high", "deepseek-chat-high", "high"],
    ...["claude-3-5-haiku-thinking", "gpt-5-thinking", "kimi-k2-thinking", "claude-opus-4-6-thinking-128"],
    ...["gemini-2.0-flash-thinking", "gemini-2.5-flash-image-thinking", `gpt-5${"-high".repeat(100)}`],
  ])("%s is the model's own name", (name) => {
    expect(readEffortName(name)).toBeUndefined();
  });
});

const TURN = { role: "user", content: "hi" };

describe("the fields of a named effort", () => {
  const set = (client: keyof typeof CLIENT_PROTOCOLS, body: Record<string, unknown>, name: string) => {
    const { base = "", reasoning = {} } = readEffortName(name) ?? {};
    return CLIENT_PROTOCOLS[client].withReasoning(body, reasoning, base);
  };

  it("replace the client's own in Chat Completions", () => {
    expect(set("openai-chat", { reasoning_effort: "low", thinking: {}, n: 1 }, "o3-mini-high")).toEqual({
      n: 1,
      reasoning_effort: "high",
    });
    expect(set("openai-chat", { extra_body: { a: 1 } }, "gemini-2.5-pro-thinking-128")).toEqual({
      extra_body: { a: 1, google: { thinking_config: { thinking_budget: 128, include_thoughts: true } } },
    });
  });

  const GOOGLE = { thinking_config: { thinking_budget: 24_576, include_thoughts: true } };
  const BUDGETS = {
    google: GOOGLE,
    thinking: { type: "enabled", budget_tokens: 24_576 },
    reasoning: { max_tokens: 24_576 },
    enable_thinking: true,
    thinking_budget: 24_576,
  };

  it.each<[keyof typeof CLIENT_PROTOCOLS, string, Record<string, unknown>]>([
    ["openai-chat", "gemini-2.5-pro-thinking-512", BUDGETS],
    ["openai-chat", "gemini-2.5-pro-thinking-512", { extra_body: BUDGETS }],
    ["openai-chat", "gemini-2.5-pro-thinking-512", { extra_body: { reasoning_effort: "high" } }],
    ["anthropic-messages", "gemini-2.5-pro-thinking-512", { thinking: BUDGETS.thinking }],
    ["anthropic-messages", "gemini-2.5-pro-thinking-512", { output_config: { effort: "high" } }],
  ])("leave no other budget to a reader of %s: %s with %j", (client, name, fields) => {
    const body = set(client, { model: "m", max_tokens: 30_000, messages: [TURN], ...fields }, name);
    expect(JSON.stringify(body)).not.toMatch(/24576|"high"/);
    const protocol = CLIENT_PROTOCOLS[client];
    const request = protocol.parseRequest(body, protocol.summarizeRequest(body));
    expect(request.reasoning).toEqual({ budgetTokens: 512 });
  });

  it("keep the wish to see the thinking", () => {
    expect(set("openai-chat", { extra_body: { google: GOOGLE } }, "gemini-2.5-flash-low")).toEqual({
      reasoning_effort: "low",
      extra_body: { google: { thinking_config: { include_thoughts: true } } },
    });
    expect(set("anthropic-messages", { thinking: BUDGETS.thinking }, "gemini-2.5-flash-low")).toEqual({
      thinking: { type: "adaptive" },
      output_config: { effort: "low" },
    });
    for (const thinking of [{ type: "disabled" }, { ...BUDGETS.thinking, display: "omitted" }])
      expect(set("anthropic-messages", { thinking }, "gemini-2.5-flash-low")).toEqual({
        output_config: { effort: "low" },
      });
  });

  it("keep the wished summary in Responses", () => {
    expect(set("openai-responses", { reasoning: { summary: "auto", effort: "low" } }, "gpt-5-high")).toEqual({
      reasoning: { summary: "auto", effort: "high" },
    });
  });

  it("are a part of the limit in Messages, which is raised if it is too small", () => {
    const name = "claude-3-7-sonnet-20250219-thinking";
    expect(set("anthropic-messages", { max_tokens: 10_000, temperature: 0, top_k: 1 }, name)).toEqual({
      max_tokens: 10_000,
      thinking: { type: "enabled", budget_tokens: 8000 },
    });
    expect(set("anthropic-messages", { max_tokens: 5 }, name)).toEqual({
      max_tokens: 1280,
      thinking: { type: "enabled", budget_tokens: 1024 },
    });
    expect(set("anthropic-messages", { max_tokens: 5 }, "claude-opus-4-6-high")).toEqual({
      max_tokens: 5,
      thinking: { type: "adaptive", display: "summarized" },
      output_config: { effort: "high" },
    });
    expect(set("anthropic-messages", { max_tokens: 5 }, "o3-mini-high")).toEqual({
      max_tokens: 5,
      output_config: { effort: "high" },
    });
  });

  it("are a budget or a level in Gemini's shape, in the client's spelling", () => {
    const config = (name: string) => set("gemini-generate", { generation_config: { topK: 1 } }, name);
    expect(config("gemini-2.5-flash-nothinking")).toEqual({
      generation_config: { topK: 1, thinkingConfig: { thinkingBudget: 0 } },
    });
    expect(config("gemini-2.5-pro-thinking-500")).toEqual({
      generation_config: { topK: 1, thinkingConfig: { thinkingBudget: 500, includeThoughts: true } },
    });
    expect(config("gemini-3-pro-low")).toEqual({
      generation_config: { topK: 1, thinkingConfig: { thinkingLevel: "low", includeThoughts: true } },
    });
    expect(config("gpt-5-high")).toEqual({
      generation_config: { topK: 1, thinkingConfig: { thinkingLevel: "high" } },
    });
  });
});
