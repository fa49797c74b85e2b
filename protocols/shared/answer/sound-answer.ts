import type { AnswerReading } from "@tollgate/contract/relay/operation";
import { NO_USAGE, type Usage } from "@tollgate/contract/relay/usage";
import type { SoundFormat } from "../request/speech-request";

/** Sound that a translation has read from a vendor's answer. A class, so that no JSON of an upstream can pretend to be one. */
export class SoundAnswer {
  constructor(
    readonly bytes: Uint8Array,
    readonly format: SoundFormat,
    /** What is charged for it. */
    readonly reading: AnswerReading,
  ) {}
}

/** No vendor counts more tokens for a second of speech: https://help.aliyun.com/zh/model-studio/qwen-tts (Google: 25). */
const MAX_TOKENS_PER_SECOND = 50;

/**
 * The charge of sound by tokens: the upstream's, bounded by the length of the sound, or else counted here by its length.
 * @param seconds length of the sound.
 */
export const readSoundTokens = (usage: Usage, seconds: number): AnswerReading => {
  const { outputTokens } = usage;
  const most = Math.max(1, Math.ceil(seconds)) * MAX_TOKENS_PER_SECOND;
  // Sound that was delivered took at least one token, whatever an upstream reports.
  const told = outputTokens === undefined || outputTokens === 0 ? undefined : Math.min(outputTokens, most);
  return {
    usage: {
      ...NO_USAGE,
      inputTokens: usage.inputTokens || undefined,
      outputTokens: told,
      audioOutputTokens: told,
    },
    text: "",
    units: undefined,
    soundSeconds: seconds,
  };
};

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const HEX = /^(?:[0-9a-f]{2})+$/i;

/** @returns undefined for text that is empty or not base64. */
export const decodeBase64 = (text: string): Buffer | undefined =>
  text.length % 4 === 0 && BASE64.test(text) ? Buffer.from(text, "base64") : undefined;

/** @returns undefined for text that is empty or not hexadecimal. */
export const decodeHex = (text: string): Buffer | undefined =>
  text.length % 2 === 0 && HEX.test(text) ? Buffer.from(text, "hex") : undefined;
