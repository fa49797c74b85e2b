import type { StreamPart } from "@tollgate/contract/relay/stream";
import { NO_USAGE } from "@tollgate/contract/relay/usage";
import { describe, expect, it, vi } from "vitest";
import { fixturesOf } from "../shared/testing/fixtures-of";
import { lastUsage, parseWritten, readParts, STAMP, writeParts } from "../shared/testing/run-stream";
import { openaiResponses } from "./openai-responses";

const readFixture = fixturesOf(import.meta.url);

const read = (name: string): StreamPart[] => readParts(openaiResponses, [readFixture(`${name}.sse`)]);

describe("the stream reader of openai-responses", () => {
  it("reads reasoning with its seal, text, a call and the usage", () => {
    const parts = read("thought-text-call");
    expect(parts.filter((part) => part.kind !== "usage")).toEqual([
      { kind: "start", id: "resp_1", model: "m" },
      { kind: "reasoning", index: 0, text: "Hmm" },
      { kind: "reasoning-signature", index: 0, signature: "openai.gAAAA1" },
      { kind: "text", index: 1, text: "Hi" },
      { kind: "tool-call", index: 2, id: "call_1", name: "f" },
      { kind: "tool-arguments", index: 2, text: '{"a"' },
      { kind: "tool-arguments", index: 2, text: ":1}" },
      { kind: "finish", reason: "tool-calls" },
    ]);
    expect(lastUsage(parts)).toEqual({
      inputTokens: 20,
      outputTokens: 15,
      cacheReadTokens: 8,
      cacheWriteTokens: undefined,
      reasoningTokens: 6,
    });
  });

  it("leaves built-in tools out, and reads unstreamed items from the finished ones", () => {
    expect(
      read("built-in-and-unstreamed").filter(({ kind }) => kind !== "usage" && kind !== "start"),
    ).toEqual([
      { kind: "reasoning", index: 0, text: "First." },
      { kind: "reasoning", index: 0, text: "\n\nSecond." },
      { kind: "reasoning-signature", index: 1, signature: "openai.gAAAA2" },
      { kind: "tool-call", index: 2, id: "call_3", name: "at" },
      { kind: "tool-arguments", index: 2, text: '{"zone":"CET"}' },
      { kind: "tool-call", index: 3, id: "call_4", name: "now" },
      { kind: "tool-arguments", index: 3, text: "{}" },
      { kind: "finish", reason: "tool-calls" },
    ]);
  });

  it("reads a cut answer and a refusal", () => {
    expect(read("text-unicode").at(-1)).toEqual({ kind: "finish", reason: "length" });
    expect(read("refusal").filter((part) => part.kind === "refusal")).toEqual([
      { kind: "refusal", index: 0, text: "Not " },
      { kind: "refusal", index: 0, text: "this." },
    ]);
  });

  it("reads an answer that was not streamed at all from its last event", () => {
    const bytes = readFixture("thought-text-call.sse");
    const last = Buffer.from(bytes).subarray(Buffer.from(bytes).lastIndexOf("event:"));
    expect(readParts(openaiResponses, [last]).map(({ kind }) => kind)).toEqual([
      "start",
      "reasoning",
      "reasoning-signature",
      "text",
      "tool-call",
      "tool-arguments",
      "usage",
      "finish",
    ]);
  });

  it.each([
    ["failed", "overloaded", "server_error"],
    ["error-event", "rate-limited", "rate_limit_exceeded"],
  ])("reads %s as %s", (name, kind, code) => {
    const parts = read(name);
    expect(parts.at(-1)).toMatchObject({ kind: "error", error: { kind, code } });
    expect(parts.some((part) => part.kind === "finish")).toBe(false);
  });
});

interface Event {
  type: string;
  sequence_number: number;
  item?: { id: string; type: string };
  response?: Record<string, unknown>;
}

const write = (parts: StreamPart[]): Event[] =>
  parseWritten(writeParts(openaiResponses, parts)).map(({ event, data }) => {
    expect((data as Event).type).toBe(event);
    return data as Event;
  });

