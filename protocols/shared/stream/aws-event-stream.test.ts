import { crc32 } from "node:zlib";
import { describe, expect, it, vi } from "vitest";
import { cutAtRandom, cutEveryByte } from "../testing/cut-bytes";
import { decodeEvents } from "../testing/run-stream";
import { createAwsEventDecoder } from "./aws-event-stream";

/** As AWS's own codec writes it. */
const FRAME = Buffer.from(
  "0000009400000057b4ab9aee0b3a6576656e742d74797065070011636f6e74656e74426c6f636b44656c74610d3a636f6e74656e742d747970650700106170706c69636174696f6e2f6a736f6e0d3a6d6573736167652d747970650700056576656e747b22636f6e74656e74426c6f636b496e646578223a302c2264656c7461223a7b2274657874223a224869227d7d1f944657",
  "hex",
);
const EVENT = { event: "contentBlockDelta", data: '{"contentBlockIndex":0,"delta":{"text":"Hi"}}' };

const read = (chunks: readonly Uint8Array[]) => decodeEvents(chunks, createAwsEventDecoder());

describe("the decoder of AWS's event stream", () => {
  it("reads frames wherever they are cut", () => {
    const bytes = Buffer.concat([FRAME, FRAME, FRAME]);
    const events = [EVENT, EVENT, EVENT];
    expect(read([bytes])).toEqual(events);
    expect(read(cutEveryByte(bytes))).toEqual(events);
    for (let seed = 0; seed < 25; seed += 1) expect(read(cutAtRandom(bytes, seed))).toEqual(events);
  });

  it("says nothing of half a frame", () => {
    for (let length = 0; length < FRAME.length; length += 1) {
      expect(read([FRAME.subarray(0, length)])).toEqual([]);
    }
  });

  it.each([0, 5, 9, 20, 100, FRAME.length - 1])("notices a damaged byte %i", (at) => {
    const damaged = Buffer.from(FRAME);
    damaged[at] = (damaged[at] ?? 0) ^ 1;
    expect(() => read([damaged])).toThrow("event-damaged");
  });

  it("notices headers that reach beyond their end", () => {
    const frameOf = (headers: Buffer): Buffer => {
      const frame = Buffer.alloc(16 + headers.length);
      frame.writeUInt32BE(frame.length, 0);
      frame.writeUInt32BE(headers.length, 4);
      frame.writeUInt32BE(crc32(frame.subarray(0, 8)), 8);
      headers.copy(frame, 12);
      frame.writeUInt32BE(crc32(frame.subarray(0, -4)), frame.length - 4);
      return frame;
    };
    const headers = FRAME.subarray(12, 12 + FRAME.readUInt32BE(4));
    const whole = new Set([0, 32, 65, headers.length]);
    for (let length = 0; length <= headers.length; length += 1) {
      const reading = () => read([frameOf(headers.subarray(0, length))]);
      if (whole.has(length)) expect(reading).not.toThrow();
      else expect(reading, `${length} bytes`).toThrow("event-damaged");
    }
  });

  it("copies the pieces of a large frame once, however many they are", () => {
    const payloadAt = FRAME.length - EVENT.data.length - 4;
    const frame = Buffer.concat([
      FRAME.subarray(0, payloadAt),
      Buffer.alloc(1_000_000, "a"),
      Buffer.alloc(4),
    ]);
    frame.writeUInt32BE(frame.length, 0);
    frame.writeUInt32BE(crc32(frame.subarray(0, 8)), 8);
    frame.writeUInt32BE(crc32(frame.subarray(0, -4)), frame.length - 4);
    const pieces = Array.from({ length: frame.length / 500 + 1 }, (_, i) =>
      frame.subarray(i * 500, (i + 1) * 500),
    );
    const concat = vi.spyOn(Buffer, "concat");
    let copied = 0;
    try {
      const events = read(pieces);
      for (const { value } of concat.mock.results) copied += (value as Buffer).length;
      expect(events).toEqual([{ event: EVENT.event, data: "a".repeat(1_000_000) }]);
    } finally {
      concat.mockRestore();
    }
    expect(copied).toBeLessThan(1.1 * frame.length);
  });
});
