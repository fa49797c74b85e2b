import type { ByteReader } from "./byte-reader";
import { flacClock } from "./flac";
import { type Frame, walkFrames } from "./frames";
import { type LengthReading, readPieces, STEP_BYTES } from "./steps";

/*
 * Layers I to III: http://www.mp3-tech.org/programmer/frame_header.html
 * AAC in ADTS: https://wiki.multimedia.cx/index.php/ADTS
 */

/** kbit/s by index, for layers I, II and III of MPEG 1. */
const BITRATES_1 = [
  [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
];
/** The same of MPEG 2 and 2.5. */
const LOW_BITRATES = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const BITRATES_2 = [
  [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  LOW_BITRATES,
  LOW_BITRATES,
];
const SAMPLE_RATES = [44_100, 48_000, 32_000];
const MPEG_1 = 3;

interface MpegHeader {
  layer: number;
  kbps: number;
  rate: number;
  samples: number;
}

const readMpegHeader = (header: number): MpegHeader | undefined => {
  const version = (header >>> 19) & 3;
  const layer = 4 - ((header >>> 17) & 3);
  const base = SAMPLE_RATES[(header >>> 10) & 3];
  if (header >>> 21 !== 0x7ff || version === 1 || layer === 4 || base === undefined) return undefined;
  const isMpeg1 = version === MPEG_1;
  const kbps = (isMpeg1 ? BITRATES_1 : BITRATES_2)[layer - 1]?.[(header >>> 12) & 15];
  if (kbps === undefined) return undefined;
  const rate = isMpeg1 ? base : version === 2 ? base / 2 : base / 4;
  const samples = layer === 1 ? 384 : layer === 3 && !isMpeg1 ? 576 : 1152;
  return { layer, kbps, rate, samples };
};

/** Version, layer and sample rate. */
const KIND_MASK = 0xfffe0c00;

export const readMpegFrame = (reader: ByteReader, at: number): Frame | undefined => {
  if (reader.bytes[at] !== 0xff) return undefined;
  const header = reader.u32(at);
  const read = readMpegHeader(header);
  if (!read || read.kbps === 0) return undefined;
  const { layer, kbps, rate, samples } = read;
  const padding = (header >>> 9) & 1;
  const bytes =
    layer === 1
      ? (Math.floor((12_000 * kbps) / rate) + padding) * 4
      : Math.floor((samples * kbps * 125) / rate) + padding;
  return { bytes, seconds: samples / rate, kind: header & KIND_MASK };
};

/** All but the last bits, which change from frame to frame. */
const FREE_MASK = 0xfffffc00;

/** Frames of a free bit rate do not contain their size: each starts with the same bits. */
function* countFreeFrames(reader: ByteReader, from: number): Generator<undefined, number> {
  const first = reader.u32(from);
  const read = readMpegHeader(first);
  if (read?.kbps !== 0) return 0;
  let count = 0;
  let pause = from + STEP_BYTES;
  for (let at = from; at + 4 <= reader.length; at += 1) {
    if (at >= pause) {
      pause = at + STEP_BYTES;
      yield;
    }
    if (reader.bytes[at] === 0xff && ((reader.u32(at) ^ first) & FREE_MASK) === 0) count += 1;
  }
  return (count * read.samples) / read.rate;
}

const AAC_RATES = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350,
];
export const aacRate = (index: number): number => AAC_RATES[index] ?? 0;

const AAC_FRAME_SAMPLES = 1024;
/** Bytes that a block of AAC takes at most for each channel (6144 bits). */
const MAX_AAC_BLOCK_BYTES = 768;

/**
 * Blocks of AAC in a number of bytes: decoders continue after the first when there is more data than one block can
 * contain.
 */
export const aacBlocks = (bytes: number, channels: number): number =>
  Math.max(1, Math.ceil(bytes / (MAX_AAC_BLOCK_BYTES * Math.max(1, channels))));

export const readAdtsFrame = (reader: ByteReader, at: number): Frame | undefined => {
  if (reader.bytes[at] !== 0xff) return undefined;
  const header = reader.u32(at);
  if (header >>> 20 !== 0xfff || ((header >>> 17) & 3) !== 0) return undefined;
  const rate = aacRate((header >>> 10) & 15);
  const bytes = ((header & 3) << 11) | (reader.u16(at + 4) >>> 5);
  if (rate === 0 || bytes < 7) return undefined;
  const channels = (header >>> 6) & 7 || 8;
  const blocks = Math.max((reader.u8(at + 6) & 3) + 1, aacBlocks(bytes - 7, channels));
  return { bytes, seconds: (blocks * AAC_FRAME_SAMPLES) / rate, kind: header & 0xfffefc00 };
};

/** Seconds of frames without a container, in the format that most of them have: MP3 and its lower layers, AAC, FLAC. */
export function* readFrames(reader: ByteReader, from: number): LengthReading {
  const start = reader.bytes.indexOf(0xff, from);
  if (start === -1) return undefined;
  const mpeg = yield* walkFrames(reader, readMpegFrame, start, reader.length);
  const aac = yield* walkFrames(reader, readAdtsFrame, start, reader.length);
  const flac = yield* readPieces(flacClock(reader, USUAL_FLAC_RATE), start, reader.length);
  const free = yield* countFreeFrames(reader, start);
  return Math.max(mpeg, aac, flac, free) || undefined;
}

/** Used when the stream's header is missing, and a frame names no rate. */
const USUAL_FLAC_RATE = 44_100;

const PROBED_BYTES = 64 * 1024;
const PROBED_FRAMES = 4;

const isChain = (
  reader: ByteReader,
  from: number,
  readFrame: (reader: ByteReader, at: number) => Frame | undefined,
): boolean => {
  let at = from;
  for (let count = 0; count < PROBED_FRAMES; count += 1) {
    const frame = readFrame(reader, at);
    if (!frame) return false;
    at += frame.bytes;
  }
  return true;
};

/** The start of frames after unknown data, found like decoders do; -1 without any. */
export const findFrames = (reader: ByteReader): number => {
  const isFlac = flacClock(reader, USUAL_FLAC_RATE);
  const last = Math.min(reader.length, PROBED_BYTES);
  for (let at = 0; at < last; at += 1) {
    if (reader.bytes[at] !== 0xff) continue;
    if (isChain(reader, at, readMpegFrame) || isChain(reader, at, readAdtsFrame) || isFlac(at, at + 1) > 0)
      return at;
  }
  return -1;
};
