import type { MediaContent } from "@tollgate/contract/relay/content";
import type { PromptText } from "@tollgate/contract/relay/prompt-text";

/** Tokens of a message in addition to its text, and of the answer's priming (contract section 2.4). */
const PER_MESSAGE = 3;
const PRIMING = 3;

/** The contract's approximate count of a text: 0.38 per UTF-8 byte, rounded down (contract section 2.4). */
export const approximateTokens = (utf8Bytes: number): number => Math.floor((utf8Bytes * 38) / 100);

/** Tokens of an image without an upstream's report: vendors count from some hundreds to some thousands. */
const PER_IMAGE = 1000;

/** Adds the tokens of a chat's messages beyond their text; a text without messages has no chat overhead. */
export const withChatOverhead = (textTokens: number, messages: number): number =>
  textTokens + (messages === 0 ? 0 : messages * PER_MESSAGE + PRIMING);

/**
 * Minimum tokens of a prompt before a model has read it, for limits and for the required balance: a file counts like an
 * image, so that no request is refused because of a guess.
 * @param textTokens of its text, estimated.
 */
export const leastPromptTokens = (textTokens: number, { messages, tokens, images }: PromptText): number =>
  withChatOverhead(textTokens + tokens, messages) + images * PER_IMAGE;

/**
 * All tokens of a prompt without an upstream's report: its text, its messages, images, and files by their size.
 * @param textTokens of its text, counted or estimated.
 */
export const promptTokensOf = (
  textTokens: number,
  { messages, tokens, images, files, likelyFileTokens }: PromptText,
): number =>
  withChatOverhead(textTokens + tokens, messages) + (images - files) * PER_IMAGE + likelyFileTokens;

/** A picture that a model draws, at 1024 × 1024: https://ai.google.dev/gemini-api/docs/pricing */
const PER_DRAWN_IMAGE = 1290;

/** A second of speech: https://ai.google.dev/gemini-api/docs/tokens (25), https://platform.openai.com/docs/guides/realtime-costs (20) */
const PER_SOUND_SECOND = 25;

/** Base64 of words, at four bytes to a token. */
const PER_SEALED_BYTE = 3 / 16;
const PER_WORD_BYTE = 1 / 4;

/** Tokens of an answer's audio. */
export const soundTokens = ({ soundSeconds }: MediaContent): number =>
  Math.ceil(soundSeconds * PER_SOUND_SECOND);

/**
 * Reasoning tokens of an answer that were not shown as text. @param reasoningTokens all of them, as reported by the
 * upstream.
 */
export const hiddenReasoning = (reasoningTokens: number, { reasoningBytes }: MediaContent): number =>
  Math.max(0, Math.ceil(reasoningTokens - reasoningBytes * PER_WORD_BYTE));

/**
 * Adds the tokens of an answer beyond its text. A seal contains the vendor's whole reasoning, which may also have been
 * shown as text: only the excess over that text is added.
 */
export const withMedia = (textTokens: number, media: MediaContent): number => {
  const sealed = media.sealedBytes * PER_SEALED_BYTE - media.reasoningBytes * PER_WORD_BYTE;
  return textTokens + media.images * PER_DRAWN_IMAGE + soundTokens(media) + Math.max(0, Math.ceil(sealed));
};

/** Maximum tokens of one image, by the vendors' statements about their models' finest resolution. */
const MAX_PER_IMAGE = 5000;
const MAX_PER_IMAGE_OF: readonly (readonly [RegExp, number])[] = [
  // 2833 + 8 tiles of 5667: https://platform.openai.com/docs/guides/images-vision#calculating-costs
  [/gpt-4o-mini/, 48_169],
  // https://help.aliyun.com/zh/model-studio/vision
  [/qwen|qvq/, 16_384],
];

/** @param model the name after the channel's mapping. */
export const maxImageTokens = (model: string): number =>
  MAX_PER_IMAGE_OF.find(([models]) => models.test(model))?.[1] ?? MAX_PER_IMAGE;
