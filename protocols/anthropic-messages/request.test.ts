import { describe, expect, it } from "vitest";
import { refusalOf } from "../shared/testing/refusal-of";
import { TEST_SUMMARY } from "../shared/testing/request-parts";
import { anthropicMessages } from "./anthropic-messages";

const user = { role: "user", content: "hi" };
const base = { model: "m", max_tokens: 100, messages: [user] };

const parse = (fields: object) => anthropicMessages.parseRequest({ ...base, ...fields }, TEST_SUMMARY);
const parseMessages = (...messages: unknown[]) => parse({ messages });

describe("summarizeRequest of anthropic-messages", () => {
  it("reads the fields for admission", () => {
    expect(anthropicMessages.summarizeRequest({ ...base, stream: true })).toEqual({
      model: "m",
      isStream: true,
      maxOutputTokens: 100,
      choices: 1,
      bounds: { tokens: 100, answers: 1 },
      wantsUsageChunk: false,
    });
  });

  it.each([
    ["x", undefined],
    [{ ...base, model: undefined }, "model"],
    [{ ...base, messages: undefined }, "messages"],
    [{ ...base, max_tokens: undefined }, "max_tokens"],
    [{ ...base, max_tokens: null }, "max_tokens"],
    [{ ...base, max_tokens: 0 }, "max_tokens"],
    [{ ...base, max_tokens: -4 }, "max_tokens"],
    [{ ...base, stream: 1 }, "stream"],
  ])("refuses %j", (body, param) => {
    expect(refusalOf(() => anthropicMessages.summarizeRequest(body)).param).toBe(param);
  });
});

describe("promptText of anthropic-messages", () => {
  it("joins system, contents, calls, results and declarations, but no images", () => {
    const tools = [{ name: "f", input_schema: {} }];
    const { text, messages } = anthropicMessages.promptText({
      system: [{ type: "text", text: "be brief" }],
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "look" },
            { type: "image", source: { data: "XXXX" } },
          ],
        },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "hm" },
            { type: "tool_use", name: "f", input: { a: 1 } },
          ],
        },
        { role: "user", content: [{ type: "tool_result", content: [{ type: "text", text: "42" }] }] },
      ],
      tools,
    });
    expect(messages).toBe(3);
    expect(text.split("\n")).toEqual([
      "be brief",
      "user",
      "look",
      "assistant",
      "hm",
      "f",
      '{"a":1}',
      "user",
      "42",
      JSON.stringify(tools),
    ]);
  });

  it("never throws", () => {
    for (const body of [
      undefined,
      5,
      { messages: [null, { content: [null, { type: "tool_result", content: 5 }] }] },
    ]) {
      expect(() => anthropicMessages.promptText(body)).not.toThrow();
    }
  });
});

