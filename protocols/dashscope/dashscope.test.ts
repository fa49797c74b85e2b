import type { ChatRequest } from "@tollgate/contract/relay/request";
import { describe, expect, it } from "vitest";
import { fixturesOf } from "../shared/testing/fixtures-of";
import { TEST_FIELDS } from "../shared/testing/request-parts";
import { readParts } from "../shared/testing/run-stream";
import { buildWire, HI, PICTURE, TALK, TOOL_TALK } from "../shared/testing/simple-requests";
import { dashscope } from "./dashscope";

const readFixture = fixturesOf(import.meta.url);

describe("dashscope", () => {
  it("says everything possible within the vendor's bounds", () => {
    const fields = {
      ...TALK,
      model: "qwen-plus-internet",
      isStream: true,
      temperature: 2,
      topP: 1,
      maxOutputTokens: 9,
      reasoning: { effort: "none" } as const,
    };
    expect(buildWire(dashscope, fields, { other: "pdf_extracter", accountId: "" })).toEqual({
      path: "/services/aigc/text-generation/generation",
      headers: { "x-dashscope-sse": "enable", "x-dashscope-plugin": "pdf_extracter" },
      body: {
        model: "qwen-plus",
        input: {
          messages: [
            { role: "system", content: "be brief" },
            { role: "user", content: "hi" },
            { role: "assistant", content: "Hello" },
            { role: "user", content: "1+1=?" },
          ],
        },
        parameters: {
          result_format: "message",
          incremental_output: true,
          max_tokens: 9,
          temperature: 1.99,
          top_p: 0.999,
          enable_search: true,
          enable_thinking: false,
        },
      },
    });
  });

  it.each<[string, ChatRequest["reasoning"], number | undefined]>([
    ["as it is where the client says nothing of thinking", undefined, 100],
    ["as it is without thinking", { effort: "none" }, 100],
    ["with a thinking budget on top", { budgetTokens: 5000 }, 5100],
    ["as none where thinking has no budget", { effort: "high" }, undefined],
  ])("counts the limit %s", (_, reasoning, limit) => {
    const request = { ...HI, maxOutputTokens: 100, ...(reasoning ? { reasoning } : {}) };
    expect(dashscope.outputLimit(request, TEST_FIELDS)).toBe(limit);
  });

  it("builds calls, results and the tools", () => {
    expect(
      buildWire(dashscope, { ...TOOL_TALK, toolChoice: { kind: "tool", name: "f" } }).body,
    ).toMatchObject({
      input: {
        messages: [
          { role: "user", content: "go" },
          {
            role: "assistant",
            content: "wait",
            tool_calls: [
              { id: "c1", type: "function", function: { name: "f", arguments: '{"a":1}' } },
              { id: "c2", type: "function", function: { name: "f", arguments: "{}" } },
            ],
          },
          { role: "tool", tool_call_id: "c1", name: "f", content: "one" },
          { role: "tool", tool_call_id: "c2", name: "f", content: "Error: bad" },
          { role: "user", content: "so?" },
        ],
      },
      parameters: {
        tools: [{ type: "function", function: { name: "f", description: "d" } }],
        tool_choice: { type: "function", function: { name: "f" } },
      },
    });
  });

  it("shows pictures at their own address", () => {
    expect(buildWire(dashscope, PICTURE)).toMatchObject({
      path: "/services/aigc/multimodal-generation/generation",
      body: {
        input: {
          messages: [
            {
              role: "user",
              content: [{ image: "data:image/png;base64,iVBORw0KGgoAAAANSUhEUg==" }, { text: "what is it?" }],
            },
          ],
        },
      },
    });
    const { body, path } = buildWire(dashscope, { model: "qwen-vl-plus" });
    expect(path).toContain("multimodal");
    expect(body).toMatchObject({ input: { messages: [{ role: "user", content: [{ text: "hi" }] }] } });
  });

  it("reads answers of both forms, and lists of text", () => {
    const answer = dashscope.readResponse(JSON.parse(readFixture("response.json").toString()));
    expect(answer).toMatchObject({
      id: "8e2",
      parts: [
        { kind: "reasoning", text: "嗯" },
        { kind: "tool-call", id: "call_a", name: "f", arguments: "{}" },
      ],
      finishReason: "tool-calls",
      usage: { inputTokens: 8, outputTokens: 2 },
    });
    expect(dashscope.readResponse({ output: { text: "Ja", finish_reason: "length" } })).toMatchObject({
      parts: [{ kind: "text", text: "Ja" }],
      finishReason: "length",
    });
    const choices = [{ message: { content: [{ text: "a" }, { text: "b" }] }, finish_reason: "stop" }];
    expect(dashscope.readResponse({ output: { choices } })?.parts).toEqual([{ kind: "text", text: "ab" }]);
  });

  it("keeps the calls of a stream apart", () => {
    const parts = readParts(dashscope, [readFixture("tool-calls.sse")]);
    expect(parts.filter(({ kind }) => kind.startsWith("tool"))).toEqual([
      { kind: "tool-call", index: 0, id: "call_a", name: "get_weather" },
      { kind: "tool-arguments", index: 0, text: '{"city":' },
      { kind: "tool-arguments", index: 0, text: '"北京"}' },
      { kind: "tool-call", index: 1, id: "call_b", name: "get_time" },
      { kind: "tool-arguments", index: 1, text: "{}" },
    ]);
  });

  it("reads refusals, also in a stream", () => {
    const body = { code: "InvalidParameter", message: "bad", request_id: "r" };
    expect(dashscope.isAnswer(body)).toBe(false);
    expect(dashscope.readError(400, {}, body)).toMatchObject({ kind: "caller", code: "InvalidParameter" });
    const bytes = Buffer.from(`id:1\nevent:error\n:HTTP_STATUS/400\ndata:${JSON.stringify(body)}\n\n`);
    expect(readParts(dashscope, [bytes])).toMatchObject([
      { kind: "error", error: { code: "InvalidParameter" } },
    ]);
  });
});
