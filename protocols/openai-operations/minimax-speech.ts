import type { UpstreamOperation } from "@tollgate/contract/relay/operation";
import { decodeHex, SoundAnswer } from "../shared/answer/sound-answer";
import { readRecord, readString } from "../shared/json/json-values";
import { readSpeechRequest, type SpeechFeatures } from "../shared/request/speech-request";
import { maxBilledCharacters, readBilledCharacters } from "../shared/usage/billed-characters";

/* MiniMax' speech: https://platform.minimaxi.com/docs/api-reference/speech-t2a-http */

const FEATURES: SpeechFeatures = {
  formats: ["mp3", "wav", "pcm", "flac"],
  voices: {
    alloy: "female-yujie",
    ash: "male-qn-jingying",
    ballad: "male-qn-daxuesheng",
    cedar: "male-qn-jingying",
    coral: "female-tianmei",
    echo: "male-qn-qingse",
    fable: "male-qn-daxuesheng",
    marin: "female-chengshu",
    nova: "female-shaonv",
    onyx: "male-qn-badao",
    sage: "female-chengshu",
    shimmer: "female-tianmei",
    verse: "male-qn-qingse",
  },
  speed: { min: 0.5, max: 2 },
  takesInstructions: false,
};

/** OpenAI's `pcm` has this rate: https://platform.openai.com/docs/guides/text-to-speech#supported-output-formats */
const PCM_SETTING = { sample_rate: 24_000, channel: 1 };

export const minimaxSpeech: UpstreamOperation = {
  path: () => "/v1/t2a_v2",

  summarize: (input, summary) => {
    const { text } = readSpeechRequest(input, FEATURES);
    return { ...summary, units: { kind: "characters", count: maxBilledCharacters(text) } };
  },

  translation: {
    buildBody: (input, model) => {
      const { text, voice, format, speed } = readSpeechRequest(input, FEATURES);
      return {
        model,
        text,
        stream: false,
        output_format: "hex",
        voice_setting: { voice_id: voice, ...(speed === undefined ? {} : { speed }) },
        audio_setting: { format, ...(format === "pcm" ? PCM_SETTING : {}) },
      };
    },

    readBody: (body, input) => {
      const { data, extra_info: info } = readRecord(body);
      const bytes = decodeHex(readString(readRecord(data).audio));
      if (!bytes) return body;
      const { text, format } = readSpeechRequest(input, FEATURES);
      return new SoundAnswer(bytes, format, readBilledCharacters(readRecord(info).usage_characters, text));
    },
  },
};
