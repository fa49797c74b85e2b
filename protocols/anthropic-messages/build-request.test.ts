import type { AssistantPart, ChatRequest, Turn } from "@tollgate/contract/relay/request";
import { describe, expect, it } from "vitest";
import { refusalOf } from "../shared/testing/refusal-of";
import { answers, asks, TEST_FIELDS } from "../shared/testing/request-parts";
import { buildWire } from "../shared/testing/simple-requests";
import { anthropicMessages } from "./anthropic-messages";

const says = (text: string): Turn => ({ role: "user", parts: [{ kind: "text", text }] });

const base: ChatRequest = {
  model: "claude-sonnet-4-5",
  system: [],
  turns: [says("hi")],
  tools: [],
  isStream: true,
  wantsUsageChunk: false,
};

const build = (fields: Partial<ChatRequest>) => buildWire(anthropicMessages, { ...base, ...fields }).body;

const messages = (...turns: Turn[]) => build({ turns }).messages;
const text = (words: string) => ({ type: "text", text: words });
const tool = { name: "f", parameters: { properties: { a: {} } } };

describe("buildRequest of anthropic-messages", () => {
  it("says no more than it must", () => {
    const call = anthropicMessages.buildRequest(base, TEST_FIELDS);
    expect(call.path).toBe("/v1/messages");
    expect(call.headers).toEqual({ "anthropic-version": "2023-06-01" });
    expect(build({ isStream: false, maxOutputTokens: 5 })).toEqual({
      model: "claude-sonnet-4-5",
      max_tokens: 5,
      messages: [{ role: "user", content: [text("hi")] }],
    });
  });

  it("builds every field", () => {
    expect(
      build({
        system: [
          { kind: "text", text: "a" },
          { kind: "text", text: " " },
          { kind: "text", text: "b" },
        ],
        tools: [tool, { name: "g", description: "d", isStrict: true }],
        toolChoice: { kind: "tool", name: "f" },
        isParallelToolCallsAllowed: false,
        maxOutputTokens: 50,
        temperature: 1.7,
        topK: 5,
        stopSequences: ["x", " \n"],
        seed: 1,
        presencePenalty: 1,
        endUserId: "jo@example.com",
        responseFormat: {
          kind: "json-schema",
          name: "r",
          schema: { type: "object", properties: { a: { type: "null" } } },
        },
      }),
    ).toEqual({
      model: "claude-sonnet-4-5",
      max_tokens: 50,
      system: "a\n\nb",
      messages: [{ role: "user", content: [text("hi")] }],
      tools: [
        { name: "f", input_schema: { type: "object", properties: { a: {} } } },
        {
          name: "g",
          description: "d",
          input_schema: { type: "object", properties: {}, additionalProperties: false },
          strict: true,
        },
      ],
      tool_choice: { type: "tool", name: "f", disable_parallel_tool_use: true },
      temperature: 1,
      top_k: 5,
      stop_sequences: ["x"],
      output_config: {
        format: {
          type: "json_schema",
          schema: { type: "object", properties: { a: { type: "null" } }, additionalProperties: false },
        },
      },
      metadata: { user_id: expect.stringMatching(/^[0-9a-f]{64}$/) },
      stream: true,
    });
  });

  it.each([
    ["claude-3-opus-20240229", true, 4096],
    ["claude-3-5-sonnet-20241022", true, 8192],
    ["claude-opus-4-1", true, 32_000],
    ["anthropic/claude-sonnet-4-20250514", true, 64_000],
    ["claude-opus-4-8", true, 128_000],
    ["claude-opus-9", true, 64_000],
    ["deepseek-chat", true, 8192],
    // Without a stream the API refuses answers that could take too long.
    ["claude-opus-4-8", false, 21_000],
  ])("limits %s (stream: %s) to %i tokens when the client does not", (model, isStream, expected) => {
    expect(build({ model, isStream }).max_tokens).toBe(expected);
    expect(build({ model, isStream, maxOutputTokens: 77 }).max_tokens).toBe(77);
  });

  it.each([
    [{ kind: "auto" as const }, undefined, { type: "auto" }],
    [{ kind: "none" as const }, undefined, { type: "none" }],
    [{ kind: "required" as const }, undefined, { type: "any" }],
    [undefined, undefined, undefined],
    [undefined, false, { type: "auto", disable_parallel_tool_use: true }],
    [{ kind: "required" as const }, false, { type: "any", disable_parallel_tool_use: true }],
  ])("chooses tools as %j, parallel %s", (toolChoice, isParallelToolCallsAllowed, expected) => {
    expect(build({ tools: [tool], toolChoice, isParallelToolCallsAllowed }).tool_choice).toEqual(expected);
    expect(build({ toolChoice, isParallelToolCallsAllowed }).tool_choice).toBeUndefined();
  });
});

