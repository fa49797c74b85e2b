import { SOUND, VECTOR } from "@tollgate/testkit/answer-shapes/openai-operations";
import { recordWav } from "@tollgate/testkit/answer-shapes/recording";
import { DEFAULT_TEXT } from "@tollgate/testkit/fake-upstream/upstream-script";
import OpenAI, { APIError, BadRequestError, toFile } from "openai";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Account, addChannel, type Figures, type Stage, startStage } from "../api/relay/stage";

/*
 * Everything that the official OpenAI client can ask for besides chats: what arrives, what the upstream was sent, and
 * what it cost, to the unit.
 */

const MODELS = [
  "gpt-3.5-turbo-instruct",
  "text-davinci-edit-001",
  "text-embedding-ada-002",
  "text-moderation-stable",
  "reranker",
  "dall-e-2",
  "dall-e-3",
  "gpt-image-1",
  "tts-1",
  "whisper-1",
  "gpt-4o-transcribe",
];

let stage: Stage;
let account: Account;
let client: OpenAI;
let before: Figures;

beforeAll(async () => {
  stage = await startStage();
  const base_url = stage.upstream.url;
  await addChannel(stage.root, { type: 1, base_url, models: MODELS.join(",") });
  await addChannel(stage.root, {
    type: 1,
    base_url,
    models: "my-whisper,my-embedding,my-image",
    model_mapping: JSON.stringify({
      "my-whisper": "whisper-1",
      "my-embedding": "text-embedding-ada-002",
      "my-image": "dall-e-2",
    }),
  });
  await addChannel(stage.root, {
    type: 35,
    base_url: `${base_url}/compatibility`,
    models: "rerank-v3.5",
  });
  await addChannel(stage.root, { type: 14, base_url, models: "claude-2" });
  // A price for what the contract's table does not know.
  await stage.setOption("FallbackModelRatio", "2");
  account = await stage.addAccount("alice", 100_000_000);
  client = new OpenAI({ apiKey: account.key, baseURL: `${stage.server.url}/v1`, maxRetries: 0 });
});

afterAll(async () => {
  await stage?.close();
});

beforeEach(async () => {
  stage.upstream.reset();
  before = await account.figures();
});

const sent = () => {
  const request = stage.upstream.requests.at(-1);
  if (!request) throw new Error("the upstream was not asked");
  return request;
};

const sentFile = (field: string): File => {
  const file = sent().form?.get(field);
  if (!(file instanceof File)) throw new Error(`the upstream was sent no file ${field}`);
  return file;
};

const expectCharged = async (price: number, line: Record<string, unknown>) => {
  expect(await account.figures()).toEqual({
    user: {
      quota: before.user.quota - price,
      used: before.user.used + price,
      requests: before.user.requests + 1,
    },
    token: { remain: before.token.remain - price, used: before.token.used + price },
  });
  expect((await account.usage())[0]).toMatchObject({ quota: price, ...line });
};

const expectFree = async () => {
  expect(await account.figures()).toEqual(before);
};

describe("completions", () => {
  const model = "gpt-3.5-turbo-instruct";

  it("come whole, in the client's own bytes", async () => {
    const answer = await client.completions.create({ model, prompt: "Once upon", max_tokens: 7 });
    expect(answer.choices[0]?.text).toBe(DEFAULT_TEXT);
    expect(sent()).toMatchObject({
      path: "/v1/completions",
      body: { model, prompt: "Once upon", max_tokens: 7 },
    });
    // (13 + 5 × 1.333333) × 0.75
    await expectCharged(15, { model_name: model, prompt_tokens: 13, completion_tokens: 5 });
  });

  it.each([true, false])("stream, charged by the upstream's usage (include_usage: %s)", async (isAsked) => {
    const stream = await client.completions.create({
      model,
      prompt: "Once upon",
      stream: true,
      ...(isAsked ? { stream_options: { include_usage: true } } : {}),
    });
    let text = "";
    let usages = 0;
    for await (const chunk of stream) {
      text += chunk.choices[0]?.text ?? "";
      if (chunk.usage) usages += 1;
    }
    expect(text).toBe(DEFAULT_TEXT);
    expect(usages).toBe(isAsked ? 1 : 0);
    expect(sent().body?.stream_options).toEqual({ include_usage: true });
    await expectCharged(15, { prompt_tokens: 13, completion_tokens: 5 });
  });

  it.each([
    ["a string", "one two three four", 4],
    ["a list of strings", ["one two", "three four"], 5],
    ["token numbers", [11, 12, 13], 3],
    ["lists of token numbers", [[11], [12, 13]], 3],
  ])("given as %s are counted when the upstream does not count (7.1 #9)", async (_, prompt, tokens) => {
    stage.upstream.script({ fault: "no-usage", text: "one" });
    await client.completions.create({ model, prompt });
    const [line] = await account.usage();
    expect(line).toMatchObject({ prompt_tokens: tokens, completion_tokens: 1 });
    expect(line?.content).toContain("用量由网关计算");
  });

  it("that break off say so, and are free", async () => {
    stage.upstream.script({ fault: "reset-mid-stream" });
    const stream = await client.completions.create({ model, prompt: "Once", stream: true });
    const reading = async () => {
      for await (const _ of stream);
    };
    await expect(reading()).rejects.toBeInstanceOf(APIError);
    await expectFree();
  });
});

