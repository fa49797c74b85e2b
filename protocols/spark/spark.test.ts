import { describe, expect, it } from "vitest";
import { fixturesOf } from "../shared/testing/fixtures-of";
import { decodeEvents, readParts } from "../shared/testing/run-stream";
import { buildWire, PICTURE, TALK, TOOL_TALK } from "../shared/testing/simple-requests";
import { spark } from "./spark";

const readFixture = fixturesOf(import.meta.url);

const target = (other: string) => ({ other, accountId: "app-1" });
const frames = (name: string): unknown[] =>
  decodeEvents([readFixture(name)]).map(({ data }) => JSON.parse(data));

describe("spark", () => {
  it.each([
    ["SparkDesk", "", "/v2.1/chat", "generalv2"],
    ["SparkDesk", "v3.5", "/v3.5/chat", "generalv3.5"],
    ["SparkDesk", "3.1", "/v3.1/chat", "generalv3"],
    ["SparkDesk-v1.1", "v3.5", "/v1.1/chat", "lite"],
    ["Spark-Max-32K", "", "/chat/max-32k", "max-32k"],
    ["4.0Ultra", "", "/v4.0/chat", "4.0Ultra"],
    ["SparkDesk", "v5.0", "/v5.0/chat", "generalv5"],
  ])("finds the version of %s on a channel with %j", (model, other, path, domain) => {
    const call = buildWire(spark, { model }, target(other));
    expect(call.path).toBe(path);
    expect(call.body).toMatchObject({ parameter: { chat: { domain } } });
  });

  it("says everything possible within the vendor's bounds", () => {
    const fields = {
      ...TALK,
      temperature: 0,
      topK: 40,
      maxOutputTokens: 99_999,
      endUserId: "me@example.com",
    };
    const { body } = buildWire(spark, fields, target("v3.5"));
    expect(body).toEqual({
      header: { app_id: "app-1", uid: expect.stringMatching(/^[0-9a-f]{32}$/) },
      parameter: { chat: { domain: "generalv3.5", temperature: 0.01, top_k: 6, max_tokens: 8192 } },
      payload: {
        message: {
          text: [
            { role: "system", content: "be brief" },
            { role: "user", content: "hi" },
            { role: "assistant", content: "Hello" },
            { role: "user", content: "1+1=?" },
          ],
        },
      },
    });
  });

  it("folds instructions into the talk of versions that know none", () => {
    expect(buildWire(spark, TALK, target("v2.1")).body).toMatchObject({
      payload: {
        message: {
          text: [
            { role: "user", content: "be brief" },
            { role: "assistant", content: "Okay" },
            { role: "user", content: "hi" },
            { role: "assistant", content: "Hello" },
            { role: "user", content: "1+1=?" },
          ],
        },
      },
    });
  });

  it("offers functions where they are known, and refuses them elsewhere", () => {
    expect(buildWire(spark, TOOL_TALK, target("v3.5")).body).toMatchObject({
      payload: {
        message: {
          text: [
            { role: "user", content: "go" },
            { role: "assistant", content: 'wait\nf({"a":1})\nf()' },
            { role: "user", content: "f: one\n\nf: Error: bad\n\nso?" },
          ],
        },
        functions: { text: [{ name: "f", description: "d" }] },
      },
    });
    expect(() => buildWire(spark, TOOL_TALK, target("v2.1"))).toThrow("tools-unsupported");
    expect(() => buildWire(spark, PICTURE, target("v3.5"))).toThrow("images-unsupported");
  });

  it("reads a list of frames as a whole answer", () => {
    expect(spark.readResponse(frames("text-unicode.sse"))).toEqual({
      id: "cht000cb087@dx18",
      model: "",
      parts: [{ kind: "text", text: "你好 wörld 👩‍🚀!" }],
      finishReason: "stop",
      usage: expect.objectContaining({ inputTokens: 1, outputTokens: 7 }),
    });
    expect(spark.readResponse(frames("function-call.sse"))).toMatchObject({
      parts: [{ kind: "tool-call", name: "get_weather", arguments: '{"city":"北京"}' }],
      finishReason: "tool-calls",
    });
    expect(spark.isAnswer(frames("text-unicode.sse").slice(0, 2))).toBe(false);
    expect(spark.isAnswer({})).toBe(false);
  });

  it("reads a refusal, whole and as a stream", () => {
    const list = frames("error.sse");
    expect(spark.isAnswer(list)).toBe(false);
    expect(spark.readError(200, {}, list)).toMatchObject({ code: "10013", message: "input audit failed" });
    expect(readParts(spark, [readFixture("error.sse")])).toMatchObject([
      { kind: "error", error: { code: "10013" } },
    ]);
    const upgrade = { message: "HMAC signature cannot be verified: fail to retrieve credential" };
    expect(spark.readError(401, {}, upgrade).kind).toBe("dead-key");
  });

  it("knows the last message", () => {
    const [first, , last] = frames("text-unicode.sse").map((frame) => JSON.stringify(frame));
    expect(spark.isLastMessage?.(first!)).toBe(false);
    expect(spark.isLastMessage?.(last!)).toBe(true);
    expect(spark.isLastMessage?.('{"header":{"code":10013}}')).toBe(true);
    expect(spark.isLastMessage?.("{")).toBe(false);
  });
});
