import type { ByteReader } from "./byte-reader";
import { walkFrames } from "./frames";
import { readAdtsFrame, readMpegFrame } from "./mpeg-frames";
import { type LengthReading, STEP_PACKETS, USUAL_BYTES_PER_SECOND } from "./steps";

/* RIFF, RIFX, RF64, BW64 and W64: http://soundfile.sapp.org/doc/WaveFormat */

/** Fields of a chunk "fmt ". */
interface WavFormat {
  tag: number;
  channels: number;
  rate: number;
  bytesPerSecond: number;
  blockBytes: number;
  bits: number;
}

const EXTENSIBLE = 0xfffe;

const readFormat = (reader: ByteReader, at: number, size: number, isLittle: boolean): WavFormat => {
  const tag = reader.u16(at, isLittle);
  return {
    // The real format is the beginning of a GUID.
    tag: tag === EXTENSIBLE && size >= 26 ? reader.u16(at + 24, isLittle) : tag,
    channels: reader.u16(at + 2, isLittle),
    rate: reader.u32(at + 4, isLittle),
    bytesPerSecond: reader.u32(at + 8, isLittle),
    blockBytes: reader.u16(at + 12, isLittle),
    bits: size >= 16 ? reader.u16(at + 14, isLittle) : 8,
  };
};

const PCM = new Set([1, 3, EXTENSIBLE]);
const BYTE_SAMPLES = new Set([6, 7]);
const MPEG = new Set([0x50, 0x55]);
const AAC = new Set([0xff, 0x1600, 0x706d, 0xa106]);

/** Formats in blocks of one size: bytes and samples of a block. */
const FIXED_BLOCKS: Readonly<Record<number, readonly [bytes: number, samples: number]>> = {
  34: [32, 240],
  49: [65, 320],
  50: [65, 320],
  131: [10, 80],
};

/** Bits that a sample of these takes, without any header. */
const SAMPLE_BITS: Readonly<Record<number, number>> = { 32: 4, 512: 4, 655: 4, 101: 4 };

/** Samples per channel that decoders produce from a second's worth of bytes: bytes per second of one format. */
const bytesPerSecond = (format: WavFormat): number | undefined => {
  const { tag, channels, rate, blockBytes, bits } = format;
  if (rate === 0 || channels === 0) return undefined;
  const samplesPerSecond = channels * rate;
  if (PCM.has(tag)) return samplesPerSecond * Math.ceil(bits / 8) || undefined;
  if (BYTE_SAMPLES.has(tag)) return samplesPerSecond;
  const fixed = FIXED_BLOCKS[tag];
  if (fixed) return (rate / fixed[1]) * fixed[0];
  const packed = SAMPLE_BITS[tag];
  if (packed) return (samplesPerSecond * packed) / 8;
  // Microsoft's ADPCM and IMA's start each block with a header, which contains samples as well.
  const perChannel = blockBytes / channels;
  if (tag === 2 && perChannel > 7) return (rate / ((perChannel - 7) * 2 + 2)) * blockBytes;
  const width = bits >= 2 && bits <= 5 ? bits : 4;
  if ((tag === 0x11 || tag === 0x61 || tag === 0x69) && perChannel > 4)
    return (rate / (((perChannel - 4) * 8) / width + 1)) * blockBytes;
  return undefined;
};

/** Chunks that files have behind the sound. */
const OTHER_CHUNKS = new Set([
  ..."LIST|list|id3 |ID3 |bext|iXML|_PMX|cue |fact|smpl|inst|JUNK|junk|PAD |FLLR|afsp|acid|axml".split("|"),
  ..."cart|umid|levl|PEAK|fmt |data|chna|note|labl|plst|ltxt|bext|aXML|minf|elm1|regn|DISP".split("|"),
]);

interface Chunk {
  at: number;
  size: number;
}

/** The chunks that count. */
interface Chunks {
  formats: Chunk[];
  sounds: Chunk[];
}

/** A file has one of each; more than these only take memory. */
const MAX_FORMATS = 4;
const MAX_SOUNDS = 1000;

function* readChunks(reader: ByteReader, isLittle: boolean, is64: boolean): Generator<undefined, Chunks> {
  const formats: Chunk[] = [];
  const sounds: Chunk[] = [];
  const header = is64 ? 24 : 8;
  let count = 0;
  for (let at = is64 ? 40 : 12; at + header <= reader.length; ) {
    count += 1;
    if (count % STEP_PACKETS === 0) yield;
    const name = reader.tag(at);
    const stated = is64 ? reader.u64(at + 16, true) - header : reader.u32(at + 4, isLittle);
    const content = at + header;
    const rest = reader.length - content;
    const next = content + (is64 ? Math.ceil(stated / 8) * 8 : stated + (stated % 2));
    const isFollowed = next + header > reader.length || OTHER_CHUNKS.has(reader.tag(next));
    if (name === "fmt ") {
      // The last one replaces those before it.
      if (formats.length === MAX_FORMATS) formats.pop();
      formats.push({ at: content, size: Math.min(stated, rest) });
    }
    if (name === "data") {
      // A writer that did not finish leaves the size open; some decoders read beyond the stated size.
      const isOpen = stated <= 0 || stated >= rest || !isFollowed || sounds.length === MAX_SOUNDS;
      sounds.push({ at: content, size: isOpen ? rest : stated });
      if (isOpen) break;
    }
    if (next <= at) break;
    at = next;
  }
  return { formats, sounds };
}

/** Length of one chunk of sound by one format. */
function* readSound(
  reader: ByteReader,
  format: WavFormat,
  { at, size }: Chunk,
): Generator<undefined, number> {
  const { tag } = format;
  if (MPEG.has(tag)) return yield* walkFrames(reader, readMpegFrame, at, at + size);
  if (AAC.has(tag)) {
    const seconds = yield* walkFrames(reader, readAdtsFrame, at, at + size);
    if (seconds > 0) return seconds;
  }
  const known = bytesPerSecond(format);
  // The stated rate, unless it is above the usual one.
  return size / (known ?? Math.min(format.bytesPerSecond || USUAL_BYTES_PER_SECOND, USUAL_BYTES_PER_SECOND));
}

/** The largest length by any of the stated formats, because decoders differ in their choice. */
export function* readWav(reader: ByteReader): LengthReading {
  const isLittle = reader.tag(0) !== "RIFX";
  const { formats, sounds } = yield* readChunks(reader, isLittle, reader.tag(0) === "riff");
  let longest = 0;
  for (const { at, size } of formats) {
    const format = readFormat(reader, at, size, isLittle);
    let seconds = 0;
    for (const sound of sounds) seconds += yield* readSound(reader, format, sound);
    longest = Math.max(longest, seconds);
  }
  return longest || undefined;
}