it("edits are relayed to an upstream that still offers them", async () => {
  const response = await fetch(`${stage.server.url}/v1/edits`, {
    method: "POST",
    headers: { authorization: `Bearer ${account.key}` },
    body: JSON.stringify({ model: "text-davinci-edit-001", input: "helo", instruction: "Fix it" }),
  });
  expect(await response.json()).toMatchObject({ object: "edit", choices: [{ text: DEFAULT_TEXT }] });
  await expectCharged(180, { prompt_tokens: 13, completion_tokens: 5 });
});

describe("embeddings", () => {
  it("come as the client asks for them, for one text or several", async () => {
    stage.upstream.script({ usage: { input: 1000, output: 0 } });
    const answer = await client.embeddings.create({
      model: "text-embedding-ada-002",
      input: ["one", "two"],
    });
    expect(answer.data.map(({ embedding }) => embedding)).toEqual([VECTOR, VECTOR]);
    await expectCharged(50, {
      model_name: "text-embedding-ada-002",
      prompt_tokens: 1000,
      completion_tokens: 0,
    });
  });

  it("take a mapped model, and its price", async () => {
    stage.upstream.script({ usage: { input: 1000, output: 0 } });
    await client.embeddings.create({ model: "my-embedding", input: "one", dimensions: 3 });
    expect(sent().body).toMatchObject({ model: "text-embedding-ada-002", input: "one", dimensions: 3 });
    await expectCharged(50, { model_name: "text-embedding-ada-002" });
  });

  it("are counted when the upstream does not count", async () => {
    stage.upstream.script({ fault: "no-usage" });
    await client.embeddings.create({ model: "text-embedding-ada-002", input: ["one ".repeat(100), "two"] });
    const [line] = await account.usage();
    expect(line?.prompt_tokens).toBeGreaterThan(100);
    expect(line?.content).toContain("用量由网关计算");
  });

  it("of Google come in OpenAI's shape, counted here", async () => {
    await addChannel(stage.root, {
      type: 24,
      base_url: stage.upstream.url,
      models: "gemini-embedding-001",
    });
    const answer = await client.embeddings.create({
      model: "gemini-embedding-001",
      input: ["one two", "three"],
      dimensions: 3,
    });
    expect(answer.data.map(({ embedding }) => embedding)).toEqual([VECTOR, VECTOR]);
    expect(sent()).toMatchObject({
      path: "/v1beta/models/gemini-embedding-001:batchEmbedContents",
      body: {
        requests: [
          {
            model: "models/gemini-embedding-001",
            content: { parts: [{ text: "one two" }] },
            outputDimensionality: 3,
          },
          { content: { parts: [{ text: "three" }] } },
        ],
      },
    });
    const [line] = await account.usage();
    expect(line?.prompt_tokens).toBe(4);
    expect(answer.usage).toEqual({ prompt_tokens: 4, total_tokens: 4 });
    await expectCharged(1, { model_name: "gemini-embedding-001" });
  });

  it("can be asked for by the older address", async () => {
    stage.upstream.script({ usage: { input: 1000, output: 0 } });
    const response = await fetch(`${stage.server.url}/v1/engines/text-embedding-ada-002/embeddings`, {
      method: "POST",
      headers: { authorization: `Bearer ${account.key}` },
      body: JSON.stringify({ input: "one" }),
    });
    expect(response.status).toBe(200);
    expect(sent()).toMatchObject({ path: "/v1/embeddings", body: { model: "text-embedding-ada-002" } });
    await expectCharged(50, { model_name: "text-embedding-ada-002" });
  });
});

