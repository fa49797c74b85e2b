import { BitReader, ByteReader } from "./byte-reader";
import { flacClock, flacStreamRate } from "./flac";
import { aacBlocks, aacRate, readMpegFrame } from "./mpeg-frames";
import { opusClock } from "./opus";
import { amrSeconds } from "./other-containers";
import { type PacketClock, USUAL_BYTES_PER_SECOND } from "./steps";
import { vorbisClock } from "./vorbis";

/* Clocks for packets that a container (MP4, Matroska) lists. */

const readObjectType = (bits: BitReader): number => {
  const short = bits.read(5);
  return short === 31 ? 32 + bits.read(6) : short;
};

const readRate = (bits: BitReader): number => {
  const index = bits.read(4);
  return index === 15 ? bits.read(24) : aacRate(index);
};

/** Object types of AAC with spectral band replication, whose own rate comes first. */
const EXTENDED = new Set([5, 29]);
const LOW_DELAY = new Set([23, 39]);

/** Length of packets without a configuration. */
export const aacClockOf = (rate: number, channels: number, samples = 1024): PacketClock | undefined =>
  rate > 0 ? (from, to) => (to > from ? (aacBlocks(to - from, channels) * samples) / rate : 0) : undefined;

/** @param config AudioSpecificConfig: https://wiki.multimedia.cx/index.php/MPEG-4_Audio */
export const aacClock = (config: Uint8Array): PacketClock | undefined => {
  const bits = new BitReader(config, false);
  let object = readObjectType(bits);
  const rate = readRate(bits);
  const channels = bits.read(4) || 8;
  if (EXTENDED.has(object)) {
    readRate(bits);
    object = readObjectType(bits);
  }
  const isShort = bits.read(1) === 1;
  const samples = LOW_DELAY.has(object) ? (isShort ? 480 : 512) : isShort ? 960 : 1024;
  return config.length < 2 ? undefined : aacClockOf(rate, channels, samples);
};

const walkWhole =
  (read: (at: number) => { bytes: number; seconds: number } | undefined): PacketClock =>
  (from, to) => {
    let seconds = 0;
    for (let at = from; at < to; ) {
      const frame = read(at);
      seconds += frame?.seconds ?? 0;
      at += frame?.bytes ?? 1;
    }
    return seconds;
  };

/** A packet without a whole frame counts as the first that has one, because decoders join packets. */
export const mpegClock = (reader: ByteReader): PacketClock => {
  let usual = 0;
  const walk = walkWhole((at) => readMpegFrame(reader, at));
  return (from, to) => {
    usual ||= readMpegFrame(reader, from)?.seconds ?? 0;
    return Math.max(usual, walk(from, to));
  };
};

/** Words of 16 bits of a frame at 48 kHz, by its rate (A/52, table 5.18). */
const AC3_KBPS = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640];
const AC3_RATES = [48_000, 44_100, 32_000];
const AC3_BLOCK_SAMPLES = 256;

/** https://www.atsc.org/wp-content/uploads/2015/03/A52-201212-17.pdf, sections 5.3.2 and E.1.2.2 */
export const ac3Clock = (reader: ByteReader): PacketClock =>
  walkWhole((at) => {
    if (reader.u16(at) !== 0x0b77) return undefined;
    const code = reader.u8(at + 4);
    if (reader.u8(at + 5) >> 3 > 10) {
      const rate = AC3_RATES[code >> 6] ?? (AC3_RATES[(code >> 4) & 3] ?? 48_000) / 2;
      const blocks = code >> 6 === 3 ? 6 : ([1, 2, 3, 6][(code >> 4) & 3] ?? 6);
      // Substreams other than the first sound at the same time.
      const isFirst = reader.u8(at + 2) >> 3 === 0 || reader.u8(at + 2) >> 6 === 2;
      const bytes = ((reader.u16(at + 2) & 0x7ff) + 1) * 2;
      return { bytes, seconds: isFirst ? (blocks * AC3_BLOCK_SAMPLES) / rate : 0 };
    }
    const rate = AC3_RATES[code >> 6];
    const kbps = AC3_KBPS[(code & 63) >> 1];
    if (!rate || !kbps) return undefined;
    const bytes = (Math.floor((kbps * 96_000) / rate) + (rate === 44_100 ? code & 1 : 0)) * 2;
    return { bytes, seconds: (6 * AC3_BLOCK_SAMPLES) / rate };
  });

/** @param cookie content of ALAC's own box: https://github.com/macosforge/alac/blob/master/ALACMagicCookieDescription.txt */
export const alacClock = (reader: ByteReader, cookie: Uint8Array): PacketClock | undefined => {
  const header = new ByteReader(cookie);
  const samples = header.u32(0);
  const rate = header.u32(20);
  if (samples === 0 || rate === 0) return undefined;
  return (from, to) => {
    if (to <= from) return 0;
    // A packet shorter than the others contains its own length.
    const isPartial = (reader.u8(from + 2) & 0x10) !== 0;
    const own = new BitReader(reader.bytes.subarray(from, from + 8), false);
    own.read(23);
    return (isPartial ? Math.min(samples, own.read(32)) : samples) / rate;
  };
};

export const amrClock =
  (reader: ByteReader, isWide: boolean): PacketClock =>
  (from, to) =>
    amrSeconds(reader, isWide, from, to);

export const pcmClock = (bytesPerSecond: number): PacketClock | undefined =>
  bytesPerSecond > 0 ? (from, to) => (to - from) / bytesPerSecond : undefined;

/** Counts sound of an unknown kind, which would be free beside a track that is known. */
export const sizeClock: PacketClock = (from, to) => (to - from) / USUAL_BYTES_PER_SECOND;

/** @param content blocks of metadata, with or without the marker before them. */
export const flacPacketClock = (reader: ByteReader, content: Uint8Array): PacketClock => {
  const header = new ByteReader(content);
  return flacClock(reader, flacStreamRate(header, header.tag(0) === "fLaC" ? 8 : 4));
};

/** @param content the three headers behind the lengths of the first two, as Xiph laces packets. */
export const vorbisPacketClock = (reader: ByteReader, content: Uint8Array): PacketClock | undefined => {
  let at = 1;
  const sizes = [0, 0].map(() => {
    let size = 0;
    while (content[at] === 255) {
      size += 255;
      at += 1;
    }
    size += content[at] ?? 0;
    at += 1;
    return size;
  });
  const [head = 0, comment = 0] = sizes;
  return vorbisClock(reader, content.subarray(at, at + head), content.subarray(at + head + comment));
};

export { opusClock };
