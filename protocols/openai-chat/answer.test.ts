import { readFileSync } from "node:fs";
import type { ChatResponse } from "@tollgate/contract/relay/response";
import { NO_USAGE } from "@tollgate/contract/relay/usage";
import { describe, expect, it } from "vitest";
import { STAMP } from "../shared/testing/run-stream";
import { openaiChat } from "./openai-chat";

/** A fixture of JSON, by its path from here. */
const readJsonFixture = (path: string): unknown =>
  JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"));

const fixture = readJsonFixture("./fixtures/response-calls.json");

const answer = (message: object, fields: object = {}, finish_reason: string | null = "stop") => ({
  id: "c",
  choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason }],
  ...fields,
});

describe("readResponse of openai-chat", () => {
  it("reads reasoning, text, calls and usage", () => {
    expect(openaiChat.readResponse(fixture)).toEqual({
      id: "chatcmpl-9",
      model: "gpt-5.4-mini",
      parts: [
        { kind: "reasoning", text: "Two places." },
        { kind: "text", text: "Let me look." },
        { kind: "tool-call", id: "call_a", name: "get_weather", arguments: '{"city":"Paris"}' },
        { kind: "tool-call", id: "call_b", name: "get_time", arguments: "" },
      ],
      refusal: undefined,
      finishReason: "tool-calls",
      usage: {
        inputTokens: 82,
        outputTokens: 17,
        audioInputTokens: 0,
        cacheReadTokens: 64,
        cacheWriteTokens: undefined,
        reasoningTokens: 5,
        servedTiers: { service_tier: "default" },
      },
    });
  });

  it("reads a refusal, the old function_call and arguments that are an object", () => {
    expect(openaiChat.readResponse(answer({ content: null, refusal: "no" }))).toMatchObject({
      refusal: "no",
      parts: [],
    });
    expect(
      openaiChat.readResponse(answer({ function_call: { name: "f", arguments: "{}" } }, {}, "function_call")),
    ).toMatchObject({
      parts: [{ kind: "tool-call", name: "f", id: expect.stringMatching(/^call_/) }],
      finishReason: "tool-calls",
    });
    expect(
      openaiChat.readResponse(answer({ tool_calls: [{ function: { name: "f", arguments: { a: 1 } } }] })),
    ).toMatchObject({
      parts: [{ arguments: '{"a":1}' }],
      finishReason: "tool-calls",
    });
  });

  it.each([
    ["length", "length"],
    ["content_filter", "content-filter"],
    ["whatever", "stop"],
    [null, "stop"],
  ])("reads the finish reason %s as %s", (spelling, reason) => {
    expect(openaiChat.readResponse(answer({ content: "a" }, {}, spelling))?.finishReason).toBe(reason);
  });

  it.each([
    [undefined],
    ["<html>"],
    [{}],
    [{ choices: [] }],
    [{ choices: [{}] }],
    [{ ...answer({ content: "a" }), error: { message: "x" } }],
    [{ error: "x" }],
    [{ code: 1001, message: "bad" }],
  ])("sees that %j is no answer", (body) => {
    expect(openaiChat.readResponse(body)).toBeUndefined();
    expect(openaiChat.isAnswer(body)).toBe(false);
  });

  it("takes an error of null for none", () => {
    expect(openaiChat.readResponse({ ...answer({ content: "a" }), error: null })).toBeDefined();
  });
});

describe("isAnswer of openai-chat", () => {
  it.each([
    [fixture, true],
    [answer({ content: "a" }), true],
    [answer({ content: null, refusal: "no" }), true],
    [answer({ content: "", reasoning_content: "r" }), true],
    [answer({ content: null, audio: { id: "a" } }), true],
    [answer({ content: "" }, {}, "length"), true],
    [answer({ content: "" }, { usage: { prompt_tokens: 5, completion_tokens: 3 } }), true],
    [answer({ content: "" }), false],
    [answer({ content: "" }, { usage: { prompt_tokens: 5, completion_tokens: 0 } }), false],
    [answer({}), false],
  ])("judges %j: %s", (body, expected) => {
    expect(openaiChat.isAnswer(body)).toBe(expected);
  });
});

