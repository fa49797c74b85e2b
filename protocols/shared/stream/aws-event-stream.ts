import type { StreamDecoder, StreamEvent } from "@tollgate/contract/relay/protocol";
import { AnswerUnreadable } from "@tollgate/contract/relay/upstream-fault";
import { BytePieces } from "../json/byte-pieces";
import { readRecord } from "../json/json-values";
import { parseJson } from "../json/safe-json";

/** Length of a frame, of its headers, and the check of these two. */
const PRELUDE_BYTES = 12;
const CHECK_BYTES = 4;
const MAX_FRAME_BYTES = 16 * 1024 * 1024;
/** No exception is longer. */
const MAX_EXCEPTION_LENGTH = 64 * 1024;

/** Value lengths by header type; values without a fixed length are handled separately. */
const VALUE_BYTES: Readonly<Record<number, number>> = { 0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16 };
const TYPE_BYTES = 6;
const TYPE_STRING = 7;

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

const CRC_START = 0xffffffff;

/** @param value of the bytes before. */
const addToCrc = (value: number, bytes: Uint8Array, to: number): number => {
  let added = value;
  for (let at = 0; at < to; at += 1)
    added = (CRC_TABLE[(added ^ (bytes[at] as number)) & 255] as number) ^ (added >>> 8);
  return added;
};

const endCrc = (value: number): number => (value ^ CRC_START) >>> 0;

/**
 * Decodes AWS's binary event stream (https://docs.aws.amazon.com/transcribe/latest/dg/streaming-setting-up.html): each
 * frame becomes an event under its `:event-type`, with its payload as data. An exception becomes the event "exception",
 * whose data has the `code` and the `message`.
 */
export const createAwsEventDecoder = (): StreamDecoder => new FrameDecoder();

class FrameDecoder implements StreamDecoder {
  /** The unfinished frame: its pieces are joined once, and each is added to the checksum as it arrives. */
  private readonly pieces = new BytePieces();
  /** Length of the frame; 0 until its prelude has arrived. */
  private total = 0;
  private crc = CRC_START;

  /** @throws Error when a length or a check is wrong. */
  push(chunk: Uint8Array): StreamEvent[] {
    const events: StreamEvent[] = [];
    let rest = Buffer.from(chunk);
    while (rest.length > 0) {
      const wanted = (this.total || PRELUDE_BYTES) - this.pieces.length;
      const piece = rest.subarray(0, wanted);
      rest = rest.subarray(piece.length);
      this.add(piece);
      if (piece.length < wanted) break;
      if (this.total === 0) this.readPrelude();
      if (this.pieces.length === this.total) events.push(this.takeFrame());
    }
    return events;
  }

  /** An incomplete frame is dropped. */
  end(): StreamEvent[] {
    return [];
  }

  private add(piece: Buffer): void {
    // The checksum does not cover itself.
    const checked = Math.max(this.total || PRELUDE_BYTES, CHECK_BYTES) - CHECK_BYTES - this.pieces.length;
    this.crc = addToCrc(this.crc, piece, Math.min(piece.length, checked));
    this.pieces.push(piece);
  }

  /** Reads the prelude, which has its own checksum. */
  private readPrelude(): void {
    const prelude = this.pieces.take();
    this.pieces.push(prelude);
    const total = prelude.readUInt32BE(0);
    const headers = prelude.readUInt32BE(4);
    if (prelude.readUInt32BE(PRELUDE_BYTES - CHECK_BYTES) !== endCrc(this.crc)) throw broken();
    if (total > MAX_FRAME_BYTES || headers > total - PRELUDE_BYTES - CHECK_BYTES) throw broken();
    this.total = total;
    this.crc = addToCrc(CRC_START, prelude, PRELUDE_BYTES);
  }

  private takeFrame(): StreamEvent {
    const frame = this.pieces.take();
    if (frame.readUInt32BE(this.total - CHECK_BYTES) !== endCrc(this.crc)) throw broken();
    this.total = 0;
    this.crc = CRC_START;
    return readFrame(frame);
  }
}

const broken = (): AnswerUnreadable => new AnswerUnreadable({ code: "event-damaged" });

const readFrame = (frame: Buffer): StreamEvent => {
  const payloadAt = PRELUDE_BYTES + frame.readUInt32BE(4);
  const headers = readHeaders(frame.subarray(PRELUDE_BYTES, payloadAt));
  const data = frame.toString("utf8", payloadAt, frame.length - CHECK_BYTES);
  if (headers.get(":message-type") === "event") return { event: headers.get(":event-type") ?? "", data };
  const { message } = readRecord(data.length > MAX_EXCEPTION_LENGTH ? undefined : parseJson(data));
  const code = headers.get(":exception-type") ?? headers.get(":error-code") ?? "";
  const said = message ?? headers.get(":error-message") ?? "";
  return { event: "exception", data: JSON.stringify({ code, message: said }) };
};

/** @throws AnswerUnreadable when a header reaches beyond the others. */
const readHeaders = (bytes: Buffer): Map<string, string> => {
  const headers = new Map<string, string>();
  const need = (end: number): void => {
    if (end > bytes.length) throw broken();
  };
  let at = 0;
  while (at < bytes.length) {
    const nameEnd = at + 1 + bytes.readUInt8(at);
    need(nameEnd + 1);
    const name = bytes.toString("utf8", at + 1, nameEnd);
    const type = bytes.readUInt8(nameEnd);
    at = nameEnd + 1;
    if (type === TYPE_STRING || type === TYPE_BYTES) {
      need(at + 2);
      const end = at + 2 + bytes.readUInt16BE(at);
      need(end);
      headers.set(name, bytes.toString("utf8", at + 2, end));
      at = end;
    } else {
      const length = VALUE_BYTES[type];
      if (length === undefined) throw broken();
      need(at + length);
      at += length;
    }
  }
  return headers;
};
