import type { Transform } from "node:stream";
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import type { UpstreamFault } from "@tollgate/contract/relay/upstream-fault";

/** A truncated answer is judged by its content, like an uncompressed answer. */
const LENIENT = { finishFlush: constants.Z_SYNC_FLUSH };

/**
 * Many servers send the bare compression under the name of its container
 * (https://www.rfc-editor.org/rfc/rfc9110#section-8.4.1.2).
 */
const isContainer = (first: number | undefined): boolean => first === undefined || (first & 0x0f) === 8;

const createUnpacker = (encoding: string, first: number | undefined): Transform | undefined => {
  switch (encoding) {
    case "gzip":
    case "x-gzip":
      return createGunzip(LENIENT);
    case "deflate":
      return isContainer(first) ? createInflate(LENIENT) : createInflateRaw(LENIENT);
    case "br":
      return createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH });
    default:
      return undefined;
  }
};

/** Receives the decompressed bytes. */
export interface DecodedReceiver {
  /** @returns false to be given no more until `resume`. */
  onData(chunk: Buffer): boolean;
  onEnd(): void;
  onBroken(fault: UpstreamFault): void;
}

/**
 * Decompresses an answer of an upstream that compresses against the request's headers. The reader bounds the output: it
 * receives chunks of 16 KB, and decompression stops while it does not read.
 */
export class AnswerDecoder {
  private unpacker: Transform | undefined;

  /** @param drained called when more can be written. */
  constructor(
    private readonly encoding: string,
    private readonly receiver: DecodedReceiver,
    private readonly drained: () => void,
  ) {}

  /** @returns false to be given no more until it has drained. */
  write(chunk: Buffer): boolean {
    this.unpacker ??= this.open(chunk[0]);
    return this.unpacker?.write(chunk) ?? true;
  }

  end(): void {
    if (this.unpacker) this.unpacker.end();
    else this.receiver.onEnd();
  }

  resume(): void {
    this.unpacker?.resume();
  }

  /** Stops all output. */
  destroy(): void {
    this.unpacker?.destroy();
  }

  private open(first: number | undefined): Transform | undefined {
    const unpacker = createUnpacker(this.encoding, first);
    if (!unpacker) {
      this.receiver.onBroken({ code: "answer-packed", encoding: this.encoding });
      return undefined;
    }
    unpacker.on("data", (chunk: Buffer) => {
      if (!this.receiver.onData(chunk)) unpacker.pause();
    });
    unpacker.on("drain", this.drained);
    unpacker.once("end", () => this.receiver.onEnd());
    unpacker.on("error", (error) =>
      this.receiver.onBroken({ code: "answer-unpackable", reason: error.message }),
    );
    return unpacker;
  }
}

/** The compression of an answer, in lower case; undefined when it is not compressed. */
export const packingOf = (contentEncoding: string | string[] | undefined): string | undefined => {
  const encoding = String(contentEncoding ?? "")
    .trim()
    .toLowerCase();
  return encoding === "" || encoding === "identity" ? undefined : encoding;
};
