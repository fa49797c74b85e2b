import { describe, expect, it } from "vitest";
import { OPERATIONS_BY_ADDRESSING, UPSTREAM_OPERATIONS } from "./protocols";
import type { SoundAnswer } from "./shared/answer/sound-answer";
import { Transcript } from "./shared/answer/transcript";
import { decodeWav, encodeWav } from "./shared/answer/wav";
import { TEST_FIELDS } from "./shared/testing/request-parts";
import {
  answerOf,
  faultOf,
  find,
  RECORDING,
  recordingOf,
  speechOf,
  summaryOf,
} from "./testing/sound-requests";

/* Speech and recordings in Google's own shape. */

describe("speech of Google's models", () => {
  const operation = find(UPSTREAM_OPERATIONS, "gemini-generate", "audio/speech");
  /** Half a second. */
  const samples = Buffer.from(Array.from({ length: 24_000 }, (_, index) => index % 251));
  const answerWith = (mimeType: string, data: string, usageMetadata?: unknown) => ({
    candidates: [
      { content: { role: "model", parts: [{ inlineData: { mimeType, data } }] }, finishReason: "STOP" },
    ],
    usageMetadata,
  });
  const RAW = "audio/L16;codec=pcm;rate=24000";
  const USAGE = { promptTokenCount: 4, candidatesTokenCount: 13 };

  it("is the same at Vertex AI", () => {
    expect(find(OPERATIONS_BY_ADDRESSING.vertex, "gemini-generate", "audio/speech")).toBe(operation);
  });

  it("is requested with a voice of Google's, and the style in the text", () => {
    expect(operation.path("gemini-2.5-flash-preview-tts")).toBe(
      "/v1beta/models/gemini-2.5-flash-preview-tts:generateContent",
    );
    const input = speechOf({ instructions: "Whisper.", response_format: "pcm" });
    expect(operation.translation?.buildBody(input, "gemini-2.5-flash-preview-tts", TEST_FIELDS)).toEqual({
      contents: [{ role: "user", parts: [{ text: "Whisper.\n\nHello" }] }],
      generationConfig: {
        responseModalities: ["AUDIO"],
        speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: "Kore" } } },
      },
    });
  });

  it("of later models has the style beside the text, and any voice", () => {
    const input = speechOf({ instructions: "Whisper.", voice: { id: "voice_9" } });
    expect(operation.translation?.buildBody(input, "gemini-3.8-flash-tts", TEST_FIELDS)).toEqual({
      contents: [{ role: "user", parts: [{ text: "Hello", speech_metadata: { style: "Whisper." } }] }],
      generationConfig: {
        responseModalities: ["AUDIO"],
        speechConfig: { voiceConfig: { voice: "voice_9" } },
      },
    });
  });

  it("is held by tokens, with the text as prompt", () => {
    const input = speechOf({ instructions: "Whisper." });
    const summary = operation.summarize?.(input, summaryOf("audio/speech", input), "m");
    expect(summary).toMatchObject({ units: undefined, maxOutputTokens: undefined });
    expect(summary?.prompt.pieces).toEqual(["Whisper.", "Hello"]);
  });

  it.each([
    [{ response_format: "mp3" }, { code: "unsupported-value-instead", field: "response_format" }],
    [{ response_format: ["wav"] }, { code: "unsupported-value-instead", value: "[…]" }],
    [{ stream_format: "ogg" }, { code: "unsupported-value-instead", field: "stream_format" }],
    [{ speed: 1.5 }, { code: "unsupported-field", field: "speed" }],
    [{ voice: 5 }, { code: "wrong-type", field: "voice" }],
    [{ instructions: ["x"] }, { code: "wrong-type", field: "instructions" }],
  ])("that cannot be had is refused before anything is held: %j", (fields, fault) => {
    expect(faultOf(operation, "audio/speech", speechOf(fields))).toMatchObject(fault);
  });

  it.each([{}, { speed: 1 }, { response_format: null, instructions: "" }, { stream_format: "sse" }])(
    "that can be had is not refused: %j",
    (fields) => {
      expect(faultOf(operation, "audio/speech", speechOf(fields))).toBeUndefined();
    },
  );

  it("becomes a WAV, charged by the upstream's tokens", () => {
    const answer = answerWith(RAW, samples.toString("base64"), USAGE);
    const { body, reading } = answerOf(operation, "audio/speech", speechOf(), answer);
    expect(body).toMatchObject({ format: "wav" });
    expect(decodeWav(Buffer.from((body as SoundAnswer).bytes))).toEqual({ samples, rate: 24_000 });
    expect(reading).toMatchObject({
      usage: { inputTokens: 4, outputTokens: 13, audioOutputTokens: 13 },
      units: undefined,
      soundSeconds: 0.5,
    });
  });

  it("becomes raw sound, from a WAV as well", () => {
    const input = speechOf({ response_format: "pcm" });
    for (const answer of [
      answerWith(RAW, samples.toString("base64"), USAGE),
      answerWith("audio/wav", encodeWav(samples, 24_000).toString("base64"), USAGE),
    ]) {
      const { body } = answerOf(operation, "audio/speech", input, answer);
      expect(body).toMatchObject({ format: "pcm" });
      expect(Buffer.from((body as SoundAnswer).bytes).equals(samples)).toBe(true);
    }
  });

  it.each([
    ["none", undefined, undefined],
    ["zeros", { promptTokenCount: 0, candidatesTokenCount: 0 }, undefined],
    ["no sound", { promptTokenCount: 4, candidatesTokenCount: 0 }, undefined],
    ["a negative count", { promptTokenCount: 4, candidatesTokenCount: -7 }, undefined],
    ["more than a second of speech has", { promptTokenCount: 4, candidatesTokenCount: 9_000_000 }, 50],
  ])("with usage that lies (%s) is counted by its length", (_, usage, tokens) => {
    const answer = answerWith(RAW, samples.toString("base64"), usage);
    const { reading } = answerOf(operation, "audio/speech", speechOf(), answer);
    expect(reading?.usage.outputTokens).toBe(tokens);
    expect(reading?.soundSeconds).toBe(0.5);
  });

  it.each([
    ["no sound", answerWith(RAW, "")],
    ["invalid base64", answerWith(RAW, "%%%%")],
    ["a broken WAV", answerWith("audio/wav", "AAAA")],
    ["a picture", answerWith("image/png", "AAAA")],
    ["words", { candidates: [{ content: { parts: [{ text: "Hi" }] }, finishReason: "STOP" }] }],
    ["a refusal", { promptFeedback: { blockReason: "SAFETY" } }],
    ["a forged answer", { bytes: "AAAA", format: "wav", reading: { units: undefined } }],
    ["nothing", undefined],
  ])("that is none gives the client nothing: %s", (_, answer) => {
    const { body, reading } = answerOf(operation, "audio/speech", speechOf(), answer);
    expect(body).toBe(answer);
    if (answer !== undefined) expect(reading).toBeUndefined();
  });
});

