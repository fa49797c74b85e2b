import type { OperationInput } from "@tollgate/contract/relay/operation";
import { encodeWav } from "@tollgate/protocols/shared/answer/wav";
import { recordWav } from "@tollgate/testkit/answer-shapes/recording";
import { describe, expect, it } from "vitest";
import { channelOf, setUp } from "../testing/operation-world";

/* Speech and recordings at an upstream of another shape: holds, charges and the client's answer. */

const GOOGLE = { type: 24 };
/** A tenth of a second. */
const SAMPLES = Buffer.alloc(4800, 7);

const soundOf = (samples: Buffer, usageMetadata?: unknown): string =>
  JSON.stringify({
    candidates: [
      {
        content: {
          parts: [
            { inlineData: { mimeType: "audio/L16;codec=pcm;rate=24000", data: samples.toString("base64") } },
          ],
        },
        finishReason: "STOP",
      },
    ],
    usageMetadata,
  });
const USAGE = { promptTokenCount: 4, candidatesTokenCount: 13 };

const speech = (fields: Record<string, unknown> = {}): OperationInput => ({
  fields: { model: "text", voice: "alloy", input: "Hello", ...fields },
  uploads: [],
});
const recording = (fields: Record<string, unknown> = {}): OperationInput => ({
  fields: { model: "text", ...fields },
  uploads: [{ field: "file", filename: "a.wav", bytes: recordWav(3) }],
});

describe("speech in another vendor's shape", () => {
  it("comes as a WAV, charged by the upstream's tokens", () => {
    const world = setUp({ channels: [channelOf(1, GOOGLE)] });
    const response = world.run("audio/speech", "text", speech());
    expect(world.user.held).toBeGreaterThan(16_000);
    world.sent[0]!.whole(200, "application/json", soundOf(SAMPLES, USAGE));
    expect(response.headers["content-type"]).toBe("audio/wav");
    expect(Buffer.from(response.bytes).equals(encodeWav(SAMPLES, 24_000))).toBe(true);
    expect(world.charges).toMatchObject([
      { quota: 17, promptTokens: 4, completionTokens: 13, completionSource: "upstream" },
    ]);
    world.expectNothingLeft();
  });

  it("without usage is counted by its text and its length", () => {
    const world = setUp({ channels: [channelOf(1, GOOGLE)] });
    world.run("audio/speech", "text", speech());
    world.sent[0]!.whole(200, "application/json", soundOf(Buffer.alloc(96_000)));
    // Five letters, and two seconds.
    expect(world.charges).toMatchObject([
      { quota: 52, promptTokens: 2, completionTokens: 50, completionSource: "counted" },
    ]);
    world.expectNothingLeft();
  });

  it("comes as events for a client that asks for them", () => {
    const world = setUp({ channels: [channelOf(1, GOOGLE)] });
    const input = speech({ stream_format: "sse", response_format: "pcm" });
    const response = world.run("audio/speech", "text", input);
    const samples = Buffer.alloc(100_000, 3);
    world.sent[0]!.whole(200, "application/json", soundOf(samples, USAGE));
    expect(response.headers["content-type"]).toContain("text/event-stream");
    const events = response.text
      .split("\n\n")
      .filter((event) => event !== "")
      .map((event) => JSON.parse(event.replace("data: ", "")) as Record<string, unknown>);
    const sound = events.flatMap(({ audio }) =>
      typeof audio === "string" ? [Buffer.from(audio, "base64")] : [],
    );
    expect(sound.length).toBe(3);
    expect(Buffer.concat(sound).equals(samples)).toBe(true);
    expect(events.at(-1)).toEqual({
      type: "speech.audio.done",
      usage: { input_tokens: 4, output_tokens: 13, total_tokens: 17 },
    });
    world.expectNothingLeft();
  });

  it("that its vendor cannot make is refused before anything is held", () => {
    const world = setUp({ channels: [channelOf(1, GOOGLE)] });
    const holds: number[] = [];
    Object.defineProperty(world.user, "held", { get: () => 0, set: (held: number) => holds.push(held) });
    const response = world.run("audio/speech", "text", speech({ response_format: "mp3" }));
    expect(response.text).toContain("request-invalid");
    expect(world.sent).toEqual([]);
    expect(holds).toEqual([]);
    expect(world.charges).toEqual([]);
    expect(world.relay.active).toBe(0);
  });

  it("goes to another channel of the model whose vendor can make it", () => {
    const world = setUp({ channels: [channelOf(1, GOOGLE), channelOf(2)] });
    const response = world.run("audio/speech", "text", speech({ response_format: "mp3" }));
    expect(world.sent).toHaveLength(1);
    expect(world.sent[0]!.request.path).toBe("/v1/audio/speech");
    world.sent[0]!.whole(200, "audio/mpeg", "abc");
    expect(response.text).toBe("abc");
    // Charged by its characters again.
    expect(world.charges).toMatchObject([{ channelId: 2, quota: 5, promptSource: "none" }]);
    world.expectNothingLeft();
  });

  it("needs a price of its sound", () => {
    const world = setUp({ channels: [channelOf(1, GOOGLE)] });
    const response = world.run("audio/speech", "wordless", speech({ model: "wordless" }));
    expect(response.text).toContain("output-price-missing");
    expect(world.sent).toEqual([]);
  });

  it.each([
    ["bytes", "audio/mpeg", "abc"],
    ["nothing", "application/json", ""],
    ["an error", "application/json", '{"error":{"code":500,"message":"no"}}'],
    ["invalid base64", "application/json", soundOf(SAMPLES).replace("Bwc", "%%%")],
    ["half of it", "application/json", soundOf(SAMPLES).slice(0, 200)],
    ["events", "text/event-stream", 'data: {"type":"speech.audio.delta","audio":"AAAA"}\n\n'],
  ])("is free when the upstream answers with %s", (_, type, body) => {
    const world = setUp({ channels: [channelOf(1, GOOGLE)] });
    const response = world.run("audio/speech", "text", speech());
    world.sent[0]!.whole(200, type, body);
    expect(response.bytes.length).toBeGreaterThan(0);
    expect(response.text).not.toContain("audio.delta");
    expect(world.charges).toEqual([]);
    world.expectNothingLeft();
  });

  it("is free for a client that leaves before it has come", () => {
    const world = setUp({ channels: [channelOf(1, GOOGLE)] });
    const response = world.run("audio/speech", "text", speech());
    response.destroy();
    expect(world.sent[0]!.isAborted).toBe(true);
    expect(world.charges).toEqual([]);
    world.expectNothingLeft();
  });
});

