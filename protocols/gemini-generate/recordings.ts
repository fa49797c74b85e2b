import type { UpstreamOperation } from "@tollgate/contract/relay/operation";
import { PromptText } from "@tollgate/contract/relay/prompt-text";
import { Transcript } from "../shared/answer/transcript";
import { isRecord, readArray, readString } from "../shared/json/json-values";
import { forModel } from "../shared/messages/for-model";
import {
  encodeRecording,
  type RecordingRequest,
  readRecordingRequest,
} from "../shared/request/recording-request";
import { callPath } from "./call-path";
import { partsOf } from "./read-response";
import { readUsage } from "./read-usage";

/*
 * Recordings are a part of a prompt to Google's models: https://ai.google.dev/gemini-api/docs/audio
 */

/** A request has 20 MB at most, in which the recording is base64. */
const MAX_MIB = 14;

/** https://ai.google.dev/gemini-api/docs/audio#technical-details */
const TOKENS_PER_SECOND = 32;

/** Codes of languages, to write them into a sentence. */
const LANGUAGE = /^[a-z]{2,3}(?:-[a-z\d]{2,8})*$/i;

const TRANSCRIBE = forModel`Transcribe the speech in this recording word for word, in the language spoken. Answer with the transcript alone.`;
const TRANSLATE = forModel`Translate the speech in this recording into English. Answer with the translation alone.`;

const instructionsOf = (task: string, { language, prompt }: RecordingRequest): string[] => [
  task,
  ...(LANGUAGE.test(language) ? [forModel`The language of the recording is "${language}".`] : []),
  ...(prompt === "" ? [] : [forModel`Words and style to expect: ${prompt}`]),
];

/** A silent recording has an empty transcript; an answer that was stopped otherwise has none. */
const readText = (body: unknown): string | undefined => {
  const candidate = isRecord(body) ? readArray(body.candidates)[0] : undefined;
  if (!isRecord(candidate)) return undefined;
  const words = partsOf(candidate).filter((part) => part.thought !== true);
  const text = words.map((part) => readString(part.text)).join("");
  return text === "" && candidate.finishReason !== "STOP" ? undefined : text.trim();
};

const createRecordings = (task: string): UpstreamOperation => ({
  path: (model) => callPath(model, false),

  /** Charged by tokens: those of the recording, the instructions and the transcript. */
  summarize: (input, summary) => {
    const request = readRecordingRequest(input, MAX_MIB);
    const recordingTokens = (summary.units?.count ?? 0) * TOKENS_PER_SECOND;
    return {
      ...summary,
      units: undefined,
      maxOutputTokens: undefined,
      prompt: new PromptText(instructionsOf(task, request), 0, 0, recordingTokens),
      recordingTokens,
    };
  },

  translation: {
    buildBody: (input) => {
      const request = readRecordingRequest(input, MAX_MIB);
      const { mediaType, temperature } = request;
      const text = instructionsOf(task, request).join("\n");
      return {
        contents: [
          {
            role: "user",
            parts: [{ text }, { inlineData: { mimeType: mediaType, data: encodeRecording(request) } }],
          },
        ],
        ...(temperature === undefined ? {} : { generationConfig: { temperature } }),
      };
    },

    readBody: (body) => {
      const text = readText(body);
      return text === undefined ? body : new Transcript(text, readUsage(body));
    },
  },
});

export const transcriptions = createRecordings(TRANSCRIBE);
export const translations = createRecordings(TRANSLATE);
