import { SOUND } from "@tollgate/testkit/answer-shapes/openai-operations";
import { recordWav } from "@tollgate/testkit/answer-shapes/recording";
import { FAKE_KEYS } from "@tollgate/testkit/fake-upstream/credentials";
import { serviceAccountFile } from "@tollgate/testkit/fake-upstream/service-account";
import { DEFAULT_TEXT } from "@tollgate/testkit/fake-upstream/upstream-script";
import OpenAI, { BadRequestError, toFile } from "openai";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Account, addChannel, type Figures, type Stage, startStage } from "../api/relay/stage";

/* Speech and transcripts by the official OpenAI client, at vendors that have them in a shape of their own. */

interface Vendor {
  name: string;
  type: number;
  key: string;
  base: string;
  speech: string;
  /** Where speech is asked for, and the quota of "Hello" at the list's price. */
  speechPath: string;
  speechQuota: number;
  hearing: string;
  hearingPath: string;
  /** The quota of a recording of three seconds. */
  hearingQuota: number;
  text: string;
}

const GOOGLE = "gemini-2.5-flash-preview-tts";
const GENERATION = "/api/v1/services/aigc/multimodal-generation/generation";
const VERTEX = "/vertex/v1/projects/fake-project/locations/global/publishers/google";

const google = {
  // 13 × 0.25 + 5 × 5
  speechQuota: 29,
  // 13 × 0.15 + 5 × 1.25
  hearingQuota: 9,
  text: DEFAULT_TEXT,
};

const VENDORS: readonly Vendor[] = [
  {
    name: "gemini",
    type: 24,
    key: FAKE_KEYS.plain,
    base: "",
    speech: GOOGLE,
    speechPath: `/v1beta/models/${GOOGLE}:generateContent`,
    hearing: "gemini-2.5-flash",
    hearingPath: "/v1beta/models/gemini-2.5-flash:generateContent",
    ...google,
  },
  {
    name: "vertex",
    type: 42,
    key: serviceAccountFile(),
    base: "/vertex",
    speech: GOOGLE,
    speechPath: `${VERTEX}/models/${GOOGLE}:generateContent`,
    hearing: "gemini-2.5-flash",
    hearingPath: `${VERTEX}/models/gemini-2.5-flash:generateContent`,
    ...google,
  },
  {
    name: "qwen",
    type: 17,
    key: FAKE_KEYS.plain,
    base: "",
    speech: "qwen3-tts-flash",
    speechPath: GENERATION,
    // 5 × 80 / 7 / 2
    speechQuota: 28,
    hearing: "qwen3-asr-flash",
    hearingPath: GENERATION,
    // 3 × 3.333333 × 0.0132 × 5000 / 7 / 2
    hearingQuota: 48,
    text: DEFAULT_TEXT,
  },
  {
    name: "qwen-own",
    type: 17,
    key: FAKE_KEYS.plain,
    base: "/api/v1",
    speech: "qwen3-tts-flash",
    speechPath: GENERATION,
    speechQuota: 28,
    hearing: "qwen3-asr-flash",
    hearingPath: GENERATION,
    hearingQuota: 48,
    text: DEFAULT_TEXT,
  },
  {
    name: "minimax",
    type: 27,
    key: FAKE_KEYS.plain,
    base: "",
    speech: "speech-2.8-hd",
    speechPath: "/v1/t2a_v2",
    // 5 × 350 / 7 / 2
    speechQuota: 125,
    hearing: "asr-1.0",
    hearingPath: "/v1/speech_to_text",
    // 3 × 3.333333 × 2, the price for unknown models
    hearingQuota: 20,
    text: "Hello.",
  },
];

let stage: Stage;
let account: Account;
let client: OpenAI;
let before: Figures;
const channelIds = new Map<string, number>();

beforeAll(async () => {
  stage = await startStage();
  for (const { name, type, key, base, speech, hearing } of VENDORS) {
    const id = await addChannel(stage.root, {
      type,
      key,
      base_url: `${stage.upstream.url}${base}`,
      models: `${name}-speech,${name}-hearing`,
      model_mapping: JSON.stringify({ [`${name}-speech`]: speech, [`${name}-hearing`]: hearing }),
    });
    channelIds.set(name, id);
  }
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

const expectCharged = async (quota: number) => {
  const after = await account.figures();
  expect(before.user.quota - after.user.quota).toBe(quota);
  expect(after.user.used - before.user.used).toBe(quota);
  expect(before.token.remain - after.token.remain).toBe(quota);
};

describe.each(VENDORS)("$name", ({ name, speechPath, speechQuota, hearingPath, hearingQuota, text }) => {
  const model = `${name}-speech`;

  it("reads a text aloud, as a WAV and raw", async () => {
    const wav = await client.audio.speech.create({
      model,
      voice: "alloy",
      input: "Hello",
      response_format: "wav",
    });
    const bytes = Buffer.from(await wav.arrayBuffer());
    expect(wav.headers.get("content-type")).toBe("audio/wav");
    expect(bytes.subarray(0, 4).toString("latin1")).toBe("RIFF");
    expect(bytes.subarray(44).equals(SOUND)).toBe(true);
    expect(stage.upstream.requests.at(-1)?.path).toBe(speechPath);
    await expectCharged(speechQuota);
    const raw = await client.audio.speech.create({
      model,
      voice: "alloy",
      input: "Hello",
      response_format: "pcm",
    });
    expect(Buffer.from(await raw.arrayBuffer()).equals(SOUND)).toBe(true);
    await expectCharged(2 * speechQuota);
  });

  it("refuses what it cannot do, for nothing", async () => {
    const asking = client.audio.speech.create({
      model,
      voice: "alloy",
      input: "Hello",
      response_format: "aac",
    });
    await expect(asking).rejects.toBeInstanceOf(BadRequestError);
    await expect(asking).rejects.toMatchObject({
      param: "response_format",
      message: expect.stringContaining('"aac" is not supported by the upstream of this model, use '),
    });
    expect(stage.upstream.requests).toHaveLength(0);
    await expectCharged(0);
  });

  it.each(["error-in-200", "garbage", "empty-body", "500"] as const)(
    "charges nothing when the upstream fails (%s)",
    async (fault) => {
      stage.upstream.script({ fault });
      await expect(client.audio.speech.create({ model, voice: "alloy", input: "Hello" })).rejects.toThrow();
      await expectCharged(0);
    },
  );

  it("writes down a recording", async () => {
    const file = await toFile(recordWav(3), "a.wav");
    const answer = await client.audio.transcriptions.create({ model: `${name}-hearing`, file });
    expect(answer.text).toBe(text);
    expect(stage.upstream.requests.at(-1)?.path).toBe(hearingPath);
    await expectCharged(hearingQuota);
  });

  it("can be tested with speech", async () => {
    const path = `/api/channel/test/${channelIds.get(name)}`;
    const tested = await stage.root.data("POST", path, { endpoint: "speech", model });
    expect(tested).toMatchObject({ ok: true });
    await expectCharged(0);
  });
});
