import type { MediaContent } from "@tollgate/contract/relay/content";
import { isRecord, type JsonRecord, readString } from "../json/json-values";

/** 16 bits, 24,000 samples a second: the default stream of speech vendors. */
const PCM_BYTES_PER_SECOND = 48_000;
/** 64 kbit/s for compressed audio. */
const PACKED_BYTES_PER_SECOND = 8000;
const PACKED_SOUND = /mp3|mpeg|opus|ogg|aac|flac|webm|mp4/i;

/** Fields with metadata about content. */
const NAMES =
  /^(?:(?:.*_)?id|type|role|object|index|status|format|mime_?type|media_type|language|outcome|detail|url|(?:.*_)?uri|caller|phase)$/i;
const SEALS = /^(?:(?:thought_?)?signature|encrypted_(?:content|index|stdout)|encrypted)$/i;
/** Strings shorter than this are words, whatever they look like. */
const LEAST_OPAQUE = 512;
const OPAQUE = /^[\w+/=-]+$/;

/** Maximum length read of a type; less of each field, because they are joined. */
const LONGEST_TYPE = 256;
const LONGEST_FIELD = 48;

const isOpaque = (text: string): boolean =>
  text.length >= LEAST_OPAQUE && OPAQUE.test(text.slice(0, LEAST_OPAQUE));

/**
 * Adds up the content of an event or an answer by its cost: words are counted, a picture counts once whatever its size,
 * audio by its length.
 */
export class ContentTally implements MediaContent {
  text = "";
  images = 0;
  soundSeconds = 0;
  sealedBytes = 0;
  reasoningBytes = 0;

  get hasMedia(): boolean {
    return this.images > 0 || this.soundSeconds > 0 || this.sealedBytes > 0 || this.reasoningBytes > 0;
  }

  get isEmpty(): boolean {
    return this.text === "" && this.images === 0 && this.soundSeconds === 0;
  }

  get media(): MediaContent | undefined {
    if (!this.hasMedia) return undefined;
    const { images, soundSeconds, sealedBytes, reasoningBytes } = this;
    return { images, soundSeconds, sealedBytes, reasoningBytes };
  }

  /** Reasoning in words. */
  addReasoning(words: string): void {
    if (words === "") return;
    this.text += words;
    this.reasoningBytes += Buffer.byteLength(words);
  }

  /** Reasoning that only the vendor can read. */
  addSealed(seal: string): void {
    this.sealedBytes += seal.length;
  }

  /** @param base64 the audio. @param told its media type or the name of its format; "" when both are missing. */
  addSound(base64: string, told: string): void {
    const type = told.slice(0, LONGEST_TYPE);
    const rate = /rate=(\d{4,6})/.exec(type)?.[1];
    const pcm = rate === undefined ? PCM_BYTES_PER_SECOND : 2 * Number(rate);
    const bytesPerSecond = PACKED_SOUND.test(type) ? PACKED_BYTES_PER_SECOND : pcm;
    this.soundSeconds += (base64.length * 3) / 4 / bytesPerSecond;
  }

  /** Bytes of a media type. */
  addMedia(base64: string, told: string): void {
    if (base64 === "") return;
    const type = told.slice(0, LONGEST_TYPE);
    if (/audio/i.test(type)) this.addSound(base64, type);
    else if (/image|video/i.test(type)) this.images += 1;
    else this.sealedBytes += base64.length;
  }

  /**
   * Adds the value of any vendor's field, known or not: unknown content must not be free.
   * @param name of the field.
   */
  addValue(value: unknown, name = ""): void {
    if (typeof value === "string") this.addString(value, name);
    else if (Array.isArray(value)) for (const item of value) this.addValue(item, name);
    else if (isRecord(value)) this.addRecord(value);
  }

  private addRecord(record: JsonRecord): void {
    const type = TYPE_FIELDS.map((field) => readString(record[field]).slice(0, LONGEST_FIELD)).join(" ");
    for (const [name, value] of Object.entries(record)) {
      if (
        (name === "data" || name === "bytes") &&
        typeof value === "string" &&
        /image|audio|video/i.test(type)
      )
        this.addMedia(value, type);
      else this.addValue(value, name);
    }
  }

  private addString(value: string, name: string): void {
    if (value === "") return;
    const uri = /^data:([\w.+/;=-]{1,100}),/.exec(value);
    if (uri) this.addMedia(value.slice(uri[0].length), uri[1] ?? "");
    else if (NAMES.test(name)) return;
    else if (SEALS.test(name)) this.sealedBytes += value.length;
    else if (!isOpaque(value)) this.text += value;
    else if (/b64|base64|image/i.test(name)) this.images += 1;
    else if (/audio/i.test(name)) this.addSound(value, "");
    else this.sealedBytes += value.length;
  }
}

const TYPE_FIELDS = ["mimeType", "mime_type", "media_type", "type", "format"] as const;
