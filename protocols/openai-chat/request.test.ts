import { describe, expect, it } from "vitest";
import { refusalOf } from "../shared/testing/refusal-of";
import { TEST_SUMMARY } from "../shared/testing/request-parts";
import { openaiChat } from "./openai-chat";

const user = { role: "user", content: "hi" };
const base = { model: "m", messages: [user] };

const parse = (fields: object) => openaiChat.parseRequest({ ...base, ...fields }, TEST_SUMMARY);
const parseMessages = (...messages: unknown[]) => parse({ messages });

/** Some of the tools, as the API names them: https://platform.openai.com/docs/guides/function-calling#tool-choice */
const allow = (mode: unknown, ...tools: object[]) => ({
  tool_choice: { type: "allowed_tools", allowed_tools: { mode, tools } },
});
const named = (name: string) => ({ type: "function", function: { name } });

describe("a choice of some tools", () => {
  const tools = [named("f"), named("g"), { type: "custom", custom: { name: "h" } }];

  it.each([
    ["auto", [named("g")], "auto", ["g"]],
    ["required", [named("g"), { type: "custom", custom: { name: "h" } }], "required", ["g", "h"]],
    ["auto", [named("unknown")], "auto", []],
  ])("offers these alone: %s %j", (mode, allowed, kind, names) => {
    const request = parse({ tools, ...allow(mode, ...allowed) });
    expect(request.toolChoice).toEqual({ kind });
    expect(request.tools.map(({ name }) => name)).toEqual(names);
  });

  it.each<[object, string]>([
    [{ tool_choice: { type: "allowed_tools" } }, "tool_choice.allowed_tools"],
    [
      { tool_choice: { type: "allowed_tools", allowed_tools: { tools: 1 } } },
      "tool_choice.allowed_tools.tools",
    ],
    [allow("auto", { type: "mcp" }), "tool_choice.allowed_tools.tools[0]"],
    [allow("auto", { type: "function" }), "tool_choice.allowed_tools.tools[0].function"],
    [{ function_call: { type: "allowed_tools" } }, "function_call.name"],
  ])("is refused where it names none: %j", (fields, param) => {
    expect(refusalOf(() => parse({ tools, ...fields })).param).toBe(param);
  });
});

describe("summarizeRequest of openai-chat", () => {
  it("reads the fields for admission", () => {
    expect(openaiChat.summarizeRequest(base)).toEqual({
      model: "m",
      isStream: false,
      maxOutputTokens: undefined,
      choices: 1,
      bounds: { tokens: undefined, answers: 1 },
      wantsUsageChunk: false,
    });
    const full = {
      ...base,
      stream: true,
      n: 3,
      max_tokens: 5,
      max_completion_tokens: 7,
      stream_options: { include_usage: true },
    };
    expect(openaiChat.summarizeRequest(full)).toEqual({
      model: "m",
      isStream: true,
      maxOutputTokens: 7,
      choices: 3,
      bounds: { tokens: 7, answers: 3 },
      wantsUsageChunk: true,
    });
    expect(
      openaiChat.summarizeRequest({ ...base, stream: null, max_tokens: null, n: null, stream_options: null }),
    ).toMatchObject({
      isStream: false,
      maxOutputTokens: undefined,
      choices: 1,
    });
    expect(
      openaiChat.summarizeRequest({ ...base, stream_options: { include_usage: true } }).wantsUsageChunk,
    ).toBe(false);
  });

  it.each([
    [undefined, undefined, { code: "body-not-object" }],
    [[], undefined, { code: "body-not-object" }],
    [{ messages: [user] }, "model", { code: "missing" }],
    [{ ...base, model: "" }, "model", { code: "missing" }],
    [{ ...base, model: 5 }, "model", { code: "missing" }],
    [{ model: "m" }, "messages", { code: "list-missing" }],
    [{ ...base, messages: [] }, "messages", { code: "list-missing" }],
    [{ ...base, messages: "hi" }, "messages", { code: "list-missing" }],
    [{ ...base, max_tokens: -1 }, "max_tokens", { code: "no-whole-number-within", min: 1, max: 2147483647 }],
    [{ ...base, max_tokens: 0 }, "max_tokens", { code: "no-whole-number-within" }],
    [{ ...base, max_tokens: 1.5 }, "max_tokens", { code: "no-whole-number-within" }],
    [{ ...base, max_tokens: "5" }, "max_tokens", { code: "no-whole-number-within" }],
    [{ ...base, max_tokens: 2 ** 31 }, "max_tokens", { code: "no-whole-number-within" }],
    [{ ...base, max_completion_tokens: 1e300 }, "max_completion_tokens", { code: "no-whole-number-within" }],
    [{ ...base, max_completion_tokens: 5, max_tokens: -5 }, "max_tokens", { code: "no-whole-number-within" }],
    [{ ...base, n: 0 }, "n", { code: "no-whole-number-within", min: 1, max: 128 }],
    [{ ...base, n: 129 }, "n", { code: "no-whole-number-within" }],
    [{ ...base, stream: "true" }, "stream", { code: "wrong-type", expected: "true-or-false" }],
    [
      { ...base, stream: true, stream_options: 1 },
      "stream_options",
      { code: "wrong-type", expected: "object" },
    ],
  ])("refuses %j", (body, param, fault) => {
    expect(refusalOf(() => openaiChat.summarizeRequest(body))).toMatchObject({ fault, param });
  });
});

