import type { OperationInput } from "@tollgate/contract/relay/operation";
import { OPERATIONS } from "@tollgate/protocols/openai-operations/openai-operations";
import { recordWav } from "@tollgate/testkit/answer-shapes/recording";
import { describe, expect, it, vi } from "vitest";
import type { RelayPorts } from "../ports/relay-ports";
import { channelOf, setUp } from "../testing/operation-world";
import type { FormShape } from "./build-operation-call";
import { type OperationJob, OperationTask } from "./operation-task";

const json = (fields: Record<string, unknown>): OperationInput => ({ fields, uploads: [] });
const SPEECH = json({ model: "tts-1", voice: "alloy", input: "Hello world" });
const EMBEDDING = JSON.stringify({ data: [{ embedding: [0.5] }], usage: { prompt_tokens: 7 } });

describe("sound", () => {
  const begin = (world: ReturnType<typeof setUp>) => {
    const response = world.run("audio/speech", "tts-1", SPEECH);
    const sent = world.sent[0]!;
    sent.head(200, "audio/mpeg");
    return { response, sent, push: (...bytes: number[]) => sent.receiver.onData(Buffer.from(bytes)) };
  };

  it("keeps its last byte until the charge is durable", () => {
    const world = setUp();
    world.state.isStorageSlow = true;
    const { response, sent, push } = begin(world);
    push(1, 2, 3);
    push(4, 5);
    expect([...response.bytes]).toEqual([1, 2, 3, 4]);
    sent.receiver.onEnd();
    expect(response.writableEnded).toBe(false);
    world.commits[0]!(undefined);
    expect([...response.bytes]).toEqual([1, 2, 3, 4, 5]);
    expect(response.writableEnded).toBe(true);
    expect(response.headers["content-type"]).toBe("audio/mpeg");
    expect(world.charges).toMatchObject([
      { quota: 82, promptTokens: 0, completionTokens: 0, promptSource: "none", completionSource: "none" },
    ]);
    world.expectNothingLeft();
  });

  it("whose charge cannot be stored is a broken connection", () => {
    const world = setUp();
    world.state.isStorageSlow = true;
    const { response, sent, push } = begin(world);
    push(1, 2, 3);
    sent.receiver.onEnd();
    world.commits[0]!(new Error("disk full"));
    expect(response.destroyed).toBe(true);
    expect([...response.bytes]).toEqual([1, 2]);
    world.expectNothingLeft();
  });

  it("is slowed down by a client that does not read", () => {
    const world = setUp();
    const { response, sent, push } = begin(world);
    response.isReading = false;
    expect(push(1, 2, 3)).toBe(false);
    response.emit("drain");
    expect(sent.resumed).toBe(1);
  });

  it("that breaks off before a byte went out is replaced by another channel's", () => {
    const world = setUp({ retryTimes: 1, channels: [channelOf(1), channelOf(2)] });
    const { response, sent, push } = begin(world);
    push(1);
    sent.receiver.onFailure({ kind: "reset", detail: "" });
    world.sent[1]!.whole(200, "audio/wav", "abc");
    expect(response.text).toBe("abc");
    expect(response.headers["content-type"]).toBe("audio/wav");
    expect(world.charges).toMatchObject([{ channelId: 2, quota: 82 }]);
    world.expectNothingLeft();
  });

  it("that breaks off later breaks the connection, and is free", () => {
    const world = setUp();
    const { response, sent, push } = begin(world);
    push(1, 2, 3);
    sent.receiver.onFailure({ kind: "reset", detail: "" });
    expect(response.destroyed).toBe(true);
    expect(world.charges).toEqual([]);
    world.expectNothingLeft();
  });

  it("that the stopping process interrupts is charged, and ends without an error among its bytes", async () => {
    const world = setUp();
    const { response, push } = begin(world);
    push(1, 2, 3);
    await world.relay.drain(1);
    expect([...response.bytes]).toEqual([1, 2]);
    expect(response.destroyed).toBe(true);
    expect(world.charges).toMatchObject([{ quota: 82 }]);
    world.expectNothingLeft();
  });
});

