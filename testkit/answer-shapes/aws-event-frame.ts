import { crc32 } from "node:zlib";

/** One frame of AWS's event stream, whose headers are all strings. */
export const encodeAwsFrame = (headers: Readonly<Record<string, string>>, payload: unknown): Buffer => {
  const pieces = Object.entries(headers).map(([name, value]) => {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(Buffer.byteLength(value));
    return Buffer.concat([
      Buffer.of(name.length),
      Buffer.from(name),
      Buffer.of(7),
      length,
      Buffer.from(value),
    ]);
  });
  const head = Buffer.concat(pieces);
  const body = Buffer.from(JSON.stringify(payload));
  const prelude = Buffer.alloc(12);
  prelude.writeUInt32BE(16 + head.length + body.length, 0);
  prelude.writeUInt32BE(head.length, 4);
  prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8);
  const whole = Buffer.concat([prelude, head, body]);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(whole));
  return Buffer.concat([whole, check]);
};
