import type { Operation, ToldTokens, WrittenAnswer } from "@tollgate/contract/relay/operation";
import { PromptText } from "@tollgate/contract/relay/prompt-text";
import { type EventInspection, RequestInvalid } from "@tollgate/contract/relay/protocol";
import { NO_USAGE } from "@tollgate/contract/relay/usage";
import { SoundAnswer } from "../shared/answer/sound-answer";
import { writeSoundDelta, writeSoundDone } from "../shared/answer/sound-events";
import { type JsonRecord, readString } from "../shared/json/json-values";
import type { SoundFormat } from "../shared/request/speech-request";
import { COMMON_MARKERS, createEventView } from "./event-view";
import { requireInput, requireTextField } from "./text-input";

/** https://platform.openai.com/docs/api-reference/audio/createSpeech#audio-createspeech-input */
const MAX_CHARACTERS = 4096;

/** Characters as a reader counts them, not UTF-16 units. */
const countCharacters = (text: string): number => {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
};

/** @throws RequestInvalid when a text is longer than the API permits. */
const readCharacters = (field: string, text: string): number => {
  const count = countCharacters(text);
  if (count <= MAX_CHARACTERS) return count;
  throw new RequestInvalid({ code: "too-long", field, max: MAX_CHARACTERS }, undefined, "text_too_long");
};

const inspectSoundEvent = (event: JsonRecord): Partial<EventInspection> => ({
  isDelivery: readString(event.audio) !== "",
  isEnd: event.type === "speech.audio.done",
});

const CONTENT_TYPES: Readonly<Record<SoundFormat, string>> = {
  mp3: "audio/mpeg",
  opus: "audio/ogg",
  aac: "audio/aac",
  flac: "audio/flac",
  wav: "audio/wav",
  pcm: "audio/pcm",
};

const writeSound = (
  { bytes, format }: SoundAnswer,
  isStream: boolean,
  tokens: ToldTokens | undefined,
): WrittenAnswer =>
  isStream
    ? { contentType: undefined, body: writeSoundDelta(bytes) + writeSoundDone(tokens) }
    : { contentType: CONTENT_TYPES[format], body: bytes };

/** POST /v1/audio/speech: https://platform.openai.com/docs/api-reference/audio/createSpeech */
export const speech: Operation = {
  name: "audio/speech",
  input: "json",
  defaultModel: undefined,
  isBinary: true,

  summarizeRequest: ({ fields }, model) => {
    const count = readCharacters("input", requireTextField(fields, "input"));
    requireInput(fields, "voice");
    // The older models ignore them; the others read them, and bill them.
    const isInstructed = !model.startsWith("tts-1");
    const instructions = readCharacters("instructions", readString(fields.instructions));
    return {
      isStream: fields.stream_format === "sse",
      wantsUsageChunk: true,
      prompt: new PromptText([], 0, 0),
      maxOutputTokens: 0,
      units: { kind: "characters", count: count + (isInstructed ? instructions : 0) },
    };
  },

  /** An answer without an audio content type: treated as audio anyway, unless it is an error or HTML. */
  readAnswer: ({ body, text }, _input, { units }) => {
    if (body instanceof SoundAnswer) return body.reading;
    if (body !== undefined || text === "" || /^\s*(?:[<{[]|$)/.test(text)) return undefined;
    return { usage: NO_USAGE, text: "", units };
  },

  writeAnswer: (body, _input, { isStream }, _reading, tokens) => {
    if (body instanceof SoundAnswer) return writeSound(body, isStream, tokens);
    throw new Error("a translation of speech that read no sound");
  },

  events: {
    inspectEvent: createEventView(inspectSoundEvent),
    markers: [...COMMON_MARKERS, "speech.audio.done"],
    // The text was read whole before the first sound came, so it is charged whole.
    readStream: (_stream, _input, { units }) => ({ usage: NO_USAGE, text: "", units }),
  },
};
