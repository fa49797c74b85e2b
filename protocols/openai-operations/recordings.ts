import type {
  AnswerReading,
  Operation,
  OperationInput,
  OperationSummary,
  Upload,
} from "@tollgate/contract/relay/operation";
import { PromptText } from "@tollgate/contract/relay/prompt-text";
import { type EventInspection, RequestInvalid } from "@tollgate/contract/relay/protocol";
import { NO_USAGE, type Usage } from "@tollgate/contract/relay/usage";
import { carriesError } from "../shared/error-details";
import { isRecord, type JsonRecord, readRecord, readString } from "../shared/json-values";
import { readDurationSeconds } from "./audio-duration";
import { COMMON_MARKERS, createEventView } from "./event-view";
import { isTold, readTokenUsage } from "./read-usage";

/** Speech is seldom packed denser than 32 kbit/s: so long may a recording be whose header does not say. */
const LEAST_BYTES_PER_SECOND = 4000;

/**
 * No format packs speech denser (AMR at 4.75 kbit/s): no recording is longer, whatever an upstream tells. Short ones may
 * be billed by a least length (10 seconds: https://console.groq.com/docs/speech-to-text), which is below a minute.
 */
const FEWEST_BYTES_PER_SECOND = 500;
const LONGEST_LEAST_SECONDS = 60;

/** 128 kbit/s: speech is seldom packed less densely, where neither the file nor the upstream says how long it is. */
const USUAL_BYTES_PER_SECOND = 16_000;

/** What subtitles say besides the words. */
const TIMES = /^(?:WEBVTT.*|\d+|.*-->.*)$/gm;
/** Fast speech is 20 bytes a second in English, and 25 in Chinese. */
const MOST_SPOKEN_BYTES_PER_SECOND = 60;

const PLAIN_FORMATS = new Set(["text", "srt", "vtt"]);

/** @throws RequestInvalid when the form brings no recording. */
const requireRecording = ({ uploads }: OperationInput): Upload => {
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
 * What a transcript is charged by: the upstream's tokens, or its seconds, or the seconds that the file lets expect;
 * where nobody knows the length, the tokens of the text (contract section 2.10).
 */
const readCharge = (
  usage: Usage,
  text: string,
  toldSeconds: number | undefined,
  input: OperationInput,
  isInterrupted = false,
): AnswerReading => {
  if (isTold(usage)) return { usage, text, units: undefined };
  const { bytes } = requireRecording(input);
  const read = readDurationSeconds(bytes);
  const most = Math.max(LONGEST_LEAST_SECONDS, read ?? 0, bytes.length / FEWEST_BYTES_PER_SECOND);
  // Whatever a file says, nobody speaks faster than this.
  const spoken = Buffer.byteLength(text.replace(TIMES, "")) / MOST_SPOKEN_BYTES_PER_SECOND;
  // A part of the text says nothing of how long the recording is.
  const length = read ?? (isInterrupted ? bytes.length / USUAL_BYTES_PER_SECOND : undefined);
  const counted = length === undefined ? undefined : Math.max(length, spoken);
  const seconds = toldSeconds === undefined ? counted : Math.min(toldSeconds, most);
  return seconds === undefined
    ? { usage: NO_USAGE, text, units: undefined }
    : { usage: NO_USAGE, text, units: { kind: "seconds", count: Math.ceil(seconds) } };
};

const summarizeRequest = (input: OperationInput): OperationSummary => {
  const { bytes } = requireRecording(input);
  const seconds = readDurationSeconds(bytes) ?? bytes.length / LEAST_BYTES_PER_SECOND;
  return {
    isStream: input.fields.stream === "true",
    wantsUsageChunk: true,
    prompt: new PromptText([], 0, 0),
    maxOutputTokens: 0,
    units: { kind: "seconds", count: Math.ceil(seconds) },
  };
};

/** A silent recording has an empty transcript, which is an answer; nothing at all is none. */
const readAnswer: Operation["readAnswer"] = ({ body, text }, input) => {
  if (isRecord(body) && carriesError(body)) return undefined;
  if (PLAIN_FORMATS.has(readString(input.fields.response_format))) {
    return text === "" || /^\s*</.test(text) ? undefined : readCharge(NO_USAGE, text, undefined, input);
  }
  if (!isRecord(body) || typeof body.text !== "string") return undefined;
  const usage = readRecord(body.usage);
  const seconds = readSeconds(usage.seconds) ?? readSeconds(body.duration);
  return readCharge(readTokenUsage(usage), body.text, seconds, input);
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
    ...(isTold(usage) ? { usage } : {}),
  };
};

const createRecordings = (name: Operation["name"]): Operation => ({
  name,
  input: "form",
  defaultModel: "whisper-1",
  isBinary: false,
  summarizeRequest,
  readAnswer,
  events: {
    inspectEvent: createEventView(inspectTextEvent),
    markers: [...COMMON_MARKERS, "transcript.text.done"],
    // Whoever leaves in the middle pays for the whole recording: it was heard before the first word came.
    readStream: ({ usage, text, isInterrupted }, input) =>
      readCharge(usage, text, undefined, input, isInterrupted),
    isToldAtEnd: true,
  },
});

/** POST /v1/audio/transcriptions: https://platform.openai.com/docs/api-reference/audio/createTranscription */
export const transcriptions = createRecordings("audio/transcriptions");

/** POST /v1/audio/translations: https://platform.openai.com/docs/api-reference/audio/createTranslation */
export const translations = createRecordings("audio/translations");