describe("moderations", () => {
  it("are counted here, with the contract's model when none is named", async () => {
    const answer = await client.moderations.create({ input: "word ".repeat(99).trim() });
    expect(answer.results[0]?.flagged).toBe(false);
    expect(sent().body).toMatchObject({ model: "text-moderation-stable" });
    // 99 × 0.1, rounded up
    await expectCharged(10, { model_name: "text-moderation-stable", prompt_tokens: 99 });
  });

  it("without an input are refused", async () => {
    const refused = client.moderations.create({ input: "" });
    await expect(refused).rejects.toMatchObject({
      status: 400,
      code: "required_field_missing",
      param: "input",
    });
    await expectFree();
  });
});

it("rerank answers in its own shape and is charged by its tokens", async () => {
  stage.upstream.script({ usage: { input: 30, output: 0 } });
  const response = await fetch(`${stage.server.url}/v1/rerank`, {
    method: "POST",
    headers: { authorization: `Bearer ${account.key}` },
    body: JSON.stringify({ model: "reranker", query: "which?", documents: ["a", "b"], top_n: 1 }),
  });
  expect(await response.json()).toMatchObject({ results: [{ index: 0 }, { index: 1 }] });
  expect(sent()).toMatchObject({ path: "/v1/rerank", body: { top_n: 1 } });
  await expectCharged(60, { prompt_tokens: 30, completion_tokens: 0 });
});

it("rerank at Cohere's own address is charged by its searches", async () => {
  const rerank = {
    model: "rerank-v3.5",
    query: "which?",
    documents: ["a", { text: "b" }],
    return_documents: true,
  };
  const response = await fetch(`${stage.server.url}/v1/rerank`, {
    method: "POST",
    headers: { authorization: `Bearer ${account.key}` },
    body: JSON.stringify(rerank),
  });
  expect(await response.json()).toMatchObject({
    results: [
      { index: 0, document: { text: "a" } },
      { index: 1, document: { text: "b" } },
    ],
  });
  expect(sent()).toMatchObject({ path: "/v2/rerank" });
  expect(sent().body).toEqual({ model: "rerank-v3.5", query: "which?", documents: ["a", "b"] });
  // One search is 1000 tokens.
  // 2 USD a thousand.
  await expectCharged(1000, { prompt_tokens: 0, completion_tokens: 0 });
});

describe("images", () => {
  it.each([
    ["dall-e-2", {}, 10_000, "图片 1 张 1024x1024，尺寸倍率 1.25"],
    ["dall-e-2", { n: 2, size: "256x256" }, 16_000, "图片 2 张 256x256，尺寸倍率 1.00"],
    ["dall-e-3", { size: "1792x1024", quality: "hd" }, 60_000, "图片 1 张 1792x1024 hd，尺寸倍率 3.00"],
  ] as const)("of %s %o cost the price of the contract", async (model, more, price, explanation) => {
    const answer = await client.images.generate({ model, prompt: "A cat", ...more });
    expect(answer.data).toHaveLength("n" in more ? more.n : 1);
    await expectCharged(price, { model_name: model, prompt_tokens: 0, completion_tokens: 0 });
    expect((await account.usage())[0]?.content).toContain(explanation);
  });

  it("are charged by tokens where the upstream tells them", async () => {
    await client.images.generate({ model: "gpt-image-1", prompt: "A cat", size: "1024x1024" });
    // (13 + 5 × 8) × 2
    await expectCharged(133, { prompt_tokens: 13, completion_tokens: 5 });
  });

  it("stream with previews", async () => {
    const stream = await client.images.generate({ model: "gpt-image-1", prompt: "A cat", stream: true });
    const types: string[] = [];
    for await (const event of stream) types.push(event.type);
    expect(types).toEqual([
      "image_generation.partial_image",
      "image_generation.partial_image",
      "image_generation.completed",
    ]);
    await expectCharged(133, { prompt_tokens: 13, completion_tokens: 5 });
  });

  it("that the upstream refuses are free (7.1 #5)", async () => {
    stage.upstream.script({ fault: "400" });
    const refused = client.images.generate({ model: "dall-e-3", prompt: "A cat" });
    await expect(refused).rejects.toBeInstanceOf(BadRequestError);
    await expectFree();
  });

  it.each([
    ["n_not_within_range", { model: "dall-e-2", prompt: "A cat", n: 11 }],
    ["n_not_within_range", { model: "dall-e-2", prompt: "A cat", n: -1 }],
    ["n_not_within_range", { model: "dall-e-3", prompt: "A cat", n: 2 }],
    ["size_not_supported", { model: "dall-e-2", prompt: "A cat", size: "1x1" }],
    ["prompt_missing", { model: "dall-e-2", prompt: "" }],
    ["prompt_too_long", { model: "dall-e-2", prompt: "猫".repeat(1001) }],
  ])("are refused as %s", async (code, body) => {
    const refused = client.images.generate(body as OpenAI.Images.ImageGenerateParamsNonStreaming);
    await expect(refused).rejects.toMatchObject({ status: 400, code });
    expect(stage.upstream.requests).toHaveLength(0);
  });

  it("are edited and varied from a form", async () => {
    const image = await toFile(Buffer.from("a picture"), "猫.png", { type: "image/png" });
    await client.images.edit({ model: "dall-e-2", image, prompt: "With a hat", n: 2, size: "512x512" });
    expect(sent().path).toBe("/v1/images/edits");
    expect(await sentFile("image").text()).toBe("a picture");
    await expectCharged(18_000, { model_name: "dall-e-2" });

    before = await account.figures();
    await client.images.createVariation({ image, model: "my-image" });
    expect(sent()).toMatchObject({ path: "/v1/images/variations" });
    expect(sent().form?.get("model")).toBe("dall-e-2");
    expect(await sentFile("image").text()).toBe("a picture");
    // The model's own name has no size rules: "" costs the most of dall-e-2.
    await expectCharged(10_000, { model_name: "dall-e-2" });
  });

  it("without a file are refused", async () => {
    const form = new FormData();
    form.set("model", "dall-e-2");
    form.set("prompt", "With a hat");
    const response = await fetch(`${stage.server.url}/v1/images/edits`, {
      method: "POST",
      headers: { authorization: `Bearer ${account.key}` },
      body: form,
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { code: "required_field_missing", param: "image" },
    });
  });
});

