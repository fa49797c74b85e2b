import { type DeliveredContent, type MediaContent, NO_MEDIA } from "@tollgate/contract/relay/content";
import type { StreamPart } from "@tollgate/contract/relay/stream";
import { approximateTokens } from "@tollgate/metering/estimate";

/** So much text is kept for counting; a longer one is estimated, which the counter would do anyway. */
const MAX_KEPT_LENGTH = 2 * 1024 * 1024;

/** Pictures and other files that stand in a text as their address. */
const DATA_URI = /data:(?:image|video|audio)\/[\w.+-]+(?:;[\w=.-]+)*;base64,[\w+/=-]*/g;
/** A shorter one may well be a model's own words. */
const LEAST_FILE_LENGTH = 2048;

/** Adds up what a client was given of an answer. Memory is bounded, however long the answer. */
export class DeliveredTally {
  private text = "";
  private estimatedTokens = 0;
  private media: MediaContent = NO_MEDIA;

  add(text: string, media?: MediaContent): void {
    this.text += text;
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
    this.takeOutFiles();
    return { ...this.media, text: this.text, estimatedTokens: this.estimatedTokens };
  }

  private shorten(): void {
    this.takeOutFiles();
    if (this.text.length <= MAX_KEPT_LENGTH / 2) return;
    this.estimatedTokens += approximateTokens(Buffer.byteLength(this.text));
    this.text = "";
  }

  private takeOutFiles(): void {
    if (!this.text.includes(";base64,")) return;
    let images = 0;
    this.text = this.text.replace(DATA_URI, (address) => {
      if (address.length < LEAST_FILE_LENGTH) return address;
      images += 1;
      return "";
    });
    this.media = { ...this.media, images: this.media.images + images };
  }
}

/** A text alone, of an answer that is nothing else. */
export const textContent = (text: string): DeliveredContent => ({ ...NO_MEDIA, text, estimatedTokens: 0 });
