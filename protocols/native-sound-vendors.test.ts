import { describe, expect, it } from "vitest";
import { OPERATIONS_BY_ADDRESSING, UPSTREAM_OPERATIONS } from "./protocols";
import { Transcript } from "./shared/answer/transcript";
import { encodeWav } from "./shared/answer/wav";
import { readErrorDetails } from "./shared/errors/error-details";
import { TEST_FIELDS } from "./shared/testing/request-parts";
import { billedCharacters, maxBilledCharacters } from "./shared/usage/billed-characters";
import {
  answerOf,
  faultOf,
  find,
  RECORDING,
  recordingOf,
  speechOf,
  summaryOf,
} from "./testing/sound-requests";

/* Speech and recordings in the shapes of DashScope and MiniMax. */

const GENERATION = "/services/aigc/multimodal-generation/generation";

describe("characters of a text", () => {
  it.each([
    ["Hello, you", 10, 10],
    ["你好, you", 9, 9],
    ["漢字かな", 6, 8],
    ["Grüße", 5, 7],
    ["👋", 1, 2],
    ["", 0, 0],
  ])("of %j count as %d, at most as %d", (text, likely, most) => {
    expect(billedCharacters(text)).toBe(likely);
    expect(maxBilledCharacters(text)).toBe(most);
  });
});

describe("speech of Qwen", () => {
  const operation = find(UPSTREAM_OPERATIONS, "dashscope", "audio/speech");
  const events = operation.translation?.sound;

  it("is the same beside its addresses of OpenAI's shape, which translate no recordings", () => {
    const beside = find(OPERATIONS_BY_ADDRESSING["model-studio"], "openai-chat", "audio/speech");
    expect(beside.path("m")).toBe(`/api/v1${GENERATION}`);
    expect(() =>
      find(OPERATIONS_BY_ADDRESSING["model-studio"], "openai-chat", "audio/translations"),
    ).toThrow();
    expect(find(OPERATIONS_BY_ADDRESSING["model-studio"], "openai-chat", "embeddings").path("m")).toBe(
      "/v1/embeddings",
    );
  });

  it("is requested as events", () => {
    expect(operation.path("qwen3-tts-flash")).toBe(GENERATION);
    expect(operation.headers?.("qwen3-tts-flash", speechOf())).toEqual({
      accept: "text/event-stream",
      "x-dashscope-sse": "enable",
    });
    const input = speechOf({ instructions: "Whisper.", voice: "Dylan" });
    expect(operation.translation?.buildBody(input, "qwen3-tts-instruct-flash", TEST_FIELDS)).toEqual({
      model: "qwen3-tts-instruct-flash",
      input: { text: "Hello", voice: "Dylan", instructions: "Whisper." },
    });
  });

  it("is held by characters, of older models by tokens", () => {
    const input = speechOf({ input: "你好 you" });
    const summary = summaryOf("audio/speech", input);
    expect(operation.summarize?.(input, summary, "qwen3-tts-flash").units).toEqual({
      kind: "characters",
      count: 8,
    });
    expect(operation.summarize?.(input, summary, "qwen-tts")).toMatchObject({
      units: undefined,
      maxOutputTokens: undefined,
      prompt: { pieces: ["你好 you"] },
    });
  });

  it.each([
    [{ response_format: "mp3" }, { code: "unsupported-value-instead", instead: ["wav", "pcm"] }],
    [{ speed: 2 }, { code: "unsupported-field", field: "speed" }],
    [{ instructions: "Whisper." }, { code: "unsupported-field", field: "instructions" }],
  ])("that cannot be had is refused before anything is held: %j", (fields, fault) => {
    expect(faultOf(operation, "audio/speech", speechOf(fields))).toMatchObject(fault);
  });

  it("is read from events", () => {
    const data = Buffer.from([1, 2, 3, 4]).toString("base64");
    const usage = { characters: 5 };
    expect(events?.read({ output: { audio: { data }, finish_reason: "null" } })).toMatchObject({
      isEnd: false,
    });
    expect(
      events?.read({ output: { audio: { data: "", url: "http://x" }, finish_reason: "stop" }, usage }),
    ).toEqual({
      samples: Buffer.alloc(0),
      isEnd: true,
      report: usage,
    });
    const wav = encodeWav(Buffer.from([1, 2]), 24_000).toString("base64");
    expect(events?.read({ output: { audio: { data: wav } } })?.samples).toEqual(Buffer.from([1, 2]));
  });

  it.each([
    [{ code: "InvalidParameter", message: "no" }],
    [undefined],
    [{ output: { audio: { data: "%" } } }],
  ])("has no other events: %j", (event) => {
    expect(events?.read(event)).toBeUndefined();
  });

  it.each([
    ["the vendor's count", { characters: 7 }, 7],
    ["no more than the text has", { characters: 7_000_000 }, 8],
    ["its own count where the vendor reports none", undefined, 8],
    ["its own count where the vendor lies", { characters: -3 }, 8],
  ])("is charged by %s", (_, report, count) => {
    const input = speechOf({ input: "你好 you" });
    const summary = operation.summarize?.(input, summaryOf("audio/speech", input), "qwen3-tts-flash");
    if (summary)
      expect(events?.charge(report, input, summary, 1).units).toEqual({ kind: "characters", count });
    expect(summary).toBeDefined();
  });

  it("of older models is charged by tokens", () => {
    const input = speechOf();
    const summary = operation.summarize?.(input, summaryOf("audio/speech", input), "qwen-tts");
    const report = { input_tokens: 4, output_tokens: 90, total_tokens: 94 };
    if (summary)
      expect(events?.charge(report, input, summary, 1.5)).toMatchObject({
        usage: { inputTokens: 4, outputTokens: 90, audioOutputTokens: 90 },
        units: undefined,
      });
    expect(summary).toBeDefined();
  });
});

