import { type DeliveredContent, type MediaContent, NO_MEDIA } from "@tollgate/contract/relay/content";
import type { StreamPart } from "@tollgate/contract/relay/stream";
import { approximateTokens } from "@tollgate/metering/estimate";

/** So much text is kept for counting; a longer one is estimated, which the counter would do anyway. */
const MAX_KEPT_LENGTH = 2 * 1024 * 1024;

/**
 * Pictures and other files that stand in a text as their address. Vendors put one into an event as a whole, or in large
 * pieces. What a model writes comes a few letters at a time: it can be asked to write words that look like an address.
 */
const DATA_URI = /data:(?:image|video|audio)\/[\w.+-]+(?:;[\w=.-]+)*;base64,[\w+/=-]*/g;
const LEAST_FILE_LENGTH = 2048;
const LEAST_PIECE_LENGTH = 1024;
const BASE64 = /^[\w+/=-]*/;

/** Adds up what a client was given of an answer. Memory is bounded, however long the answer. */
export class DeliveredTally {
  private text = "";
  private estimatedTokens = 0;
  private media: MediaContent = NO_MEDIA;
  /** What came last was a piece of a file. */
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

  content(): DeliveredContent {
    return { ...this.media, text: this.text, estimatedTokens: this.estimatedTokens };
  }

  private shorten(): void {
    this.estimatedTokens += approximateTokens(Buffer.byteLength(this.text));
    this.text = "";
  }

  private withoutFiles(text: string): string {
    const words = this.isInFile ? this.withoutPiece(text) : text;
    if (words.length < LEAST_FILE_LENGTH || !words.includes(";base64,")) return words;
    let images = 0;
    const rest = words.replace(DATA_URI, (address, at: number) => {
      if (address.length < LEAST_FILE_LENGTH) return address;
      images += 1;
      this.isInFile = at + address.length === words.length;
      return "";
    });
    this.media = { ...this.media, images: this.media.images + images };
    return rest;
  }

  private withoutPiece(text: string): string {
    const length = BASE64.exec(text)?.[0].length ?? 0;
    const isPiece = length >= LEAST_PIECE_LENGTH;
    this.isInFile = isPiece && length === text.length;
    return isPiece ? text.slice(length) : text;
  }
}

/** A text alone, of an answer that is nothing else. */
export const textContent = (text: string): DeliveredContent => ({ ...NO_MEDIA, text, estimatedTokens: 0 });