describe("a streamed image", () => {
  const preview = 'event: a\ndata: {"type":"image_generation.partial_image","b64_json":"AA"}\n\n';
  const image =
    'event: b\ndata: {"type":"image_generation.completed","b64_json":"AA","usage":{"input_tokens":3,"output_tokens":4}}\n\n';

  it("is kept back until its charge is durable", () => {
    const world = setUp();
    world.state.isStorageSlow = true;
    const response = world.run("images/generations", "text", json({ prompt: "a", stream: true }));
    const { receiver } = world.sent[0]!;
    world.sent[0]!.head(200, "text/event-stream");
    receiver.onData(Buffer.from(preview));
    receiver.onData(Buffer.from(image));
    expect(response.text).toBe(preview);
    expect(world.charges).toMatchObject([{ promptTokens: 3, completionTokens: 4, quota: 7 }]);
    world.commits[0]!(undefined);
    expect(response.text).toBe(preview + image);
    world.expectNothingLeft();
  });

  it("is one of several when several are asked for", () => {
    const world = setUp();
    const response = world.run("images/generations", "text", json({ prompt: "a", stream: true, n: 2 }));
    const { receiver } = world.sent[0]!;
    world.sent[0]!.head(200, "text/event-stream");
    receiver.onData(Buffer.from(preview + image));
    receiver.onData(Buffer.from(image));
    receiver.onEnd();
    expect(response.text).toBe(preview + image + image);
    // The prompt was read once, and each picture has its own tokens.
    expect(world.charges).toMatchObject([{ promptTokens: 3, completionTokens: 8, quota: 11 }]);
    world.expectNothingLeft();
  });
});

describe("a price for each picture", () => {
  it.each([
    [{ input_tokens: 10, output_tokens: 8000 }, "gpt-image-1", 4, 2, 2 * 20_000],
    [undefined, "gpt-image-1", 4, 3, 3 * 20_000],
    [{ input_tokens: 10, output_tokens: 8000 }, "gpt-image-1", 1, 4, 20_000],
  ])("is one for each that came, whatever tokens are told (%j)", (usage, model, n, came, quota) => {
    const world = setUp({ modelPrices: new Map([[model, [{ perCall: 0.04 }]]]) });
    world.run("images/generations", model, json({ model, prompt: "a", n }));
    const data = Array.from({ length: came }, () => ({ b64_json: "AA" }));
    world.sent[0]!.whole(200, "application/json", JSON.stringify({ data, usage }));
    expect(world.charges).toMatchObject([{ quota }]);
    world.expectNothingLeft();
  });
});

describe("a streamed transcript that its client leaves", () => {
  const event = (value: object): Buffer => Buffer.from(`data: ${JSON.stringify(value)}\n\n`);
  const leave = (countsDrainMs: number) => {
    const world = setUp({ countsDrainMs });
    const fields = { model: "whisper-1", stream: "true" };
    const uploads = [{ field: "file", filename: "f.wav", bytes: recordWav(600) }];
    const response = world.run("audio/transcriptions", "whisper-1", { fields, uploads });
    const sent = world.sent[0]!;
    sent.head(200, "text/event-stream");
    sent.receiver.onData(event({ type: "transcript.text.delta", delta: "Good morning" }));
    response.destroy();
    return { world, sent };
  };
  const done = { type: "transcript.text.done", text: "Good morning to all" };

  it("is stopped, and the recording that was sent is charged", () => {
    const { world, sent } = leave(0);
    expect(sent.isAborted).toBe(true);
    expect(world.charges).toMatchObject([{ quota: 30_000 }]);
    world.expectNothingLeft();
  });

  it("is read on for the upstream's usage of the recording, and its text is charged as far as it came", () => {
    const { world, sent } = leave(5000);
    expect(world.charges).toEqual([]);
    sent.receiver.onData(event({ ...done, usage: { input_tokens: 6000, output_tokens: 900 } }));
    expect(world.charges).toMatchObject([{ promptTokens: 6000, completionTokens: 3 }]);
    world.expectNothingLeft();
  });

  it("is charged by the recording where the upstream tells nothing of it at its end, either", () => {
    const { world, sent } = leave(5000);
    sent.receiver.onData(event(done));
    expect(world.charges).toMatchObject([{ quota: 30_000 }]);
    world.expectNothingLeft();
  });
});

describe("a model whose output has no price (M6)", () => {
  it.each([
    ["completions", json({ prompt: "a", max_tokens: 5 })],
    ["edits", json({ instruction: "a" })],
  ] as const)("is refused where it would write: %s", (name, input) => {
    const world = setUp();
    expect(world.run(name, "wordless", input).text).toContain("output-price-missing");
    expect(world.sent).toEqual([]);
    world.expectNothingLeft();
  });

  it.each([
    ["embeddings", json({ input: "a" })],
    ["moderations", json({ input: "a" })],
    ["rerank", json({ query: "a", documents: ["b"] })],
    ["images/generations", json({ prompt: "a" })],
    ["audio/speech", SPEECH],
  ] as const)("is asked where it writes nothing: %s", (name, input) => {
    const world = setUp();
    const response = world.run(name, "wordless", input);
    expect(response.text).toBe("");
    expect(world.sent).toHaveLength(1);
  });
});

