import type { OperationInput } from "@tollgate/contract/relay/operation";
import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import { isRecord, lookUp, readString } from "../json/json-values";
import { shownValue } from "../json/shown-value";

/** The formats of OpenAI's API: https://platform.openai.com/docs/api-reference/audio/createSpeech */
export type SoundFormat = "mp3" | "opus" | "aac" | "flac" | "wav" | "pcm";

/** A vendor's features for reading a text aloud, among those that OpenAI's request can ask for. */
export interface SpeechFeatures {
  /** The first one answers a client that names none. */
  formats: readonly [SoundFormat, ...SoundFormat[]];
  /** The vendor's voice for each of OpenAI's names; any other name is passed on. */
  voices: Readonly<Record<string, string>>;
  /** Undefined where only the usual speed, 1, is supported. */
  speed?: { min: number; max: number };
  takesInstructions: boolean;
}

/** A request for OpenAI's `audio/speech`, as another vendor reads it. */
export interface SpeechRequest {
  text: string;
  voice: string;
  format: SoundFormat;
  /** Undefined where the client sets none. */
  speed: number | undefined;
  /** How the text is to be read; "" for none. */
  instructions: string;
}

const isMissing = (value: unknown): boolean => value === undefined || value === null || value === "";

const readFormat = (value: unknown, [first, ...others]: SpeechFeatures["formats"]): SoundFormat => {
  if (isMissing(value)) return first;
  const format = [first, ...others].find((known) => known === value);
  if (format !== undefined) return format;
  throw new RequestInvalid({
    code: "unsupported-value-instead",
    field: "response_format",
    value: shownValue(value),
    instead: [first, ...others],
  });
};

/** A voice of the client's own is an object: https://platform.openai.com/docs/api-reference/audio/createSpeech */
const readVoice = (value: unknown, voices: SpeechFeatures["voices"]): string => {
  const name = isRecord(value) ? readString(value.id) : readString(value);
  if (name === "") throw new RequestInvalid({ code: "wrong-type", field: "voice", expected: "text" });
  return lookUp(voices, name) ?? name;
};

const readSpeed = (value: unknown, bounds: SpeechFeatures["speed"]): number | undefined => {
  if (isMissing(value) || (value === 1 && !bounds)) return undefined;
  if (!bounds) throw new RequestInvalid({ code: "unsupported-field", field: "speed" });
  if (typeof value === "number" && value >= bounds.min && value <= bounds.max) return value;
  throw new RequestInvalid({ code: "no-number-within", field: "speed", ...bounds });
};

const readInstructions = (value: unknown, isSupported: boolean): string => {
  if (isMissing(value)) return "";
  if (!isSupported) throw new RequestInvalid({ code: "unsupported-field", field: "instructions" });
  if (typeof value === "string") return value;
  throw new RequestInvalid({ code: "wrong-type", field: "instructions", expected: "text" });
};

/** @throws RequestInvalid when the vendor does not support the request. */
export const readSpeechRequest = (
  { fields }: OperationInput,
  { formats, voices, speed, takesInstructions }: SpeechFeatures,
): SpeechRequest => {
  const { stream_format: streamFormat } = fields;
  if (!isMissing(streamFormat) && streamFormat !== "audio" && streamFormat !== "sse") {
    const value = shownValue(streamFormat);
    throw new RequestInvalid({
      code: "unsupported-value-instead",
      field: "stream_format",
      value,
      instead: ["audio", "sse"],
    });
  }
  return {
    text: readString(fields.input),
    voice: readVoice(fields.voice, voices),
    format: readFormat(fields.response_format, formats),
    speed: readSpeed(fields.speed, speed),
    instructions: readInstructions(fields.instructions, takesInstructions),
  };
};
