import { readFileSync } from "node:fs";
import type { ClientProtocolName } from "@tollgate/contract/relay/protocol";
import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import { describe, expect, it } from "vitest";
import { CLIENT_PROTOCOLS, UPSTREAM_PROTOCOLS } from "./protocols";
import { refusalOf } from "./shared/testing/refusal-of";
import { TEST_FIELDS, TEST_SUMMARY } from "./shared/testing/request-parts";
import { parseWritten, readParts, STAMP, writeParts } from "./shared/testing/run-stream";

/** The bytes of a fixture, by its path from here. */
const readFixture = (path: string): Uint8Array => readFileSync(new URL(path, import.meta.url));

/** A fixture of JSON, by its path from here. */
const readJsonFixture = (path: string): unknown =>
  JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"));

/*
 * From one protocol to the other, the whole way: what a client says, as the upstream gets it, and back.
 */

const openai = "openai-chat" satisfies ClientProtocolName;
const anthropic = "anthropic-messages" satisfies ClientProtocolName;

const request = (from: ClientProtocolName, to: ClientProtocolName, body: unknown): unknown =>
  JSON.parse(
    JSON.stringify(
      UPSTREAM_PROTOCOLS[to].buildRequest(
        CLIENT_PROTOCOLS[from].parseRequest(body, TEST_SUMMARY),
        TEST_FIELDS,
      ).body,
    ),
  );

const response = (from: ClientProtocolName, to: ClientProtocolName, body: unknown): unknown => {
  const read = UPSTREAM_PROTOCOLS[from].readResponse(body);
  if (!read) throw new Error("the answer was not read");
  return JSON.parse(JSON.stringify(CLIENT_PROTOCOLS[to].encodeResponse(read, STAMP)));
};

const stream = (
  from: ClientProtocolName,
  to: ClientProtocolName,
  fixture: string,
  wantsUsage = true,
): unknown[] => {
  const parts = readParts(UPSTREAM_PROTOCOLS[from], [readFixture(`${from}/fixtures/${fixture}.sse`)]);
  return parseWritten(writeParts(CLIENT_PROTOCOLS[to], parts, wantsUsage)).map(({ data }) => data);
};

const PNG = "iVBORw0KGgoAAAANSUhEUg==";
const SCHEMA = { type: "object", properties: { city: { type: "string" } } };

const OPENAI_REQUEST = {
  model: "claude-sonnet-4-5",
  messages: [
    { role: "system", content: "be brief" },
    {
      role: "user",
      content: [
        { type: "text", text: "weather here and there?" },
        { type: "image_url", image_url: { url: `data:image/png;base64,${PNG}` } },
        { type: "image_url", image_url: { url: "https://x.test/map.png" } },
      ],
    },
    {
      role: "assistant",
      content: null,
      tool_calls: [
        { id: "call_a", type: "function", function: { name: "get_weather", arguments: '{"city":"Paris"}' } },
        { id: "call_b", type: "function", function: { name: "get_weather", arguments: '{"city":"Rome"}' } },
      ],
    },
    { role: "tool", tool_call_id: "call_a", content: "sun" },
    { role: "tool", tool_call_id: "call_b", content: "rain" },
    { role: "user", content: "and now?" },
  ],
  tools: [{ type: "function", function: { name: "get_weather", description: "d", parameters: SCHEMA } }],
  tool_choice: "required",
  max_tokens: 300,
  temperature: 0.2,
  stop: ["END"],
  stream: true,
};

