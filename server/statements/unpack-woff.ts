import { inflateSync } from "node:zlib";

/*
 * WOFF 1.0 (https://www.w3.org/TR/WOFF/#OverallFile): a header, a directory of tables, and the tables, each compressed
 * by itself. Reading glyphs from such a file would inflate its largest table again for each glyph.
 */

const HEADER_BYTES = 44;
const ENTRY_BYTES = 20;
/** https://learn.microsoft.com/en-us/typography/opentype/spec/otff#table-directory */
const SFNT_HEADER_BYTES = 12;
const SFNT_ENTRY_BYTES = 16;

const toFourBytes = (bytes: number): number => Math.ceil(bytes / 4) * 4;

/** Returns the OpenType font in a WOFF file. @throws an error for other data. */
export const unpackWoff = (woff: Buffer): Buffer => {
  if (woff.toString("latin1", 0, 4) !== "wOFF") throw new Error("the font is not a WOFF file");
  const count = woff.readUInt16BE(12);
  const head = Buffer.alloc(SFNT_HEADER_BYTES + count * SFNT_ENTRY_BYTES);
  const power = Math.floor(Math.log2(count));
  woff.copy(head, 0, 4, 8);
  head.writeUInt16BE(count, 4);
  head.writeUInt16BE(16 * 2 ** power, 6);
  head.writeUInt16BE(power, 8);
  head.writeUInt16BE(16 * (count - 2 ** power), 10);
  const parts: Buffer[] = [head];
  let offset = head.length;
  for (let index = 0; index < count; index += 1) {
    const entry = HEADER_BYTES + index * ENTRY_BYTES;
    const [from, packedBytes, bytes, checksum] = [4, 8, 12, 16].map((at) =>
      woff.readUInt32BE(entry + at),
    ) as [number, number, number, number];
    const packed = woff.subarray(from, from + packedBytes);
    const table = packedBytes < bytes ? inflateSync(packed) : packed;
    if (table.length !== bytes) throw new Error("a table of the font is damaged");
    const at = SFNT_HEADER_BYTES + index * SFNT_ENTRY_BYTES;
    woff.copy(head, at, entry, entry + 4);
    head.writeUInt32BE(checksum, at + 4);
    head.writeUInt32BE(offset, at + 8);
    head.writeUInt32BE(bytes, at + 12);
    parts.push(table, Buffer.alloc(toFourBytes(bytes) - bytes));
    offset += toFourBytes(bytes);
  }
  return Buffer.concat(parts);
};
