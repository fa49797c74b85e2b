import type {
  AnswerReading,
  Operation,
  OperationInput,
  OperationSummary,
  ToldTokens,
  Upload,
  WrittenAnswer,
} from "@tollgate/contract/relay/operation";
import { PromptText } from "@tollgate/contract/relay/prompt-text";
import { type EventInspection, RequestInvalid } from "@tollgate/contract/relay/protocol";
import { NO_USAGE, type Usage } from "@tollgate/contract/relay/usage";
import { Transcript } from "../shared/answer/transcript";
import { carriesError } from "../shared/errors/error-details";
import { finishSteps } from "../shared/json/finish-steps";
import { isRecord, type JsonRecord, readRecord, readString } from "../shared/json/json-values";
import { readDurationInSteps } from "./audio-duration";
import { COMMON_MARKERS, createEventView } from "./event-view";
import { isReported, readTokenUsage } from "./read-usage";

/** Speech is seldom compressed below 32 kbit/s, which bounds a recording whose file does not contain its length. */
const LEAST_BYTES_PER_SECOND = 4000;

/**
 * No format compresses speech more (AMR at 4.75 kbit/s): no recording is longer, whatever an upstream reports. Short
 * ones may be billed by a minimum length (10 seconds: https://console.groq.com/docs/speech-to-text), which is below a
 * minute.
 */
const FEWEST_BYTES_PER_SECOND = 500;
const LONGEST_LEAST_SECONDS = 60;

/** Parts of subtitles other than the words. */
const TIMES = /^(?:WEBVTT.*|\d+|.*-->.*)$/gm;
/** Fast speech is 20 bytes a second in English, and 25 in Chinese. */
const MAX_SPOKEN_BYTES_PER_SECOND = 60;

const PLAIN_FORMATS = new Set(["text", "srt", "vtt"]);

/** Fields in which vendors take a recording by its address or number in place of the file, whose length is then unknown. */
const ELSEWHERE = ["url", "file_url", "audio_url", "file_id"];

/** @throws RequestInvalid when the form brings no recording, or names a second one. */
const requireRecording = ({ uploads, fields }: OperationInput): Upload => {
  const elsewhere = ELSEWHERE.find((name) => (fields[name] ?? "") !== "");
  if (elsewhere !== undefined) throw new RequestInvalid({ code: "unsupported-field", field: elsewhere });
  const recording = uploads.find(({ field, bytes }) => field === "file" && bytes.length > 0);
  if (recording) return recording;
  throw new RequestInvalid({ code: "file-missing", field: "file" }, undefined, "required_field_missing");
};

const positive = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) && value > 0 ? value : undefined;

/** Some vendors write the duration as text. */
const readSeconds = (value: unknown): number | undefined =>
  positive(typeof value === "string" && value !== "" ? Number(value) : value);

/**
 * Chooses the basis of a transcript's charge: the upstream's tokens, or its seconds, or the seconds of the file. If the
 * file does not contain them, the larger of the bounds by its size and its text counts; by the text, its tokens are
 * charged (contract section 2.10).
 */
const readCharge = (
  usage: Usage,
  text: string,
  reportedSeconds: number | undefined,
  input: OperationInput,
  { recordingSeconds, recordingTokens, units }: OperationSummary,
  isInterrupted = false,
): AnswerReading => {
  if (isReported(usage)) return { usage, text, units: undefined };
  // Charged by tokens, which are counted here.
  if (units === undefined)
    return { usage: { ...NO_USAGE, audioInputTokens: recordingTokens }, text, units: undefined };
  const { bytes } = requireRecording(input);
  // Whatever a file states, no person speaks faster than this.
  const spoken = Buffer.byteLength(text.replace(TIMES, "")) / MAX_SPOKEN_BYTES_PER_SECOND;
  const length = recordingSeconds ?? bytes.length / LEAST_BYTES_PER_SECOND;
  const max = Math.max(LONGEST_LEAST_SECONDS, recordingSeconds ?? 0, bytes.length / FEWEST_BYTES_PER_SECOND);
  const isByText = reportedSeconds === undefined && recordingSeconds === undefined && spoken > length;
  // A part of the text does not show how long the recording is.
  if (isByText && !isInterrupted) return { usage: NO_USAGE, text, units: undefined };
  const seconds = reportedSeconds === undefined ? Math.max(length, spoken) : Math.min(reportedSeconds, max);
  return { usage: NO_USAGE, text, units: { kind: "seconds", count: Math.ceil(seconds) } };
};

