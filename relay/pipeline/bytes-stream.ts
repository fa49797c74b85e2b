import type { DeliveredContent } from "@tollgate/contract/relay/content";
import type { UpstreamError } from "@tollgate/contract/relay/error";
import { NO_USAGE, type Usage } from "@tollgate/contract/relay/usage";
import { BytePieces } from "@tollgate/protocols/shared/json/byte-pieces";
import { parseJson } from "@tollgate/protocols/shared/json/safe-json";
import { type AnswerStream, givenUp, MAX_STREAM_BYTES } from "./answer-stream";
import { textContent } from "./delivered-tally";

const EMPTY = Buffer.alloc(0);
const BRACE = 0x7b;
const ANGLE = 0x3c;

/** An upstream's error is shorter than this; audio that resembles one is longer. */
const MAX_ERROR_BYTES = 64 * 1024;

/** Names that no browser takes for a page or a script. */
const SAFE_TYPE = /^(?:audio\/[\w.+-]+|application\/octet-stream)/i;

/**
 * Audio bytes that pass unchanged. The last byte is held back until the charge is durable. Data that starts like JSON
 * or HTML is read whole first, because some upstreams send an error under an audio type.
 */
export class BytesStream implements AnswerStream {
  readonly contentType: string;
  readonly usage: Usage = NO_USAGE;
  /** Only the upstream's closing of the connection marks the end. */
  readonly isEnded = false;
  hasDelivered = false;
  error: UpstreamError | undefined;
  isGivenUp = false;
  readonly work = undefined;

  private received = 0;
  private last: Buffer = EMPTY;
  private suspect: BytePieces | undefined;
  private hasBegun = false;

  constructor(
    contentType: string,
    /** Reads an error out of parsed JSON or a page. */
    private readonly readError: (body: unknown) => UpstreamError,
  ) {
    this.contentType = SAFE_TYPE.exec(contentType)?.[0] ?? "application/octet-stream";
  }

  push(chunk: Buffer): Uint8Array | undefined {
    if (chunk.length === 0 || this.error) return undefined;
    this.received += chunk.length;
    if (this.received > MAX_STREAM_BYTES) {
      this.error = givenUp({ code: "answer-too-large" });
      this.isGivenUp = true;
      return undefined;
    }
    if (!this.hasBegun) {
      this.hasBegun = true;
      if (chunk[0] === BRACE || chunk[0] === ANGLE) this.suspect = new BytePieces();
    }
    if (this.suspect === undefined) return this.pass(chunk);
    this.suspect.push(chunk);
    return this.suspect.length > MAX_ERROR_BYTES ? this.clear(this.suspect.take()) : undefined;
  }

  end(): Uint8Array | undefined {
    if (this.suspect === undefined) {
      // A single byte is an answer, too.
      if (this.last.length > 0) this.hasDelivered = true;
      return undefined;
    }
    const bytes = this.suspect.take();
    const text = bytes.toString("utf8");
    const body = parseJson(text);
    if (body === undefined && bytes[0] === BRACE) return this.clear(bytes);
    this.error = this.readError(body ?? text);
    return undefined;
  }

  release(): undefined {
    return undefined;
  }

  tail(): Uint8Array {
    return this.last;
  }

  delivered(): DeliveredContent {
    return textContent("");
  }

  private clear(bytes: Buffer): Uint8Array | undefined {
    this.suspect = undefined;
    return this.pass(bytes);
  }

  private pass(chunk: Buffer): Uint8Array | undefined {
    const bytes = this.last.length === 0 ? chunk : Buffer.concat([this.last, chunk]);
    this.last = bytes.subarray(bytes.length - 1);
    if (bytes.length === 1) return undefined;
    this.hasDelivered = true;
    return bytes.subarray(0, bytes.length - 1);
  }
}
