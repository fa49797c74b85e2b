import { crc32 } from "node:zlib";
import { describe, expect, it } from "vitest";
import { cutAtRandom, cutEveryByte } from "../shared/testing/cut-bytes";
import { readParts } from "../shared/testing/run-stream";
import { buildWire, PICTURE, TALK, TOOL_TALK } from "../shared/testing/simple-requests";
import { bedrockConverse } from "./bedrock-converse";

/*
 * The frames are written from documentation
 * (https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html).
 */

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

const frame = (payload: unknown, headers: Record<string, string>): Buffer => {
  const head = Buffer.concat(
    Object.entries(headers).flatMap(([name, value]) => [
      Buffer.of(name.length),
      Buffer.from(name),
      Buffer.of(7, 0, value.length),
      Buffer.from(value),
    ]),
  );
  const body = Buffer.from(JSON.stringify(payload));
  const prelude = Buffer.concat([uint32(16 + head.length + body.length), uint32(head.length)]);
  const whole = Buffer.concat([prelude, uint32(crc32(prelude)), head, body]);
  return Buffer.concat([whole, uint32(crc32(whole))]);
};

const event = (type: string, payload: unknown): Buffer =>
  frame(payload, { ":event-type": type, ":message-type": "event" });
const delta = (contentBlockIndex: number, fields: object): Buffer =>
  event("contentBlockDelta", { contentBlockIndex, delta: fields, p: "abcd" });

const STREAM = [
  event("messageStart", { role: "assistant" }),
  delta(0, { reasoningContent: { text: "嗯" } }),
  delta(0, { reasoningContent: { signature: "Eq" } }),
  event("contentBlockStop", { contentBlockIndex: 0 }),
  delta(1, { text: "Hi 👩‍🚀" }),
  event("contentBlockStart", { contentBlockIndex: 2, start: { toolUse: { toolUseId: "t1", name: "f" } } }),
  delta(2, { toolUse: { input: '{"a"' } }),
  delta(2, { toolUse: { input: ":1}" } }),
  event("messageStop", { stopReason: "tool_use" }),
  event("metadata", { usage: { inputTokens: 30, outputTokens: 12, cacheReadInputTokens: 5 } }),
];

