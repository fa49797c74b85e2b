import type { StreamPart } from "@tollgate/contract/relay/stream";
import { NO_USAGE } from "@tollgate/contract/relay/usage";
import { startCpuClock } from "@tollgate/testkit/cpu-clock";
import { describe, expect, it } from "vitest";
import { fixturesOf } from "../shared/testing/fixtures-of";
import { lastUsage, parseWritten, readParts, STAMP, writeParts } from "../shared/testing/run-stream";
import { anthropicMessages } from "./anthropic-messages";

const readFixture = fixturesOf(import.meta.url);

const read = (name: string): StreamPart[] => readParts(anthropicMessages, [readFixture(`${name}.sse`)]);

describe("the stream reader of anthropic-messages", () => {
  it("reads thinking with its seal, text, a call and the usage", () => {
    const parts = read("thought-text-call");
    expect(parts.filter((part) => part.kind !== "usage")).toEqual([
      { kind: "start", id: "msg_1", model: "m" },
      { kind: "reasoning", index: 0, text: "Hmm" },
      { kind: "reasoning-signature", index: 0, signature: "EqQB" },
      { kind: "text", index: 1, text: "Hi" },
      { kind: "tool-call", index: 2, id: "call_1", name: "f" },
      { kind: "tool-arguments", index: 2, text: '{"a"' },
      { kind: "tool-arguments", index: 2, text: ":1}" },
      { kind: "finish", reason: "tool-calls" },
    ]);
    // The cached part comes on top of input_tokens, and the delta replaces the output of the start.
    expect(lastUsage(parts)).toEqual({
      inputTokens: 20,
      outputTokens: 15,
      cacheReadTokens: 8,
      cacheWriteTokens: 0,
      reasoningTokens: undefined,
    });
  });

  it("does not add numbers that are repeated", () => {
    expect(lastUsage(read("text-unicode"))).toMatchObject({
      inputTokens: 1053,
      outputTokens: 57,
      cacheReadTokens: 1024,
      cacheWriteTokens: 4,
    });
  });

  it("leaves server tools out, fills in arguments and does not believe in zero input", () => {
    const parts = read("server-tools-and-empty-input");
    expect(parts.filter((part) => part.kind !== "usage" && part.kind !== "start")).toEqual([
      { kind: "redacted-reasoning", index: 0, data: "ENCRYPTED" },
      { kind: "text", index: 1, text: "Found." },
      { kind: "tool-call", index: 2, id: "toolu_1", name: "now" },
      { kind: "tool-arguments", index: 2, text: "{}" },
      { kind: "tool-call", index: 3, id: "toolu_2", name: "at" },
      { kind: "tool-arguments", index: 3, text: '{"zone":"CET"}' },
      { kind: "finish", reason: "tool-calls" },
    ]);
    expect(lastUsage(parts)).toMatchObject({ inputTokens: 30, outputTokens: 44, cacheReadTokens: undefined });
  });

  it("reads a refusal", () => {
    expect(read("refusal").filter((part) => part.kind !== "usage")).toEqual([
      { kind: "start", id: "msg_1", model: "m" },
      { kind: "refusal", index: 0, text: "Not this." },
      { kind: "finish", reason: "content-filter" },
    ]);
  });

  it("reads the error inside", () => {
    expect(read("overloaded").slice(-2)).toEqual([
      { kind: "text", index: 0, text: "Par" },
      {
        kind: "error",
        error: {
          kind: "overloaded",
          status: 200,
          message: "Overloaded",
          code: "overloaded_error",
          retryAfterSeconds: undefined,
        },
      },
    ]);
  });

  it("gives the finish out at the end mark", () => {
    const reader = anthropicMessages.createStreamReader();
    reader.push("message_start", '{"type":"message_start","message":{"id":"msg_1"}}');
    const delta = '{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":3}}';
    expect(reader.push("message_delta", delta).map((part) => part.kind)).toEqual(["usage"]);
    expect(reader.push("message_stop", '{"type":"message_stop"}')).toEqual([
      { kind: "finish", reason: "stop" },
    ]);
    expect(reader.end()).toEqual([]);
  });
});

