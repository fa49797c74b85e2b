import { IS_TOKEN } from "./is-token";
import { MalformedAnswer } from "./malformed-answer";

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const COLON = 0x3a;
const SEMICOLON = 0x3b;
const EQUALS = 0x3d;
const BACKSLASH = 0x5c;
const DEL = 0x7f;

const HEX = new Int8Array(256).fill(-1);
for (let digit = 0; digit < 16; digit += 1) {
  const char = digit.toString(16);
  HEX[char.charCodeAt(0)] = digit;
  HEX[char.toUpperCase().charCodeAt(0)] = digit;
}

/** 52 bits: always an exact number. */
const MAX_SIZE_DIGITS = 13;
/** Maximum digits on the fast path: chunks are hardly ever larger, and its bytes are in one read. */
const PLAIN_SIZE_DIGITS = 6;
const PLAIN_FRAME_BYTES = 2 + PLAIN_SIZE_DIGITS + 2;
const MAX_EXTENSION_BYTES = 4 * 1024;
const MAX_TRAILER_BYTES = 64 * 1024;

/** States of the parser: the meaning of the next byte. */
const SIZE = 0;
const EXTENSION_NAME = 1;
const EXTENSION_VALUE = 2;
const EXTENSION_QUOTED = 3;
const EXTENSION_ESCAPED = 4;
const EXTENSION_END = 5;
const SIZE_LF = 6;
const DATA = 7;
const DATA_CR = 8;
const DATA_LF = 9;
const TRAILER_START = 10;
const TRAILER_NAME = 11;
const TRAILER = 12;
const TRAILER_LF = 13;
const END_LF = 14;

const isText = (byte: number): boolean => (byte >= SPACE && byte !== DEL) || byte === TAB;

const requireLf = (byte: number): void => {
  if (byte !== LF) throw new MalformedAnswer("chunks-cr-alone");
};

/**
 * Decodes a chunked body (https://www.rfc-editor.org/rfc/rfc9112#section-7.1), in pieces of any size. Extensions and
 * trailers are dropped.
 */
export class ChunkedReader {
  /** Offset of the payload in the bytes of the last `read`, all of it contiguous. */
  payloadFrom = 0;
  payloadTo = 0;
  isDone = false;
  private state = SIZE;
  /** Remaining bytes of the chunk. */
  private remaining = 0;
  private digits = 0;
  /** Bytes of this chunk's extensions, or of the trailers. */
  private idleBytes = 0;
  /** The name or the value of an extension is still empty. */
  private isEmpty = true;

  /** Makes it ready for the next body. */
  reset(): void {
    this.isDone = false;
    this.state = SIZE;
    this.remaining = 0;
    this.digits = 0;
    this.idleBytes = 0;
  }

  /**
   * @param bytes are changed: payloads are moved together over the frames between them, because one copy within the
   * same memory is the cheapest way to make them contiguous.
   * @returns the end offset: `to`, or the end of the body.
   * @throws MalformedAnswer
   */
  read(bytes: Uint8Array, from: number, to: number): number {
    let at = from;
    let payloadFrom = from;
    let payloadTo = from;
    while (at < to && !this.isDone) {
      if (this.state === DATA_CR) at = this.skipPlainFrame(bytes, at, to);
      if (this.state !== DATA) {
        this.readFrame(bytes[at] as number);
        at += 1;
        continue;
      }
      const end = at + (Math.min(this.remaining, to - at) | 0);
      if (payloadTo === payloadFrom) {
        payloadFrom = at;
        payloadTo = end;
      } else {
        bytes.copyWithin(payloadTo, at, end);
        payloadTo += end - at;
      }
      this.remaining -= end - at;
      at = end;
      if (this.remaining === 0) this.state = DATA_CR;
    }
    this.payloadFrom = payloadFrom;
    this.payloadTo = payloadTo;
    return at;
  }

  /**
   * Fast path for the bytes between two chunks of nearly every stream: a line break, a few digits, a line break, all
   * contiguous. Anything else is left to `readFrame`, which takes twice as long.
   * @returns the offset of the next payload; `from` if nothing was read.
   */
  private skipPlainFrame(bytes: Uint8Array, from: number, to: number): number {
    if (to - from < PLAIN_FRAME_BYTES || bytes[from] !== CR || bytes[from + 1] !== LF) return from;
    let at = from + 2;
    let size = 0;
    for (let digits = 0; digits < PLAIN_SIZE_DIGITS; digits += 1) {
      const digit = HEX[bytes[at] as number] as number;
      if (digit < 0) break;
      size = (size << 4) | digit;
      at += 1;
    }
    // The last chunk has size zero and is followed by trailers.
    if (size === 0 || bytes[at] !== CR || bytes[at + 1] !== LF) return from;
    this.remaining = size;
    this.state = DATA;
    return at + 2;
  }

