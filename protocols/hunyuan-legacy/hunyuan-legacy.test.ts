import { describe, expect, it } from "vitest";
import { fixturesOf } from "../shared/testing/fixtures-of";
import { buildWire, TALK, TOOL_TALK } from "../shared/testing/simple-requests";
import { hunyuanLegacy } from "./hunyuan-legacy";

const readFixture = fixturesOf(import.meta.url);

describe("hunyuan-legacy", () => {
  it("always sends the fields that are part of the signature", () => {
    expect(buildWire(hunyuanLegacy, { ...TALK, isStream: true })).toEqual({
      path: "/hyllm/v1/chat/completions",
      headers: {},
      body: {
        temperature: 0.8,
        top_p: 1,
        stream: 1,
        messages: [
          { role: "user", content: "be brief" },
          { role: "assistant", content: "Okay" },
          { role: "user", content: "hi" },
          { role: "assistant", content: "Hello" },
          { role: "user", content: "1+1=?" },
        ],
      },
    });
    expect(() => buildWire(hunyuanLegacy, TOOL_TALK)).toThrow("tools-unsupported");
  });

  it("takes an error with the code 0 for none", () => {
    const body = JSON.parse(readFixture("response.json").toString());
    expect(hunyuanLegacy.isAnswer(body)).toBe(true);
    expect(hunyuanLegacy.readResponse(body)).toMatchObject({
      parts: [{ kind: "text", text: "你好" }],
      usage: { inputTokens: 9, outputTokens: 2 },
    });
    const refusal = { ...body, error: { code: 2001, message: "鉴权失败" } };
    expect(hunyuanLegacy.isAnswer(refusal)).toBe(false);
    expect(hunyuanLegacy.readError(200, {}, refusal)).toMatchObject({ code: "2001", message: "鉴权失败" });
  });
});