describe("speech", () => {
  it("passes as bytes, at the contract's price", async () => {
    const response = await client.audio.speech.create({
      model: "tts-1",
      voice: "alloy",
      input: "Hello world",
    });
    expect(response.headers.get("content-type")).toBe("audio/mpeg");
    expect(Buffer.from(await response.arrayBuffer()).equals(SOUND)).toBe(true);
    await expectCharged(82, { model_name: "tts-1", prompt_tokens: 0, completion_tokens: 0 });
    expect((await account.usage())[0]?.content).toContain("语音合成 11 字符");
  });

  it("counts characters, not bytes", async () => {
    await (
      await client.audio.speech.create({ model: "tts-1", voice: "alloy", input: "你好👋" })
    ).arrayBuffer();
    await expectCharged(22, { content: expect.stringContaining("3 字符") });
  });

  it("passes as events when it is asked for so", async () => {
    const response = await client.audio.speech.create({
      model: "tts-1",
      voice: "alloy",
      input: "Hello world",
      stream_format: "sse",
    });
    const text = await response.text();
    expect(text).toContain('"type":"speech.audio.done"');
    await expectCharged(82, {});
  });

  it.each([
    ["required_field_missing", { model: "tts-1", voice: "alloy", input: "" }],
    ["required_field_missing", { model: "tts-1", input: "Hello" }],
    ["text_too_long", { model: "tts-1", voice: "alloy", input: "猫".repeat(4097) }],
  ])("is refused as %s (7.3 #21)", async (code, body) => {
    const refused = client.audio.speech.create(body as OpenAI.Audio.SpeechCreateParams);
    await expect(refused).rejects.toMatchObject({ status: 400, code });
  });

  it("that breaks off is a broken connection, not a short sound, and free", async () => {
    stage.upstream.script({ fault: "reset-mid-stream" });
    const response = await client.audio.speech.create({ model: "tts-1", voice: "alloy", input: "Hello" });
    await expect(response.arrayBuffer()).rejects.toThrow();
    await expectFree();
  });

  it.each(["error-in-200", "empty-body", "html-502", "reset-before-answer", "500"] as const)(
    "that fails with %s is free",
    async (fault) => {
      stage.upstream.script({ fault });
      const refused = client.audio.speech.create({ model: "tts-1", voice: "alloy", input: "Hello" });
      await expect(refused).rejects.toMatchObject({ status: 502 });
      await expectFree();
    },
  );

  it("whose client leaves in the middle is charged whole", async () => {
    stage.upstream.script({ fault: "stall-mid-stream" });
    const leaving = new AbortController();
    const response = await client.audio.speech.create(
      { model: "tts-1", voice: "alloy", input: "Hello world" },
      { signal: leaving.signal },
    );
    await response.body?.getReader().read();
    leaving.abort();
    await expect.poll(async () => (await account.figures()).user.requests).toBe(before.user.requests + 1);
    await expectCharged(82, { content: expect.stringContaining("客户端中断") });
    await expect.poll(() => stage.upstream.requests[0]?.isAbandoned).toBe(true);
  });
});