function* summarizeInSteps(input: OperationInput): Generator<undefined, OperationSummary> {
  const { bytes } = requireRecording(input);
  const recordingSeconds = yield* readDurationInSteps(bytes);
  const seconds = recordingSeconds ?? bytes.length / LEAST_BYTES_PER_SECOND;
  return {
    isStream: input.fields.stream === "true",
    wantsUsageChunk: true,
    prompt: new PromptText([], 0, 0),
    maxOutputTokens: 0,
    units: { kind: "seconds", count: Math.ceil(seconds) },
    recordingSeconds,
  };
}

/** A silent recording has an empty transcript, which is an answer; a missing one is not. */
const readAnswer: Operation["readAnswer"] = ({ body, text }, input, summary) => {
  if (body instanceof Transcript) return readCharge(body.usage, body.text, body.seconds, input, summary);
  if (isRecord(body) && carriesError(body)) return undefined;
  if (PLAIN_FORMATS.has(readString(input.fields.response_format))) {
    return text === "" || /^\s*</.test(text)
      ? undefined
      : readCharge(NO_USAGE, text, undefined, input, summary);
  }
  if (!isRecord(body) || typeof body.text !== "string") return undefined;
  const usage = readRecord(body.usage);
  const seconds = readSeconds(usage.seconds) ?? readSeconds(body.duration);
  return readCharge(readTokenUsage(usage), body.text, seconds, input, summary);
};

/** https://platform.openai.com/docs/api-reference/audio/json-object */
const usageOf = ({ usage, units }: AnswerReading, tokens: ToldTokens | undefined): JsonRecord => {
  if (!tokens) return { type: "duration", seconds: units?.count };
  const { audioInputTokens } = usage;
  return {
    type: "tokens",
    input_tokens: tokens.input,
    ...(audioInputTokens === undefined ? {} : { input_token_details: { audio_tokens: audioInputTokens } }),
    output_tokens: tokens.output,
    total_tokens: tokens.input + tokens.output,
  };
};

const writeEvent = (event: JsonRecord): string => `data: ${JSON.stringify(event)}\n\n`;

const writeTranscript = (
  { text }: Transcript,
  { fields }: OperationInput,
  isStream: boolean,
  usage: JsonRecord,
): WrittenAnswer => {
  if (isStream) {
    const delta = writeEvent({ type: "transcript.text.delta", delta: text });
    const done = writeEvent({ type: "transcript.text.done", text, usage });
    return { contentType: undefined, body: delta + done };
  }
  return fields.response_format === "text"
    ? { contentType: "text/plain; charset=utf-8", body: `${text}\n` }
    : { contentType: "application/json", body: JSON.stringify({ text, usage }) };
};

const inspectTextEvent = (event: JsonRecord): Partial<EventInspection> => {
  const isDone = event.type === "transcript.text.done";
  // The last event repeats the whole text.
  const text = isDone ? "" : readString(event.delta);
  const usage = readTokenUsage(event.usage);
  return {
    text,
    isDelivery: text !== "" || (isDone && readString(event.text) !== ""),
    isEnd: isDone,
    ...(isReported(usage) ? { usage } : {}),
  };
};

const createRecordings = (name: Operation["name"]): Operation => ({
  name,
  input: "form",
  defaultModel: "whisper-1",
  isBinary: false,
  summarizeRequest: (input) => finishSteps(summarizeInSteps(input)),
  summarizeInSteps,
  readAnswer,
  writeAnswer: (body, input, { isStream }, reading, tokens) => {
    if (body instanceof Transcript) return writeTranscript(body, input, isStream, usageOf(reading, tokens));
    throw new Error("a translation of a recording that read no transcript");
  },
  events: {
    inspectEvent: createEventView(inspectTextEvent),
    markers: [...COMMON_MARKERS, "transcript.text.done"],
    // A client that leaves in the middle pays for the whole recording: the model processed it before the first word
    // came.
    readStream: ({ usage, text, isInterrupted }, input, summary) =>
      readCharge(usage, text, undefined, input, summary, isInterrupted),
    isReportedAtEnd: true,
  },
});

/** POST /v1/audio/transcriptions: https://platform.openai.com/docs/api-reference/audio/createTranscription */
export const transcriptions = createRecordings("audio/transcriptions");

/** POST /v1/audio/translations: https://platform.openai.com/docs/api-reference/audio/createTranslation */
export const translations = createRecordings("audio/translations");