describe("parseRequest of anthropic-messages", () => {
  it("parses every field", () => {
    const request = parse({
      system: [
        { type: "text", text: "x-anthropic-billing-header: cc_version=1" },
        { type: "text", text: "be brief", cache_control: { type: "ephemeral" } },
      ],
      stream: true,
      temperature: 1,
      top_p: 0.9,
      top_k: 40,
      stop_sequences: ["END"],
      metadata: { user_id: "u" },
      thinking: { type: "enabled", budget_tokens: 2048 },
      output_config: { effort: "high", format: { type: "json_schema", schema: { type: "object" } } },
      tools: [
        { name: "f", description: "d", input_schema: { type: "object" } },
        { type: "custom", name: "g", input_schema: {} },
      ],
      tool_choice: { type: "any", disable_parallel_tool_use: true },
    });
    expect(request).toEqual({
      model: "m",
      system: [{ kind: "text", text: "be brief" }],
      turns: [{ role: "user", parts: [{ kind: "text", text: "hi" }] }],
      tools: [
        { name: "f", description: "d", parameters: { type: "object" } },
        { name: "g", parameters: {} },
      ],
      toolChoice: { kind: "required" },
      isParallelToolCallsAllowed: false,
      maxOutputTokens: 100,
      temperature: 1,
      topP: 0.9,
      topK: 40,
      stopSequences: ["END"],
      reasoning: { effort: "high", budgetTokens: 2048 },
      showsReasoning: true,
      responseFormat: { kind: "json-schema", name: "response", schema: { type: "object" }, isStrict: true },
      endUserId: "u",
      isStream: true,
      wantsUsageChunk: false,
    });
  });

  it("parses a conversation with thinking and tools", () => {
    const { system, turns } = parseMessages(
      { role: "user", content: [{ type: "text", text: "q" }] },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "t", signature: "s" },
          { type: "thinking", thinking: "unsealed", signature: "" },
          { type: "redacted_thinking", data: "R" },
          { type: "text", text: "a" },
          { type: "tool_use", id: "1", name: "f", input: { a: 1 } },
          { type: "tool_use", id: "2", name: "g", input: {} },
        ],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "1", content: "one" }] },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "2", is_error: true, content: [{ type: "text", text: "two" }] },
          { type: "text", text: "go on" },
        ],
      },
      { role: "system", content: "late" },
    );
    expect(system).toEqual([]);
    expect(turns.at(-1)).toEqual({ role: "system", parts: [{ kind: "text", text: "late" }] });
    expect(turns.slice(1, -1)).toEqual([
      {
        role: "assistant",
        parts: [
          { kind: "reasoning", text: "t", signature: "s" },
          { kind: "reasoning", text: "unsealed" },
          { kind: "reasoning", text: "", redactedData: "R" },
          { kind: "text", text: "a" },
          { kind: "tool-call", id: "1", name: "f", arguments: '{"a":1}' },
          { kind: "tool-call", id: "2", name: "g", arguments: "{}" },
        ],
      },
      {
        role: "user",
        parts: [{ kind: "tool-result", toolCallId: "1", content: [{ kind: "text", text: "one" }] }],
      },
      {
        role: "user",
        parts: [
          { kind: "tool-result", toolCallId: "2", isError: true, content: [{ kind: "text", text: "two" }] },
          { kind: "text", text: "go on" },
        ],
      },
    ]);
  });

  it("parses images, documents and search results", () => {
    const { turns } = parseMessages({
      role: "user",
      content: [
        { type: "image", source: { type: "base64", media_type: "image/png", data: "AA" } },
        { type: "image", source: { type: "url", url: "https://x" } },
        {
          type: "document",
          title: "T",
          source: { type: "base64", media_type: "application/pdf", data: "BB" },
        },
        { type: "document", source: { type: "url", url: "https://y" } },
        { type: "document", title: "T", source: { type: "text", media_type: "text/plain", data: "words" } },
        { type: "document", source: { type: "content", content: [{ type: "text", text: "inner" }] } },
        { type: "document", source: { type: "file", file_id: "file_1" } },
        { type: "search_result", title: "S", source: "src", content: [{ type: "text", text: "found" }] },
      ],
    });
    expect(turns[0]?.parts).toEqual([
      { kind: "image", data: "AA", mediaType: "image/png" },
      { kind: "image", url: "https://x" },
      { kind: "file", data: "BB", mediaType: "application/pdf", filename: "T" },
      { kind: "file", url: "https://y" },
      { kind: "text", text: "T\n\nwords" },
      { kind: "text", text: "inner" },
      { kind: "file", fileId: "file_1" },
      { kind: "text", text: "S, src\n\nfound" },
    ]);
  });

  it.each([
    [{ thinking: { type: "disabled" } }, { effort: "none" }],
    [{ thinking: { type: "adaptive" } }, undefined],
    [{ thinking: { type: "adaptive" }, output_config: { effort: "max" } }, { effort: "max" }],
    [{ output_config: { effort: "low" } }, { effort: "low" }],
    [{ thinking: { type: "enabled", budget_tokens: 5000 } }, { budgetTokens: 5000 }],
  ])("reads the reasoning of %j", (fields, expected) => {
    expect(parse(fields).reasoning).toEqual(expected);
  });

  it.each([
    [{ type: "auto" }, { kind: "auto" }],
    [{ type: "none" }, { kind: "none" }],
    [{ type: "any" }, { kind: "required" }],
    [
      { type: "tool", name: "f" },
      { kind: "tool", name: "f" },
    ],
  ])("reads the tool choice %j", (tool_choice, expected) => {
    expect(parse({ tool_choice }).toolChoice).toEqual(expected);
  });

  const calling = { role: "assistant", content: [{ type: "tool_use", id: "1", name: "f", input: {} }] };
  const result = (id: string) => ({
    role: "user",
    content: [{ type: "tool_result", tool_use_id: id, content: "x" }],
  });

  it.each([
    ["an unknown role", [user, { role: "tool", content: "x" }], "messages[1].role"],
    ["content of a wrong type", [{ role: "user", content: 5 }], "messages[0].content"],
    ["an unknown block", [{ role: "user", content: [{ type: "video" }] }], "messages[0].content[0].type"],
    ["a block without text", [{ role: "user", content: [{ type: "text" }] }], "messages[0].content[0].text"],
    [
      "an image by file id",
      [{ role: "user", content: [{ type: "image", source: { type: "file", file_id: "f" } }] }],
      "messages[0].content[0].source.type",
    ],
    [
      "a block of no known type",
      [user, { role: "assistant", content: [{ type: "container_upload", id: "1" }] }],
      "messages[1].content[0].type",
    ],
    ["a result without a call", [result("9")], "messages[0].content[0].tool_use_id"],
    ["a result for another call", [user, calling, result("2")], "messages[2].content[0].tool_use_id"],
    ["a call without a result", [user, calling, user], "messages[1].content[0].id"],
    ["a call at the end", [user, calling], "messages[1].content[0].id"],
    [
      "input that is no object",
      [user, { role: "assistant", content: [{ type: "tool_use", id: "1", name: "f", input: "{}" }] }],
      "messages[1].content[0].input",
    ],
  ])("refuses %s", (_, messages, param) => {
    expect(refusalOf(() => parseMessages(...messages)).param).toBe(param);
  });

  it.each([
    [
      { tools: [{ type: "code_execution_20250522", name: "code_execution" }] },
      "tools[0].type",
      { code: "unsupported-tool", tool: "code_execution_20250522", instead: "custom" },
    ],
    [{ tools: [{ name: "f" }] }, "tools[0].input_schema", { code: "wrong-type", expected: "object" }],
    [{ tool_choice: { type: "tool" } }, "tool_choice.name", { code: "wrong-type", expected: "text" }],
    [{ tool_choice: "auto" }, "tool_choice", { code: "wrong-type", expected: "object" }],
    [{ thinking: { type: "enabled" } }, "thinking.budget_tokens", { code: "missing-while" }],
    [{ thinking: { type: "loud" } }, "thinking.type", { code: "not-one-of" }],
    [{ output_config: { effort: "huge" } }, "output_config.effort", { code: "unknown-value", value: "huge" }],
    [{ output_config: { format: { type: "xml" } } }, "output_config.format.type", { code: "not-one-of" }],
    [{ system: 5 }, "system", { code: "wrong-type", expected: "text-or-content-blocks" }],
    [{ system: [{ type: "image" }] }, "system[0].type", { code: "text-parts-only", holder: "system" }],
    [{ temperature: 1.5 }, "temperature", { code: "no-number-within", min: 0, max: 1 }],
    [{ stop_sequences: [5] }, "stop_sequences[0]", { code: "wrong-type", expected: "text" }],
    [{ mcp_servers: [{}] }, "mcp_servers", { code: "unsupported-field", field: "mcp_servers" }],
  ])("refuses %j", (fields, param, fault) => {
    expect(refusalOf(() => parse(fields))).toMatchObject({ fault, param });
  });
});