describe("holds", () => {
  it.each([
    ["images", 29_999, "images/generations", "dall-e-2", json({ prompt: "a", n: 3 })],
    ["characters", 81, "audio/speech", "tts-1", SPEECH],
    ["tokens and the client's limit", 1_000, "completions", "text", json({ prompt: "a", max_tokens: 1001 })],
  ] as const)("cover all %s that are asked for", (_, quota, name, model, input) => {
    const world = setUp({ quota });
    expect(world.run(name, model, input).text).toContain("user-quota-exceeded");
    expect(world.sent).toEqual([]);
    world.expectNothingLeft();
  });

  it("of parallel requests cannot overdraw, and return unused quota", () => {
    const world = setUp({ quota: 15_000 });
    world.run("images/generations", "dall-e-2", json({ prompt: "a" }));
    const second = world.run("images/generations", "dall-e-2", json({ prompt: "a" }));
    expect(second.text).toContain("user-quota-held");
    world.sent[0]!.whole(
      400,
      "application/json",
      '{"error":{"message":"no","code":"content_policy_violation"}}',
    );
    expect(world.user.quota).toBe(15_000);
    world.expectNothingLeft();
  });
});

describe("the request sent upstream", () => {
  it("is the client's own body when nothing has to be changed", () => {
    const world = setUp();
    const rawBody = Buffer.from('{ "model":"embed", "input":"a",  "x":1.0 }');
    world.run("embeddings", "embed", json({ model: "embed", input: "a", x: 1 }), rawBody);
    expect(world.sent[0]!.request.body).toBe(rawBody);
    expect(world.sent[0]!.request).toMatchObject({
      path: "/v1/embeddings",
      headers: { "content-type": "application/json", authorization: "Bearer upstream-key" },
    });
  });

  it("keeps every field beside a mapped model", () => {
    const world = setUp({ channels: [channelOf(1, { modelMapping: { mine: "embed" } })] });
    world.run("embeddings", "mine", json({ model: "mine", input: "a", x: [0] }));
    expect(JSON.parse(String(world.sent[0]!.request.body))).toEqual({ model: "embed", input: "a", x: [0] });
    world.sent[0]!.whole(200, "application/json", EMBEDDING);
    expect(world.charges).toMatchObject([{ model: "embed", quota: 14 }]);
  });

  it("is no tier of service, which would cost something else (M13)", () => {
    const world = setUp();
    const asked = (fields: object): unknown => {
      const body = { model: "embed", input: "a", ...fields };
      world.run("embeddings", "embed", json(body), Buffer.from(JSON.stringify(body)));
      return JSON.parse(String(world.sent.at(-1)!.request.body));
    };
    expect(asked({ service_tier: "priority", speed: 1.5 })).toEqual({
      model: "embed",
      input: "a",
      speed: 1.5,
    });
    expect(asked({ service_tier: "default" })).toHaveProperty("service_tier", "default");
  });

  it("names no other models and buys no searches, which would cost something else", () => {
    const world = setUp();
    const body = {
      ...{ model: "text", prompt: "a", models: ["dear"], plugins: [{ id: "web" }], enable_search: true },
      ...{ web_search: { enable: true }, extra_body: { fallbacks: ["dear"], top_k: 1 } },
    };
    world.run("completions", "text", json(body), Buffer.from(JSON.stringify(body)));
    expect(JSON.parse(String(world.sent[0]!.request.body))).toEqual({
      model: "text",
      prompt: "a",
      extra_body: { top_k: 1 },
    });
  });

  const BOUNDARY = "x";
  const rawForm = Buffer.from(
    `--x\r\nContent-Disposition: form-data; name="model"\r\n\r\nmine\r\n--x\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\nsound\r\n--x--\r\n`,
  );
  const start = rawForm.indexOf("mine");
  const shape: FormShape = {
    contentType: "multipart/form-data; boundary=x",
    start: 0,
    boundary: BOUNDARY,
    model: { start, end: start + 4 },
  };
  const upload = { field: "file", filename: "f", bytes: Buffer.from("sound") };

  it.each([
    ["in the place of the client's", shape, { model: "mine" }],
    ["before everything when the client names none", { ...shape, model: undefined }, {}],
  ])("of a form is its own bytes around another model, %s", async (_, form, fields) => {
    const channels = [
      channelOf(1, { modelMapping: { mine: "whisper-1" } }),
      channelOf(2, { modelMapping: { mine: "whisper-1" } }),
    ];
    const world = setUp({ channels, retryTimes: 1 });
    const input = { fields, uploads: [upload] };
    const response = world.run("audio/transcriptions", "mine", input, rawForm, form);
    world.sent[0]!.whole(500, "application/json", "{}");
    world.sent[1]!.whole(200, "application/json", '{"text":"Hello","usage":{"seconds":60}}');
    for (const { request } of world.sent) {
      const pieces = request.body as readonly Uint8Array[];
      const body = Buffer.concat(pieces);
      expect(request.headers).toMatchObject({
        "content-type": form.contentType,
      });
      const sentForm = await new Response(body, { headers: { "content-type": form.contentType } }).formData();
      if (form.model) expect(sentForm.getAll("model")).toEqual(["whisper-1"]);
      else expect(sentForm.getAll("model")[0]).toBe("whisper-1");
      // The file was not copied.
      expect(pieces.at(-1)?.buffer).toBe(rawForm.buffer);
    }
    expect(response.text).toContain("Hello");
    expect(world.charges).toMatchObject([{ quota: 3000, model: "whisper-1" }]);
    world.expectNothingLeft();
  });
});