const ANTHROPIC_REQUEST = {
  model: "claude-sonnet-4-5",
  max_tokens: 300,
  system: "be brief",
  messages: [
    {
      role: "user",
      content: [
        { type: "text", text: "weather here and there?" },
        { type: "image", source: { type: "base64", media_type: "image/png", data: PNG } },
        { type: "image", source: { type: "url", url: "https://x.test/map.png" } },
      ],
    },
    {
      role: "assistant",
      content: [
        { type: "tool_use", id: "call_a", name: "get_weather", input: { city: "Paris" } },
        { type: "tool_use", id: "call_b", name: "get_weather", input: { city: "Rome" } },
      ],
    },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "call_a", content: [{ type: "text", text: "sun" }] },
        { type: "tool_result", tool_use_id: "call_b", content: [{ type: "text", text: "rain" }] },
        { type: "text", text: "and now?" },
      ],
    },
  ],
  tools: [{ name: "get_weather", description: "d", input_schema: SCHEMA }],
  tool_choice: { type: "any" },
  temperature: 0.2,
  stop_sequences: ["END"],
  stream: true,
};

describe("a request", () => {
  it("goes from openai-chat to anthropic-messages", () => {
    expect(request(openai, anthropic, OPENAI_REQUEST)).toEqual(ANTHROPIC_REQUEST);
  });

  it("goes from anthropic-messages to openai-chat", () => {
    expect(request(anthropic, openai, { ...ANTHROPIC_REQUEST, model: "gpt-4o" })).toEqual({
      ...OPENAI_REQUEST,
      model: "gpt-4o",
      stream_options: { include_usage: true },
    });
  });

  it("keeps its meaning both ways", () => {
    const parsed = CLIENT_PROTOCOLS[openai].parseRequest(OPENAI_REQUEST, TEST_SUMMARY);
    const back = CLIENT_PROTOCOLS[anthropic].parseRequest(
      request(openai, anthropic, OPENAI_REQUEST),
      TEST_SUMMARY,
    );
    const { turns, ...rest } = parsed;
    // Results and the user's next words are two turns on one side and one on the other.
    const [results, words] = turns.slice(2);
    const merged = [
      ...turns.slice(0, 2),
      { role: "user", parts: [...(results?.parts ?? []), ...(words?.parts ?? [])] },
    ];
    expect(back).toEqual({ ...rest, turns: merged });
  });

  it("asks a Claude to think as it would ask a GPT to reason", () => {
    const asked = {
      ...OPENAI_REQUEST,
      messages: [{ role: "user", content: "q" }],
      tool_choice: "auto",
      reasoning_effort: "low",
    };
    expect(request(openai, anthropic, asked)).toMatchObject({
      thinking: { type: "enabled", budget_tokens: 1024 },
    });
    const thinking = {
      ...ANTHROPIC_REQUEST,
      model: "gpt-5",
      thinking: { type: "enabled", budget_tokens: 9000 },
    };
    expect(request(anthropic, openai, thinking)).toMatchObject({
      reasoning_effort: "high",
      max_completion_tokens: 300,
    });
  });

  it("asks for JSON", () => {
    const format = { type: "json_schema", json_schema: { name: "r", schema: SCHEMA, strict: true } };
    const asked = {
      model: "claude-opus-4-7",
      messages: [{ role: "user", content: "q" }],
      response_format: format,
    };
    expect(request(openai, anthropic, asked)).toMatchObject({
      output_config: { format: { type: "json_schema", schema: { ...SCHEMA, additionalProperties: false } } },
    });
  });

  it("is refused where the other side has no words for it", () => {
    const audio = {
      role: "user",
      content: [{ type: "input_audio", input_audio: { data: "AA", format: "wav" } }],
    };
    expect(() => request(openai, anthropic, { model: "claude-3-opus", messages: [audio] })).toThrow(
      RequestInvalid,
    );
    const computer = { ...ANTHROPIC_REQUEST, tools: [{ type: "computer_20250124", name: "computer" }] };
    expect(refusalOf(() => request(anthropic, openai, computer)).fault).toMatchObject({
      code: "unsupported-tool",
      tool: "computer_20250124",
    });
    expect(() => request(openai, anthropic, { ...OPENAI_REQUEST, n: 2 })).toThrow("several-answers");
  });
});