describe("promptText of openai-chat", () => {
  it("joins contents, roles, names, calls and declarations, but no images", () => {
    const tools = [{ type: "function", function: { name: "f" } }];
    const { text, messages } = openaiChat.promptText({
      messages: [
        { role: "system", content: "be brief", name: "boss" },
        {
          role: "user",
          content: [
            { type: "text", text: "look" },
            { type: "image_url", image_url: { url: "data:xyz" } },
          ],
        },
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "1", function: { name: "f", arguments: '{"a":1}' } }],
        },
        { role: "tool", tool_call_id: "1", content: "42" },
        "nonsense",
      ],
      tools,
    });
    expect(messages).toBe(5);
    expect(text.split("\n")).toEqual([
      "system",
      "boss",
      "be brief",
      "user",
      "look",
      "assistant",
      "f",
      '{"a":1}',
      "tool",
      "42",
      JSON.stringify(tools),
    ]);
  });

  it("leaves out nothing that a model reads: the schema of its answer, reasoning, input of custom tools", () => {
    const { text } = openaiChat.promptText({
      messages: [
        {
          role: "assistant",
          reasoning: "thought",
          tool_calls: [{ type: "custom", custom: { name: "shell", input: "typed" } }],
        },
      ],
      response_format: { type: "json_schema", json_schema: { name: "a", schema: { title: "schematic" } } },
    });
    for (const word of ["thought", "shell", "typed", "schematic"]) expect(text).toContain(word);
  });

  it("never throws", () => {
    for (const body of [
      undefined,
      null,
      5,
      [],
      {},
      { messages: 5 },
      { messages: [null, { content: [null, 5] }], tools: {} },
    ]) {
      expect(() => openaiChat.promptText(body)).not.toThrow();
    }
  });
});

