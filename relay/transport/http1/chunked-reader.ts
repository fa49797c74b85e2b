import { MalformedAnswer } from "./malformed-answer";

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const SEMICOLON = 0x3b;

const HEX = new Int8Array(256).fill(-1);
for (let digit = 0; digit < 16; digit += 1) {
  const char = digit.toString(16);
  HEX[char.charCodeAt(0)] = digit;
  HEX[char.toUpperCase().charCodeAt(0)] = digit;
}

/** 52 bits: whatever they say is an exact number. */
const MAX_SIZE_DIGITS = 13;
const MAX_EXTENSION_BYTES = 4 * 1024;
const MAX_TRAILER_BYTES = 64 * 1024;

/** What the next byte belongs to. */
const SIZE = 0;
const EXTENSION = 1;
const SIZE_LF = 2;
const DATA = 3;
const DATA_CR = 4;
const DATA_LF = 5;
const TRAILER_START = 6;
const TRAILER = 7;
const TRAILER_LF = 8;
const END_LF = 9;

const requireLf = (byte: number): void => {
  if (byte !== LF) throw new MalformedAnswer("a carriage return stands alone between its chunks");
};

/**
 * Takes the frames off a body in chunks (https://www.rfc-editor.org/rfc/rfc9112#section-7.1), whatever pieces it comes in.
 * Extensions and trailers are left out.
 */
export class ChunkedReader {
  /** Where in the bytes of the last `read` the payload stands, all of it in one piece. */
  payloadFrom = 0;
  payloadTo = 0;
  isDone = false;
  private state = SIZE;
  /** Of the chunk: how many of its bytes are still to come. */
  private remaining = 0;
  private digits = 0;
  /** Bytes of this chunk's extensions, or of the trailers. */
  private idleBytes = 0;

  /** Makes it ready for the next body. */
  reset(): void {
    this.isDone = false;
    this.state = SIZE;
    this.remaining = 0;
    this.digits = 0;
    this.idleBytes = 0;
  }

  /**
   * @param bytes are changed: payloads are moved together over the frames between them, because one copy within the same
   * memory is the cheapest way to get them into one piece.
   * @returns where it stopped: at `to`, or behind the end of the body.
   * @throws MalformedAnswer
   */
  read(bytes: Uint8Array, from: number, to: number): number {
    let at = from;
    let payloadFrom = from;
    let payloadTo = from;
    while (at < to && !this.isDone) {
      if (this.state !== DATA) {
        this.readFrame(bytes[at] as number);
        at += 1;
        continue;
      }
      const end = Math.min(to, at + this.remaining);
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

  private readFrame(byte: number): void {
    switch (this.state) {
      case SIZE:
        this.readSize(byte);
        break;
      case EXTENSION:
        if (byte === CR) this.state = SIZE_LF;
        else this.skip(byte, MAX_EXTENSION_BYTES);
        break;
      case SIZE_LF:
        requireLf(byte);
        this.idleBytes = 0;
        this.state = this.remaining === 0 ? TRAILER_START : DATA;
        break;
      case DATA_CR:
        if (byte !== CR) throw new MalformedAnswer("a chunk is longer than its size says");
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
          this.skip(byte, MAX_TRAILER_BYTES);
          this.state = TRAILER;
        }
        break;
      case TRAILER:
        if (byte === CR) this.state = TRAILER_LF;
        else this.skip(byte, MAX_TRAILER_BYTES);
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
      if (this.digits > MAX_SIZE_DIGITS) throw new MalformedAnswer("the size of a chunk is too large");
      this.remaining = this.remaining * 16 + digit;
      return;
    }
    if (this.digits === 0) throw new MalformedAnswer("a chunk has no size");
    if (byte === CR) this.state = SIZE_LF;
    else if (byte === SEMICOLON || byte === SPACE || byte === TAB) this.state = EXTENSION;
    else throw new MalformedAnswer("the size of a chunk is no number");
  }

  private skip(byte: number, maxBytes: number): void {
    if (byte === LF) throw new MalformedAnswer("a line between its chunks ends without CR");
    this.idleBytes += 1;
    if (this.idleBytes > maxBytes) throw new MalformedAnswer("there is too much between its chunks");
  }
}
