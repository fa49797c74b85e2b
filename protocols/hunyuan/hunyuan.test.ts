import { describe, expect, it } from "vitest";
import { fixturesOf } from "../shared/testing/fixtures-of";
import { readParts } from "../shared/testing/run-stream";
import { buildWire, PICTURE, TALK, TOOL_TALK } from "../shared/testing/simple-requests";
import { hunyuan } from "./hunyuan";

const readFixture = fixturesOf(import.meta.url);

describe("hunyuan", () => {
  it("names the action in the headers, and says everything possible", () => {
    expect(
      buildWire(hunyuan, { ...TALK, isStream: true, temperature: 3, seed: 0, maxOutputTokens: 9 }),
    ).toEqual({
      path: "/",
      headers: {
        "content-type": "application/json; charset=utf-8",
        "x-tc-action": "ChatCompletions",
        "x-tc-version": "2023-09-01",
      },
      body: {
        Model: "m",
        Messages: [
          { Role: "system", Content: "be brief" },
          { Role: "user", Content: "hi" },
          { Role: "assistant", Content: "Hello" },
          { Role: "user", Content: "1+1=?" },
        ],
        Stream: true,
        Temperature: 2,
        Seed: 1,
      },
    });
  });

  it("builds pictures, calls, results and a tool that must be called", () => {
    expect(buildWire(hunyuan, PICTURE).body).toMatchObject({
      Messages: [
        {
          Role: "user",
          Contents: [
            { Type: "image_url", ImageUrl: { Url: "data:image/png;base64,iVBORw0KGgoAAAANSUhEUg==" } },
            { Type: "text", Text: "what is it?" },
          ],
        },
      ],
    });
    const { body } = buildWire(hunyuan, { ...TOOL_TALK, toolChoice: { kind: "required" } });
    const tool = {
      Type: "function",
      Function: { Name: "f", Description: "d", Parameters: '{"type":"object","properties":{"a":{}}}' },
    };
    expect(body).toMatchObject({
      Messages: [
        { Role: "user", Content: "go" },
        {
          Role: "assistant",
          Content: "wait",
          ToolCalls: [
            { Id: "c1", Index: 0, Function: { Name: "f", Arguments: '{"a":1}' } },
            { Id: "c2", Index: 1, Function: { Name: "f", Arguments: "{}" } },
          ],
        },
        { Role: "tool", ToolCallId: "c1", Content: "one" },
        { Role: "tool", ToolCallId: "c2", Content: "Error: bad" },
        { Role: "user", Content: "so?" },
      ],
      Tools: [tool],
      ToolChoice: "custom",
      CustomTool: tool,
    });
  });

  it("reads an answer and the calls of a stream", () => {
    const answer = hunyuan.readResponse(JSON.parse(readFixture("response.json").toString()));
    expect(answer).toMatchObject({
      id: "c1",
      parts: [
        { kind: "reasoning", text: "嗯" },
        { kind: "text", text: "你好" },
        { kind: "tool-call", id: "call_a", name: "f", arguments: "{}" },
      ],
      finishReason: "tool-calls",
      usage: { inputTokens: 3, outputTokens: 2 },
    });
    const parts = readParts(hunyuan, [readFixture("thought-call.sse")]);
    const written = parts.map((part) => (part.kind === "tool-arguments" ? part.text : "")).join("");
    expect(written).toBe('{"city":"北京"}');
  });

  it("reads refusals, which are successes to HTTP, whole and in a stream", () => {
    const body = {
      Response: { Error: { Code: "AuthFailure.SignatureFailure", Message: "no" }, RequestId: "r" },
    };
    expect(hunyuan.isAnswer(body)).toBe(false);
    expect(hunyuan.readError(200, {}, body)).toMatchObject({
      code: "AuthFailure.SignatureFailure",
      message: "no",
    });
    const frame = { ErrorMsg: { Msg: "sensitive", Code: 4000 } };
    const [part] = readParts(hunyuan, [Buffer.from(`data: ${JSON.stringify(frame)}\n\n`)]);
    expect(part).toMatchObject({ kind: "error", error: { code: "4000", message: "sensitive" } });
  });
});