  private readFrame(byte: number): void {
    switch (this.state) {
      case SIZE:
        this.readSize(byte);
        break;
      case EXTENSION_NAME:
      case EXTENSION_VALUE:
      case EXTENSION_QUOTED:
      case EXTENSION_ESCAPED:
      case EXTENSION_END:
        this.readExtension(byte);
        break;
      case SIZE_LF:
        requireLf(byte);
        this.idleBytes = 0;
        this.state = this.remaining === 0 ? TRAILER_START : DATA;
        break;
      case DATA_CR:
        if (byte !== CR) throw new MalformedAnswer("chunk-too-long");
        this.state = DATA_LF;
        break;
      case DATA_LF:
        requireLf(byte);
        this.digits = 0;
        this.state = SIZE;
        break;
      case TRAILER_START:
        if (byte === CR) this.state = END_LF;
        else {
          if (IS_TOKEN[byte] !== 1) throw new MalformedAnswer("trailer-no-header");
          this.skip(MAX_TRAILER_BYTES);
          this.state = TRAILER_NAME;
        }
        break;
      case TRAILER_NAME:
        this.skip(MAX_TRAILER_BYTES);
        if (byte === COLON) this.state = TRAILER;
        else if (IS_TOKEN[byte] !== 1) throw new MalformedAnswer("trailer-no-header");
        break;
      case TRAILER:
        this.skip(MAX_TRAILER_BYTES);
        if (byte === CR) this.state = TRAILER_LF;
        else if (!isText(byte)) throw new MalformedAnswer("trailer-control-character");
        break;
      case TRAILER_LF:
        requireLf(byte);
        this.state = TRAILER_START;
        break;
      default:
        requireLf(byte);
        this.isDone = true;
    }
  }

  private readSize(byte: number): void {
    const digit = HEX[byte] as number;
    if (digit >= 0) {
      this.digits += 1;
      if (this.digits > MAX_SIZE_DIGITS) throw new MalformedAnswer("chunk-size-too-large");
      this.remaining = this.remaining * 16 + digit;
      return;
    }
    if (this.digits === 0) throw new MalformedAnswer("chunk-size-missing");
    if (byte === CR) this.state = SIZE_LF;
    else if (byte === SEMICOLON) this.beginExtension();
    else throw new MalformedAnswer("chunk-size-no-number");
  }

  private beginExtension(): void {
    this.state = EXTENSION_NAME;
    this.isEmpty = true;
  }

  /** `name`, `name=token` or `name="quoted"`, after each semicolon; Node's parser takes no blanks between them. */
  private readExtension(byte: number): void {
    this.skip(MAX_EXTENSION_BYTES);
    const { state } = this;
    if (state === EXTENSION_ESCAPED) {
      if (isText(byte)) this.state = EXTENSION_QUOTED;
      else refuseExtension();
    } else if (state === EXTENSION_QUOTED) {
      if (byte === QUOTE) this.state = EXTENSION_END;
      else if (byte === BACKSLASH) this.state = EXTENSION_ESCAPED;
      else if (!isText(byte)) refuseExtension();
    } else if (state !== EXTENSION_END && IS_TOKEN[byte] === 1) {
      this.isEmpty = false;
    } else if (state === EXTENSION_VALUE && byte === QUOTE && this.isEmpty) {
      this.state = EXTENSION_QUOTED;
      this.isEmpty = false;
    } else if (this.isEmpty) {
      refuseExtension();
    } else if (byte === CR) {
      this.state = SIZE_LF;
    } else if (byte === SEMICOLON) {
      this.beginExtension();
    } else if (state === EXTENSION_NAME && byte === EQUALS) {
      this.state = EXTENSION_VALUE;
      this.isEmpty = true;
    } else refuseExtension();
  }

  private skip(maxBytes: number): void {
    this.idleBytes += 1;
    if (this.idleBytes > maxBytes) throw new MalformedAnswer("chunks-too-far-apart");
  }
}

const refuseExtension = (): never => {
  throw new MalformedAnswer("chunk-extension-unreadable");
};