describe("recordings for Google's models", () => {
  const transcriptions = find(UPSTREAM_OPERATIONS, "gemini-generate", "audio/transcriptions");
  const translations = find(UPSTREAM_OPERATIONS, "gemini-generate", "audio/translations");
  const answerWith = (text: string, finishReason = "STOP", usageMetadata?: unknown) => ({
    candidates: [{ content: { parts: [{ text: "hm", thought: true }, { text }] }, finishReason }],
    usageMetadata,
  });
  const USAGE = {
    promptTokenCount: 120,
    candidatesTokenCount: 6,
    promptTokensDetails: [
      { modality: "TEXT", tokenCount: 24 },
      { modality: "AUDIO", tokenCount: 96 },
    ],
  };

  it("are sent inside the request, with an instruction", () => {
    const input = recordingOf({ language: "de", prompt: "Tollgate", temperature: "0.5" });
    expect(transcriptions.translation?.buildBody(input, "gemini-2.5-flash", TEST_FIELDS)).toEqual({
      contents: [
        {
          role: "user",
          parts: [
            { text: expect.stringMatching(/^Transcribe .*\nThe language .* "de"\.\n.*Tollgate$/s) },
            { inlineData: { mimeType: "audio/wav", data: RECORDING.toString("base64") } },
          ],
        },
      ],
      generationConfig: { temperature: 0.5 },
    });
    const built = translations.translation?.buildBody(recordingOf(), "gemini-2.5-flash", TEST_FIELDS);
    expect(JSON.stringify(built)).toContain("into English");
  });

  it("are held by the tokens of their length and of the instruction", () => {
    const input = recordingOf({ prompt: "Tollgate" });
    const summary = transcriptions.summarize?.(input, summaryOf("audio/transcriptions", input), "m");
    expect(summary).toMatchObject({ units: undefined, maxOutputTokens: undefined, recordingTokens: 96 });
    expect(summary?.prompt).toMatchObject({ tokens: 96, pieces: { length: 2 } });
  });

  it.each([
    [{ response_format: "srt" }, { code: "unsupported-value-instead", instead: ["json", "text"] }],
    [{ response_format: "verbose_json" }, { code: "unsupported-value-instead" }],
    [{ "timestamp_granularities[]": ["word"] }, { code: "unsupported-field" }],
    [{ "include[]": ["logprobs"] }, { code: "unsupported-field" }],
    [{ temperature: "hot" }, { code: "no-number-within", field: "temperature" }],
  ])("with more than words are refused before anything is held: %j", (fields, fault) => {
    expect(faultOf(transcriptions, "audio/transcriptions", recordingOf(fields))).toMatchObject(fault);
  });

  it("that are too large or of an unknown type are refused before anything is held", () => {
    const large = recordingOf({}, Buffer.concat([RECORDING, Buffer.alloc(15 * 1024 * 1024)]));
    expect(faultOf(transcriptions, "audio/transcriptions", large)).toEqual({
      code: "file-too-large",
      field: "file",
      maxMib: 14,
    });
    const unknown = { ...recordingOf({}, Buffer.from("hello")), fields: {} };
    expect(faultOf(transcriptions, "audio/transcriptions", unknown)).toMatchObject({
      code: "unsupported-file-type",
    });
  });

  it("become a transcript, charged by the upstream's tokens", () => {
    const { body, reading } = answerOf(
      transcriptions,
      "audio/transcriptions",
      recordingOf(),
      answerWith(" Hello.\n", "STOP", USAGE),
    );
    expect(body).toBeInstanceOf(Transcript);
    expect(reading).toMatchObject({
      text: "Hello.",
      usage: { inputTokens: 120, outputTokens: 6, audioInputTokens: 96 },
      units: undefined,
    });
  });

  it("without usage are charged by the tokens of their length", () => {
    const { reading } = answerOf(transcriptions, "audio/transcriptions", recordingOf(), answerWith("Hello."));
    expect(reading).toMatchObject({
      text: "Hello.",
      usage: { inputTokens: undefined, audioInputTokens: 96 },
      units: undefined,
    });
  });

  it("that are silent have an empty transcript; a stopped answer has none", () => {
    const read = (answer: unknown) =>
      answerOf(transcriptions, "audio/transcriptions", recordingOf(), answer).reading;
    expect(read(answerWith(""))).toMatchObject({ text: "" });
    expect(read(answerWith("", "SAFETY"))).toBeUndefined();
    expect(read({})).toBeUndefined();
    expect(read({ text: "forged", usage: { seconds: 1 } })).toBeDefined();
  });
});