describe("a channel whose protocol cannot do it", () => {
  const anthropic = channelOf(1, { type: 14, priority: 9 });

  it("is passed over", () => {
    const world = setUp({ channels: [anthropic, channelOf(2)] });
    world.run("embeddings", "embed", json({ input: "a" }));
    world.sent[0]!.whole(200, "application/json", EMBEDDING);
    expect(world.charges).toMatchObject([{ channelId: 2 }]);
  });

  it("is no answer to who asks for it alone", () => {
    const world = setUp({ channels: [anthropic] });
    expect(world.run("embeddings", "embed", json({ input: "a" })).text).toContain("operation-unavailable");
    expect(world.sent).toEqual([]);
    world.expectNothingLeft();
  });

  it("is distinct from a model that no channel offers", () => {
    const world = setUp({ channels: [] });
    expect(world.run("embeddings", "embed", json({ input: "a" })).text).toContain("model-unknown");
  });
});

describe("a whole answer", () => {
  it.each([
    ["application/json; charset=utf-8", '{"text":"a"}', "application/json"],
    ["text/html", "a transcript", "text/plain; charset=utf-8"],
    ["text/vtt", "WEBVTT", "text/vtt; charset=utf-8"],
    ["", '{"text":"a"}', "application/json"],
  ])("of the type %s is sent under a type that no browser takes for a page", (type, text, told) => {
    const world = setUp();
    const isJson = text.startsWith("{");
    const fields = isJson ? {} : { response_format: "text" };
    const upload = { field: "file", filename: "f", bytes: Buffer.from("sound") };
    const response = world.run("audio/transcriptions", "whisper-1", { fields, uploads: [upload] });
    world.sent[0]!.whole(200, type, text);
    expect(response.headers["content-type"]).toBe(told);
    expect(response.text).toBe(text);
  });

  it("to who asked for a stream is a stream", () => {
    const world = setUp();
    const response = world.run("completions", "text", json({ prompt: "a", stream: true }));
    const body = { choices: [{ text: "b" }], usage: { prompt_tokens: 3, completion_tokens: 1 } };
    world.sent[0]!.whole(200, "application/json", JSON.stringify(body));
    expect(response.headers["content-type"]).toContain("text/event-stream");
    expect(response.text).toBe(`data: ${JSON.stringify(body)}\n\ndata: [DONE]\n\n`);
    expect(world.charges).toMatchObject([{ quota: 4 }]);
  });

  it("that comes after the client left is free", () => {
    const world = setUp();
    const response = world.run("embeddings", "embed", json({ input: "a" }));
    response.destroy();
    expect(world.sent[0]!.isAborted).toBe(true);
    world.sent[0]!.whole(200, "application/json", EMBEDDING);
    expect(world.charges).toEqual([]);
    world.expectNothingLeft();
  });
});

describe("a large prompt", () => {
  it("is measured once, however often its estimate is asked for", () => {
    const { summarizeRequest } = OPERATIONS.embeddings;
    const input = { fields: { model: "embed", input: "x".repeat(10_000) }, uploads: [] };
    const summary = summarizeRequest(input, "embed");
    const task = new OperationTask(
      {} as RelayPorts,
      { operation: OPERATIONS.embeddings, model: "embed", input, summary } as unknown as OperationJob,
    );
    const measured = vi.spyOn(Buffer, "byteLength");
    const estimates = Array.from({ length: 20 }, () => task.promptTokens);
    const count = measured.mock.calls.length;
    measured.mockRestore();
    expect(new Set(estimates).size).toBe(1);
    expect(count).toBeLessThan(5);
  });
});
