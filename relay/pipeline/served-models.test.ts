import type { ClientProtocolName } from "@tollgate/contract/relay/protocol";
import { parseRatioTable } from "@tollgate/metering/ratio-table";
import { CLIENT_PROTOCOLS } from "@tollgate/protocols/protocols";
import { describe, expect, it, vi } from "vitest";
import { entryOf } from "../testing/entry-of";
import { type Sent, smallRelay } from "../testing/small-relay";

/* The model that an upstream's answer names is kept beside the one that was sent, in all protocols on both sides. */

const PROTOCOLS = ["openai-chat", "anthropic-messages", "openai-responses", "gemini-generate"] as const;

/** Channel types whose upstream speaks a protocol; of OpenAI, a model of Responses. */
const TYPES: Readonly<Record<ClientProtocolName, number>> = {
  "openai-chat": 8,
  "anthropic-messages": 14,
  "openai-responses": 1,
  "gemini-generate": 24,
};
const modelOf = (upstream: ClientProtocolName): string => (upstream === "openai-responses" ? "m-codex" : "m");

const FIELDS: Readonly<Record<ClientProtocolName, Record<string, unknown>>> = {
  "openai-chat": {},
  "anthropic-messages": { max_tokens: 20 },
  "openai-responses": { messages: undefined, input: "hi" },
  "gemini-generate": { messages: undefined, contents: [{ role: "user", parts: [{ text: "hi" }] }] },
};

const RESPONSE = (model: unknown) => ({
  ...{ id: "r", object: "response", created_at: 1, status: "completed", model },
  output: [
    {
      ...{ type: "message", id: "m", role: "assistant", status: "completed" },
      content: [{ type: "output_text", text: "Hello", annotations: [] }],
    },
  ],
  usage: { input_tokens: 5, output_tokens: 2, total_tokens: 7 },
});

const WHOLE: Readonly<Record<ClientProtocolName, (model: unknown) => object>> = {
  "openai-chat": (model) => ({
    ...{ id: "c", object: "chat.completion", created: 1, model },
    choices: [{ index: 0, message: { role: "assistant", content: "Hello" }, finish_reason: "stop" }],
    usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
  }),
  "anthropic-messages": (model) => ({
    ...{ id: "a", type: "message", role: "assistant", model, stop_reason: "end_turn", stop_sequence: null },
    content: [{ type: "text", text: "Hello" }],
    usage: { input_tokens: 5, output_tokens: 2 },
  }),
  "openai-responses": RESPONSE,
  "gemini-generate": (model) => ({
    candidates: [{ content: { role: "model", parts: [{ text: "Hello" }] }, finishReason: "STOP", index: 0 }],
    usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 2, totalTokenCount: 7 },
    modelVersion: model,
  }),
};

const eventsOf = (...events: readonly object[]): string =>
  events
    .map((event) => `${"type" in event ? `event: ${event.type}\n` : ""}data: ${JSON.stringify(event)}\n\n`)
    .join("");

const STREAMS: Readonly<Record<ClientProtocolName, (model: unknown) => string>> = {
  "openai-chat": (model) => {
    const chunk = (choices: readonly object[], more = {}) => ({
      ...{ id: "c", object: "chat.completion.chunk", created: 1, model, choices },
      ...more,
    });
    const events = eventsOf(
      chunk([{ index: 0, delta: { role: "assistant", content: "Hello" }, finish_reason: null }]),
      chunk([{ index: 0, delta: {}, finish_reason: "stop" }]),
      chunk([], { usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 } }),
    );
    return `${events}data: [DONE]\n\n`;
  },
  "anthropic-messages": (model) =>
    eventsOf(
      {
        type: "message_start",
        message: {
          id: "a",
          type: "message",
          role: "assistant",
          model,
          content: [],
          usage: { input_tokens: 5 },
        },
      },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hello" } },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 2 } },
      { type: "message_stop" },
    ),
  "openai-responses": (model) =>
    eventsOf(
      {
        type: "response.created",
        response: { ...RESPONSE(model), status: "in_progress", output: [] },
      },
      {
        ...{ type: "response.output_item.added", output_index: 0 },
        item: { type: "message", id: "m", role: "assistant", content: [] },
      },
      {
        ...{ type: "response.content_part.added", item_id: "m", output_index: 0, content_index: 0 },
        part: { type: "output_text", text: "", annotations: [] },
      },
      {
        ...{ type: "response.output_text.delta", item_id: "m", output_index: 0, content_index: 0 },
        delta: "Hello",
      },
      { type: "response.completed", response: RESPONSE(model) },
    ),
  "gemini-generate": (model) => eventsOf(WHOLE["gemini-generate"](model)),
};