describe("bedrock-converse", () => {
  it("names model and stream in the address, and says everything possible", () => {
    const fields = {
      ...TALK,
      model: "a.b-v1:0",
      isStream: true,
      maxOutputTokens: 9,
      temperature: 2,
      topK: 4,
    };
    expect(buildWire(bedrockConverse, { ...fields, stopSequences: [" ", "x"] })).toEqual({
      path: "/model/a.b-v1%3A0/converse-stream",
      headers: {},
      body: {
        system: [{ text: "be brief" }],
        messages: [
          { role: "user", content: [{ text: "hi" }] },
          { role: "assistant", content: [{ text: "Hello" }] },
          { role: "user", content: [{ text: "1+1=?" }] },
        ],
        inferenceConfig: { maxTokens: 9, temperature: 1, stopSequences: ["x"] },
      },
    });
    expect(buildWire(bedrockConverse, { model: "a/b" }).path).toBe("/model/a%2Fb/converse");
  });

  it("builds calls, results, pictures and tools", () => {
    const spec = {
      toolSpec: { name: "f", description: "d", inputSchema: { json: TOOL_TALK.tools?.[0]?.parameters } },
    };
    expect(buildWire(bedrockConverse, { ...TOOL_TALK, toolChoice: { kind: "required" } }).body).toMatchObject(
      {
        messages: [
          { role: "user", content: [{ text: "go" }] },
          {
            role: "assistant",
            content: [
              { text: "wait" },
              { toolUse: { toolUseId: "c1", name: "f", input: { a: 1 } } },
              { toolUse: { toolUseId: "c2", name: "f", input: {} } },
            ],
          },
          {
            role: "user",
            content: [
              { toolResult: { toolUseId: "c1", status: "success", content: [{ text: "one" }] } },
              { toolResult: { toolUseId: "c2", status: "error", content: [{ text: "bad" }] } },
              { text: "so?" },
            ],
          },
        ],
        toolConfig: { tools: [spec], toolChoice: { any: {} } },
      },
    );
    // The tools of a conversation with calls must be named, even when no call is wanted.
    const { tools: _, ...history } = TOOL_TALK;
    expect(buildWire(bedrockConverse, history).body).toMatchObject({
      toolConfig: { tools: [{ toolSpec: { name: "f" } }] },
    });
    expect(buildWire(bedrockConverse, PICTURE).body).toMatchObject({
      messages: [{ content: [{ text: "what is it?" }, { image: { format: "png" } }] }],
    });
    const byAddress = { kind: "image" as const, url: "https://example.com/a.png" };
    expect(() => buildWire(bedrockConverse, { turns: [{ role: "user", parts: [byAddress] }] })).toThrow(
      "media-as-data-only",
    );
  });

  it.each([
    [
      "anthropic.claude-haiku-4-5-20251001-v1:0",
      { thinking: { type: "enabled", budget_tokens: 1024 } },
      1124,
    ],
    [
      "us.anthropic.claude-opus-4-8",
      { thinking: { type: "adaptive" }, output_config: { effort: "low" } },
      100,
    ],
    ["amazon.nova-pro-v1:0", undefined, 100],
  ])("lets %s reason as it can", (model, fields, maxTokens) => {
    const reasoning = { effort: "low" as const };
    const { body } = buildWire(bedrockConverse, { model, reasoning, maxOutputTokens: 100, temperature: 0.5 });
    expect(body).toEqual({
      messages: [{ role: "user", content: [{ text: "hi" }] }],
      inferenceConfig: { maxTokens, ...(fields === undefined ? { temperature: 0.5 } : {}) },
      ...(fields === undefined ? {} : { additionalModelRequestFields: fields }),
    });
  });

  it("reads a stream the same wherever it is cut", () => {
    const bytes = Buffer.concat(STREAM);
    const whole = readParts(bedrockConverse, [bytes]);
    expect(whole).toEqual([
      { kind: "start", id: "", model: "" },
      { kind: "reasoning", index: 0, text: "嗯" },
      { kind: "reasoning-signature", index: 0, signature: "Eq" },
      { kind: "text", index: 1, text: "Hi 👩‍🚀" },
      { kind: "tool-call", index: 2, id: "t1", name: "f" },
      { kind: "tool-arguments", index: 2, text: '{"a"' },
      { kind: "tool-arguments", index: 2, text: ":1}" },
      {
        kind: "usage",
        usage: {
          inputTokens: 35,
          outputTokens: 12,
          cacheReadTokens: 5,
          cacheWriteTokens: undefined,
          reasoningTokens: undefined,
        },
      },
      { kind: "finish", reason: "tool-calls" },
    ]);
    expect(readParts(bedrockConverse, cutEveryByte(bytes))).toEqual(whole);
    for (let seed = 0; seed < 25; seed += 1) {
      expect(readParts(bedrockConverse, cutAtRandom(bytes, seed))).toEqual(whole);
    }
  });

  it("calls a stream broken off before its reason to stop, and whole from there on", () => {
    STREAM.forEach((_, count) => {
      const last = readParts(bedrockConverse, [Buffer.concat(STREAM.slice(0, count))]).at(-1);
      expect(last?.kind, `after ${count} events`).toBe(count < 9 ? "error" : "finish");
    });
  });

  it("reads a whole answer", () => {
    const body = {
      output: {
        message: {
          role: "assistant",
          content: [
            { reasoningContent: { reasoningText: { text: "hm", signature: "s" } } },
            { reasoningContent: { redactedContent: "xx" } },
            { text: "Hi" },
            { toolUse: { toolUseId: "t", name: "f", input: { a: 1 } } },
          ],
        },
      },
      stopReason: "tool_use",
      usage: { inputTokens: 3, outputTokens: 2 },
    };
    expect(bedrockConverse.isAnswer(body)).toBe(true);
    expect(bedrockConverse.readResponse(body)).toMatchObject({
      parts: [
        { kind: "reasoning", text: "hm", signature: "s" },
        { kind: "reasoning", redactedData: "xx" },
        { kind: "text", text: "Hi" },
        { kind: "tool-call", id: "t", name: "f", arguments: '{"a":1}' },
      ],
      finishReason: "tool-calls",
      usage: { inputTokens: 3, outputTokens: 2 },
    });
    expect(bedrockConverse.isAnswer({ message: "no" })).toBe(false);
  });

  it("reads errors by the header, the body and an exception in the stream", () => {
    const headers = { "x-amzn-errortype": "ThrottlingException:http://internal.amazon.com/" };
    expect(bedrockConverse.readError(429, headers, { message: "slow" })).toMatchObject({
      code: "ThrottlingException",
      message: "slow",
    });
    const exception = frame(
      { message: "slow" },
      { ":exception-type": "throttlingException", ":message-type": "exception" },
    );
    expect(readParts(bedrockConverse, [exception])).toMatchObject([
      { kind: "error", error: { code: "ThrottlingException", message: "slow" } },
    ]);
    const clock = {
      message: "Signature expired: 2023 is now earlier than …",
      code: "InvalidSignatureException",
    };
    expect(bedrockConverse.readError(403, {}, clock).kind).toBe("overloaded");
  });
});