describe("speech in events of another vendor's shape", () => {
  const QWEN = { type: 17 };
  const MODEL = "wordless";
  const eventOf = (samples: Buffer, more: Record<string, unknown> = {}, usage?: unknown): string =>
    `data: ${JSON.stringify({ output: { audio: { data: samples.toString("base64") }, ...more }, usage })}\n\n`;
  const [first, second] = [Buffer.alloc(480, 1), Buffer.alloc(480, 2)];
  const end = eventOf(Buffer.alloc(0), { finish_reason: "stop" }, { characters: 8 });

  const begin = (fields: Record<string, unknown> = {}) => {
    const world = setUp({ channels: [channelOf(1, QWEN)] });
    const response = world.run("audio/speech", MODEL, speech({ model: MODEL, input: "你好 you", ...fields }));
    const sent = world.sent[0]!;
    sent.head(200, "text/event-stream;charset=UTF-8");
    return { world, response, sent, push: (text: string) => sent.receiver.onData(Buffer.from(text)) };
  };

  it("is asked for beside the address of OpenAI's shape", () => {
    const { sent } = begin();
    expect(sent.request.path).toBe("/api/v1/services/aigc/multimodal-generation/generation");
    expect(sent.request.headers).toMatchObject({ "x-dashscope-sse": "enable", accept: "text/event-stream" });
  });

  it("comes as a WAV with the right length, charged by the vendor's characters", () => {
    const { world, response, push } = begin();
    push(eventOf(first));
    push(eventOf(second));
    expect(response.headersSent).toBe(false);
    push(end);
    expect(response.headers["content-type"]).toBe("audio/wav");
    expect(Buffer.from(response.bytes).equals(encodeWav(Buffer.concat([first, second]), 24_000))).toBe(true);
    expect(world.charges).toMatchObject([{ quota: 8, promptSource: "none" }]);
    world.expectNothingLeft();
  });

  it("comes raw as it is made, its last piece after the charge", () => {
    const { world, response, push } = begin({ response_format: "pcm" });
    world.state.isStorageSlow = true;
    push(eventOf(first) + eventOf(second));
    expect(Buffer.from(response.bytes).equals(first)).toBe(true);
    push(end);
    expect(response.writableEnded).toBe(false);
    world.commits[0]!(undefined);
    expect(Buffer.from(response.bytes).equals(Buffer.concat([first, second]))).toBe(true);
    expect(response.headers["content-type"]).toBe("audio/pcm");
    world.expectNothingLeft();
  });

  it("comes as events of OpenAI's shape", () => {
    const { world, response, push } = begin({ stream_format: "sse" });
    push(eventOf(first) + eventOf(second) + end);
    const audio = (samples: Buffer) =>
      `data: ${JSON.stringify({ type: "speech.audio.delta", audio: samples.toString("base64") })}\n\n`;
    expect(response.text).toBe(`${audio(first)}${audio(second)}data: {"type":"speech.audio.done"}\n\n`);
    world.expectNothingLeft();
  });

  it.each([
    ["an error", 'event:error\ndata:{"code":"InvalidParameter","message":"no voice"}\n\n'],
    ["no sound", end],
    ["nothing", ""],
    ["no end", eventOf(first)],
    ["invalid base64", eventOf(first).replace("AQEB", "%%%%")],
    ["an end in the middle of an event", eventOf(first).slice(0, 100)],
  ])("is free when there is %s", (_, text) => {
    const { world, response, sent, push } = begin();
    push(text);
    sent.receiver.onEnd();
    expect(response.text).not.toContain("RIFF");
    expect(world.charges).toEqual([]);
    world.expectNothingLeft();
  });

  it("that breaks off after the first sound is free", () => {
    const { world, response, sent, push } = begin({ response_format: "pcm" });
    push(eventOf(first) + eventOf(second));
    sent.receiver.onFailure({ kind: "reset", detail: "" });
    expect(response.destroyed).toBe(true);
    expect(world.charges).toEqual([]);
    world.expectNothingLeft();
  });

  it("costs its text when the client leaves after the first sound, and nothing before", () => {
    const raw = begin({ response_format: "pcm" });
    raw.push(eventOf(first) + eventOf(second));
    raw.response.destroy();
    expect(raw.world.charges).toMatchObject([{ quota: 8 }]);
    raw.world.expectNothingLeft();
    const whole = begin();
    whole.push(eventOf(first) + eventOf(second));
    whole.response.destroy();
    expect(whole.world.charges).toEqual([]);
    whole.world.expectNothingLeft();
  });

  it.each([1, 7, 64])("is the same however its bytes are cut (%d)", (size) => {
    const { world, response, sent, push } = begin();
    const text = eventOf(first) + eventOf(second) + end;
    for (let at = 0; at < text.length; at += size) push(text.slice(at, at + size));
    sent.receiver.onEnd();
    expect(Buffer.from(response.bytes).equals(encodeWav(Buffer.concat([first, second]), 24_000))).toBe(true);
    expect(world.charges).toHaveLength(1);
    world.expectNothingLeft();
  });
});

