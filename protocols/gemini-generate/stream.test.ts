import type { StreamPart } from "@tollgate/contract/relay/stream";
import { NO_USAGE } from "@tollgate/contract/relay/usage";
import { describe, expect, it } from "vitest";
import { decodeSeal } from "../shared/messages/seal";
import { fixturesOf } from "../shared/testing/fixtures-of";
import { lastUsage, parseWritten, readParts, STAMP, writeParts } from "../shared/testing/run-stream";
import { makeCallId } from "../shared/tools/call-id";
import { geminiGenerate } from "./gemini-generate";

const readFixture = fixturesOf(import.meta.url);

const read = (name: string): StreamPart[] => readParts(geminiGenerate, [readFixture(`${name}.sse`)]);

const withoutUsage = (parts: StreamPart[]) => parts.filter((part) => part.kind !== "usage");

describe("the stream reader of gemini-generate", () => {
  it("reads a thought, text, a call with its seal and the usage", () => {
    const parts = read("thought-text-call");
    expect(withoutUsage(parts)).toEqual([
      { kind: "start", id: "r1", model: "m" },
      { kind: "reasoning", index: 0, text: "Hmm" },
      { kind: "text", index: 1, text: "Hi" },
      { kind: "reasoning-signature", index: 2, signature: "gemini.CiQBjz1rX" },
      { kind: "tool-call", index: 3, id: "call_1", name: "f" },
      { kind: "tool-arguments", index: 3, text: '{"a":1}' },
      { kind: "finish", reason: "tool-calls" },
    ]);
    // Thoughts are written, too; the cached part is inside the prompt's count.
    expect(lastUsage(parts)).toEqual({
      inputTokens: 20,
      outputTokens: 15,
      cacheReadTokens: 8,
      cacheWriteTokens: undefined,
      reasoningTokens: 6,
    });
  });

  it("gives calls without an id one that is always the same", () => {
    const ids = read("parallel-calls").flatMap((part) => (part.kind === "tool-call" ? [part.id] : []));
    expect(ids).toEqual([makeCallId("r1", 0, "get_weather"), makeCallId("r1", 1, "get_time")]);
  });

  it("believes only the last finish reason where every event has one", () => {
    expect(withoutUsage(read("finish-in-every-event"))).toEqual([
      { kind: "start", id: "r1", model: "m" },
      { kind: "text", index: 0, text: "One " },
      { kind: "text", index: 0, text: "two." },
      { kind: "finish", reason: "stop" },
    ]);
  });

  it("reads a filtered answer and a blocked prompt as filtered", () => {
    expect(read("filtered").at(-1)).toEqual({ kind: "finish", reason: "content-filter" });
    expect(withoutUsage(read("blocked-prompt"))).toEqual([
      { kind: "start", id: "r1", model: "m" },
      { kind: "finish", reason: "content-filter" },
    ]);
  });

  it("reads an error in the middle", () => {
    const parts = read("unavailable");
    expect(parts.at(-1)).toMatchObject({ kind: "error", error: { kind: "overloaded", code: "UNAVAILABLE" } });
    expect(parts.filter((part) => part.kind === "finish")).toEqual([]);
  });

  it("puts an image into the text", () => {
    const reader = geminiGenerate.createStreamReader();
    const part = { inlineData: { mimeType: "image/png", data: "AAAA" } };
    const data = JSON.stringify({ candidates: [{ content: { parts: [part] } }] });
    expect(reader.push("", data)).toContainEqual({
      kind: "text",
      index: 0,
      text: "![image](data:image/png;base64,AAAA)",
    });
  });
});

const write = (parts: StreamPart[]) =>
  parseWritten(writeParts(geminiGenerate, parts)).map(({ data }) => data as Record<string, unknown>);
const frame = (...parts: object[]) => ({
  candidates: [{ content: { parts, role: "model" }, index: 0 }],
  modelVersion: "asked-model",
  responseId: "answer-1",
});

const partsOf = (events: readonly unknown[]): Record<string, unknown>[] =>
  events.flatMap(
    (event) =>
      (event as { candidates: [{ content: { parts?: Record<string, unknown>[] } }] }).candidates[0].content
        .parts ?? [],
  );