describe("recordings", () => {
  const wav = (seconds: number) => toFile(recordWav(seconds), "speech.wav", { type: "audio/wav" });

  it("are charged by the seconds that the upstream tells (7.1 #6)", async () => {
    stage.upstream.script({ seconds: 60, text: "Hello" });
    const answer = await client.audio.transcriptions.create({ model: "whisper-1", file: await wav(2) });
    expect(answer.text).toBe("Hello");
    await expectCharged(3000, { model_name: "whisper-1", prompt_tokens: 0, completion_tokens: 0 });
    expect((await account.usage())[0]?.content).toContain("音频 60 秒");
  });

  it("are charged by the length in the file where the upstream tells none", async () => {
    await client.audio.transcriptions.create({ model: "whisper-1", file: await wav(2.5) });
    await expectCharged(150, { content: expect.stringContaining("音频 3 秒") });
  });

  it("are charged by the length that a decoder finds in the file, whatever its header says (M16)", async () => {
    const honest = recordWav(62);
    const lying = Buffer.from(honest.subarray(12, 36));
    lying.writeUInt32LE(62_000, 12);
    const recording = Buffer.concat([honest.subarray(0, 36), lying, honest.subarray(36)]);
    await client.audio.transcriptions.create({
      model: "whisper-1",
      file: await toFile(recording, "speech.wav", { type: "audio/wav" }),
    });
    await expectCharged(3100, { content: expect.stringContaining("音频 62 秒") });
  });

  it("are charged by their text at the model's ratio when their length is unknown", async () => {
    stage.upstream.script({ text: "one two three four" });
    const file = await toFile(Buffer.from("not audio"), "speech.bin");
    await client.audio.translations.create({ model: "whisper-1", file });
    // 4 tokens × 15
    await expectCharged(60, { completion_tokens: 4 });
  });

  it("are charged by the duration of a verbose answer", async () => {
    stage.upstream.script({ seconds: 12.2 });
    const answer = await client.audio.transcriptions.create({
      model: "whisper-1",
      file: await wav(1),
      response_format: "verbose_json",
    });
    expect(answer.duration).toBe(12.2);
    await expectCharged(650, { content: expect.stringContaining("音频 13 秒") });
  });

  it.each([
    ["text", `${DEFAULT_TEXT}\n`, "text/plain; charset=utf-8"],
    ["srt", `1\n00:00:00,000 --> 00:00:01,000\n${DEFAULT_TEXT}\n\n`, "application/x-subrip; charset=utf-8"],
    ["vtt", `WEBVTT\n\n00:00:00.000 --> 00:00:01.000\n${DEFAULT_TEXT}\n\n`, "text/vtt; charset=utf-8"],
  ] as const)("come as %s unchanged (7.1 #6)", async (response_format, text, type) => {
    const answer = await client.audio.transcriptions
      .create({ model: "whisper-1", file: await wav(1), response_format })
      .withResponse();
    expect(answer.data).toBe(text);
    expect(answer.response.headers.get("content-type")).toBe(type);
    await expectCharged(50, {});
  });

  it("of a model that bills tokens are charged by them, whole and streamed", async () => {
    const model = "gpt-4o-transcribe";
    await client.audio.transcriptions.create({ model, file: await wav(1) });
    // (13 + 5 × 2) × 2
    await expectCharged(42, { prompt_tokens: 13, completion_tokens: 5 });

    before = await account.figures();
    const stream = await client.audio.transcriptions.create({ model, file: await wav(1), stream: true });
    let text = "";
    for await (const event of stream) if (event.type === "transcript.text.delta") text += event.delta;
    expect(text).toBe(DEFAULT_TEXT);
    await expectCharged(42, { prompt_tokens: 13, completion_tokens: 5 });
  });

  it("reach the upstream unchanged under a mapped name, large ones too", async () => {
    const recording = recordWav(1000);
    const file = await toFile(recording, "长.wav", { type: "audio/wav" });
    stage.upstream.script({ seconds: 1 });
    await client.audio.transcriptions.create({ model: "my-whisper", file, language: "zh" });
    const { form } = sent();
    expect(form?.get("model")).toBe("whisper-1");
    expect(form?.get("language")).toBe("zh");
    const arrived = sentFile("file");
    expect(arrived.name).toBe("长.wav");
    expect(Buffer.from(await arrived.arrayBuffer()).equals(recording)).toBe(true);
    await expectCharged(50, { model_name: "whisper-1" });
  });

  it("name the contract's model when they name none", async () => {
    const form = new FormData();
    form.set("file", new File([recordWav(1)], "speech.wav"));
    const response = await fetch(`${stage.server.url}/v1/audio/transcriptions`, {
      method: "POST",
      headers: { authorization: `Bearer ${account.key}` },
      body: form,
    });
    expect(await response.json()).toEqual({ text: DEFAULT_TEXT });
    expect(sent().form?.get("model")).toBe("whisper-1");
  });

  it("that hold nothing are an empty text, charged by their length", async () => {
    stage.upstream.script({ text: "" });
    const answer = await client.audio.transcriptions.create({ model: "whisper-1", file: await wav(1) });
    expect(answer.text).toBe("");
    await expectCharged(50, {});
  });

  it.each(["error-in-200", "empty-body", "html-502", "garbage", "cut-mid-stream", "500"] as const)(
    "that fail with %s are free",
    async (fault) => {
      stage.upstream.script({ fault });
      const refused = client.audio.transcriptions.create({ model: "whisper-1", file: await wav(1) });
      await expect(refused).rejects.toMatchObject({ status: 502 });
      await expectFree();
    },
  );
});