describe("the messages of anthropic-messages", () => {
  it("merge neighbours and lose empty text and empty turns", () => {
    expect(
      messages(
        says("a"),
        asks({ kind: "text", text: " " }, { kind: "text", text: "b" }),
        answers({ kind: "text", text: "" }),
        says("c"),
        answers({ kind: "text", text: "d" }),
        says("e"),
      ),
    ).toEqual([
      { role: "user", content: [text("a"), text("b"), text("c")] },
      { role: "assistant", content: [text("d")] },
      { role: "user", content: [text("e")] },
    ]);
  });

  it("carry calls as objects and put results before text", () => {
    const [, calls, results] = messages(
      says("a"),
      answers(
        { kind: "tool-call", id: "ok_1", name: "f", arguments: '{"a":1}' },
        { kind: "tool-call", id: "ok_2", name: "f", arguments: "" },
        { kind: "tool-call", id: "ok_3", name: "f", arguments: '{"a":' },
      ),
      asks({ kind: "tool-result", toolCallId: "ok_1", content: [{ kind: "text", text: "one" }] }),
      asks(
        { kind: "text", text: "go on" },
        { kind: "tool-result", toolCallId: "ok_2", content: [] },
        {
          kind: "tool-result",
          toolCallId: "ok_3",
          isError: true,
          content: [{ kind: "image", url: "https://x" }],
        },
      ),
    ) as unknown[];
    expect(calls).toEqual({
      role: "assistant",
      content: [
        { type: "tool_use", id: "ok_1", name: "f", input: { a: 1 } },
        { type: "tool_use", id: "ok_2", name: "f", input: {} },
        { type: "tool_use", id: "ok_3", name: "f", input: { _raw: '{"a":' } },
      ],
    });
    expect(results).toEqual({
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "ok_1", content: [text("one")] },
        { type: "tool_result", tool_use_id: "ok_2" },
        {
          type: "tool_result",
          tool_use_id: "ok_3",
          is_error: true,
          content: [{ type: "image", source: { type: "url", url: "https://x" } }],
        },
        text("go on"),
      ],
    });
  });

  it("map ids that the API refuses, always to the same", () => {
    const id = "call.with:odd/characters";
    const turns = [
      says("a"),
      answers({ kind: "tool-call", id, name: "f", arguments: "{}" }),
      asks({ kind: "tool-result", toolCallId: id, content: [] }),
    ];
    const built = JSON.stringify(messages(...turns));
    const ids = [...built.matchAll(/"(?:tool_use_)?id":"([^"]+)"/g)].map((match) => match[1]);
    expect(ids).toHaveLength(2);
    expect(ids[0]).toBe(ids[1]);
    expect(ids[0]).toMatch(/^toolu_[a-zA-Z0-9_-]{24}$/);
    expect(JSON.stringify(messages(...turns))).toBe(built);
    expect(built).not.toContain("call.with");
  });

  it("give sealed reasoning back and drop the rest", () => {
    expect(
      messages(
        says("a"),
        answers(
          { kind: "reasoning", text: "t", signature: "s" },
          { kind: "reasoning", text: "unsealed" },
          { kind: "reasoning", text: "", redactedData: "R" },
          { kind: "text", text: "b" },
        ),
        says("c"),
      ),
    ).toMatchObject([
      {},
      {
        content: [
          { type: "thinking", thinking: "t", signature: "s" },
          { type: "redacted_thinking", data: "R" },
          text("b"),
        ],
      },
      {},
    ]);
  });

  it("carry images and documents", () => {
    const png = "iVBORw0KGgoAAAANSUhEUg==";
    expect(
      messages(
        asks(
          { kind: "image", url: "https://x" },
          { kind: "image", data: png, mediaType: "image/jpeg" },
          { kind: "file", data: "AA", mediaType: "application/pdf", filename: "a.pdf" },
          { kind: "file", data: "aGVsbG8=", mediaType: "text/plain" },
          { kind: "file", data: png, mediaType: "image/png" },
          { kind: "file", url: "https://y" },
        ),
      ),
    ).toEqual([
      {
        role: "user",
        content: [
          { type: "image", source: { type: "url", url: "https://x" } },
          { type: "image", source: { type: "base64", media_type: "image/png", data: png } },
          {
            type: "document",
            source: { type: "base64", media_type: "application/pdf", data: "AA" },
            title: "a.pdf",
          },
          { type: "document", source: { type: "text", media_type: "text/plain", data: "hello" } },
          { type: "image", source: { type: "base64", media_type: "image/png", data: png } },
          { type: "document", source: { type: "url", url: "https://y" } },
        ],
      },
    ]);
  });

  it.each([
    [{ kind: "audio", data: "AA", format: "wav" } as const, { code: "unsupported-media", media: "sound" }],
    [{ kind: "file", fileId: "file-1" } as const, { code: "foreign-file-id" }],
    [
      { kind: "file", data: "AA", mediaType: "application/zip" } as const,
      { code: "unsupported-file-type", type: "application/zip" },
    ],
  ])("refuse %j", (part, fault) => {
    expect(refusalOf(() => messages(asks(part)))).toEqual({ fault, param: "messages" });
  });

  it("begin with the user, and end with the user where the model cannot be prefilled", () => {
    const prefill = [says("a"), answers({ kind: "text", text: "b \n" })];
    expect(build({ model: "claude-3-opus", turns: prefill }).messages).toEqual([
      { role: "user", content: [text("a")] },
      { role: "assistant", content: [text("b")] },
    ]);
    expect(build({ model: "claude-opus-4-6", turns: prefill }).messages).toMatchObject([
      { role: "user" },
      { role: "assistant" },
      { role: "user", content: [text("Continue.")] },
    ]);
    expect(messages(answers({ kind: "text", text: "b" }), says("c"))).toMatchObject([
      { role: "user", content: [text("Continue.")] },
      { role: "assistant" },
      { role: "user" },
    ]);
  });

  it("hold the instructions when there is nothing else", () => {
    const body = build({ system: [{ kind: "text", text: "do it" }], turns: [] });
    expect(body.messages).toEqual([{ role: "user", content: [text("do it")] }]);
    expect(body.system).toBeUndefined();
    expect(() => build({ turns: [says("")] })).toThrow("nothing-to-send");
  });
});

