/*
 * The token count of a file, before any model has read it.
 *
 * At worst:
 *
 * - A token is at least one byte of a text, and no vendor counts a second of audio or of video as more tokens than the
 *   fewest bytes that encode it (32 and 300 tokens: https://ai.google.dev/gemini-api/docs/tokens).
 * - The pages of a PDF may share their content, so a short one may be long: 100 pages, each as text and as a picture
 *   (https://docs.claude.com/en/docs/build-with-claude/pdf-support), are about 300,000 tokens.
 * - The size of a file that is only named is unknown. Nothing counts for more than the longest context.
 *
 * Likely, which is charged when the upstream reports no usage (rather too little than too much):
 *
 * - a page of a PDF has 100 KB and 2,000 tokens (1,500 to 3,000:
 *   https://docs.claude.com/en/docs/build-with-claude/pdf-support);
 * - a token of text has four bytes;
 * - audio has 128 kbit/s if it is compressed, else 48,000 bytes a second, and 25 tokens a second; video has 2 Mbit/s
 *   and 263 tokens a second (https://ai.google.dev/gemini-api/docs/tokens).
 */

/** The token count of a file. */
export interface FileTokens {
  /** At worst. */
  most: number;
  /** The likely count. */
  likely: number;
}

const PDF_BYTES_PER_TOKEN = 50;
const TEXT_BYTES_PER_TOKEN = 4;
const PACKED_SOUND_BYTES_PER_TOKEN = 640;
const PLAIN_SOUND_BYTES_PER_TOKEN = 1920;
const VIDEO_BYTES_PER_TOKEN = 950;

const bytesPerToken = (mediaType: string): number => {
  if (/wav|pcm|l16/i.test(mediaType)) return PLAIN_SOUND_BYTES_PER_TOKEN;
  if (/^audio/i.test(mediaType)) return PACKED_SOUND_BYTES_PER_TOKEN;
  if (/^video/i.test(mediaType)) return VIDEO_BYTES_PER_TOKEN;
  return /^text|json|xml|yaml|csv|javascript/i.test(mediaType) ? TEXT_BYTES_PER_TOKEN : PDF_BYTES_PER_TOKEN;
};

const LONGEST_CONTEXT = 1_000_000;
const LEAST_OF_PDF = 300_000;
const LEAST = 1000;

/** A file that is only named: by an address, or by its id in the upstream's storage. */
export const NAMED_FILE_TOKENS: FileTokens = { most: LONGEST_CONTEXT, likely: LEAST };

/** The media type in a data URI; "" when it has none, undefined for any other address. */
const typeOfDataUri = (url: string): string | undefined =>
  url.startsWith("data:") ? url.slice(5, 100).split(/[;,]/, 1)[0] : undefined;

/**
 * A file whose bytes are in the request.
 * @param base64 its bytes, alone or as a data URI.
 * @param mediaType "" when the request has none.
 */
export const inlineFileTokens = (base64: string, mediaType = typeOfDataUri(base64) ?? ""): FileTokens => {
  const bytes = Math.ceil((base64.length * 3) / 4);
  const least = mediaType === "" || mediaType.includes("pdf") ? LEAST_OF_PDF : LEAST;
  const likely = Math.ceil(bytes / bytesPerToken(mediaType));
  return {
    most: Math.min(LONGEST_CONTEXT, Math.max(least, bytes)),
    likely: Math.min(LONGEST_CONTEXT, Math.max(LEAST, likely)),
  };
};

/** The token count of an address, or a data URI. @returns undefined for an image, which has its own rule. */
export const fileTokensOfUrl = (url: string, isImage: boolean): FileTokens | undefined => {
  const mediaType = typeOfDataUri(url);
  if (mediaType === undefined) return isImage ? undefined : NAMED_FILE_TOKENS;
  return mediaType.startsWith("image/") ? undefined : inlineFileTokens(url, mediaType);
};