describe("a whole answer", () => {
  it("goes from anthropic-messages to openai-chat", () => {
    const body = readJsonFixture("anthropic-messages/fixtures/response-calls.json");
    expect(response(anthropic, openai, body)).toEqual({
      id: "chatcmpl-01X",
      object: "chat.completion",
      created: STAMP.createdAt,
      model: "asked-model",
      choices: [
        {
          index: 0,
          message: {
            role: "assistant",
            content: "Let me look.",
            reasoning_content: "Two places.",
            refusal: null,
            tool_calls: [
              {
                id: "toolu_a",
                type: "function",
                function: { name: "get_weather", arguments: '{"city":"Paris"}' },
              },
              { id: "toolu_b", type: "function", function: { name: "get_time", arguments: "{}" } },
            ],
          },
          logprobs: null,
          finish_reason: "tool_calls",
        },
      ],
      usage: {
        prompt_tokens: 1066,
        completion_tokens: 57,
        total_tokens: 1123,
        prompt_tokens_details: { cached_tokens: 1024, cache_write_tokens: 30 },
        completion_tokens_details: { reasoning_tokens: 9 },
      },
    });
  });

  it("goes from openai-chat to anthropic-messages", () => {
    const body = readJsonFixture("openai-chat/fixtures/response-calls.json");
    expect(response(openai, anthropic, body)).toEqual({
      id: "msg_9",
      type: "message",
      role: "assistant",
      model: "asked-model",
      content: [
        { type: "thinking", thinking: "Two places.", signature: "" },
        { type: "text", text: "Let me look." },
        { type: "tool_use", id: "call_a", name: "get_weather", input: { city: "Paris" } },
        { type: "tool_use", id: "call_b", name: "get_time", input: {} },
      ],
      stop_reason: "tool_use",
      stop_sequence: null,
      usage: {
        input_tokens: 18,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 64,
        output_tokens: 17,
      },
    });
  });

  it.each([
    ["end_turn", "stop"],
    ["max_tokens", "length"],
    ["tool_use", "tool_calls"],
    ["refusal", "content_filter"],
  ])("ends with %s here and %s there", (stop_reason, finish_reason) => {
    const claude = { type: "message", id: "msg_1", content: [{ type: "text", text: "a" }], stop_reason };
    expect(response(anthropic, openai, claude)).toMatchObject({ choices: [{ finish_reason }] });
    const gpt = { id: "c", choices: [{ message: { content: "a" }, finish_reason }] };
    expect(response(openai, anthropic, gpt)).toMatchObject({ stop_reason });
  });
});

/** The text in one kind of delta, joined. */
const joined = (events: unknown[], pick: (event: never) => string | undefined): string =>
  events.map((event) => pick(event as never) ?? "").join("");

