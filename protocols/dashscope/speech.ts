import type { OperationSummary, UpstreamOperation } from "@tollgate/contract/relay/operation";
import { PromptText } from "@tollgate/contract/relay/prompt-text";
import { decodeBase64, readSoundTokens } from "../shared/answer/sound-answer";
import { decodeWav } from "../shared/answer/wav";
import { isRecord, readRecord, readString } from "../shared/json/json-values";
import { readSpeechRequest, type SpeechFeatures } from "../shared/request/speech-request";
import { maxBilledCharacters, readBilledCharacters } from "../shared/usage/billed-characters";
import { readUsageObject } from "./read-answer";

/*
 * Qwen's speech: https://help.aliyun.com/zh/model-studio/qwen-tts-api. The answer is requested as events, which contain
 * the sound; a whole one would only contain an address of it.
 */

/** These are charged by tokens, later ones by characters: https://help.aliyun.com/zh/model-studio/qwen-tts */
const BY_TOKENS = /^qwen-tts/;

const featuresOf = (model: string): SpeechFeatures => ({
  formats: ["wav", "pcm"],
  // Voices that models of all generations have.
  voices: {
    alloy: "Cherry",
    ash: "Ethan",
    ballad: "Ethan",
    cedar: "Ethan",
    coral: "Serena",
    echo: "Ethan",
    fable: "Ethan",
    marin: "Serena",
    nova: "Chelsie",
    onyx: "Ethan",
    sage: "Serena",
    shimmer: "Chelsie",
    verse: "Ethan",
  },
  takesInstructions: /-instruct-/.test(model),
});

const EMPTY = Buffer.alloc(0);

/** Raw sound at 24 kHz; a WAV of it is taken apart. */
const readSamples = (data: string): Buffer | undefined => {
  if (data === "") return EMPTY;
  const bytes = decodeBase64(data);
  return bytes && (decodeWav(bytes)?.samples ?? bytes);
};

/** @param base what the address of the vendor's own API has below the base address. */
export const createSpeech = (base: string): UpstreamOperation => ({
  path: () => `${base}/services/aigc/multimodal-generation/generation`,
  headers: () => ({ accept: "text/event-stream", "x-dashscope-sse": "enable" }),

  summarize: (input, summary, model): OperationSummary => {
    const { text } = readSpeechRequest(input, featuresOf(model));
    if (!BY_TOKENS.test(model))
      return { ...summary, units: { kind: "characters", count: maxBilledCharacters(text) } };
    return { ...summary, units: undefined, maxOutputTokens: undefined, prompt: new PromptText([text], 0, 0) };
  },

  translation: {
    buildBody: (input, model) => {
      const { text, voice, instructions } = readSpeechRequest(input, featuresOf(model));
      return { model, input: { text, voice, ...(instructions === "" ? {} : { instructions }) } };
    },

    // A whole answer has no sound.
    readBody: (body) => body,

    sound: {
      read: (event) => {
        const { output, usage } = readRecord(event);
        if (!isRecord(output)) return undefined;
        const samples = readSamples(readString(readRecord(output.audio).data));
        return samples && { samples, isEnd: output.finish_reason === "stop", report: usage };
      },

      charge: (report, input, { units }, seconds) => {
        if (units === undefined) return readSoundTokens(readUsageObject(report), seconds);
        return readBilledCharacters(readRecord(report).characters, readString(input.fields.input));
      },
    },
  },
});