describe("the stream writer of openai-responses", () => {
  it("writes every event in its place, numbered, and the whole answer in the last one", () => {
    const events = write(read("thought-text-call"));
    expect(events.map(({ type }) => type.replace("response.", ""))).toEqual([
      "created",
      "in_progress",
      "output_item.added",
      "reasoning_summary_part.added",
      "reasoning_summary_text.delta",
      "reasoning_summary_text.done",
      "reasoning_summary_part.done",
      "output_item.done",
      "output_item.added",
      "content_part.added",
      "output_text.delta",
      "output_text.done",
      "content_part.done",
      "output_item.done",
      "output_item.added",
      "function_call_arguments.delta",
      "function_call_arguments.delta",
      "function_call_arguments.done",
      "output_item.done",
      "completed",
    ]);
    expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index));
    const items = [
      {
        type: "reasoning",
        id: "rs_1_0",
        summary: [{ type: "summary_text", text: "Hmm" }],
        encrypted_content: "gAAAA1",
      },
      {
        type: "message",
        id: "msg_1_1",
        status: "completed",
        role: "assistant",
        content: [{ type: "output_text", text: "Hi", annotations: [], logprobs: [] }],
      },
      {
        type: "function_call",
        id: "fc_1_2",
        call_id: "call_1",
        name: "f",
        arguments: '{"a":1}',
        status: "completed",
      },
    ];
    expect(events.filter(({ type }) => type === "response.output_item.done").map(({ item }) => item)).toEqual(
      items,
    );
    expect(events.at(-1)?.response).toMatchObject({
      id: "resp_1",
      object: "response",
      status: "completed",
      model: "asked-model",
      created_at: STAMP.createdAt,
      store: false,
      output: items,
      usage: {
        input_tokens: 20,
        input_tokens_details: { cached_tokens: 8 },
        output_tokens: 15,
        output_tokens_details: { reasoning_tokens: 6 },
        total_tokens: 35,
      },
    });
  });

  it("lets the arguments of several calls interleave, and closes them in order", () => {
    const events = write(read("parallel-calls"));
    const done = events.filter(({ type }) => type === "response.output_item.done");
    expect(done.map(({ item }) => item)).toMatchObject([
      { call_id: "call_a", arguments: '{"city":"Zürich"}' },
      { call_id: "call_b", arguments: '{"zone":"CET"}' },
    ]);
    expect(events.at(-1)?.response).toMatchObject({ output: [{ call_id: "call_a" }, { call_id: "call_b" }] });
  });

  it.each<[StreamPart, string, object]>([
    [{ kind: "finish", reason: "length" }, "response.incomplete", { reason: "max_output_tokens" }],
    [{ kind: "finish", reason: "content-filter" }, "response.incomplete", { reason: "content_filter" }],
  ])("ends with %j as %s", (finish, type, incomplete_details) => {
    const last = write([{ kind: "text", index: 0, text: "a" }, finish]).at(-1);
    expect(last).toMatchObject({ type, response: { status: "incomplete", incomplete_details } });
  });

  it("writes a refusal as one, and wraps seals of others", () => {
    const events = write([
      { kind: "redacted-reasoning", index: 0, data: "SEALED" },
      { kind: "reasoning-signature", index: 1, signature: "EqQB" },
      { kind: "refusal", index: 2, text: "No." },
      { kind: "finish", reason: "stop" },
    ]);
    const output = events.at(-1)?.response?.output as object[];
    expect(output[2]).toMatchObject({ content: [{ type: "refusal", refusal: "No." }] });
    const back = openaiResponses.parseRequest(
      { model: "m", input: output },
      {
        model: "m",
        isStream: false,
        maxOutputTokens: undefined,
        choices: 1,
        bounds: { tokens: undefined, answers: 1 },
        wantsUsageChunk: false,
      },
    );
    expect(back.turns).toEqual([
      {
        role: "assistant",
        parts: [
          { kind: "reasoning", text: "", redactedData: "SEALED" },
          { kind: "reasoning", text: "", signature: "EqQB" },
          { kind: "text", text: "No." },
        ],
      },
    ]);
  });

  it("holds the last event back until the usage is known, also for an empty answer", () => {
    const writer = openaiResponses.createStreamWriter(STAMP, false);
    expect(writer.push({ kind: "finish", reason: "stop" })).toContain("response.created");
    writer.push({ kind: "usage", usage: { ...NO_USAGE, inputTokens: 3, outputTokens: 0 } });
    const [last, ...others] = parseWritten(writer.end());
    expect(others).toEqual([]);
    expect(last?.data).toMatchObject({
      type: "response.completed",
      response: { id: "resp_answer-1", output: [], usage: { input_tokens: 3, output_tokens: 0 } },
    });
  });
});

describe("inspectEvent of openai-responses", () => {
  it.each<[string, object, object]>([
    ["words", { type: "response.output_text.delta", delta: "a" }, { text: "a", isDelivery: true }],
    ["arguments", { type: "response.function_call_arguments.delta", delta: "{" }, { text: "{" }],
    [
      "a call",
      { type: "response.output_item.added", item: { type: "function_call", name: "f" } },
      { text: "f", isDelivery: true },
    ],
    [
      "a message without words",
      { type: "response.output_item.added", item: { type: "message" } },
      { isDelivery: false },
    ],
    [
      "the end",
      { type: "response.completed", response: { usage: { input_tokens: 3, output_tokens: 4 } } },
      { isEnd: true, isFinish: true, isDelivery: false, usage: { inputTokens: 3, outputTokens: 4 } },
    ],
    ["a cut", { type: "response.incomplete", response: {} }, { isEnd: true, isDelivery: true }],
    [
      "a failure",
      { type: "response.failed", response: { error: { code: "server_error", message: "m" } } },
      { error: { kind: "overloaded" } },
    ],
    ["an error", { type: "error", code: "server_error", message: "m" }, { error: { kind: "overloaded" } }],
  ])("sees %s", (_, event, expected) => {
    expect(openaiResponses.passThrough?.inspectEvent(JSON.stringify(event))).toMatchObject(expected);
  });
});

describe("amendBody of openai-responses", () => {
  it.each([
    [{}, { store: false }],
    [{ store: true }, { store: false }],
    [{ store: false }, undefined],
  ])("adds to %j: %j", (body, expected) => {
    expect(openaiResponses.passThrough?.amendBody(body)).toEqual(expected);
  });
});

describe("a stream of very many parts (issue 11: no hold above 50 ms)", () => {
  it("is written without looking at every part before", () => {
    const { values } = Map.prototype;
    let seen = 0;
    const look = vi.spyOn(Map.prototype, "values").mockImplementation(function (this: Map<unknown, unknown>) {
      seen += this.size;
      return values.call(this);
    });
    try {
      const parts = Array.from({ length: 2000 }, (_, index) => ({ kind: "text", index, text: "a" }) as const);
      const written = parseWritten(writeParts(openaiResponses, parts));
      expect(written.filter(({ event }) => event === "response.output_item.done")).toHaveLength(2000);
      expect(seen).toBeLessThan(10_000);
    } finally {
      look.mockRestore();
    }
  });
});
