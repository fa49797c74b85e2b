import { readFileSync } from "node:fs";
import type { ChatResponse } from "@tollgate/contract/relay/response";
import { NO_USAGE } from "@tollgate/contract/relay/usage";
import { describe, expect, it } from "vitest";
import { STAMP } from "../shared/testing/run-stream";
import { anthropicMessages } from "./anthropic-messages";

/** A fixture of JSON, by its path from here. */
const readJsonFixture = (path: string): unknown =>
  JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"));

const fixture = readJsonFixture("./fixtures/response-calls.json");

const answer = (content: unknown[], fields: object = {}) => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  content,
  stop_reason: "end_turn",
  ...fields,
});

describe("readResponse of anthropic-messages", () => {
  it("reads thinking, text, calls and usage", () => {
    expect(anthropicMessages.readResponse(fixture)).toEqual({
      id: "msg_01X",
      model: "claude-opus-4-8",
      parts: [
        { kind: "reasoning", text: "Two places.", signature: "EqQB" },
        { kind: "reasoning", text: "", redactedData: "ENCRYPTED" },
        { kind: "text", text: "Let me " },
        { kind: "text", text: "look." },
        { kind: "tool-call", id: "toolu_a", name: "get_weather", arguments: '{"city":"Paris"}' },
        { kind: "tool-call", id: "toolu_b", name: "get_time", arguments: "{}" },
      ],
      refusal: undefined,
      finishReason: "tool-calls",
      usage: {
        inputTokens: 1066,
        outputTokens: 57,
        cacheReadTokens: 1024,
        cacheWriteTokens: 30,
        cacheWrite1hTokens: 0,
        reasoningTokens: 9,
      },
    });
  });

  it.each([
    ["end_turn", "stop"],
    ["stop_sequence", "stop"],
    ["pause_turn", "stop"],
    ["max_tokens", "length"],
    ["model_context_window_exceeded", "length"],
    ["tool_use", "tool-calls"],
    ["refusal", "content-filter"],
    ["news", "stop"],
    [null, "stop"],
  ])("reads the stop reason %s as %s", (stop_reason, expected) => {
    expect(anthropicMessages.readResponse(answer([], { stop_reason }))?.finishReason).toBe(expected);
  });

  it("reads the words of a refusal and leaves server tools out", () => {
    const body = answer(
      [
        { type: "server_tool_use", id: "1" },
        { type: "text", text: "a" },
      ],
      {
        stop_reason: "refusal",
        stop_details: { explanation: "no" },
      },
    );
    expect(anthropicMessages.readResponse(body)).toMatchObject({
      refusal: "no",
      parts: [{ kind: "text", text: "a" }],
    });
  });

  it.each([
    [undefined],
    ["<html>"],
    [{}],
    [{ type: "message" }],
    [{ type: "error", error: { type: "api_error", message: "x" } }],
    [{ ...answer([{ type: "text", text: "a" }]), error: { message: "x" } }],
    [{ choices: [{ message: { content: "a" } }] }],
  ])("sees that %j is no answer", (body) => {
    expect(anthropicMessages.readResponse(body)).toBeUndefined();
    expect(anthropicMessages.isAnswer(body)).toBe(false);
  });
});

describe("isAnswer of anthropic-messages", () => {
  it.each([
    [fixture, true],
    [answer([{ type: "text", text: "a" }]), true],
    [answer([{ type: "tool_use", id: "1", name: "f", input: {} }]), true],
    [answer([], { stop_reason: "max_tokens" }), true],
    [answer([], { stop_reason: "refusal" }), true],
    [answer([], { usage: { input_tokens: 5, output_tokens: 3 } }), true],
    [answer([]), false],
    [answer([{ type: "text", text: "" }], { usage: { input_tokens: 5, output_tokens: 0 } }), false],
  ])("judges %j: %s", (body, expected) => {
    expect(anthropicMessages.isAnswer(body)).toBe(expected);
  });
});