describe("the model rules of anthropic-messages", () => {
  const sampling = { temperature: 0.5, topP: 0.9, topK: 10 };

  it.each([
    ["claude-3-opus", { temperature: 0.5, top_p: 0.9, top_k: 10 }],
    ["claude-3-7-sonnet", { temperature: 0.5, top_p: 0.9, top_k: 10 }],
    ["claude-opus-4-1", { temperature: 0.5, top_k: 10 }],
    ["claude-opus-4-6", { temperature: 0.5, top_k: 10 }],
    ["claude-opus-4-7", {}],
    ["claude-sonnet-5", {}],
    ["claude-opus-5-5", {}],
  ])("let %s sample with %j", (model, expected) => {
    const { temperature, top_p, top_k } = build({ model, ...sampling });
    expect({ temperature, top_p, top_k }).toEqual({
      temperature: undefined,
      top_p: undefined,
      top_k: undefined,
      ...expected,
    });
  });

  it("keep top_p alone where both are too much", () => {
    expect(build({ model: "claude-opus-4-1", topP: 0.9 })).toMatchObject({ top_p: 0.9 });
  });

  const budget = (tokens: number) => ({ type: "enabled", budget_tokens: tokens });
  const adaptive = { type: "adaptive", display: "summarized" };

  it.each([
    ["claude-3-5-sonnet", "high", undefined, undefined],
    ["claude-sonnet-4-5", "minimal", budget(1024), undefined],
    ["claude-sonnet-4-5", "medium", budget(8192), undefined],
    ["claude-sonnet-4-5", "high", budget(24_576), undefined],
    ["claude-sonnet-4-5", "max", budget(63_999), undefined],
    ["claude-sonnet-4-5", "none", undefined, undefined],
    ["claude-opus-4-6", "xhigh", adaptive, "high"],
    ["claude-opus-4-6", "none", { type: "disabled" }, undefined],
    ["claude-opus-4-7", "minimal", adaptive, "low"],
    ["claude-opus-4-7", "xhigh", adaptive, "xhigh"],
    ["claude-opus-5-5", "none", undefined, "low"],
    ["claude-sonnet-5-5", "none", { type: "between_tools" }, undefined],
    ["claude-haiku-5-5", "none", { type: "disabled" }, undefined],
  ] as const)("let %s think with the effort %s", (model, effort, thinking, outputEffort) => {
    const body = build({ model, reasoning: { effort } });
    expect(body.thinking).toEqual(thinking);
    expect(body.output_config).toEqual(outputEffort === undefined ? undefined : { effort: outputEffort });
  });

  it("leave thinking alone when the client does not set it", () => {
    expect(build({ model: "claude-opus-4-7" }).thinking).toBeUndefined();
    expect(build({ model: "claude-sonnet-4-5" }).thinking).toBeUndefined();
  });

  it("turn a budget into an effort and keep it as a budget", () => {
    const reasoning = { budgetTokens: 9000 };
    expect(build({ model: "claude-opus-4-7", reasoning })).toMatchObject({
      output_config: { effort: "high" },
    });
    expect(build({ model: "claude-sonnet-4-5", reasoning })).toMatchObject({ thinking: budget(9000) });
  });

  it("raise the limit above the budget, never the budget above the limit", () => {
    const reasoning = { effort: "medium" as const };
    expect(build({ reasoning, maxOutputTokens: 1000 })).toMatchObject({
      max_tokens: 9192,
      thinking: budget(8192),
    });
    expect(build({ reasoning, maxOutputTokens: 20_000 })).toMatchObject({
      max_tokens: 20_000,
      thinking: budget(8192),
    });
    expect(build({ reasoning: { effort: "max" }, maxOutputTokens: 100 })).toMatchObject({
      max_tokens: 1124,
      thinking: budget(1024),
    });
    for (const effort of ["minimal", "low", "medium", "high", "xhigh", "max"] as const) {
      for (const model of ["claude-sonnet-4-5", "claude-opus-4", "glm-5"]) {
        for (const isStream of [true, false]) {
          for (const maxOutputTokens of [undefined, 1, 500, 1024, 1025, 8192, 30_000, 100_000]) {
            const body = build({ model, isStream, maxOutputTokens, reasoning: { effort } });
            const { budget_tokens } = body.thinking as { budget_tokens: number };
            expect(budget_tokens).toBeGreaterThanOrEqual(1024);
            expect(body.max_tokens).toBeGreaterThan(budget_tokens);
            if (maxOutputTokens !== undefined)
              expect(body.max_tokens).toBeGreaterThanOrEqual(maxOutputTokens);
          }
        }
      }
    }
  });

  it("have no sampling beside thinking", () => {
    const body = build({ reasoning: { effort: "low" }, ...sampling });
    expect([body.temperature, body.top_p, body.top_k]).toEqual([undefined, undefined, undefined]);
    expect(build({ reasoning: { effort: "low" }, topP: 0.97 }).top_p).toBe(0.97);
  });

  const forced = { tools: [tool], toolChoice: { kind: "required" as const } };

  it("give up thinking for a forced tool, or force for a model that refuses it", () => {
    const reasoning = { effort: "high" as const };
    expect(build({ ...forced, reasoning })).toMatchObject({ tool_choice: { type: "any" } });
    expect(build({ ...forced, reasoning }).thinking).toBeUndefined();
    expect(build({ ...forced, reasoning, model: "claude-opus-4-7" }).thinking).toEqual({ type: "disabled" });
    // Thinks without being asked.
    expect(build({ ...forced, model: "claude-opus-5" }).thinking).toEqual({ type: "disabled" });
    expect(build({ ...forced, reasoning, model: "claude-opus-5-5" })).toMatchObject({
      tool_choice: { type: "auto" },
      thinking: adaptive,
      system: "Answer by calling one of the tools.",
    });
    expect(
      build({ ...forced, toolChoice: { kind: "tool", name: "f" }, model: "claude-sonnet-5-5" }).system,
    ).toBe('Answer by calling the tool "f".');
  });

  it("do not think in a tool loop whose seals are lost, nor before a prefill", () => {
    const loop = (...reasoning: AssistantPart[]): Turn[] => [
      says("a"),
      answers(...reasoning, { kind: "tool-call", id: "1", name: "f", arguments: "{}" }),
      asks({ kind: "tool-result", toolCallId: "1", content: [] }),
    ];
    const think = (turns: Turn[]) => build({ turns, reasoning: { effort: "low" } }).thinking;
    expect(think(loop())).toBeUndefined();
    expect(think(loop({ kind: "reasoning", text: "t" }))).toBeUndefined();
    expect(think(loop({ kind: "reasoning", text: "t", signature: "s" }))).toEqual(budget(1024));
    expect(think([says("a"), answers({ kind: "text", text: "b" })])).toBeUndefined();
    expect(think([says("a"), answers({ kind: "text", text: "b" }), says("c")])).toEqual(budget(1024));
  });

  it("ask for JSON in words where there is no field for it", () => {
    expect(build({ responseFormat: { kind: "json" } }).system).toBe("Answer with a single JSON object only.");
    const responseFormat = { kind: "json-schema" as const, name: "r", schema: { type: "object" } };
    const old = build({ model: "claude-3-opus", responseFormat });
    expect(old.system).toContain('matches this JSON schema: {"type":"object"}');
    expect(old.output_config).toBeUndefined();
    const closed = { ...responseFormat, schema: { type: "object", properties: {} } };
    expect(build({ model: "claude-opus-4-7", responseFormat: closed }).system).toBeUndefined();
  });
});
