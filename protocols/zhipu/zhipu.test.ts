import { describe, expect, it } from "vitest";
import { fixturesOf } from "../shared/testing/fixtures-of";
import { readParts } from "../shared/testing/run-stream";
import { buildWire, PICTURE, TALK, TOOL_TALK } from "../shared/testing/simple-requests";
import { zhipu } from "./zhipu";

const readFixture = fixturesOf(import.meta.url);

describe("zhipu", () => {
  it("names the model and the stream in the address, and folds instructions into the talk", () => {
    expect(buildWire(zhipu, { ...TALK, model: "chatglm_turbo", temperature: 0, topP: 1 })).toEqual({
      path: "/api/paas/v3/model-api/chatglm_turbo/invoke",
      headers: {},
      body: {
        prompt: [
          { role: "user", content: "be brief" },
          { role: "assistant", content: "Okay" },
          { role: "user", content: "hi" },
          { role: "assistant", content: "Hello" },
          { role: "user", content: "1+1=?" },
        ],
        temperature: 0.01,
        top_p: 0.99,
        incremental: true,
      },
    });
    expect(buildWire(zhipu, { isStream: true }).path).toMatch(/\/sse-invoke$/);
  });

  it.each([PICTURE, TOOL_TALK])("refuses non-text content", (fields) => {
    expect(() => buildWire(zhipu, fields)).toThrow(/^(images|tools)-unsupported$/);
  });

  it("reads the quoted text of an answer", () => {
    const answer = zhipu.readResponse(JSON.parse(readFixture("response.json").toString()));
    expect(answer).toMatchObject({
      id: "8317000000",
      parts: [{ kind: "text", text: " hello\n你好" }],
      finishReason: "stop",
      usage: { inputTokens: 5, outputTokens: 2 },
    });
  });

  it.each(['plain "text"', '"a" and "b"', "no quotes"])(
    "leaves %s as it is, but for quotes around it",
    (content) => {
      const answer = zhipu.readResponse({ success: true, data: { choices: [{ content }] } });
      expect(answer?.parts).toEqual([{ kind: "text", text: content.replace(/^"(.*)"$/, "$1") }]);
    },
  );

  it("keeps blanks and line breaks of a stream's text", () => {
    const text = readParts(zhipu, [readFixture("text-unicode.sse")])
      .map((part) => (part.kind === "text" ? part.text : ""))
      .join("");
    expect(text).toBe("你好， wörld\n👩‍🚀!");
    const blank = readParts(zhipu, [Buffer.from("event:add\ndata: \n\nevent:add\ndata:\ndata:\n\n")]);
    expect(blank.filter((part) => part.kind === "text").map((part) => part.text)).toEqual([" ", "\n"]);
  });

  it("reads a refusal in a success, and in a stream", () => {
    const body = { code: 1113, msg: "账户已欠费", success: false };
    expect(zhipu.isAnswer(body)).toBe(false);
    expect(zhipu.readError(200, {}, body)).toMatchObject({ code: "1113", message: "账户已欠费" });
    const [error] = readParts(zhipu, [Buffer.from('event:error\ndata:{"code":"1302","message":"busy"}\n\n')]);
    expect(error).toMatchObject({ kind: "error", error: { code: "1302", message: "busy" } });
  });
});