describe("a stream", () => {
  it("goes from anthropic-messages to openai-chat", () => {
    const chunk = (delta: object, finish_reason: string | null = null) => ({
      id: "chatcmpl-1",
      object: "chat.completion.chunk",
      created: STAMP.createdAt,
      model: "asked-model",
      choices: [{ index: 0, delta, logprobs: null, finish_reason }],
      usage: null,
    });
    expect(stream(anthropic, openai, "thought-text-call")).toEqual([
      chunk({ role: "assistant", content: "" }),
      chunk({ reasoning_content: "Hmm" }),
      chunk({ content: "Hi" }),
      chunk({
        tool_calls: [{ index: 0, id: "call_1", type: "function", function: { name: "f", arguments: "" } }],
      }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: '{"a"' } }] }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: ":1}" } }] }),
      chunk({}, "tool_calls"),
      {
        id: "chatcmpl-1",
        object: "chat.completion.chunk",
        created: STAMP.createdAt,
        model: "asked-model",
        choices: [],
        usage: {
          prompt_tokens: 20,
          completion_tokens: 15,
          total_tokens: 35,
          prompt_tokens_details: { cached_tokens: 8, cache_write_tokens: 0 },
          completion_tokens_details: { reasoning_tokens: 0 },
        },
      },
      "[DONE]",
    ]);
  });

  it("goes from openai-chat to anthropic-messages", () => {
    const block = (index: number, content_block: object) => ({
      type: "content_block_start",
      index,
      content_block,
    });
    const delta = (index: number, fields: object) => ({ type: "content_block_delta", index, delta: fields });
    const stop = (index: number) => ({ type: "content_block_stop", index });
    expect(stream(openai, anthropic, "thought-text-call").slice(1)).toEqual([
      { type: "ping" },
      block(0, { type: "thinking", thinking: "", signature: "" }),
      delta(0, { type: "thinking_delta", thinking: "Hmm" }),
      stop(0),
      block(1, { type: "text", text: "" }),
      delta(1, { type: "text_delta", text: "Hi" }),
      stop(1),
      block(2, { type: "tool_use", id: "call_1", name: "f", input: {} }),
      delta(2, { type: "input_json_delta", partial_json: '{"a":1}' }),
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

  it("unravels parallel calls for a client that takes one after the other", () => {
    const events = stream(openai, anthropic, "parallel-calls") as {
      type: string;
      index?: number;
      delta?: { partial_json?: string };
    }[];
    const order = events
      .filter((event) => event.index !== undefined)
      .map((event) => `${event.type}:${event.index}`);
    expect(order).toEqual([
      "content_block_start:0",
      "content_block_delta:0",
      "content_block_delta:0",
      "content_block_stop:0",
      "content_block_start:1",
      "content_block_delta:1",
      "content_block_delta:1",
      "content_block_stop:1",
    ]);
    const inputOf = (index: number) =>
      JSON.parse(
        events.map((event) => (event.index === index ? (event.delta?.partial_json ?? "") : "")).join(""),
      );
    expect([inputOf(0), inputOf(1)]).toEqual([{ city: "Zürich" }, { zone: "CET" }]);
  });

  it("carries text of every script", () => {
    const text = "你好，wörld 👩‍🚀!";
    const toOpenai = stream(anthropic, openai, "text-unicode");
    expect(
      joined(
        toOpenai,
        (event: { choices?: { delta?: { content?: string } }[] }) => event.choices?.[0]?.delta?.content,
      ),
    ).toBe(text);
    expect(toOpenai.at(-3)).toMatchObject({ choices: [{ finish_reason: "length" }] });
    const toAnthropic = stream(openai, anthropic, "text-unicode");
    expect(joined(toAnthropic, (event: { delta?: { text?: string } }) => event.delta?.text)).toBe(text);
  });

  it("carries a refusal", () => {
    expect(stream(anthropic, openai, "refusal", false)).toMatchObject([
      { choices: [{ delta: { role: "assistant" } }] },
      { choices: [{ delta: { refusal: "Not this." } }] },
      { choices: [{ delta: {}, finish_reason: "content_filter" }] },
      "[DONE]",
    ]);
    expect(stream(openai, anthropic, "refusal").at(-2)).toMatchObject({ delta: { stop_reason: "refusal" } });
  });

  it("carries an error as its event", () => {
    const errorOf = (from: ClientProtocolName, fixture: string) =>
      readParts(UPSTREAM_PROTOCOLS[from], [readFixture(`${from}/fixtures/${fixture}.sse`)]).at(-1);
    expect(errorOf(openai, "error-inside")).toMatchObject({ kind: "error", error: { kind: "overloaded" } });
    expect(errorOf(anthropic, "overloaded")).toMatchObject({ kind: "error", error: { kind: "overloaded" } });
  });
});

describe("the registry", () => {
  it.each(Object.keys(CLIENT_PROTOCOLS) as ClientProtocolName[])("knows %s by its name", (name) => {
    expect(CLIENT_PROTOCOLS[name].name).toBe(name);
    expect(UPSTREAM_PROTOCOLS[name].name).toBe(name);
  });
});