describe("a form that cannot be read", () => {
  const FILE = '--x\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\nsound\r\n';
  it.each([
    ["is JSON", "application/json", '{"model":"whisper-1"}'],
    ["has no boundary", "multipart/form-data", `${FILE}--x--`],
    ["is cut", "multipart/form-data; boundary=x", FILE],
    ["is empty", "multipart/form-data; boundary=x", ""],
  ])("because it %s is refused clearly", async (_, type, body) => {
    const response = await fetch(`${stage.server.url}/v1/audio/transcriptions`, {
      method: "POST",
      headers: { authorization: `Bearer ${account.key}`, "content-type": type, "accept-language": "en" },
      body,
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { code: "invalid_form", message: expect.stringContaining("form") },
    });
    await expectFree();
  });

  it("because it is too large is refused before it is read", async () => {
    const response = await fetch(`${stage.server.url}/v1/audio/transcriptions`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${account.key}`,
        "content-type": "multipart/form-data; boundary=x",
      },
      body: Buffer.alloc(33 * 1024 * 1024),
    });
    expect(response.status).toBe(413);
    expect(stage.upstream.requests).toHaveLength(0);
  });
});

describe("an operation that no channel of the model offers", () => {
  it.each([
    ["embeddings", () => client.embeddings.create({ model: "claude-2", input: "one" })],
    ["images/generations", () => client.images.generate({ model: "claude-2", prompt: "A cat" })],
    ["audio/speech", () => client.audio.speech.create({ model: "claude-2", voice: "alloy", input: "Hi" })],
  ] as const)("%s is refused by its name", async (name, ask) => {
    await expect(ask()).rejects.toMatchObject({
      status: 400,
      code: "operation_not_supported",
      message: expect.stringContaining(name),
    });
    expect(stage.upstream.requests).toHaveLength(0);
    await expectFree();
  });

  it("is done by another channel of the same model that does", async () => {
    const id = await addChannel(stage.root, { type: 1, base_url: stage.upstream.url, models: "claude-2" });
    stage.upstream.script({ usage: { input: 100, output: 0 } });
    await client.embeddings.create({ model: "claude-2", input: "one" });
    await expectCharged(551, { channel: id });
    await stage.root.data("DELETE", `/api/channel/${id}/`);
  });
});

it("retries another channel before anything was delivered", async () => {
  const base_url = stage.upstream.url;
  const models = "text-embedding-v1";
  const first = await addChannel(stage.root, { type: 1, base_url, models, priority: 9 });
  const second = await addChannel(stage.root, { type: 1, base_url, models, priority: 1 });
  await stage.setOption("RetryTimes", "1");
  stage.upstream.script({ fault: "error-in-200" }, { usage: { input: 1000, output: 0 } });
  await client.embeddings.create({ model: models, input: "one" });
  expect(stage.upstream.requests).toHaveLength(2);
  await expectCharged(50, { channel: second });
  await stage.setOption("RetryTimes", "0");
  expect(first).toBeLessThan(second);
});
