import type { StreamPart } from "@tollgate/contract/relay/stream";
import { describe, expect, it } from "vitest";
import { fixturesOf } from "../shared/testing/fixtures-of";
import { parseWritten, readParts, STAMP, writeParts } from "../shared/testing/run-stream";
import { openaiChat } from "./openai-chat";

const readFixture = fixturesOf(import.meta.url);

const read = (name: string): StreamPart[] => readParts(openaiChat, [readFixture(`${name}.sse`)]);

const readEvents = (...events: unknown[]): StreamPart[] => {
  const reader = openaiChat.createStreamReader();
  const parts = events.flatMap((event) =>
    reader.push("", typeof event === "string" ? event : JSON.stringify(event)),
  );
  return [...parts, ...reader.end()];
};

const delta = (fields: object, finishReason: string | null = null) => ({
  id: "c",
  model: "m",
  choices: [{ index: 0, delta: fields, finish_reason: finishReason }],
});

const call = (fields: object) => delta({ tool_calls: [fields] });

const usage = (fields: object) => ({
  inputTokens: undefined,
  outputTokens: undefined,
  cacheReadTokens: undefined,
  cacheWriteTokens: undefined,
  reasoningTokens: undefined,
  ...fields,
});

describe("the stream reader of openai-chat", () => {
  it("reads reasoning, text, a call and the usage", () => {
    expect(read("thought-text-call")).toEqual([
      { kind: "start", id: "chatcmpl-1", model: "m" },
      { kind: "reasoning", index: 0, text: "Hmm" },
      { kind: "text", index: 1, text: "Hi" },
      { kind: "tool-call", index: 2, id: "call_1", name: "f" },
      { kind: "tool-arguments", index: 2, text: '{"a":1}' },
      {
        kind: "usage",
        usage: usage({ inputTokens: 20, outputTokens: 15, cacheReadTokens: 8, reasoningTokens: 6 }),
      },
      { kind: "finish", reason: "tool-calls" },
    ]);
  });

  it("keeps interleaved calls apart", () => {
    const parts = read("parallel-calls").filter((part) => part.kind.startsWith("tool"));
    expect(parts).toEqual([
      { kind: "tool-call", index: 0, id: "call_a", name: "get_weather" },
      { kind: "tool-arguments", index: 0, text: '{"city":' },
      { kind: "tool-call", index: 1, id: "call_b", name: "get_time" },
      { kind: "tool-arguments", index: 1, text: '{"zone":' },
      { kind: "tool-arguments", index: 0, text: '"Zürich"}' },
      { kind: "tool-arguments", index: 1, text: '"CET"}' },
    ]);
  });

  it("forgives a vendor's liberties", () => {
    const parts = read("liberal-vendor");
    expect(parts.filter((part) => part.kind !== "usage")).toEqual([
      { kind: "start", id: "", model: "" },
      { kind: "reasoning", index: 0, text: "Think" },
      { kind: "text", index: 1, text: "Ja" },
      { kind: "tool-call", index: 2, id: "x1", name: "f" },
      { kind: "tool-arguments", index: 2, text: '{"a"' },
      { kind: "tool-arguments", index: 2, text: ":2}" },
      { kind: "tool-call", index: 3, id: "x2", name: "g" },
      { kind: "tool-arguments", index: 3, text: "{}" },
      { kind: "finish", reason: "tool-calls" },
    ]);
    expect(parts.findLast((part) => part.kind === "usage")).toEqual({
      kind: "usage",
      usage: usage({ inputTokens: 5, outputTokens: 9 }),
    });
  });

  it("starts a repeated call once, and a new one when the id under an index changes", () => {
    const whole = { index: 0, id: "a", function: { name: "f", arguments: "1" } };
    const parts = readEvents(
      call(whole),
      call({ ...whole, function: { name: "f", arguments: "2" } }),
      call({ index: 0, id: "b", function: { name: "g", arguments: "3" } }),
      call({ index: 0, function: { arguments: "4" } }),
      delta({}, "tool_calls"),
    );
    expect(parts.filter((part) => part.kind.startsWith("tool"))).toEqual([
      { kind: "tool-call", index: 0, id: "a", name: "f" },
      { kind: "tool-arguments", index: 0, text: "1" },
      { kind: "tool-arguments", index: 0, text: "2" },
      { kind: "tool-call", index: 1, id: "b", name: "g" },
      { kind: "tool-arguments", index: 1, text: "3" },
      { kind: "tool-arguments", index: 1, text: "4" },
    ]);
  });

  it("waits for a call's name and makes an id where there is none, the same each time", () => {
    const events = [
      call({ index: 0, function: { arguments: "{" } }),
      call({ index: 0, function: { name: "f", arguments: "}" } }),
      "[DONE]",
    ];
    const parts = readEvents(...events);
    const made = parts.find((part) => part.kind === "tool-call");
    expect(made).toMatchObject({ name: "f", id: expect.stringMatching(/^call_[0-9a-f]{24}$/) });
    expect(readEvents(...events)).toEqual(parts);
    expect(parts.filter((part) => part.kind === "tool-arguments").map((part) => part.text)).toEqual([
      "{",
      "}",
    ]);
    expect(parts.at(-1)).toEqual({ kind: "finish", reason: "tool-calls" });
  });

  it("lifts the old function_call", () => {
    const parts = readEvents(
      delta({ function_call: { name: "f", arguments: "{" } }),
      delta({ function_call: { arguments: "}" } }),
      delta({}, "function_call"),
    );
    expect(parts.map((part) => part.kind)).toEqual([
      "start",
      "tool-call",
      "tool-arguments",
      "tool-arguments",
      "finish",
    ]);
    expect(parts.at(-1)).toEqual({ kind: "finish", reason: "tool-calls" });
  });

  it("gives text after a call a number of its own", () => {
    const parts = readEvents(
      delta({ content: "a" }),
      call({ index: 0, id: "x", function: { name: "f", arguments: "{}" } }),
      delta({ content: "b" }),
      delta({}, "stop"),
    );
    expect(parts.flatMap((part) => ("index" in part ? [part.index] : []))).toEqual([0, 1, 1, 2]);
  });

  it("reads Mistral's content parts, and other places of the usage", () => {
    const parts = readEvents(
      delta({ content: [{ type: "thinking", thinking: [{ type: "text", text: "t" }] }] }),
      delta({ content: [{ type: "text", text: "x" }] }),
      { ...delta({}, "stop"), x_groq: { usage: { prompt_tokens: 3, completion_tokens: 4 } } },
    );
    expect(parts.slice(1)).toEqual([
      { kind: "reasoning", index: 0, text: "t" },
      { kind: "text", index: 1, text: "x" },
      { kind: "usage", usage: usage({ inputTokens: 3, outputTokens: 4 }) },
      { kind: "finish", reason: "stop" },
    ]);
  });

  it("takes the last usage, also behind the finish, and never adds", () => {
    const parts = read("repeated-usage");
    expect(parts.slice(-3)).toEqual([
      { kind: "usage", usage: usage({ inputTokens: 3, outputTokens: 1 }) },
      { kind: "finish", reason: "stop" },
      { kind: "usage", usage: usage({ inputTokens: 3, outputTokens: 2 }) },
    ]);
  });

  it("holds the finish back until the usage is known", () => {
    const reader = openaiChat.createStreamReader();
    reader.push("", JSON.stringify(delta({ content: "a" })));
    expect(reader.push("", JSON.stringify(delta({}, "stop")))).toEqual([]);
    const last = { id: "c", choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } };
    expect(reader.push("", JSON.stringify(last)).map((part) => part.kind)).toEqual(["usage", "finish"]);
    expect(reader.push("", "[DONE]")).toEqual([]);
    expect(reader.end()).toEqual([]);
  });

  it("reads the error inside", () => {
    expect(read("error-inside").at(-1)).toEqual({
      kind: "error",
      error: {
        kind: "overloaded",
        status: 200,
        message: "The server had an error while processing your request.",
        code: "server_error",
        retryAfterSeconds: undefined,
      },
    });
  });

  it("calls an end mark without any content empty", () => {
    const [part] = readEvents("[DONE]");
    expect(part?.kind === "error" && part.error.kind).toBe("empty");
  });

  it("looks at the first choice only", () => {
    const other = { id: "c", choices: [{ index: 1, delta: { content: "other" }, finish_reason: "stop" }] };
    const parts = readEvents(delta({ content: "first" }), other, delta({}, "length"));
    expect(parts.filter((part) => part.kind === "text")).toEqual([{ kind: "text", index: 0, text: "first" }]);
    expect(parts.at(-1)).toEqual({ kind: "finish", reason: "length" });
  });
});

