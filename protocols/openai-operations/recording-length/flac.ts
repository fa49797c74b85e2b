import type { ByteReader } from "./byte-reader";
import { type LengthReading, type PacketClock, readPieces } from "./steps";

/* Each frame contains its length: https://www.rfc-editor.org/rfc/rfc9639#section-9.1. STREAMINFO only fills gaps. */

const BLOCK_SIZES = [0, 192, 576, 1152, 2304, 4608];
const RATES = [0, 88_200, 176_400, 192_000, 8000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000];
const INVALID_RATE = 15;
const MAX_CHANNEL_CODE = 10;

const CRC_8 = Uint8Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = (crc & 0x80 ? (crc << 1) ^ 0x07 : crc << 1) & 0xff;
  return crc;
});

/** Bytes of the frame's number, which is encoded like a character in UTF-8; 0 when it is invalid. */
const numberBytes = (first: number): number => {
  if (first < 0x80) return 1;
  const ones = Math.clz32(~(first << 24));
  return ones < 2 || ones > 7 ? 0 : ones;
};

/** Seconds of the frame at this offset; 0 without one. */
const frameSeconds = (reader: ByteReader, at: number, streamRate: number): number => {
  const sync = reader.u16(at);
  if (sync >>> 1 !== 0x7ffc) return 0;
  const codes = reader.u8(at + 2);
  const sizeCode = codes >> 4;
  const rateCode = codes & 15;
  const layout = reader.u8(at + 3);
  if (sizeCode === 0 || rateCode === INVALID_RATE || layout >> 4 > MAX_CHANNEL_CODE || (layout & 1) === 1)
    return 0;
  const width = numberBytes(reader.u8(at + 4));
  if (width === 0) return 0;
  let end = at + 4 + width;
  let samples = sizeCode < 6 ? (BLOCK_SIZES[sizeCode] ?? 0) : 256 * 2 ** (sizeCode - 8);
  if (sizeCode === 6) samples = reader.u8(end) + 1;
  if (sizeCode === 7) samples = reader.u16(end) + 1;
  end += sizeCode === 6 ? 1 : sizeCode === 7 ? 2 : 0;
  let rate = RATES[rateCode] || streamRate;
  if (rateCode === 12) rate = reader.u8(end) * 1000;
  if (rateCode === 13) rate = reader.u16(end);
  if (rateCode === 14) rate = reader.u16(end) * 10;
  end += rateCode === 12 ? 1 : rateCode > 12 ? 2 : 0;
  let crc = 0;
  for (let index = at; index < end; index += 1) crc = CRC_8[crc ^ reader.u8(index)] ?? 0;
  return end < reader.length && crc === reader.u8(end) && rate > 0 ? samples / rate : 0;
};

/** Adds up all frames that start between two offsets: a random byte sequence seldom has the checksum of a header. */
export const flacClock =
  (reader: ByteReader, streamRate: number): PacketClock =>
  (from, to) => {
    let seconds = 0;
    for (let at = from; at < to; at += 1)
      if (reader.bytes[at] === 0xff) seconds += frameSeconds(reader, at, streamRate);
    return seconds;
  };

/** Sample rate that STREAMINFO states; `at` is the offset of its content. */
export const flacStreamRate = (reader: ByteReader, at: number): number => reader.u32(at + 10) >>> 12;

/** Half of the uncompressed samples, as a lower bound of compressed speech. */
const USUAL_SHARE = 0.5;

/** Length by STREAMINFO, or by the size, when no frame is found. */
const guess = (reader: ByteReader, from: number): number | undefined => {
  const rate = flacStreamRate(reader, from + 8);
  if (rate === 0) return undefined;
  const samples = (reader.u8(from + 21) & 0x0f) * 2 ** 32 + reader.u32(from + 22);
  const info = reader.u32(from + 18);
  const sampleBytes = ((((info >>> 9) & 7) + 1) * (((info >>> 4) & 31) + 1)) / 8;
  return Math.max(samples / rate, reader.length / (rate * sampleBytes * USUAL_SHARE));
};

/** @param from offset of the marker. */
export function* readFlac(reader: ByteReader, from: number): LengthReading {
  const clock = flacClock(reader, flacStreamRate(reader, from + 8));
  // Metadata are searched as well: their sizes are as little to be believed.
  return (yield* readPieces(clock, from + 4, reader.length)) || guess(reader, from);
}
