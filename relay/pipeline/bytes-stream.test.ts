import { describe, expect, it } from "vitest";
import { BytesStream } from "./bytes-stream";

const failure = { kind: "overloaded", status: 200, message: "no", code: "" } as const;
const open = (type = "audio/mpeg") => {
  const seen: unknown[] = [];
  const stream = new BytesStream(type, (body) => {
    seen.push(body);
    return failure;
  });
  return { stream, seen };
};

const run = (stream: BytesStream, chunks: Buffer[]): Buffer => {
  const out: Uint8Array[] = [];
  for (const chunk of chunks) {
    const bytes = stream.push(chunk);
    if (bytes) out.push(bytes);
  }
  const rest = stream.end();
  if (rest) out.push(rest);
  return Buffer.concat(out);
};

describe("BytesStream", () => {
  it.each([1, 2, 3, 7, 1000])("passes bytes in pieces of %i, and keeps the last one back", (size) => {
    const sound = Buffer.from(Array.from({ length: 1000 }, (_, index) => (index * 7 + 255) % 256));
    const chunks: Buffer[] = [];
    for (let from = 0; from < sound.length; from += size) chunks.push(sound.subarray(from, from + size));
    const { stream } = open();
    expect(run(stream, chunks).equals(sound.subarray(0, 999))).toBe(true);
    expect(Buffer.from(stream.tail()).equals(sound.subarray(999))).toBe(true);
    expect(stream.hasDelivered).toBe(true);
    expect(stream.error).toBeUndefined();
  });

  it("has delivered nothing before a byte could go out", () => {
    const { stream } = open();
    stream.push(Buffer.from([1]));
    expect(stream.hasDelivered).toBe(false);
    stream.push(Buffer.from([2]));
    expect(stream.hasDelivered).toBe(true);
  });

  it("is empty when nothing comes", () => {
    const { stream } = open();
    expect(run(stream, []).length).toBe(0);
    expect(stream.hasDelivered).toBe(false);
  });

  it.each([
    ["an error", '{"error":{"message":"no"}}', { error: { message: "no" } }],
    ["a page", "<html>bad gateway</html>", "<html>bad gateway</html>"],
  ])("takes %s under the type of a sound as such", (_, text, body) => {
    const { stream, seen } = open();
    expect(run(stream, [Buffer.from(text.slice(0, 5)), Buffer.from(text.slice(5))]).length).toBe(0);
    expect(stream.error).toBe(failure);
    expect(stream.hasDelivered).toBe(false);
    expect(seen).toEqual([body]);
  });

  it.each([10, 100_000])("passes sound of %i bytes that begins like JSON", (length) => {
    const sound = Buffer.concat([Buffer.from("{"), Buffer.alloc(length - 1, 200)]);
    const { stream } = open();
    const passed = run(stream, [sound.subarray(0, 5), sound.subarray(5)]);
    expect(Buffer.concat([passed, stream.tail()]).equals(sound)).toBe(true);
    expect(stream.error).toBeUndefined();
  });

  it.each([
    ["audio/mpeg", "audio/mpeg"],
    ["audio/wav; codecs=1", "audio/wav"],
    ["text/html", "application/octet-stream"],
    ["", "application/octet-stream"],
  ])("calls %s %s", (type, told) => {
    expect(open(type).stream.contentType).toBe(told);
  });
});