describe("the stream writer of openai-chat", () => {
  const head = {
    id: "chatcmpl-1",
    object: "chat.completion.chunk",
    created: STAMP.createdAt,
    model: STAMP.model,
  };
  const chunkOf = (fields: object, finish_reason: string | null = null) => ({
    ...head,
    choices: [{ index: 0, delta: fields, logprobs: null, finish_reason }],
    usage: null,
  });
  const toolDelta = (fields: object) => ({ tool_calls: [fields] });

  it("writes role, reasoning, text, call, finish, usage and the end mark", () => {
    const written = parseWritten(writeParts(openaiChat, read("thought-text-call")));
    expect(written.map(({ data }) => data)).toEqual([
      chunkOf({ role: "assistant", content: "" }),
      chunkOf({ reasoning_content: "Hmm" }),
      chunkOf({ content: "Hi" }),
      chunkOf(
        toolDelta({ index: 0, id: "call_1", type: "function", function: { name: "f", arguments: "" } }),
      ),
      chunkOf(toolDelta({ index: 0, function: { arguments: '{"a":1}' } })),
      chunkOf({}, "tool_calls"),
      {
        ...head,
        choices: [],
        usage: {
          prompt_tokens: 20,
          completion_tokens: 15,
          total_tokens: 35,
          prompt_tokens_details: { cached_tokens: 8 },
          completion_tokens_details: { reasoning_tokens: 6 },
        },
      },
      "[DONE]",
    ]);
  });

  it("says nothing of usage unless asked", () => {
    const written = writeParts(openaiChat, read("thought-text-call"), false);
    expect(written).not.toContain("usage");
    expect(written.endsWith("data: [DONE]\n\n")).toBe(true);
    expect(written.match(/"finish_reason":"/g)).toHaveLength(1);
  });

  it("keeps finish and usage until the end", () => {
    const writer = openaiChat.createStreamWriter(STAMP, true);
    writer.push({ kind: "start", id: "", model: "" });
    expect(writer.push({ kind: "finish", reason: "length" })).toBe("");
    expect(writer.push({ kind: "usage", usage: usage({ inputTokens: 1, outputTokens: 2 }) })).toBe("");
    const [finish, last] = parseWritten(writer.end());
    expect(finish?.data).toMatchObject({ id: "answer-1", choices: [{ finish_reason: "length" }] });
    expect(last?.data).toMatchObject({ choices: [], usage: { total_tokens: 3 } });
  });

  it("writes no invented usage", () => {
    const written = parseWritten(writeParts(openaiChat, [{ kind: "text", index: 0, text: "a" }]));
    expect(written.at(-2)?.data).toMatchObject({ choices: [], usage: null });
    expect(written[0]?.data).toMatchObject({ choices: [{ delta: { role: "assistant", content: "" } }] });
  });

  it.each([
    [[{ kind: "tool-arguments" as const, index: 1, text: '{"a":' }], '{"a":'],
    [[], "{}"],
  ])("writes one function_call for a request of the older functions", (own, text) => {
    const parts: StreamPart[] = [
      { kind: "start", id: head.id, model: "" },
      { kind: "text", index: 0, text: "a" },
      { kind: "tool-call", index: 1, id: "x", name: "f" },
      ...own,
      { kind: "tool-call", index: 2, id: "y", name: "g" },
      { kind: "tool-arguments", index: 2, text: "{}" },
      { kind: "finish", reason: "tool-calls" },
    ];
    const stamp = { ...STAMP, request: { functions: [{ name: "f" }, { name: "g" }] } };
    const written = parseWritten(writeParts(openaiChat, parts, true, stamp));
    expect(written.slice(2, -2).map(({ data }) => data)).toEqual([
      chunkOf({ function_call: { name: "f", arguments: "" } }),
      chunkOf({ function_call: { arguments: text } }),
      chunkOf({}, "function_call"),
    ]);
  });

  it("numbers calls by themselves and gives a call without arguments an empty object", () => {
    const parts: StreamPart[] = [
      { kind: "text", index: 0, text: "a" },
      { kind: "tool-call", index: 1, id: "x", name: "f" },
      { kind: "tool-call", index: 2, id: "y", name: "g" },
      { kind: "tool-arguments", index: 2, text: "{}" },
    ];
    const written = parseWritten(writeParts(openaiChat, parts, false));
    expect(written.slice(4).map(({ data }) => data)).toMatchObject([
      { choices: [{ delta: toolDelta({ index: 1, function: { arguments: "{}" } }) }] },
      { choices: [{ delta: toolDelta({ index: 0, function: { arguments: "{}" } }) }] },
      { choices: [{ finish_reason: "tool_calls" }] },
      "[DONE]",
    ]);
  });
});

describe("inspectEvent of openai-chat", () => {
  it.each([
    [delta({ role: "assistant", content: "" }), { text: "", isDelivery: false }],
    [delta({ content: "a" }), { text: "a", isDelivery: true }],
    [delta({ reasoning_content: "r", content: "c" }), { text: "rc", isDelivery: true }],
    [delta({ reasoning: "r" }), { text: "r", isDelivery: true }],
    [delta({ refusal: "no" }), { text: "no", isDelivery: true }],
    [call({ index: 0, function: { name: "f", arguments: "{}" } }), { text: "f{}", isDelivery: true }],
    [delta({}, "stop"), { text: "", isDelivery: false, isFinish: true }],
    [delta({}, "length"), { text: "", isDelivery: true, isFinish: true }],
    [delta({}, ""), { text: "", isDelivery: false }],
    [
      { choices: [{ delta: { content: "a" } }, { delta: { content: "b" } }] },
      { text: "ab", isDelivery: true },
    ],
    [
      { choices: [], prompt_filter_results: [] },
      { text: "", isDelivery: false, isUsageOnly: false },
    ],
    [
      { choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } },
      { isUsageOnly: true, isDelivery: false },
    ],
    [{ ...delta({}, "stop"), usage: { prompt_tokens: 1, completion_tokens: 2 } }, { isUsageOnly: false }],
    [
      { choices: [], usage: null },
      { isUsageOnly: false, usage: undefined },
    ],
  ])("sees %j", (event, expected) => {
    expect(openaiChat.passThrough?.inspectEvent(JSON.stringify(event))).toMatchObject({
      isEnd: false,
      ...expected,
    });
  });

  it("sees the end and errors", () => {
    expect(openaiChat.passThrough?.inspectEvent("[DONE]")).toMatchObject({ isEnd: true, isDelivery: false });
    const error = openaiChat.passThrough?.inspectEvent('{"error":{"message":"slow down","code":429}}').error;
    expect(error).toMatchObject({ kind: "rate-limited", message: "slow down", code: "429" });
  });
});

describe("amendBody of openai-chat", () => {
  it("asks a stream for its usage and leaves everything else alone", () => {
    expect(openaiChat.passThrough?.amendBody({ stream: true })).toEqual({
      stream_options: { include_usage: true },
    });
    expect(
      openaiChat.passThrough?.amendBody({ stream: true, stream_options: { include_usage: false, x: 1 } }),
    ).toEqual({
      stream_options: { include_usage: true, x: 1 },
    });
    expect(
      openaiChat.passThrough?.amendBody({ stream: true, stream_options: { include_usage: true } }),
    ).toBeUndefined();
    expect(openaiChat.passThrough?.amendBody({ stream: false })).toBeUndefined();
    expect(openaiChat.passThrough?.amendBody({})).toBeUndefined();
  });
});
