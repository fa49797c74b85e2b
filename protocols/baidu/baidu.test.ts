import { describe, expect, it } from "vitest";
import { fixturesOf } from "../shared/testing/fixtures-of";
import { readParts } from "../shared/testing/run-stream";
import { buildWire, HI, PICTURE, TALK, TOOL_TALK } from "../shared/testing/simple-requests";
import { baidu } from "./baidu";

const readFixture = fixturesOf(import.meta.url);

describe("baidu", () => {
  it.each([
    ["ERNIE-Bot", "completions"],
    ["ERNIE-Bot-turbo", "eb-instant"],
    ["ERNIE-Bot-4", "completions_pro"],
    ["BLOOMZ-7B", "bloomz_7b1"],
    ["ERNIE-4.0-Turbo-8K", "ernie-4.0-turbo-8k"],
  ])("finds %s at %s", (model, path) => {
    expect(buildWire(baidu, { model }).path).toBe(`/rpc/2.0/ai_custom/v1/wenxinworkshop/chat/${path}`);
  });

  it("says everything possible within the vendor's bounds", () => {
    const fields = {
      ...TALK,
      isStream: true,
      temperature: 0,
      frequencyPenalty: 1,
      maxOutputTokens: 1,
      stopSequences: ["1", "2", "3", "4", "5"],
      responseFormat: { kind: "json" } as const,
    };
    expect(buildWire(baidu, fields).body).toEqual({
      messages: [
        { role: "user", content: "hi" },
        { role: "assistant", content: "Hello" },
        { role: "user", content: "1+1=?" },
      ],
      system: "be brief",
      stream: true,
      temperature: 0.01,
      penalty_score: 1.5,
      max_output_tokens: 2,
      stop: ["1", "2", "3", "4"],
      response_format: "json_object",
    });
  });

  it("lets the user say the instructions when there is nothing else, or the model knows none", () => {
    const system = [{ kind: "text" as const, text: "be brief" }];
    expect(buildWire(baidu, { system, turns: [] }).body).toEqual({
      messages: [{ role: "user", content: "be brief" }],
    });
    expect(buildWire(baidu, { system, model: "BLOOMZ-7B" }).body).toEqual({
      messages: [
        { role: "user", content: "be brief" },
        { role: "assistant", content: "Okay" },
        { role: "user", content: "hi" },
      ],
    });
  });

  it("alternates calls and results, one of each at a time", () => {
    expect(buildWire(baidu, TOOL_TALK).body).toEqual({
      messages: [
        { role: "user", content: "go" },
        { role: "assistant", content: "wait", function_call: { name: "f", arguments: '{"a":1}' } },
        { role: "function", name: "f", content: "one" },
        { role: "assistant", content: "", function_call: { name: "f", arguments: "{}" } },
        { role: "function", name: "f", content: "Error: bad\n\nso?" },
      ],
      functions: [{ name: "f", description: "d", parameters: { type: "object", properties: { a: {} } } }],
    });
  });

  it("begins with the user and joins neighbours", () => {
    const say = (role: "user" | "assistant", text: string) => ({
      role,
      parts: [{ kind: "text" as const, text }],
    });
    const turns = [say("assistant", "first"), say("user", "a"), say("user", "b")];
    expect(buildWire(baidu, { ...HI, turns }).body).toEqual({
      messages: [{ role: "user", content: "a\n\nb" }],
    });
  });

  it("refuses pictures", () => {
    expect(() => buildWire(baidu, PICTURE)).toThrow("images-unsupported");
  });

  it("reads an answer, a cut one, a filtered one and a call", () => {
    const whole = JSON.parse(readFixture("response.json").toString());
    expect(baidu.readResponse(whole)).toMatchObject({
      id: "as-1",
      parts: [{ kind: "text", text: "你好！" }],
      finishReason: "stop",
      usage: { inputTokens: 1, outputTokens: 2 },
    });
    expect(baidu.readResponse({ ...whole, is_truncated: true })?.finishReason).toBe("length");
    expect(baidu.readResponse({ ...whole, need_clear_history: true })?.finishReason).toBe("content-filter");
    const parts = readParts(baidu, [readFixture("function-call.sse")]);
    expect(parts.map(({ kind }) => kind)).toEqual([
      "start",
      "reasoning",
      "tool-call",
      "tool-arguments",
      "usage",
      "finish",
    ]);
    expect(parts.at(-1)).toEqual({ kind: "finish", reason: "tool-calls" });
  });

  it("reads refusals, which are successes to HTTP", () => {
    const body = { error_code: 17, error_msg: "Open api daily request limit reached" };
    expect(baidu.isAnswer(body)).toBe(false);
    expect(baidu.readError(200, {}, body)).toMatchObject({
      code: "17",
      message: "Open api daily request limit reached",
    });
    const oauth = { error: "invalid_client", error_description: "unknown client id" };
    expect(baidu.readError(401, {}, oauth)).toMatchObject({ kind: "dead-key", message: "unknown client id" });
    const [part] = readParts(baidu, [Buffer.from(`data: ${JSON.stringify(body)}\n\n`)]);
    expect(part).toMatchObject({ kind: "error", error: { code: "17" } });
  });
});