/** The canonical signature of a part, behind a space; "" without one. */
const sealOf = ({ thoughtSignature }: Record<string, unknown>): string => {
  if (typeof thoughtSignature !== "string") return "";
  const sealed = decodeSeal("gemini", thoughtSignature);
  return "signature" in sealed ? ` ${sealed.signature}` : " redacted";
};

describe("the stream writer of gemini-generate", () => {
  it("writes whole calls, each when its arguments are there, and before the next part", () => {
    const writer = geminiGenerate.createStreamWriter(STAMP, false);
    expect(writer.push({ kind: "tool-call", index: 0, id: "a", name: "f" })).toBe("");
    expect(writer.push({ kind: "tool-call", index: 1, id: "b", name: "g" })).toBe("");
    expect(writer.push({ kind: "tool-arguments", index: 1, text: '{"y":' })).toBe("");
    expect(writer.push({ kind: "tool-arguments", index: 0, text: '{"x":1}' })).toBe("");
    const events = parseWritten(writer.push({ kind: "text", index: 2, text: "done" }));
    expect(events.map(({ data }) => data)).toEqual([
      frame({ functionCall: { id: "a", name: "f", args: { x: 1 } } }),
      frame({ text: "done" }),
    ]);
    writer.push({ kind: "tool-arguments", index: 1, text: "2}" });
    expect(
      parseWritten(writer.push({ kind: "finish", reason: "tool-calls" })).map(({ data }) => data),
    ).toEqual([frame({ functionCall: { id: "b", name: "g", args: { y: 2 } } })]);
  });

  it("holds the finish reason back until the end, with the usage that came last", () => {
    const writer = geminiGenerate.createStreamWriter(STAMP, false);
    writer.push({ kind: "start", id: "msg_1", model: "claude" });
    expect(writer.push({ kind: "text", index: 0, text: "a" })).toContain("\r\n\r\n");
    expect(writer.push({ kind: "finish", reason: "length" })).toBe("");
    const usage = { ...NO_USAGE, inputTokens: 10, outputTokens: 9, cacheReadTokens: 6, reasoningTokens: 4 };
    expect(writer.push({ kind: "usage", usage })).toBe("");
    expect(parseWritten(writer.end()).map(({ data }) => data)).toEqual([
      {
        candidates: [
          { content: { parts: [{ text: "" }], role: "model" }, finishReason: "MAX_TOKENS", index: 0 },
        ],
        usageMetadata: {
          promptTokenCount: 10,
          candidatesTokenCount: 5,
          totalTokenCount: 19,
          cachedContentTokenCount: 6,
          thoughtsTokenCount: 4,
        },
        modelVersion: "asked-model",
        responseId: "msg_1",
      },
    ]);
  });

  it("gives every seal back as it was: Google's own bare, others' wrapped", () => {
    const events = write([
      { kind: "reasoning", index: 0, text: "Hmm" },
      { kind: "reasoning-signature", index: 0, signature: "EqQB" },
      { kind: "redacted-reasoning", index: 1, data: "SEALED" },
      { kind: "reasoning-signature", index: 2, signature: "gemini.CiQB" },
      { kind: "tool-call", index: 3, id: "a", name: "f" },
      { kind: "tool-arguments", index: 3, text: "{}" },
      { kind: "finish", reason: "tool-calls" },
    ]);
    const parts = partsOf(events);
    expect(parts[3]).toMatchObject({ functionCall: { name: "f" }, thoughtSignature: "CiQB" });
    const [turn] = geminiGenerate.parseRequest(
      {
        contents: [
          { role: "model", parts },
          { parts: [{ functionResponse: { id: "a", name: "f", response: {} } }] },
        ],
      },
      {
        model: "m",
        isStream: false,
        maxOutputTokens: undefined,
        choices: 1,
        bounds: { tokens: undefined, answers: 1 },
        wantsUsageChunk: false,
      },
    ).turns;
    expect(turn?.parts).toEqual([
      { kind: "reasoning", text: "Hmm", signature: "EqQB" },
      { kind: "reasoning", text: "", redactedData: "SEALED" },
      { kind: "reasoning", text: "", signature: "gemini.CiQB" },
      { kind: "tool-call", id: "a", name: "f", arguments: "{}" },
    ]);
  });

  it("puts a seal into the call that follows its thought, where clients keep it that drop thoughts", () => {
    const call: StreamPart[] = [
      { kind: "tool-call", index: 3, id: "a", name: "f" },
      { kind: "tool-arguments", index: 3, text: "{}" },
    ];
    const kept = (signature: string, between: StreamPart[] = []): unknown =>
      partsOf(
        write([
          { kind: "reasoning", index: 0, text: "Hmm" },
          { kind: "reasoning-signature", index: 0, signature },
          ...between,
          ...call,
          { kind: "finish", reason: "tool-calls" },
        ]),
      ).map(
        (part) => ("functionCall" in part ? "call" : "thought" in part ? "thought" : "text") + sealOf(part),
      );
    expect(kept("openai.rs")).toEqual(["thought", "call openai.rs", "text"]);
    expect(kept("gemini.CiQB")).toEqual(["thought", "call gemini.CiQB", "text"]);
    // Worth nothing without the words.
    expect(kept("EqQB")).toEqual(["thought", "thought EqQB", "call", "text"]);
    // A call that does not follow at once has no part in it.
    const words: StreamPart[] = [{ kind: "text", index: 1, text: "Now." }];
    expect(kept("openai.rs", words)).toEqual(["thought", "thought openai.rs", "text", "call", "text"]);
    const second: StreamPart[] = [{ kind: "reasoning-signature", index: 1, signature: "openai.second" }];
    expect(kept("openai.rs", second)).toEqual(["thought", "thought openai.rs", "call openai.second", "text"]);
  });

  it("keeps a seal that no call follows behind its thought", () => {
    const parts = partsOf(
      write([
        { kind: "reasoning", index: 0, text: "Hmm" },
        { kind: "reasoning-signature", index: 0, signature: "openai.rs" },
        { kind: "finish", reason: "stop" },
      ]),
    );
    expect(parts.map(sealOf)).toEqual(["", " openai.rs", ""]);
  });

  it("marks a refusal, and gives an empty answer an empty part", () => {
    expect(
      write([
        { kind: "refusal", index: 0, text: "No." },
        { kind: "finish", reason: "stop" },
      ]),
    ).toMatchObject([frame({ text: "No." }), { candidates: [{ finishReason: "SAFETY" }] }]);
    expect(write([{ kind: "finish", reason: "stop" }])).toMatchObject([
      { candidates: [{ content: { parts: [{ text: "" }], role: "model" }, finishReason: "STOP" }] },
    ]);
  });
});