describe("parseRequest of openai-chat", () => {
  it("parses every field", () => {
    const request = parse({
      stream: true,
      stream_options: { include_usage: true },
      max_completion_tokens: 100,
      temperature: 0,
      top_p: 0.5,
      stop: "END",
      seed: 7,
      presence_penalty: -1,
      frequency_penalty: 1,
      reasoning_effort: "low",
      response_format: {
        type: "json_schema",
        json_schema: { name: "r", schema: { type: "object" }, strict: true },
      },
      user: "u",
      safety_identifier: "s",
      parallel_tool_calls: false,
      tools: [
        {
          type: "function",
          function: { name: "f", description: "d", parameters: { type: "object" }, strict: true },
        },
      ],
      tool_choice: { type: "function", function: { name: "f" } },
      logprobs: true,
      metadata: { a: "b" },
    });
    expect(request).toEqual({
      model: "m",
      openaiHints: { metadata: { a: "b" } },
      system: [],
      turns: [{ role: "user", parts: [{ kind: "text", text: "hi" }] }],
      tools: [{ name: "f", description: "d", parameters: { type: "object" }, isStrict: true }],
      toolChoice: { kind: "tool", name: "f" },
      isParallelToolCallsAllowed: false,
      maxOutputTokens: 100,
      temperature: 0,
      topP: 0.5,
      stopSequences: ["END"],
      logprobs: {},
      seed: 7,
      presencePenalty: -1,
      frequencyPenalty: 1,
      reasoning: { effort: "low" },
      responseFormat: { kind: "json-schema", name: "r", schema: { type: "object" }, isStrict: true },
      endUserId: "s",
      isStream: true,
      wantsUsageChunk: true,
    });
  });

  it("parses a conversation with tools", () => {
    const { system, turns } = parseMessages(
      { role: "system", content: "one" },
      { role: "developer", content: [{ type: "text", text: "two" }] },
      { role: "user", content: "q", name: "jo" },
      {
        role: "assistant",
        content: "a",
        reasoning_content: "r",
        tool_calls: [
          { id: "1", type: "function", function: { name: "f", arguments: "{}" } },
          { id: "2", type: "function", function: { name: "g", arguments: "" } },
        ],
      },
      { role: "tool", tool_call_id: "2", content: [{ type: "text", text: "second" }] },
      { role: "tool", tool_call_id: "1", content: "first" },
      { role: "user", content: "go on" },
    );
    expect(system.map((part) => part.text)).toEqual(["one", "two"]);
    expect(turns).toEqual([
      { role: "user", parts: [{ kind: "text", text: "q" }] },
      {
        role: "assistant",
        parts: [
          { kind: "reasoning", text: "r" },
          { kind: "text", text: "a" },
          { kind: "tool-call", id: "1", name: "f", arguments: "{}" },
          { kind: "tool-call", id: "2", name: "g", arguments: "" },
        ],
      },
      {
        role: "user",
        parts: [
          { kind: "tool-result", toolCallId: "2", content: [{ kind: "text", text: "second" }] },
          { kind: "tool-result", toolCallId: "1", content: [{ kind: "text", text: "first" }] },
        ],
      },
      { role: "user", parts: [{ kind: "text", text: "go on" }] },
    ]);
  });

  it("lifts functions, function_call and function messages", () => {
    const request = parse({
      messages: [
        user,
        { role: "assistant", content: null, function_call: { name: "f", arguments: "{}" } },
        { role: "function", name: "f", content: "42" },
      ],
      functions: [{ name: "f", parameters: { type: "object" } }],
      function_call: { name: "f" },
    });
    expect(request.tools).toEqual([{ name: "f", parameters: { type: "object" } }]);
    expect(request.toolChoice).toEqual({ kind: "tool", name: "f" });
    expect(request.turns.slice(1)).toEqual([
      { role: "assistant", parts: [{ kind: "tool-call", id: "call_1", name: "f", arguments: "{}" }] },
      {
        role: "user",
        parts: [{ kind: "tool-result", toolCallId: "call_1", content: [{ kind: "text", text: "42" }] }],
      },
    ]);
  });

  it("parses every kind of content", () => {
    const { turns } = parseMessages({
      role: "user",
      content: [
        { type: "text", text: "t" },
        { type: "image_url", image_url: { url: "https://x.test/a.png", detail: "low" } },
        { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
        { type: "input_audio", input_audio: { data: "BBBB", format: "wav" } },
        { type: "file", file: { file_data: "data:application/pdf;base64,CCCC", filename: "a.pdf" } },
        { type: "file", file: { file_data: "DDDD", filename: "B.PDF" } },
        { type: "file", file: { file_id: "file-1" } },
      ],
    });
    expect(turns[0]?.parts).toEqual([
      { kind: "text", text: "t" },
      { kind: "image", url: "https://x.test/a.png", detail: "low" },
      { kind: "image", data: "AAAA", mediaType: "image/png" },
      { kind: "audio", data: "BBBB", format: "wav" },
      { kind: "file", data: "CCCC", mediaType: "application/pdf", filename: "a.pdf" },
      { kind: "file", data: "DDDD", mediaType: "application/pdf", filename: "B.PDF" },
      { kind: "file", fileId: "file-1" },
    ]);
  });

  it("takes refusals of the history as text, and an empty answer as none", () => {
    const { turns } = parseMessages(
      user,
      { role: "assistant", content: [{ type: "refusal", refusal: "no" }] },
      user,
      { role: "assistant", refusal: "never", content: null },
      user,
      { role: "assistant", content: null },
    );
    expect(turns[1]?.parts).toEqual([{ kind: "text", text: "no" }]);
    expect(turns[3]?.parts).toEqual([{ kind: "text", text: "never" }]);
    expect(turns[5]?.parts).toEqual([]);
  });

  const calling = {
    role: "assistant",
    tool_calls: [{ id: "1", type: "function", function: { name: "f", arguments: "{}" } }],
  };

  it.each([
    ["an unknown role", [user, user, { role: "robot", content: "x" }], "messages[2].role"],
    ["a role that names a method", [{ role: { toString: 1 }, content: "x" }], "messages[0].role"],
    ["a missing role", [{ content: "x" }], "messages[0].role"],
    ["a message that is none", [user, "hi"], "messages[1]"],
    ["content of a wrong type", [{ role: "user", content: 5 }], "messages[0].content"],
    ["missing content", [{ role: "user" }], "messages[0].content"],
    [
      "an unknown part",
      [{ role: "user", content: [{ type: "text", text: "a" }, { type: "video" }] }],
      "messages[0].content[1].type",
    ],
    ["a part without text", [{ role: "user", content: [{ type: "text" }] }], "messages[0].content[0].text"],
    [
      "an image of nothing",
      [{ role: "user", content: [{ type: "image_url", image_url: { url: "x" } }] }],
      "messages[0].content[0].image_url.url",
    ],
    [
      "an image in the instructions",
      [{ role: "system", content: [{ type: "image_url", image_url: { url: "https://x" } }] }],
      "messages[0].content[0].type",
    ],
    ["an assistant without anything", [user, { role: "assistant" }], "messages[1].content"],
    [
      "a result without a call",
      [user, { role: "tool", tool_call_id: "9", content: "x" }],
      "messages[1].tool_call_id",
    ],
    ["a result without an id", [user, calling, { role: "tool", content: "x" }], "messages[2].tool_call_id"],
    [
      "a result for another call",
      [user, calling, { role: "tool", tool_call_id: "2", content: "x" }],
      "messages[2].tool_call_id",
    ],
    ["a call without a result", [user, calling, user], "messages[1].tool_calls[0].id"],
    ["a call at the end", [user, calling], "messages[1].tool_calls[0].id"],
    [
      "a second result",
      [
        user,
        calling,
        { role: "tool", tool_call_id: "1", content: "x" },
        { role: "tool", tool_call_id: "1", content: "x" },
      ],
      "messages[3].tool_call_id",
    ],
    [
      "a function message without a call",
      [user, { role: "function", name: "f", content: "x" }],
      "messages[1].name",
    ],
    [
      "a call without a name",
      [user, { role: "assistant", tool_calls: [{ id: "1", function: { arguments: "{}" } }] }],
      "messages[1].tool_calls[0].function.name",
    ],
    [
      "a call of no known type",
      [user, { role: "assistant", tool_calls: [{ id: "1", type: "mcp", mcp: {} }] }],
      "messages[1].tool_calls[0].type",
    ],
    [
      "arguments that are an object",
      [user, { role: "assistant", tool_calls: [{ id: "1", function: { name: "f", arguments: {} } }] }],
      "messages[1].tool_calls[0].function.arguments",
    ],
  ])("refuses %s", (_, messages, param) => {
    expect(refusalOf(() => parseMessages(...messages)).param).toBe(param);
  });

  it.each([
    [{ n: 2 }, "n"],
    [{ modalities: ["text", "audio"] }, "modalities"],
    [{ temperature: 2.1 }, "temperature"],
    [{ top_p: "1" }, "top_p"],
    [{ stop: ["a", 5] }, "stop[1]"],
    [{ stop: 5 }, "stop"],
    [{ reasoning_effort: "extreme" }, "reasoning_effort"],
    [{ response_format: { type: "xml" } }, "response_format.type"],
    [
      { response_format: { type: "json_schema", json_schema: { name: "x" } } },
      "response_format.json_schema.schema",
    ],
    [{ tools: [{ type: "web_search" }] }, "tools[0].type"],
    [{ tools: [{ type: "function", function: {} }] }, "tools[0].function.name"],
    [{ tools: {} }, "tools"],
    [{ tool_choice: "maybe" }, "tool_choice"],
    [{ parallel_tool_calls: 1 }, "parallel_tool_calls"],
    [{ seed: 1.5 }, "seed"],
  ])("refuses %j", (fields, param) => {
    expect(refusalOf(() => parse(fields)).param).toBe(param);
  });
});