describe("the stream writer of anthropic-messages", () => {
  const start = (usage: object) => ({
    type: "message_start",
    message: {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: STAMP.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage,
    },
  });
  const told = {
    input_tokens: 12,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 8,
    output_tokens: 0,
  };
  const block = (index: number, content_block: object) => ({
    type: "content_block_start",
    index,
    content_block,
  });
  const delta = (index: number, fields: object) => ({ type: "content_block_delta", index, delta: fields });
  const stop = (index: number) => ({ type: "content_block_stop", index });
  const tool = (id: string, name: string) => ({ type: "tool_use", id, name, input: {} });
  const json = (partial_json: string) => ({ type: "input_json_delta", partial_json });

  const dataOf = (parts: StreamPart[]) =>
    parseWritten(writeParts(anthropicMessages, parts)).map(({ data }) => data);

  it("writes one block after the other and the usage at the end", () => {
    expect(dataOf(read("thought-text-call"))).toEqual([
      start(told),
      { type: "ping" },
      block(0, { type: "thinking", thinking: "", signature: "" }),
      delta(0, { type: "thinking_delta", thinking: "Hmm" }),
      delta(0, { type: "signature_delta", signature: "EqQB" }),
      stop(0),
      block(1, { type: "text", text: "" }),
      delta(1, { type: "text_delta", text: "Hi" }),
      stop(1),
      block(2, tool("call_1", "f")),
      delta(2, json('{"a"')),
      delta(2, json(":1}")),
      stop(2),
      {
        type: "message_delta",
        delta: { stop_reason: "tool_use", stop_sequence: null },
        usage: {
          input_tokens: 12,
          cache_creation_input_tokens: 0,
          cache_read_input_tokens: 8,
          output_tokens: 15,
        },
      },
      { type: "message_stop" },
    ]);
  });

  it("names each event as its data does", () => {
    const written = parseWritten(writeParts(anthropicMessages, read("thought-text-call")));
    for (const { event, data } of written) expect(data).toMatchObject({ type: event });
  });

  const interleaved: StreamPart[] = [
    { kind: "start", id: "msg_1", model: "m" },
    { kind: "tool-call", index: 0, id: "a", name: "f" },
    { kind: "tool-arguments", index: 0, text: '{"x":' },
    { kind: "tool-call", index: 1, id: "b", name: "g" },
    { kind: "tool-arguments", index: 1, text: '{"y":' },
    { kind: "tool-arguments", index: 0, text: "1}" },
    { kind: "tool-arguments", index: 1, text: "2}" },
    { kind: "text", index: 2, text: "done" },
    { kind: "finish", reason: "tool-calls" },
  ];

  it("keeps one block open while calls interleave", () => {
    expect(dataOf(interleaved).slice(2, -2)).toEqual([
      block(0, tool("a", "f")),
      delta(0, json('{"x":')),
      delta(0, json("1}")),
      stop(0),
      block(1, tool("b", "g")),
      delta(1, json('{"y":')),
      delta(1, json("2}")),
      stop(1),
      block(2, { type: "text", text: "" }),
      delta(2, { type: "text_delta", text: "done" }),
      stop(2),
    ]);
  });

  it("sends the open block's deltas at once and waits with the others", () => {
    const writer = anthropicMessages.createStreamWriter(STAMP, false);
    const texts = interleaved.map((part) => writer.push(part));
    expect(texts[2]).toContain("input_json_delta");
    expect(texts[3]).toBe("");
    expect(texts[4]).toBe("");
    // The first call is whole now: it is closed, and what waited comes out.
    expect(texts[5]).toContain("content_block_stop");
    expect(texts[5]).toContain('{\\"y\\":');
    expect(texts[8]).toBe("");
  });

  it("looks at a call's arguments once, however many pieces come behind them", () => {
    const writer = anthropicMessages.createStreamWriter(STAMP, false);
    writer.push({ kind: "tool-call", index: 0, id: "a", name: "f" });
    writer.push({ kind: "tool-arguments", index: 0, text: `{"x":[${"1,".repeat(500_000)}{}` });
    writer.push({ kind: "tool-call", index: 1, id: "b", name: "g" });
    const workedMs = startCpuClock();
    for (let i = 0; i < 500; i += 1) writer.push({ kind: "tool-arguments", index: 1, text: "1" });
    expect(workedMs()).toBeLessThan(1000);
  });

  it("writes waiting events even if a call never became whole", () => {
    const parts: StreamPart[] = [
      { kind: "tool-call", index: 0, id: "a", name: "f" },
      { kind: "tool-call", index: 1, id: "b", name: "g" },
      { kind: "tool-arguments", index: 1, text: "{}" },
      { kind: "tool-arguments", index: 0, text: '{"x":' },
    ];
    const data = dataOf(parts);
    expect(data.slice(2, -2)).toEqual([
      block(0, tool("a", "f")),
      delta(0, json('{"x":')),
      stop(0),
      block(1, tool("b", "g")),
      delta(1, json("{}")),
      stop(1),
    ]);
    expect(data.at(-2)).toMatchObject({ delta: { stop_reason: "tool_use" } });
  });

  it("writes redacted thinking and a refusal", () => {
    const parts: StreamPart[] = [
      { kind: "redacted-reasoning", index: 0, data: "SEALED" },
      { kind: "refusal", index: 1, text: "No." },
      { kind: "finish", reason: "stop" },
    ];
    const data = dataOf(parts);
    expect(data.slice(2, -1)).toMatchObject([
      block(0, { type: "redacted_thinking", data: "SEALED" }),
      stop(0),
      block(1, { type: "text", text: "" }),
      delta(1, { type: "text_delta", text: "No." }),
      stop(1),
      { type: "message_delta", delta: { stop_reason: "refusal" } },
    ]);
  });

  it("gives an empty answer an empty block", () => {
    const data = dataOf([{ kind: "finish", reason: "stop" }]);
    expect(data[0]).toMatchObject({ message: { id: "answer-1" } });
    expect(data.slice(2, 4)).toEqual([block(0, { type: "text", text: "" }), stop(0)]);
  });

  it("holds the stop reason back until the end, with the usage that came last", () => {
    const writer = anthropicMessages.createStreamWriter(STAMP, false);
    writer.push({ kind: "text", index: 0, text: "a" });
    expect(writer.push({ kind: "finish", reason: "length" })).toBe("");
    const counted = {
      ...NO_USAGE,
      inputTokens: 10,
      outputTokens: 4,
      cacheReadTokens: 6,
      cacheWriteTokens: 1,
    };
    expect(writer.push({ kind: "usage", usage: counted })).toBe("");
    expect(parseWritten(writer.end()).map(({ data }) => data)).toEqual([
      stop(0),
      {
        type: "message_delta",
        delta: { stop_reason: "max_tokens", stop_sequence: null },
        usage: {
          input_tokens: 3,
          cache_creation_input_tokens: 1,
          cache_read_input_tokens: 6,
          output_tokens: 4,
        },
      },
      { type: "message_stop" },
    ]);
  });
});

