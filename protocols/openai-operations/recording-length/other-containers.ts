import type { ByteReader } from "./byte-reader";
import { type LengthReading, Pace, STEP_PACKETS, USUAL_BYTES_PER_SECOND } from "./steps";

/** Bytes of a frame by its type: https://www.rfc-editor.org/rfc/rfc4867#section-5.3 */
const AMR_BYTES = [13, 14, 16, 18, 20, 21, 27, 32, 6, 1, 1, 1, 1, 1, 1, 1];
const AMR_WIDE_BYTES = [18, 24, 33, 37, 41, 47, 51, 59, 61, 6, 1, 1, 1, 1, 1, 1];
const AMR_FRAME_SECONDS = 0.02;

/** Seconds of the frames between two offsets. */
export const amrSeconds = (reader: ByteReader, isWide: boolean, from: number, to: number): number => {
  const sizes = isWide ? AMR_WIDE_BYTES : AMR_BYTES;
  let count = 0;
  for (let at = from; at < to; at += sizes[(reader.u8(at) >> 3) & 15] ?? 1) count += 1;
  return count * AMR_FRAME_SECONDS;
};

const AMR_MARK = "#!AMR\n";
const AMR_WIDE_MARK = "#!AMR-WB\n";

function* walkAmr(reader: ByteReader, sizes: readonly number[], from: number): LengthReading {
  let count = 0;
  for (let at = from; at < reader.length; at += sizes[(reader.u8(at) >> 3) & 15] ?? 1) {
    count += 1;
    if (count % STEP_PACKETS === 0) yield;
  }
  return count * AMR_FRAME_SECONDS;
}

const PROBED_FRAMES = 16;
const PROBED_BYTES = 256;

/** Whether frames of one kind follow each other: bits of a type that are always 0, and types with audio. */
const isAmr = (reader: ByteReader, sizes: readonly number[], from: number): boolean => {
  let at = from;
  for (let count = 0; count < PROBED_FRAMES; count += 1) {
    const head = reader.u8(at);
    const size = sizes[(head >> 3) & 15] ?? 1;
    if (at >= reader.length || (head & 0x83) !== 0 || size === 1 || (head & 4) === 0) return false;
    at += size;
  }
  return true;
};

/** Chooses by the mark, or by the frames if it is missing. */
export const readAmr = (reader: ByteReader): LengthReading | undefined => {
  if (reader.tag(0, AMR_MARK.length) === AMR_MARK) return walkAmr(reader, AMR_BYTES, AMR_MARK.length);
  if (reader.tag(0, AMR_WIDE_MARK.length) === AMR_WIDE_MARK)
    return walkAmr(reader, AMR_WIDE_BYTES, AMR_WIDE_MARK.length);
  for (let from = 0; from < PROBED_BYTES; from += 1)
    for (const sizes of [AMR_BYTES, AMR_WIDE_BYTES])
      if (isAmr(reader, sizes, from)) return walkAmr(reader, sizes, from);
  return undefined;
};

/** Bits of a sample by the kind of sound in AIFF-C and QuickTime; those of plain integers are stated. */
export const SAMPLE_BITS: Readonly<Record<string, number>> = {
  ulaw: 8,
  ULAW: 8,
  alaw: 8,
  ALAW: 8,
  fl32: 32,
  FL32: 32,
  fl64: 64,
  FL64: 64,
  in24: 24,
  in32: 32,
  ima4: (34 * 8) / 64,
};
const PLAIN_SAMPLES = new Set(["NONE", "sowt", "twos", "raw ", ""]);

/** A number of 80 bits, as AIFF writes rates. */
const readExtended = (reader: ByteReader, at: number): number =>
  reader.u32(at + 2) * 2 ** ((reader.u16(at) & 0x7fff) - 16_383 - 31);

/** https://www.mmsp.ece.mcgill.ca/Documents/AudioFormats/AIFF/AIFF.html */
export function* readAiff(reader: ByteReader): LengthReading {
  const pace = new Pace();
  let bytesPerSecond = Number.POSITIVE_INFINITY;
  let sound = 0;
  for (let at = 12; at + 8 <= reader.length; ) {
    if (pace.isFull(1)) yield;
    const name = reader.tag(at);
    const size = reader.u32(at + 4);
    if (name === "COMM") {
      const kind = reader.tag(8) === "AIFC" ? reader.tag(at + 26) : "";
      const bits = PLAIN_SAMPLES.has(kind) ? Math.ceil(reader.u16(at + 14) / 8) * 8 : SAMPLE_BITS[kind];
      const rate = readExtended(reader, at + 16) * reader.u16(at + 8);
      const stated = bits === undefined ? USUAL_BYTES_PER_SECOND : (rate * bits) / 8;
      if (stated > 0) bytesPerSecond = Math.min(bytesPerSecond, stated);
    }
    // Decoders continue to read when the stated size is wrong.
    if (name === "SSND") sound = Math.max(sound, reader.length - at - 16);
    at += 8 + size + (size % 2);
  }
  return sound / bytesPerSecond || undefined;
}

/** Bits of a sample by its encoding: https://en.wikipedia.org/wiki/Au_file_format */
const AU_BITS = [0, 8, 8, 16, 24, 32, 32, 64];
const AU_PACKED = new Map([
  [23, 4],
  [24, 4],
  [25, 3],
  [26, 5],
  [27, 8],
]);

export function* readAu(reader: ByteReader): LengthReading {
  yield;
  const encoding = reader.u32(12);
  const bits = AU_BITS[encoding] ?? AU_PACKED.get(encoding) ?? 0;
  const rate = reader.u32(16) * reader.u32(20) * bits;
  const start = Math.min(reader.u32(4), reader.length);
  return rate === 0 ? undefined : ((reader.length - start) * 8) / rate;
}
