import type { DetailedTestBody } from "@tollgate/contract/api/channel-upstream";
import { findPrice } from "@tollgate/metering/price";
import { parseRatioTable } from "@tollgate/metering/ratio-table";
import { describe, expect, it } from "vitest";
import type { UpstreamReceiver, UpstreamRequest } from "./ports/transport";
import { entryOf } from "./testing/entry-of";
import { type Trial, testEndpointsOf, tryChannel } from "./trial";

const ONES = parseRatioTable('{"m":1}')!;
const CHAT = {
  id: "x",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: "Hello!" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 13, completion_tokens: 5, total_tokens: 18 },
};
const chunk = (choice: object, usage?: object): string =>
  `data: ${JSON.stringify({ id: "x", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, finish_reason: null, ...choice }], usage })}\n\n`;

const json = (status: number, value: unknown) => (_: UpstreamRequest, receiver: UpstreamReceiver) => {
  receiver.onHeaders(status, { "content-type": "application/json" }, () => {});
  receiver.onData(Buffer.from(JSON.stringify(value)));
  receiver.onEnd();
};

const setUp = async (
  asked: DetailedTestBody,
  answer: (request: UpstreamRequest, receiver: UpstreamReceiver) => void,
  type = 1,
): Promise<Trial & { sent: UpstreamRequest[] }> => {
  const sent: UpstreamRequest[] = [];
  const entry = entryOf({ id: 1, type, models: ["m"], concurrency: 1 });
  const trial = await tryChannel(
    {
      transport: {
        send(request, receiver) {
          sent.push(request);
          receiver.onStart(() => {});
          answer(request, receiver);
        },
        close: async () => {},
      },
      now: () => 1000,
      random: () => 0,
      tokenCounter: { count: (_model, text, done) => done(text.length) },
      fetchMedia: () => Promise.reject(new Error("nothing is to be fetched")),
      buys: (_id, model) =>
        findPrice({ modelRatios: ONES, completionRatios: ONES, groupRatios: new Map() }, model, "", 0),
    },
    entry,
    asked,
    ({ code }) => ({ status: 500, code, message: `told ${code}` }),
  );
  return { ...trial, sent };
};

const bodyOf = ([request]: UpstreamRequest[]): Record<string, unknown> =>
  JSON.parse(Buffer.from(request?.body as Uint8Array).toString()) as Record<string, unknown>;

describe("a test of a channel in detail", () => {
  it("sends the prompt to the model, and tells the answer, tokens and cost", async () => {
    const trial = await setUp({ model: "m", prompt: "What?" }, json(200, CHAT));
    expect(bodyOf(trial.sent)).toMatchObject({ model: "m", messages: [{ role: "user", content: "What?" }] });
    expect(trial).toMatchObject({ text: "Hello!", reason: undefined, charge: { quota: 0 } });
    expect(trial.charge).toMatchObject({ promptTokens: 13, completionTokens: 5, cost: { cost: 18_000 } });
  });

  it.each(["chat", "responses", "messages"] as const)("reads the stream of %s", async (endpoint) => {
    const trial = await setUp(
      { endpoint, stream: true },
      (_, receiver) => {
        receiver.onHeaders(200, { "content-type": "text/event-stream" }, () => {});
        const end = chunk({ delta: {}, finish_reason: "stop" }, CHAT.usage);
        const words =
          chunk({ delta: { role: "assistant", content: "Hel" } }) + chunk({ delta: { content: "lo!" } });
        receiver.onData(Buffer.from(`${words}${end}data: [DONE]\n\n`));
        receiver.onEnd();
      },
      endpoint === "chat" ? 1 : 8,
    );
    expect(trial).toMatchObject({ text: "Hello!", reason: undefined, charge: { promptTokens: 13 } });
  });

  it("calls an operation of the vendor", async () => {
    const answer = {
      object: "list",
      data: [{ embedding: [1] }],
      usage: { prompt_tokens: 3, total_tokens: 3 },
    };
    const trial = await setUp({ endpoint: "embeddings", prompt: "text" }, json(200, answer));
    expect(trial.sent[0]?.path).toBe("/v1/embeddings");
    expect(bodyOf(trial.sent)).toMatchObject({ model: "m", input: "text" });
    expect(trial.text).toContain("embedding");
  });

  it.each<[string, Parameters<typeof setUp>[1], unknown]>([
    [
      "the upstream's words",
      json(401, { error: { message: "no such key", code: "invalid_api_key" } }),
      /no such key/,
    ],
    ["an empty answer", json(200, { ...CHAT, choices: [] }), expect.anything()],
    [
      "a connection",
      (_, receiver) => receiver.onFailure({ kind: "connect", detail: "ECONNREFUSED 10.0.0.1:443" }),
      { transport: "connect" },
    ],
  ])("tells %s without an address when it fails", async (_name, answer, reason) => {
    const trial = await setUp({}, answer);
    expect(trial.charge).toBeUndefined();
    if (reason instanceof RegExp) expect(trial.reason).toMatch(reason);
    else expect(trial.reason).toEqual(reason);
    expect(JSON.stringify(trial.reason)).not.toContain("10.0.0.1");
  });

  it("tells which endpoints a vendor has", () => {
    expect(testEndpointsOf(entryOf({ type: 1 }))).toContain("images");
    expect(testEndpointsOf(entryOf({ type: 14 }))).toEqual(["chat", "responses", "messages"]);
  });
});
