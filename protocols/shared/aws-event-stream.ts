import type { StreamDecoder, StreamEvent } from "@tollgate/contract/relay/protocol";
import { readRecord } from "./json-values";
import { parseJson } from "./safe-json";

/** Length of a frame, of its headers, and the check of these two. */
const PRELUDE_BYTES = 12;
const CHECK_BYTES = 4;
const MAX_FRAME_BYTES = 16 * 1024 * 1024;

/** What the value of each type of header takes; those without a fixed length are read apart. */
const VALUE_BYTES: Readonly<Record<number, number>> = { 0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16 };
const TYPE_BYTES = 6;
const TYPE_STRING = 7;

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

const crc32 = (bytes: Uint8Array): number => {
  let value = 0xffffffff;
  for (const byte of bytes) value = (CRC_TABLE[(value ^ byte) & 255] ?? 0) ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
};

/**
 * Reads AWS's binary event stream (https://docs.aws.amazon.com/transcribe/latest/dg/streaming-setting-up.html): each
 * frame becomes an event under its `:event-type`, with its payload as data. An exception becomes the event "exception",
 * whose data has the `code` and the `message`.
 */
export const createAwsEventDecoder = (): StreamDecoder => new FrameDecoder();

class FrameDecoder implements StreamDecoder {
  private rest: Buffer = Buffer.alloc(0);

  /** @throws Error when a length or a check is wrong. */
  push(chunk: Uint8Array): StreamEvent[] {
    this.rest = this.rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([this.rest, chunk]);
    const events: StreamEvent[] = [];
    for (let frame = this.takeFrame(); frame !== undefined; frame = this.takeFrame()) {
      events.push(readFrame(frame));
    }
    return events;
  }

  /** Half a frame says nothing. */
  end(): StreamEvent[] {
    return [];
  }

  private takeFrame(): Buffer | undefined {
    const { rest } = this;
    if (rest.length < PRELUDE_BYTES) return undefined;
    const total = rest.readUInt32BE(0);
    const headers = rest.readUInt32BE(4);
    if (rest.readUInt32BE(8) !== crc32(rest.subarray(0, 8))) throw broken();
    if (total > MAX_FRAME_BYTES || headers > total - PRELUDE_BYTES - CHECK_BYTES) throw broken();
    if (rest.length < total) return undefined;
    const frame = rest.subarray(0, total);
    if (frame.readUInt32BE(total - CHECK_BYTES) !== crc32(frame.subarray(0, total - CHECK_BYTES)))
      throw broken();
    this.rest = rest.subarray(total);
    return frame;
  }
}

const broken = (): Error => new Error("the upstream sent an event that was damaged on its way");

const readFrame = (frame: Buffer): StreamEvent => {
  const payloadAt = PRELUDE_BYTES + frame.readUInt32BE(4);
  const headers = readHeaders(frame.subarray(PRELUDE_BYTES, payloadAt));
  const data = frame.toString("utf8", payloadAt, frame.length - CHECK_BYTES);
  if (headers.get(":message-type") === "event") return { event: headers.get(":event-type") ?? "", data };
  const { message } = readRecord(parseJson(data));
  const code = headers.get(":exception-type") ?? headers.get(":error-code") ?? "";
  const said = message ?? headers.get(":error-message") ?? "";
  return { event: "exception", data: JSON.stringify({ code, message: said }) };
};

const readHeaders = (bytes: Buffer): Map<string, string> => {
  const headers = new Map<string, string>();
  let at = 0;
  while (at < bytes.length) {
    const nameEnd = at + 1 + bytes.readUInt8(at);
    const name = bytes.toString("utf8", at + 1, nameEnd);
    const type = bytes.readUInt8(nameEnd);
    at = nameEnd + 1;
    if (type === TYPE_STRING || type === TYPE_BYTES) {
      const end = at + 2 + bytes.readUInt16BE(at);
      headers.set(name, bytes.toString("utf8", at + 2, end));
      at = end;
    } else {
      const length = VALUE_BYTES[type];
      if (length === undefined) throw broken();
      at += length;
    }
  }
  return headers;
};