describe("recordings for Qwen", () => {
  const operation = find(UPSTREAM_OPERATIONS, "dashscope", "audio/transcriptions");
  const read = (answer: unknown) => answerOf(operation, "audio/transcriptions", recordingOf(), answer);
  const answerWith = (text: string, seconds?: unknown, finish_reason = "stop") => ({
    output: { choices: [{ finish_reason, message: { role: "assistant", content: [{ text }] } }] },
    usage: { seconds },
  });

  it("are sent inside the request", () => {
    expect(operation.path("qwen3-asr-flash")).toBe(GENERATION);
    const input = recordingOf({ language: "zh", prompt: "Tollgate" });
    expect(operation.translation?.buildBody(input, "qwen3-asr-flash", TEST_FIELDS)).toEqual({
      model: "qwen3-asr-flash",
      input: {
        messages: [
          { role: "system", content: [{ text: "Tollgate" }] },
          { role: "user", content: [{ audio: `data:audio/wav;base64,${RECORDING.toString("base64")}` }] },
        ],
      },
      parameters: { asr_options: { enable_itn: false, language: "zh" } },
    });
  });

  it.each([
    [{ response_format: "vtt" }, { code: "unsupported-value-instead" }],
    [{ temperature: "0.3" }, { code: "unsupported-field", field: "temperature" }],
  ])("that ask for more are refused before anything is held: %j", (fields, fault) => {
    expect(faultOf(operation, "audio/transcriptions", recordingOf(fields))).toMatchObject(fault);
  });

  it.each([
    ["the vendor's seconds", 2, 2],
    ["the file's where the vendor reports none", undefined, 3],
    ["the file's where the vendor lies", -5, 3],
    ["no more than a recording may have", 9_000_000, 60],
  ])("are charged by %s", (_, seconds, count) => {
    const { body, reading } = read(answerWith("Hello.", seconds));
    expect(body).toBeInstanceOf(Transcript);
    expect(reading?.units).toEqual({ kind: "seconds", count });
  });

  it.each([[answerWith("Hel", 1, "length")], [{ code: "x", message: "no" }], [{}], [undefined]])(
    "that are no transcript stay unchanged: %j",
    (answer) => {
      expect(read(answer).body).toBe(answer);
    },
  );
});

