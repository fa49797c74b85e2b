import { readFileSync } from "node:fs";
import type { ChatResponse } from "@tollgate/contract/relay/response";
import { NO_USAGE } from "@tollgate/contract/relay/usage";
import { describe, expect, it } from "vitest";
import { STAMP } from "../shared/testing/run-stream";
import { openaiResponses } from "./openai-responses";

const fixture: unknown = JSON.parse(
  readFileSync(new URL("./fixtures/response-calls.json", import.meta.url), "utf8"),
);

const answer = (output: unknown, fields: object = {}) => ({
  id: "resp_1",
  object: "response",
  status: "completed",
  error: null,
  output,
  ...fields,
});
const message = (...content: object[]) => ({ type: "message", role: "assistant", content });
const text = (words: string) => ({ type: "output_text", text: words });

describe("readResponse of openai-responses", () => {
  it("reads reasoning, text, calls and usage, without built-in tools", () => {
    expect(openaiResponses.readResponse(fixture)).toEqual({
      id: "resp_9",
      model: "gpt-5.1-2025-11-13",
      parts: [
        { kind: "reasoning", text: "Two places.", signature: "openai.gAAAA1" },
        { kind: "text", text: "Let me look." },
        { kind: "tool-call", id: "call_a", name: "get_weather", arguments: '{"city":"Paris"}' },
        { kind: "tool-call", id: "call_b", name: "get_time", arguments: "{}" },
      ],
      refusal: undefined,
      finishReason: "tool-calls",
      usage: {
        inputTokens: 82,
        outputTokens: 17,
        cacheReadTokens: 64,
        cacheWriteTokens: undefined,
        reasoningTokens: 9,
        toolCallIds: ["web_search ws_1"],
      },
    });
  });

  it.each<[object, string]>([
    [{}, "stop"],
    [{ status: "incomplete", incomplete_details: { reason: "max_output_tokens" } }, "length"],
    [{ status: "incomplete", incomplete_details: { reason: "content_filter" } }, "content-filter"],
  ])("reads %j as %s", (fields, expected) => {
    expect(openaiResponses.readResponse(answer([message(text("a"))], fields))?.finishReason).toBe(expected);
  });

  it("reads a refusal apart from the text, and reasoning that is shown", () => {
    const output = [
      { type: "reasoning", content: [{ type: "reasoning_text", text: "Hmm" }] },
      message({ type: "refusal", refusal: "No." }),
    ];
    expect(openaiResponses.readResponse(answer(output))).toMatchObject({
      parts: [{ kind: "reasoning", text: "Hmm" }],
      refusal: "No.",
    });
  });

  it.each([
    undefined,
    "text",
    {},
    answer("x"),
    answer([], { status: "failed", error: { code: "server_error", message: "m" } }),
    answer([], { status: "queued" }),
  ])("does not take %j for an answer", (body) => expect(openaiResponses.readResponse(body)).toBeUndefined());
});

describe("isAnswer of openai-responses", () => {
  it.each<[unknown, boolean]>([
    [fixture, true],
    [answer([message(text("a"))]), true],
    [answer([message({ type: "refusal", refusal: "No." })]), true],
    [answer([{ type: "function_call", name: "f" }]), true],
    [answer([{ type: "image_generation_call", result: "AA" }]), true],
    [answer([], { status: "incomplete" }), true],
    [answer([message(text(""))]), false],
    [answer([{ type: "reasoning", summary: [] }]), false],
    [answer([], { usage: { input_tokens: 3, output_tokens: 1 } }), true],
    [answer([]), false],
    [answer([message(text("a"))], { status: "failed" }), false],
    [{ error: { message: "m" } }, false],
    [{ choices: [] }, false],
  ])("%j: %s", (body, expected) => expect(openaiResponses.isAnswer(body)).toBe(expected));
});

const encode = (fields: Partial<ChatResponse>): unknown =>
  openaiResponses.encodeResponse(
    { id: "chatcmpl-9", model: "gpt", parts: [], finishReason: "stop", usage: NO_USAGE, ...fields },
    STAMP,
  );

describe("encodeResponse of openai-responses", () => {
  it("encodes reasoning, text, a call and usage", () => {
    expect(
      encode({
        parts: [
          { kind: "reasoning", text: "Hmm", signature: "openai.gAAAA1" },
          { kind: "text", text: "Hi" },
          { kind: "tool-call", id: "call_1", name: "f", arguments: "" },
        ],
        finishReason: "tool-calls",
        usage: { ...NO_USAGE, inputTokens: 20, outputTokens: 15, cacheWriteTokens: 3 },
      }),
    ).toMatchObject({
      id: "resp_9",
      object: "response",
      created_at: STAMP.createdAt,
      status: "completed",
      error: null,
      incomplete_details: null,
      model: "asked-model",
      output: [
        {
          type: "reasoning",
          id: "rs_9_0",
          summary: [{ type: "summary_text", text: "Hmm" }],
          encrypted_content: "gAAAA1",
        },
        { type: "message", id: "msg_9_1", role: "assistant", content: [{ type: "output_text", text: "Hi" }] },
        { type: "function_call", id: "fc_9_2", call_id: "call_1", name: "f", arguments: "{}" },
      ],
      store: false,
      usage: {
        input_tokens: 20,
        input_tokens_details: { cached_tokens: 0, cache_write_tokens: 3 },
        output_tokens: 15,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 35,
      },
    });
  });

  it("encodes a cut, a refusal and missing usage", () => {
    expect(encode({ finishReason: "length", refusal: "No." })).toMatchObject({
      status: "incomplete",
      incomplete_details: { reason: "max_output_tokens" },
      output: [{ type: "message", content: [{ type: "refusal", refusal: "No." }] }],
      usage: null,
    });
  });
});

describe("errors of openai-responses", () => {
  const error = { status: 429, code: "rate_limit_exceeded", message: "m" };

  it("have OpenAI's envelope", () => {
    expect(openaiResponses.encodeError(error, "req-1")).toEqual({
      error: {
        message: "m (request id: req-1)",
        type: "rate_limit_exceeded",
        param: "",
        code: "rate_limit_exceeded",
      },
    });
  });

  it("are an event of their own in a stream, with the fields where either kind of client looks", () => {
    const written = openaiResponses.encodeStreamError(error, "req-1");
    expect(written.startsWith("event: error\n")).toBe(true);
    expect(JSON.parse(written.split("data: ")[1] ?? "")).toMatchObject({
      type: "error",
      code: "rate_limit_exceeded",
      message: "m (request id: req-1)",
      error: { code: "rate_limit_exceeded", message: "m (request id: req-1)" },
    });
  });

  it("are read like those of Chat Completions", () => {
    const body = { error: { message: "bad", type: "invalid_request_error", code: "invalid_api_key" } };
    expect(openaiResponses.readError(401, {}, body)).toMatchObject({ kind: "dead-key", message: "bad" });
  });
});