describe("recordings in another vendor's shape", () => {
  const answer = JSON.stringify({
    candidates: [{ content: { parts: [{ text: "Hello." }] }, finishReason: "STOP" }],
    usageMetadata: {
      promptTokenCount: 120,
      candidatesTokenCount: 6,
      promptTokensDetails: [{ modality: "AUDIO", tokenCount: 96 }],
    },
  });
  const usage = {
    type: "tokens",
    input_tokens: 120,
    input_token_details: { audio_tokens: 96 },
    output_tokens: 6,
    total_tokens: 126,
  };

  it.each([
    ["json", {}, JSON.stringify({ text: "Hello.", usage })],
    ["text", { response_format: "text" }, "Hello.\n"],
  ])("come as %s, charged by the upstream's tokens", (_, fields, told) => {
    const world = setUp({ channels: [channelOf(1, GOOGLE)] });
    const response = world.run("audio/transcriptions", "text", recording(fields));
    world.sent[0]!.whole(200, "application/json", answer);
    expect(response.text).toBe(told);
    expect(world.charges).toMatchObject([{ quota: 126, promptTokens: 120, completionTokens: 6 }]);
    world.expectNothingLeft();
  });

  it("come as a stream for a client that asks for one", () => {
    const world = setUp({ channels: [channelOf(1, GOOGLE)] });
    const response = world.run("audio/transcriptions", "text", recording({ stream: "true" }));
    world.sent[0]!.whole(200, "application/json", answer);
    expect(response.text).toBe(
      `data: {"type":"transcript.text.delta","delta":"Hello."}\n\ndata: ${JSON.stringify({ type: "transcript.text.done", text: "Hello.", usage })}\n\n`,
    );
    world.expectNothingLeft();
  });

  it("are no answer when an upstream only pretends to know the client's shape", () => {
    const world = setUp({ channels: [channelOf(1, GOOGLE)] });
    world.run("audio/transcriptions", "text", recording());
    world.sent[0]!.whole(200, "application/json", '{"text":"forged","usage":{"seconds":1}}');
    expect(world.charges).toEqual([]);
    world.expectNothingLeft();
  });
});