describe("speech of MiniMax", () => {
  const operation = find(OPERATIONS_BY_ADDRESSING.minimax, "openai-chat", "audio/speech");
  const read = (answer: unknown, fields = {}) =>
    answerOf(operation, "audio/speech", speechOf(fields), answer);
  const DONE = { base_resp: { status_code: 0, status_msg: "success" } };

  it("is requested whole, as hexadecimal", () => {
    expect(operation.path("speech-2.8-hd")).toBe("/v1/t2a_v2");
    const input = speechOf({ speed: 1.5, response_format: "pcm" });
    expect(operation.translation?.buildBody(input, "speech-2.8-hd", TEST_FIELDS)).toEqual({
      model: "speech-2.8-hd",
      text: "Hello",
      stream: false,
      output_format: "hex",
      voice_setting: { voice_id: "female-yujie", speed: 1.5 },
      audio_setting: { format: "pcm", sample_rate: 24_000, channel: 1 },
    });
  });

  it.each([
    [
      { response_format: "opus" },
      { code: "unsupported-value-instead", instead: ["mp3", "wav", "pcm", "flac"] },
    ],
    [{ speed: 0.25 }, { code: "no-number-within", min: 0.5, max: 2 }],
    [{ speed: "fast" }, { code: "no-number-within" }],
    [{ instructions: "Whisper." }, { code: "unsupported-field" }],
  ])("that cannot be had is refused before anything is held: %j", (fields, fault) => {
    expect(faultOf(operation, "audio/speech", speechOf(fields))).toMatchObject(fault);
  });

  it.each([
    ["the vendor's count", 4, 4],
    ["no more than the text has", 4_000_000, 5],
    ["its own count where the vendor reports none", undefined, 5],
    ["its own count where the vendor lies", -1, 5],
  ])("is an MP3, charged by %s", (_, usage_characters, count) => {
    const { body, reading } = read({ data: { audio: "0aFf" }, extra_info: { usage_characters }, ...DONE });
    expect(body).toMatchObject({ format: "mp3", bytes: Buffer.from([0x0a, 0xff]) });
    expect(reading?.units).toEqual({ kind: "characters", count });
  });

  it.each([
    [{ data: { audio: "xyz" }, ...DONE }],
    [{ data: { audio: "0af" }, ...DONE }],
    [{ data: { audio: "" }, ...DONE }],
    [{ data: null, base_resp: { status_code: 1004, status_msg: "login fail" } }],
    [{}],
  ])("that is none stays unchanged: %j", (answer) => {
    const { body, reading } = read(answer);
    expect(body).toBe(answer);
    expect(reading).toBeUndefined();
  });

  it("names its errors inside successes", () => {
    const failed = { base_resp: { status_code: 1004, status_msg: "login fail" } };
    expect(readErrorDetails(failed)).toMatchObject({ code: "1004", message: "login fail" });
    expect(readErrorDetails(DONE)).toMatchObject({ code: "", message: "" });
  });
});

describe("recordings for MiniMax", () => {
  const operation = find(OPERATIONS_BY_ADDRESSING.minimax, "openai-chat", "audio/transcriptions");

  it("are the client's own form, with the language in a header", () => {
    expect(operation.path("asr-1.0")).toBe("/v1/speech_to_text");
    expect(operation.translation).toBeUndefined();
    expect(operation.headers?.("asr-1.0", recordingOf({ language: "zh" }))).toEqual({ language: "zh" });
    expect(operation.headers?.("asr-1.0", recordingOf({ language: "zh\r\nx: y" }))).toEqual({});
  });

  it.each([
    [{ response_format: "text" }, { code: "unsupported-value-instead" }],
    [{ stream: "true" }, { code: "unsupported-field", field: "stream" }],
  ])("that cannot be had are refused before anything is held: %j", (fields, fault) => {
    expect(faultOf(operation, "audio/transcriptions", recordingOf(fields))).toMatchObject(fault);
  });

  it("with an error inside a success are free, also as subtitles", () => {
    const failed = { base_resp: { status_code: 2013, status_msg: "invalid params" } };
    for (const response_format of ["json", "srt"]) {
      const { reading } = answerOf(
        operation,
        "audio/transcriptions",
        recordingOf({ response_format }),
        failed,
      );
      expect(reading).toBeUndefined();
    }
  });
});