describe("readUsage of openai-chat", () => {
  it.each([
    [undefined, {}],
    [null, {}],
    [{}, {}],
    [{ prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }, {}],
    [
      { prompt_tokens: 7, completion_tokens: 0 },
      { inputTokens: 7, outputTokens: 0 },
    ],
    [{ prompt_tokens: 7 }, { inputTokens: 7 }],
    [{ prompt_tokens: -1, completion_tokens: 2.5 }, {}],
    [
      { prompt_tokens: 7, completion_tokens: 2, prompt_cache_hit_tokens: 5 },
      { inputTokens: 7, outputTokens: 2, cacheReadTokens: 5 },
    ],
    [
      { prompt_tokens: 7, completion_tokens: 2, cached_tokens: 4 },
      { inputTokens: 7, outputTokens: 2, cacheReadTokens: 4 },
    ],
    [
      {
        prompt_tokens: 7,
        completion_tokens: 2,
        prompt_tokens_details: { cached_tokens: 0, cache_creation_input_tokens: 3 },
      },
      { inputTokens: 7, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 3 },
    ],
    // Reasoning outside of completion_tokens.
    [
      {
        prompt_tokens: 10,
        completion_tokens: 5,
        total_tokens: 35,
        completion_tokens_details: { reasoning_tokens: 20 },
      },
      { inputTokens: 10, outputTokens: 25, reasoningTokens: 20 },
    ],
    [
      {
        prompt_tokens: 10,
        completion_tokens: 5,
        total_tokens: 90_000_000,
        completion_tokens_details: { reasoning_tokens: 20 },
      },
      { inputTokens: 10, outputTokens: 25, reasoningTokens: 20 },
    ],
    [
      {
        prompt_tokens: 10,
        completion_tokens: 25,
        total_tokens: 35,
        completion_tokens_details: { reasoning_tokens: 20 },
      },
      { inputTokens: 10, outputTokens: 25, reasoningTokens: 20 },
    ],
  ])("reads %j", (usage, expected) => {
    expect(openaiChat.readUsage({ usage })).toEqual({ ...NO_USAGE, ...expected });
  });

  const UNTOLD = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 35 };

  it.each([
    ["gemini-2.5-pro", UNTOLD, 25],
    ["models/gemini-3-flash-preview", UNTOLD, 25],
    ["gemini-2.5-pro", { ...UNTOLD, total_tokens: 90_000_000 }, 5 + 65_536],
    ["gemini-2.5-pro", { ...UNTOLD, total_tokens: 1e300 }, 5],
    ["gemini-2.5-pro", { ...UNTOLD, total_tokens: 3 }, 5],
    ["gemini-2.0-flash", UNTOLD, 5],
    ["gpt-4o", UNTOLD, 5],
    ["some-model", { ...UNTOLD, total_tokens: 90_000_000 }, 5],
    [undefined, UNTOLD, 5],
  ])("of %s, whose total is larger than its parts, in %j, takes %i for written", (model, usage, expected) => {
    expect(openaiChat.readUsage({ model, usage }).outputTokens).toBe(expected);
    const chunk = JSON.stringify({ model, choices: [], usage });
    expect(openaiChat.passThrough?.inspectEvent(chunk).usage?.outputTokens).toBe(expected);
    const parts = openaiChat.createStreamReader().push("", chunk);
    expect(parts).toContainEqual({
      kind: "usage",
      usage: expect.objectContaining({ outputTokens: expected }),
    });
  });
});