const answer = (sent: Sent, upstream: ClientProtocolName, isStream: boolean, model: unknown): void => {
  if (!isStream) {
    sent.json(200, WHOLE[upstream](model));
    return;
  }
  sent.receiver.onHeaders(200, { "content-type": "text/event-stream" }, () => {});
  sent.receiver.onData(Buffer.from(STREAMS[upstream](model)));
  sent.receiver.onEnd();
};

const ask = (
  client: ClientProtocolName,
  upstream: ClientProtocolName,
  isStream: boolean,
  served: unknown,
  more: { mapping?: Record<string, string>; type?: number; key?: string } = {},
) => {
  const model = modelOf(upstream);
  const { mapping = {}, type = TYPES[upstream], key = "upstream-key" } = more;
  const prices = parseRatioTable(`{"${model}":1,"mapped":1}`);
  if (!prices) throw new Error("no prices");
  const world = smallRelay({
    channels: [entryOf({ id: 7, type, models: [model], modelMapping: mapping }, { key })],
    prices: { modelRatios: prices, completionRatios: prices },
  });
  const response = world.chat(CLIENT_PROTOCOLS[client], { model, ...FIELDS[client], stream: isStream });
  const [sent] = world.sent;
  if (!sent) throw new Error("nothing was sent");
  answer(sent, upstream, isStream, served);
  const { charges } = world;
  return { response, charges, attempt: charges[0]?.attempts.at(-1), charge: charges[0] };
};

const MATRIX = PROTOCOLS.flatMap((client) =>
  PROTOCOLS.flatMap((upstream) => [true, false].map((isStream) => [client, upstream, isStream] as const)),
);

describe("the model that an answer names", () => {
  it.each(MATRIX)(
    "is kept for a client of %s from an upstream of %s (stream: %s)",
    (client, upstream, isStream) => {
      const model = modelOf(upstream);
      expect(ask(client, upstream, isStream, `vendor/${model}-2024-08-06`).attempt).toMatchObject({
        servedModel: `vendor/${model}-2024-08-06`,
        isOtherModel: false,
      });
      expect(ask(client, upstream, isStream, "small").attempt).toMatchObject({
        servedModel: "small",
        isOtherModel: true,
      });
      for (const nothing of [undefined, null, 5, "", "\u0000"]) {
        const { attempt, charge } = ask(client, upstream, isStream, nothing);
        expect(charge?.promptTokens).toBe(5);
        expect(attempt).not.toHaveProperty("servedModel");
        expect(attempt).not.toHaveProperty("isOtherModel");
      }
    },
  );

  it("is compared with the model sent upstream, not with the one that the client requested", () => {
    const mapping = { m: "mapped" };
    expect(ask("openai-chat", "openai-chat", false, "m", { mapping }).attempt?.isOtherModel).toBe(true);
    expect(ask("openai-chat", "openai-chat", false, "mapped", { mapping }).attempt?.isOtherModel).toBe(false);
  });

  it("is not compared where a deployment was requested", () => {
    const { attempt } = ask("openai-chat", "openai-chat", false, "gpt-4o", { type: 3 });
    expect(attempt).toMatchObject({ servedModel: "gpt-4o" });
    expect(attempt).not.toHaveProperty("isOtherModel");
  });

  it.each([true, false])("is cut, cleaned and without the channel's key (stream: %s)", async (isStream) => {
    const { charges } = ask("openai-chat", "openai-chat", isStream, `evil\u0007${"x".repeat(300_000)}`);
    // A large event is read in steps.
    await vi.waitFor(() => expect(charges).toHaveLength(1));
    expect(charges[0]?.attempts.at(-1)?.servedModel).toBe(`evil${"x".repeat(96)}`);
    const key = "sk-secret-of-the-channel";
    expect(ask("openai-chat", "openai-chat", isStream, key, { key }).attempt?.servedModel).not.toContain(key);
  });

  it.each([true, false])("leaves the answer and its price as they are (stream: %s)", (isStream) => {
    const { response, charge } = ask("openai-chat", "openai-chat", isStream, "dear-model");
    expect(response.text).toContain('"model":"dear-model"');
    expect(charge).toMatchObject({ model: "m", quota: 7 });
  });
});
