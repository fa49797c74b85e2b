import { type DeliveredContent, type MediaContent, NO_MEDIA } from "@tollgate/contract/relay/content";
import type { StreamPart } from "@tollgate/contract/relay/stream";
import { approximateTokens } from "@tollgate/metering/estimate";

/** Maximum length of the text kept for counting; a longer one is estimated, which the counter would do anyway. */
const MAX_KEPT_LENGTH = 2 * 1024 * 1024;

/**
 * Marks pictures and other files embedded in a text as data addresses. Vendors send one as a whole event, or in large
 * pieces. A model's own text comes a few letters at a time, and can be made to look like such an address.
 */
const MARK = ";base64,";
const HEAD = /^data:(?:image|video|audio)\/[\w.+;=-]+$/;
const LONGEST_HEAD = 256;
/**
 * Searches for the first invalid character: an expression that repeats valid ones would need a stack as large as the
 * file.
 */
const NO_BASE64 = /[^\w+/=-]/g;
const LEAST_FILE_LENGTH = 2048;
const LEAST_PIECE_LENGTH = 1024;

/** The end of the base64 that starts at an index. */
const endOfBase64 = (text: string, from: number): number => {
  NO_BASE64.lastIndex = from;
  return NO_BASE64.exec(text)?.index ?? text.length;
};

/** Tallies the delivered content of an answer. Memory is bounded, however long the answer. */
export class DeliveredTally {
  private text = "";
  private estimatedTokens = 0;
  private media: MediaContent = NO_MEDIA;
  /** The last piece was part of a file. */
  private isInFile = false;

  /** @param text of one event. */
  add(text: string, media?: MediaContent): void {
    if (text !== "") this.text += this.withoutFiles(text);
    if (media !== undefined) {
      const { images, soundSeconds, sealedBytes, reasoningBytes } = this.media;
      this.media = {
        images: images + media.images,
        soundSeconds: soundSeconds + media.soundSeconds,
        sealedBytes: sealedBytes + media.sealedBytes,
        reasoningBytes: reasoningBytes + media.reasoningBytes,
      };
    }
    if (this.text.length > MAX_KEPT_LENGTH) this.shorten();
  }

  /** Adds one part of a translated stream. */
  addPart(part: StreamPart): void {
    switch (part.kind) {
      case "text":
      case "refusal":
      case "tool-arguments":
        this.add(part.text);
        return;
      case "reasoning":
        this.add(part.text, { ...NO_MEDIA, reasoningBytes: Buffer.byteLength(part.text) });
        return;
      case "reasoning-signature":
        this.add("", { ...NO_MEDIA, sealedBytes: part.signature.length });
        return;
      case "redacted-reasoning":
        this.add("", { ...NO_MEDIA, sealedBytes: part.data.length });
        return;
      case "tool-call":
        this.add(part.name);
        return;
      case "start":
      case "usage":
      case "finish":
      case "error":
        return;
      default:
        // A kind that is not counted would be free.
        part satisfies never;
    }
  }

  /** The length of the text that is kept. */
  get length(): number {
    return this.text.length;
  }

  content(): DeliveredContent {
    return { ...this.media, text: this.text, estimatedTokens: this.estimatedTokens };
  }

  /** Estimates the text that is kept, and forgets it. */
  shorten(): void {
    this.estimatedTokens += approximateTokens(Buffer.byteLength(this.text));
    this.text = "";
  }

  private withoutFiles(text: string): string {
    const words = this.isInFile ? this.withoutPiece(text) : text;
    if (words.length < LEAST_FILE_LENGTH || !words.includes(MARK)) return words;
    let images = 0;
    let rest = "";
    let restEnd = 0;
    let end = 0;
    for (let mark = words.indexOf(MARK); mark !== -1; mark = words.indexOf(MARK, end)) {
      end = endOfBase64(words, mark + MARK.length);
      if (end - mark < LEAST_FILE_LENGTH - LONGEST_HEAD) continue;
      const before = words.slice(Math.max(restEnd, mark - LONGEST_HEAD), mark);
      const head = before.slice(before.lastIndexOf("data:"));
      const start = mark - head.length;
      if (end - start < LEAST_FILE_LENGTH || !HEAD.test(head)) continue;
      images += 1;
      rest += words.slice(restEnd, start);
      restEnd = end;
    }
    if (images === 0) return words;
    this.isInFile = restEnd === words.length;
    this.media = { ...this.media, images: this.media.images + images };
    return rest + words.slice(restEnd);
  }

  private withoutPiece(text: string): string {
    const length = endOfBase64(text, 0);
    const isPiece = length >= LEAST_PIECE_LENGTH;
    this.isInFile = isPiece && length === text.length;
    return isPiece ? text.slice(length) : text;
  }
}

/** Content of an answer that is only text. */
export const textContent = (text: string): DeliveredContent => ({ ...NO_MEDIA, text, estimatedTokens: 0 });
