import { readFileSync } from "node:fs";
import type { ChatResponse } from "@tollgate/contract/relay/response";
import { NO_USAGE } from "@tollgate/contract/relay/usage";
import { describe, expect, it } from "vitest";
import { encodeSeal } from "../shared/messages/seal";
import { STAMP } from "../shared/testing/run-stream";
import { makeCallId } from "../shared/tools/call-id";
import { geminiGenerate } from "./gemini-generate";

const fixture: unknown = JSON.parse(
  readFileSync(new URL("./fixtures/response-calls.json", import.meta.url), "utf8"),
);

const answer = (parts: unknown[] | undefined, finishReason?: string, more: object = {}) => ({
  candidates: [{ ...(parts ? { content: { parts, role: "model" } } : {}), finishReason }],
  ...more,
});

describe("readResponse of gemini-generate", () => {
  it("reads a thought, text, calls, a seal and usage", () => {
    expect(geminiGenerate.readResponse(fixture)).toEqual({
      id: "r9",
      model: "gemini-3.8-flash",
      parts: [
        { kind: "reasoning", text: "Two places." },
        { kind: "text", text: "Let me look." },
        { kind: "reasoning", text: "", signature: "gemini.CiQBjz1rX" },
        { kind: "tool-call", id: "fc_a", name: "get_weather", arguments: '{"city":"Paris"}' },
        { kind: "tool-call", id: makeCallId("r9", 1, "get_time"), name: "get_time", arguments: "{}" },
      ],
      finishReason: "tool-calls",
      usage: {
        inputTokens: 1070,
        outputTokens: 57,
        cacheReadTokens: 1024,
        cacheWriteTokens: undefined,
        reasoningTokens: 9,
      },
    });
  });

  it.each([
    ["STOP", "stop"],
    ["MAX_TOKENS", "length"],
    ["SAFETY", "content-filter"],
    ["RECITATION", "content-filter"],
    ["PROHIBITED_CONTENT", "content-filter"],
    ["SPII", "content-filter"],
    ["MALFORMED_FUNCTION_CALL", "stop"],
    ["NEWS", "stop"],
    [undefined, "stop"],
  ])("reads the finish reason %s as %s", (reason, expected) => {
    expect(geminiGenerate.readResponse(answer([{ text: "a" }], reason))?.finishReason).toBe(expected);
  });

  it("reads a blocked prompt as a filtered answer without content", () => {
    const body = { promptFeedback: { blockReason: "SAFETY" }, usageMetadata: { promptTokenCount: 7 } };
    expect(geminiGenerate.readResponse(body)).toMatchObject({
      parts: [],
      finishReason: "content-filter",
      usage: { inputTokens: 7, outputTokens: undefined },
    });
  });

  it.each([undefined, "text", [], {}, { candidates: [] }, { candidates: "x" }, { error: { code: 500 } }])(
    "does not take %j for an answer",
    (body) => expect(geminiGenerate.readResponse(body)).toBeUndefined(),
  );
});

describe("isAnswer of gemini-generate", () => {
  it.each<[unknown, boolean]>([
    [fixture, true],
    [answer([{ text: "a" }]), true],
    [answer([{ functionCall: { name: "f" } }]), true],
    [answer([{ inlineData: { data: "A" } }]), true],
    [answer(undefined, "SAFETY"), true],
    [answer([], "MAX_TOKENS"), true],
    [{ promptFeedback: { blockReason: "OTHER" } }, true],
    [answer([{ text: "" }], "STOP"), false],
    [answer([], "STOP", { usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 1 } }), true],
    [answer([], "STOP", { usageMetadata: { promptTokenCount: 3 } }), false],
    [{ candidates: [] }, false],
    [{ error: { code: 503, message: "m", status: "UNAVAILABLE" } }, false],
    [null, false],
  ])("%j: %s", (body, expected) => expect(geminiGenerate.isAnswer(body)).toBe(expected));
});

const encode = (fields: Partial<ChatResponse>): unknown =>
  JSON.parse(
    JSON.stringify(
      geminiGenerate.encodeResponse(
        { id: "msg_1", model: "claude", parts: [], finishReason: "stop", usage: NO_USAGE, ...fields },
        STAMP,
      ),
    ),
  );

describe("encodeResponse of gemini-generate", () => {
  it("puts a seal into the call that follows its thought, except Anthropic's, which needs the thought's words", () => {
    const partsOf = (signature: string): unknown => {
      const answer = encode({
        parts: [
          { kind: "reasoning", text: "Hmm", signature },
          { kind: "tool-call", id: "call_1", name: "f", arguments: "{}" },
          { kind: "tool-call", id: "call_2", name: "f", arguments: "{}" },
        ],
      });
      return (answer as { candidates: [{ content: { parts: unknown } }] }).candidates[0].content.parts;
    };
    const thought = { text: "Hmm", thought: true };
    const calls = ["call_1", "call_2"].map((id) => ({ functionCall: { id, name: "f", args: {} } }));
    expect(partsOf("gemini.CiQB")).toEqual([thought, { ...calls[0], thoughtSignature: "CiQB" }, calls[1]]);
    expect(partsOf("openai.rs")).toEqual([
      thought,
      { ...calls[0], thoughtSignature: encodeSeal("gemini", "openai.rs") },
      calls[1],
    ]);
    expect(partsOf("EqQB")).toEqual([
      thought,
      { text: "", thought: true, thoughtSignature: encodeSeal("gemini", "EqQB") },
      ...calls,
    ]);
  });

  it("encodes a thought, text, a call and usage", () => {
    expect(
      encode({
        parts: [
          { kind: "reasoning", text: "Hmm", signature: "gemini.CiQB" },
          { kind: "text", text: "Hi" },
          { kind: "tool-call", id: "call_1", name: "f", arguments: '{"a":1}' },
        ],
        finishReason: "tool-calls",
        usage: {
          inputTokens: 20,
          outputTokens: 15,
          cacheReadTokens: 8,
          cacheWriteTokens: 0,
          reasoningTokens: 6,
        },
      }),
    ).toEqual({
      candidates: [
        {
          content: {
            parts: [
              { text: "Hmm", thought: true },
              { text: "", thought: true, thoughtSignature: "CiQB" },
              { text: "Hi" },
              { functionCall: { id: "call_1", name: "f", args: { a: 1 } } },
            ],
            role: "model",
          },
          finishReason: "STOP",
          index: 0,
        },
      ],
      usageMetadata: {
        promptTokenCount: 20,
        candidatesTokenCount: 9,
        totalTokenCount: 35,
        cachedContentTokenCount: 8,
        thoughtsTokenCount: 6,
      },
      modelVersion: "asked-model",
      responseId: "msg_1",
    });
  });

  it("invents no usage, and gives an empty answer an empty part", () => {
    expect(encode({ finishReason: "length" })).toEqual({
      candidates: [
        { content: { parts: [{ text: "" }], role: "model" }, finishReason: "MAX_TOKENS", index: 0 },
      ],
      modelVersion: "asked-model",
      responseId: "msg_1",
    });
  });

  it("marks a refusal", () => {
    expect(encode({ refusal: "No." })).toMatchObject({
      candidates: [{ content: { parts: [{ text: "No." }] }, finishReason: "SAFETY" }],
    });
  });
});