describe("inspectEvent of anthropic-messages", () => {
  it.each([
    [
      {
        type: "message_start",
        message: { usage: { input_tokens: 3, cache_read_input_tokens: 4, output_tokens: 1 } },
      },
      { isDelivery: false, usage: { inputTokens: 7, outputTokens: undefined, cacheReadTokens: 4 } },
    ],
    [
      { type: "content_block_start", content_block: { type: "text", text: "" } },
      { isDelivery: false, text: "" },
    ],
    [
      { type: "content_block_start", content_block: { type: "tool_use", name: "f", input: {} } },
      { isDelivery: true, text: "f" },
    ],
    [
      { type: "content_block_start", content_block: { type: "redacted_thinking", data: "x" } },
      { isDelivery: true, text: "" },
    ],
    [
      { type: "content_block_delta", delta: { type: "text_delta", text: "a" } },
      { isDelivery: true, text: "a" },
    ],
    [
      { type: "content_block_delta", delta: { type: "thinking_delta", thinking: "t" } },
      { isDelivery: true, text: "t" },
    ],
    [
      { type: "content_block_delta", delta: { type: "input_json_delta", partial_json: "{" } },
      { isDelivery: true, text: "{" },
    ],
    [
      { type: "content_block_delta", delta: { type: "signature_delta", signature: "s" } },
      { isDelivery: false, text: "" },
    ],
    [
      {
        type: "message_delta",
        delta: { stop_reason: "end_turn" },
        usage: { input_tokens: 0, output_tokens: 9 },
      },
      {
        isDelivery: false,
        isFinish: true,
        isEnd: false,
        usage: { inputTokens: undefined, outputTokens: 9 },
      },
    ],
    [
      { type: "message_delta", delta: { stop_reason: "max_tokens" } },
      { isDelivery: true, isFinish: true },
    ],
    [{ type: "message_stop" }, { isEnd: true, isDelivery: false }],
    [{ type: "ping" }, { isEnd: false, isDelivery: false }],
    [{ type: "error", error: { type: "overloaded_error", message: "x" } }, { error: { kind: "overloaded" } }],
  ])("sees %j", (event, expected) => {
    expect(anthropicMessages.passThrough?.inspectEvent(JSON.stringify(event))).toMatchObject({
      isUsageOnly: false,
      ...expected,
    });
  });
});