describe("readUsage of anthropic-messages", () => {
  it.each([
    [undefined, {}],
    [{}, {}],
    [{ input_tokens: 0, output_tokens: 0 }, {}],
    [{ output_tokens: 5 }, { outputTokens: 5 }],
    [
      { input_tokens: 5, output_tokens: 0 },
      { inputTokens: 5, outputTokens: 0 },
    ],
    [
      { input_tokens: 0, cache_read_input_tokens: 9, output_tokens: 1 },
      { inputTokens: 9, cacheReadTokens: 9, outputTokens: 1 },
    ],
    [
      { input_tokens: 5, cache_read_input_tokens: null, output_tokens: 1 },
      { inputTokens: 5, outputTokens: 1 },
    ],
    [
      {
        input_tokens: 5,
        output_tokens: 1,
        cache_creation: { ephemeral_5m_input_tokens: 2, ephemeral_1h_input_tokens: 3 },
      },
      { inputTokens: 10, outputTokens: 1, cacheWriteTokens: 5, cacheWrite1hTokens: 3 },
    ],
    // Compaction: the counters at the top are those of the last iteration.
    [
      {
        input_tokens: 600,
        output_tokens: 12,
        iterations: [
          { type: "compaction", input_tokens: 60_000, output_tokens: 385 },
          { type: "message", input_tokens: 600, output_tokens: 12 },
        ],
      },
      { inputTokens: 60_600, outputTokens: 397, cacheReadTokens: undefined, cacheWriteTokens: undefined },
    ],
    [
      {
        input_tokens: 10,
        cache_read_input_tokens: 4,
        output_tokens: 2,
        iterations: [
          { type: "message", input_tokens: 10, cache_read_input_tokens: 4, output_tokens: 2 },
          { type: "compaction", input_tokens: 5, cache_read_input_tokens: 0, output_tokens: 1 },
          "no record",
        ],
      },
      { inputTokens: 19, outputTokens: 3, cacheReadTokens: 4 },
    ],
    // A list that says less than the counters beside it is not believed.
    [
      {
        input_tokens: 10,
        output_tokens: 2,
        iterations: [{ type: "message", input_tokens: 0, output_tokens: 0 }],
      },
      { inputTokens: 10, outputTokens: 2 },
    ],
    [
      { input_tokens: 10, output_tokens: 2, iterations: [] },
      { inputTokens: 10, outputTokens: 2 },
    ],
  ])("reads %j", (usage, expected) => {
    expect(anthropicMessages.readUsage({ usage })).toEqual({ ...NO_USAGE, ...expected });
  });
});

describe("encodeResponse of anthropic-messages", () => {
  const response: ChatResponse = {
    id: "chatcmpl-1",
    model: "upstream-model",
    parts: [{ kind: "text", text: "hi" }],
    finishReason: "length",
    usage: { ...NO_USAGE, inputTokens: 20, outputTokens: 15, cacheReadTokens: 8, cacheWriteTokens: 2 },
  };
  const encode = (fields: Partial<ChatResponse>) =>
    anthropicMessages.encodeResponse({ ...response, ...fields }, STAMP);

  it("encodes text and usage", () => {
    expect(encode({})).toEqual({
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "asked-model",
      content: [{ type: "text", text: "hi" }],
      stop_reason: "max_tokens",
      stop_sequence: null,
      usage: {
        input_tokens: 10,
        cache_creation_input_tokens: 2,
        cache_read_input_tokens: 8,
        output_tokens: 15,
      },
    });
  });

  it("encodes a decoded answer", () => {
    const read = anthropicMessages.readResponse(fixture);
    if (!read) throw new Error("the fixture was not read");
    expect(anthropicMessages.encodeResponse(read, STAMP)).toMatchObject({
      content: (fixture as { content: unknown[] }).content,
      stop_reason: "tool_use",
      usage: {
        input_tokens: 12,
        cache_creation_input_tokens: 30,
        cache_read_input_tokens: 1024,
        output_tokens: 57,
      },
    });
  });

  it("gives every answer a block, every thought a signature and every call an object", () => {
    expect(encode({ parts: [] })).toMatchObject({ content: [{ type: "text", text: "" }] });
    expect(encode({ parts: [{ kind: "reasoning", text: "t" }] })).toMatchObject({
      content: [{ type: "thinking", thinking: "t", signature: "" }],
    });
    expect(
      encode({ parts: [{ kind: "tool-call", id: "1", name: "f", arguments: "{broken" }] }),
    ).toMatchObject({
      content: [{ type: "tool_use", input: { _raw: "{broken" } }],
    });
  });

  it("marks a refusal by its stop reason", () => {
    expect(encode({ parts: [], refusal: "no", finishReason: "stop" })).toMatchObject({
      content: [{ type: "text", text: "no" }],
      stop_reason: "refusal",
    });
  });

  it("never counts below zero", () => {
    const usage = { ...NO_USAGE, inputTokens: 3, outputTokens: 1, cacheReadTokens: 9 };
    expect(encode({ usage })).toMatchObject({ usage: { input_tokens: 0, cache_read_input_tokens: 9 } });
  });
});