describe("encodeResponse of openai-chat", () => {
  const response: ChatResponse = {
    id: "msg_1",
    model: "upstream-model",
    parts: [{ kind: "text", text: "hi" }],
    finishReason: "stop",
    usage: { ...NO_USAGE, inputTokens: 20, outputTokens: 15, cacheReadTokens: 8, cacheWriteTokens: 2 },
  };

  it("encodes text and usage", () => {
    expect(JSON.parse(JSON.stringify(openaiChat.encodeResponse(response, STAMP)))).toEqual({
      id: "chatcmpl-1",
      object: "chat.completion",
      created: STAMP.createdAt,
      model: "asked-model",
      choices: [
        {
          index: 0,
          message: { role: "assistant", content: "hi", refusal: null },
          logprobs: null,
          finish_reason: "stop",
        },
      ],
      usage: {
        prompt_tokens: 20,
        completion_tokens: 15,
        total_tokens: 35,
        prompt_tokens_details: { cached_tokens: 8, cache_write_tokens: 2 },
        completion_tokens_details: { reasoning_tokens: 0 },
      },
    });
  });

  it("encodes a decoded answer", () => {
    const read = openaiChat.readResponse(fixture);
    if (!read) throw new Error("the fixture was not read");
    expect(openaiChat.encodeResponse(read, STAMP)).toMatchObject({
      choices: [
        {
          message: {
            content: "Let me look.",
            reasoning_content: "Two places.",
            tool_calls: [
              {
                id: "call_a",
                type: "function",
                function: { name: "get_weather", arguments: '{"city":"Paris"}' },
              },
              { id: "call_b", type: "function", function: { name: "get_time", arguments: "{}" } },
            ],
          },
          finish_reason: "tool_calls",
        },
      ],
    });
  });

  it("has one function_call for a request of the older functions", () => {
    const calls: ChatResponse = {
      ...response,
      parts: [
        { kind: "tool-call", id: "1", name: "f", arguments: "" },
        { kind: "tool-call", id: "2", name: "g", arguments: "{}" },
      ],
      finishReason: "tool-calls",
    };
    const functions = [{ name: "f" }, { name: "g" }];
    const encode = (fields: Partial<ChatResponse>, request: Record<string, unknown>) =>
      openaiChat.encodeResponse({ ...calls, ...fields }, { ...STAMP, request });
    const encoded = encode({}, { functions });
    expect(encoded).toMatchObject({
      choices: [
        {
          message: { content: null, function_call: { name: "f", arguments: "{}" } },
          finish_reason: "function_call",
        },
      ],
    });
    expect(JSON.stringify(encoded)).not.toContain("tool_calls");
    expect(encode({ parts: response.parts, finishReason: "stop" }, { functions })).toMatchObject({
      choices: [{ message: { content: "hi" }, finish_reason: "stop" }],
    });
    const tools = functions.map((each) => ({ type: "function", function: each }));
    expect(encode({}, { functions, tools })).toMatchObject({
      choices: [{ message: { tool_calls: [{ id: "1" }, { id: "2" }] }, finish_reason: "tool_calls" }],
    });
  });

  it("has no content beside calls or a refusal alone, and an empty text otherwise", () => {
    const encode = (fields: Partial<ChatResponse>) =>
      openaiChat.encodeResponse({ ...response, parts: [], ...fields }, STAMP);
    expect(encode({ refusal: "no" })).toMatchObject({
      choices: [{ message: { content: null, refusal: "no" } }],
    });
    expect(encode({ parts: [{ kind: "tool-call", id: "1", name: "f", arguments: "{}" }] })).toMatchObject({
      choices: [{ message: { content: null } }],
    });
    expect(encode({})).toMatchObject({ choices: [{ message: { content: "" } }] });
  });

  it("leaves unknown usage out", () => {
    const encoded = openaiChat.encodeResponse({ ...response, usage: { ...NO_USAGE, inputTokens: 5 } }, STAMP);
    expect(JSON.stringify(encoded)).not.toContain("usage");
  });
});