const event = (candidate: object, more: object = {}) => JSON.stringify({ candidates: [candidate], ...more });

describe("inspectEvent of gemini-generate", () => {
  it.each<[string, string, object]>([
    [
      "text",
      event({ content: { parts: [{ text: "a" }] } }),
      { text: "a", isDelivery: true, isFinish: false },
    ],
    [
      "a call",
      event({ content: { parts: [{ functionCall: { name: "f", args: { a: 1 } } }] } }),
      { text: 'f{"a":1}', isDelivery: true },
    ],
    [
      "an image",
      event({ content: { parts: [{ inlineData: { mimeType: "image/png", data: "A" } }] } }),
      { text: "", isDelivery: true },
    ],
    [
      "a lone seal",
      event({ content: { parts: [{ text: "", thoughtSignature: "A" }] } }),
      { isDelivery: false },
    ],
    ["an end", event({ finishReason: "STOP" }), { isDelivery: false, isFinish: true, isEnd: false }],
    ["a cut", event({ finishReason: "MAX_TOKENS" }), { isDelivery: true, isFinish: true }],
    [
      "a blocked prompt",
      JSON.stringify({ promptFeedback: { blockReason: "SAFETY" } }),
      { isDelivery: true, isFinish: true },
    ],
    [
      "usage",
      event(
        {},
        { usageMetadata: { promptTokenCount: 3, toolUsePromptTokenCount: 2, thoughtsTokenCount: 4 } },
      ),
      { usage: { inputTokens: 5, outputTokens: 4, reasoningTokens: 4 }, isDelivery: false },
    ],
    [
      "all candidates",
      JSON.stringify({
        candidates: [{ content: { parts: [{ text: "a" }] } }, { content: { parts: [{ text: "b" }] } }],
      }),
      { text: "ab" },
    ],
    ["an error", '{"error":{"code":429,"status":"RESOURCE_EXHAUSTED"}}', { error: { kind: "rate-limited" } }],
  ])("sees %s", (_, data, expected) => {
    expect(geminiGenerate.passThrough?.inspectEvent(data)).toMatchObject(expected);
  });
});
