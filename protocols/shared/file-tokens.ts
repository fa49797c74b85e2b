/*
 * How many tokens a file may count as at worst, before anybody has read it.
 *
 * - A token is at least one byte of a text, and no vendor counts a second of sound or of video as more tokens than the
 *   fewest bytes that encode it (32 and 300 tokens: https://ai.google.dev/gemini-api/docs/tokens).
 * - The pages of a PDF may share what they show, so a short one may be long: 100 pages, each as text and as a picture
 *   (https://docs.claude.com/en/docs/build-with-claude/pdf-support), are about 300,000 tokens.
 * - Of a file that is only named nothing is known. Nothing counts for more than the longest context does.
 */

const LONGEST_CONTEXT = 1_000_000;
const LEAST_OF_PDF = 300_000;
const LEAST = 1000;

/** A file that is only named: by an address, or by the id under which the upstream stores it. */
export const NAMED_FILE_TOKENS = LONGEST_CONTEXT;

/** The media type that a data URI says; "" when it says none, undefined for any other address. */
const typeOfDataUri = (url: string): string | undefined =>
  url.startsWith("data:") ? url.slice(5, 100).split(/[;,]/, 1)[0] : undefined;

/**
 * A file whose bytes are in the request.
 * @param base64 its bytes, by themselves or as a data URI.
 * @param mediaType "" when the request does not say.
 */
export const inlineFileTokens = (base64: string, mediaType = typeOfDataUri(base64) ?? ""): number => {
  const bytes = Math.ceil((base64.length * 3) / 4);
  const least = mediaType === "" || mediaType.includes("pdf") ? LEAST_OF_PDF : LEAST;
  return Math.min(LONGEST_CONTEXT, Math.max(least, bytes));
};

/** What an address, or a data URI, may count as. @returns undefined for an image, which counts by its own rule. */
export const fileTokensOfUrl = (url: string, isImage: boolean): number | undefined => {
  const mediaType = typeOfDataUri(url);
  if (mediaType === undefined) return isImage ? undefined : NAMED_FILE_TOKENS;
  return mediaType.startsWith("image/") ? undefined : inlineFileTokens(url, mediaType);
};

/** What a request brings besides text. */
export class MediaCount {
  /** Images and files together. */
  count = 0;
  /** Files, recordings and videos among them. */
  files = 0;
  /** What the files may count as at worst. */
  fileTokens = 0;

  addImage(): void {
    this.count += 1;
  }

  addFile(tokens: number): void {
    this.count += 1;
    this.files += 1;
    this.fileTokens += tokens;
  }

  /** @param tokens as `fileTokensOfUrl` says it. */
  add(tokens: number | undefined): void {
    if (tokens === undefined) this.addImage();
    else this.addFile(tokens);
  }
}
