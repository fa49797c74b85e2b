import { DASHSCOPE } from "../answer-shapes/dashscope";
import { GEMINI_GENERATE } from "../answer-shapes/gemini-generate";
import {
  dashscopeSpeech,
  geminiSpeech,
  minimaxSpeech,
  minimaxTranscript,
} from "../answer-shapes/native-sound";
import { OPENAI_CHAT } from "../answer-shapes/openai-chat";
import { checkBearer, checkGoogleKey, checkIssuedBearer, takeAnybody } from "./check-credential";
import { FAKE_KEYS } from "./credentials";
import type { Embedder } from "./embedders";
import type { Arrival } from "./endpoint";

const record = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? { ...value } : {};

const asksGoogleForSound = ({ body }: Arrival): boolean =>
  JSON.stringify(record(body.generationConfig).responseModalities) === '["AUDIO"]';

const google = (path: RegExp, checkCredential: Embedder["checkCredential"]): Embedder => ({
  path,
  shape: GEMINI_GENERATE,
  isAsked: asksGoogleForSound,
  checkCredential,
  encode: geminiSpeech,
});

/**
 * Addresses of vendors that read texts aloud, or write down recordings, in a shape of their own.
 * @param isIssued whether a token is one that a vendor's service gave out here.
 */
export const createSoundMakers = (isIssued: (token: string) => boolean): readonly Embedder[] => [
  google(/^\/v1beta\/models\/([^/]+):generateContent$/, takeAnybody),
  google(
    /^\/vertex\/v1\/projects\/fake-project\/locations\/[\w-]+\/publishers\/google\/models\/([^/]+):generateContent$/,
    checkIssuedBearer(isIssued),
  ),
  google(/^\/vertex\/v1\/publishers\/google\/models\/([^/]+):generateContent$/, checkGoogleKey),
  {
    path: /^\/api\/v1\/services\/aigc\/multimodal-generation\/generation$/,
    shape: DASHSCOPE,
    isAsked: ({ body }) => typeof record(body.input).voice === "string",
    checkCredential: checkBearer(FAKE_KEYS.plain),
    encode: dashscopeSpeech,
  },
  {
    path: /^\/v1\/t2a_v2$/,
    shape: OPENAI_CHAT,
    checkCredential: checkBearer(FAKE_KEYS.plain),
    encode: minimaxSpeech,
  },
  {
    path: /^\/v1\/speech_to_text$/,
    shape: OPENAI_CHAT,
    checkCredential: checkBearer(FAKE_KEYS.plain),
    encode: minimaxTranscript,
  },
];
