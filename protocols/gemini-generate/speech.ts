import type { UpstreamOperation } from "@tollgate/contract/relay/operation";
import { PromptText } from "@tollgate/contract/relay/prompt-text";
import { decodeBase64, readSoundTokens, SoundAnswer } from "../shared/answer/sound-answer";
import { decodeWav, encodeWav, type RawSound, SPEECH_RATE, secondsOfPcm } from "../shared/answer/wav";
import { isRecord, type JsonRecord, readArray, readRecord, readString } from "../shared/json/json-values";
import { readSpeechRequest, type SpeechFeatures } from "../shared/request/speech-request";
import { callPath } from "./call-path";
import { readField } from "./read-field";
import { partsOf } from "./read-response";
import { readUsage } from "./read-usage";

/*
 * Google's speech: https://ai.google.dev/gemini-api/docs/speech-generation and
 * https://docs.cloud.google.com/gemini-enterprise-agent-platform/models/text-to-speech/migration-guide
 */

const FEATURES: SpeechFeatures = {
  // The answer is raw sound, or a WAV of it.
  formats: ["wav", "pcm"],
  voices: {
    alloy: "Kore",
    ash: "Charon",
    ballad: "Algieba",
    cedar: "Achird",
    coral: "Aoede",
    echo: "Iapetus",
    fable: "Umbriel",
    marin: "Sulafat",
    nova: "Leda",
    onyx: "Orus",
    sage: "Autonoe",
    shimmer: "Zephyr",
    verse: "Puck",
  },
  takesInstructions: true,
};

/** Models before 3.8 find the style in the text; later ones would read it aloud. */
const STYLE_IN_TEXT = /gemini-(?:2\.|3\.[0-7])/;

const RATE = /rate=(\d{4,6})\b/;

/** Raw sound of an answer: `audio/L16;codec=pcm;rate=24000`, or a WAV. */
const readRaw = (part: JsonRecord): RawSound | undefined => {
  const blob = readRecord(readField(part, "inlineData"));
  const mediaType = readString(readField(blob, "mimeType"));
  const bytes = mediaType.startsWith("audio/") ? decodeBase64(readString(blob.data)) : undefined;
  if (!bytes || /^audio\/(?:x-)?wav/i.test(mediaType)) return bytes && decodeWav(bytes);
  return { samples: bytes, rate: Number(RATE.exec(mediaType)?.[1] ?? SPEECH_RATE) };
};

/** @returns undefined without a part, and for a part that is not sound. */
const readSound = (body: unknown): RawSound | undefined => {
  const parts = isRecord(body) ? partsOf(readArray(body.candidates)[0]) : [];
  const pieces = parts.filter((part) => isRecord(readField(part, "inlineData"))).map(readRaw);
  const [first] = pieces;
  if (!first || pieces.some((piece) => piece === undefined || piece.rate !== first.rate)) return undefined;
  const samples = Buffer.concat(pieces.flatMap((piece) => piece?.samples ?? []));
  return samples.length === 0 ? undefined : { samples, rate: first.rate };
};

export const speech: UpstreamOperation = {
  path: (model) => callPath(model, false),

  /** Charged by tokens: the text's, and those of the sound. */
  summarize: (input, summary) => {
    const { text, instructions } = readSpeechRequest(input, FEATURES);
    const pieces = instructions === "" ? [text] : [instructions, text];
    return { ...summary, units: undefined, maxOutputTokens: undefined, prompt: new PromptText(pieces, 0, 0) };
  },

  translation: {
    buildBody: (input, model) => {
      const { text, voice, instructions } = readSpeechRequest(input, FEATURES);
      const isInText = STYLE_IN_TEXT.test(model);
      const styled = instructions === "" ? text : `${instructions}\n\n${text}`;
      const part = isInText
        ? { text: styled }
        : { text, ...(instructions === "" ? {} : { speech_metadata: { style: instructions } }) };
      const voiceConfig = isInText ? { prebuiltVoiceConfig: { voiceName: voice } } : { voice };
      return {
        contents: [{ role: "user", parts: [part] }],
        generationConfig: { responseModalities: ["AUDIO"], speechConfig: { voiceConfig } },
      };
    },

    readBody: (body, input) => {
      const sound = readSound(body);
      if (!sound) return body;
      const { samples, rate } = sound;
      const reading = readSoundTokens(readUsage(body), secondsOfPcm(samples.length, rate));
      return input.fields.response_format === "pcm"
        ? new SoundAnswer(samples, "pcm", reading)
        : new SoundAnswer(encodeWav(samples, rate), "wav", reading);
    },
  },
};
