import type { ByteReader } from "./byte-reader";
import {
  aacClock,
  ac3Clock,
  alacClock,
  flacPacketClock,
  mpegClock,
  opusClock,
  pcmClock,
  sizeClock,
  vorbisPacketClock,
} from "./packets";
import {
  type LengthReading,
  MAX_READINGS,
  Pace,
  type PacketClock,
  readPieces,
  USUAL_BYTES_PER_SECOND,
} from "./steps";

/*
 * WebM as well: https://www.rfc-editor.org/rfc/rfc9559. Timestamps and durations are not read when packets contain
 * theirs.
 */

const SEGMENT = 0x18538067;
const CLUSTER = 0x1f43b675;
const TRACK_ENTRY = 0xae;
const TRACK_NUMBER = 0xd7;
const TRACK_TYPE = 0x83;
const CODEC = 0x86;
const CODEC_PRIVATE = 0x63a2;
const RATE = 0xb5;
const CHANNELS = 0x9f;
const BIT_DEPTH = 0x6264;
const ENCODINGS = 0x6d80;
const TIMESTAMP_SCALE = 0x2ad7b1;
const DURATION = 0x4489;
const SIMPLE_BLOCK = 0xa3;
const BLOCK_GROUP = 0xa0;
const TRACKS = 0x1654ae6b;
const INFORMATION = 0x1549a966;
const LEVEL_1 = new Set([SEGMENT, CLUSTER, TRACKS, INFORMATION]);
const SOUND = 2;
const BLOCKS = new Set([SIMPLE_BLOCK, 0xa1]);
/** Elements whose content is walked: segment, clusters, block groups, information, tracks and their audio. */
const PARENTS = new Set([...LEVEL_1, BLOCK_GROUP, TRACK_ENTRY, 0xe1]);
/** Elements without packets, which are skipped; anything else is searched, because its header may be broken. */
const SKIPPED = new Set([
  ...[
    0x1a45dfa3,
    0x114d9b74,
    0x1c53bb6b,
    0x1043a770,
    0x1254c367,
    0x1941a469,
    INFORMATION,
    TRACKS,
    0xec,
    0xbf,
  ],
  ...[0xe7, 0xa7, 0xab, 0x9b, 0xfb, 0x75a1, 0x75a2, 0xa4, 0x8e],
]);
/** Elements that follow a block: blocks and groups, the fields of a cluster, clusters, cues, tags, room. */
const NEIGHBOURS = new Set([
  ...[0xa3, 0xa0, 0xa1, 0xe7, 0xab, 0xa7, 0x9b, 0xfb, 0x75a2, 0xec],
  ...[CLUSTER, 0x1c53bb6b, 0x1254c367],
]);

const TRACKS_MARK = Buffer.from([0x16, 0x54, 0xae, 0x6b]);
const MAX_TRACKS_BYTES = 1024 * 1024;
const MAX_TRACKS = 100;
const MAX_DESCRIPTIONS = 4;
/** Most codecs state the length of a packet here. */
const PACKET_HEAD_BYTES = 64;

class Track {
  number = 0;
  kind = 0;
  codec = "";
  codecPrivate = new Uint8Array();
  rate = 8000;
  channels = 1;
  bits = 16;
  /** Packets are packed once more. */
  isEncoded = false;
  seconds = 0;
  clock: PacketClock | undefined;
  hasClock = false;

  constructor(readonly at: number) {}

  get isSound(): boolean {
    return this.kind === SOUND || this.codec.startsWith("A_");
  }
}

const clockOf = (reader: ByteReader, track: Track): PacketClock | undefined => {
  const { codec, codecPrivate, rate, channels, bits, isEncoded } = track;
  if (isEncoded) return undefined;
  if (codec === "A_OPUS") return opusClock(reader);
  if (codec === "A_VORBIS") return vorbisPacketClock(reader, codecPrivate);
  if (codec === "A_FLAC") return flacPacketClock(reader, codecPrivate);
  if (codec === "A_ALAC") return alacClock(reader, codecPrivate);
  if (codec.startsWith("A_AAC")) return aacClock(codecPrivate);
  if (codec.startsWith("A_MPEG/L")) return mpegClock(reader);
  if (/^A_E?AC3/.test(codec)) return ac3Clock(reader);
  if (codec.startsWith("A_PCM/")) return pcmClock((rate * channels * bits) / 8);
  return undefined;
};

/** A number whose first byte contains the number of further bytes; its value is -1 for an unknown size. */
const readVariable = (
  reader: ByteReader,
  at: number,
  keepsMark: boolean,
): { value: number; width: number } => {
  const first = reader.u8(at);
  const width = Math.clz32(first) - 23;
  if (width > 8) return { value: 0, width: 0 };
  let value = keepsMark ? first : first & (0xff >> width);
  let isOpen = (first & (0xff >> width)) === 0xff >> width;
  for (let index = 1; index < width; index += 1) {
    const byte = reader.u8(at + index);
    value = value * 256 + byte;
    isOpen &&= byte === 0xff;
  }
  return { value: isOpen && !keepsMark ? -1 : value, width };
};

const readNumber = (reader: ByteReader, at: number, size: number): number => {
  let value = 0;
  for (let index = 0; index < Math.min(8, size); index += 1) value = value * 256 + reader.u8(at + index);
  return value;
};

const readFloat = (reader: ByteReader, at: number, size: number): number =>
  size === 8 ? reader.f64(at) : reader.f32(at);

/** Sizes of the packets of a block, by the lacing in its flags: https://www.rfc-editor.org/rfc/rfc9559#section-10.3 */
const readLacing = (
  reader: ByteReader,
  kind: number,
  start: number,
  end: number,
): { sizes: number[]; at: number } => {
  if (kind === 0) return { sizes: [end - start], at: start };
  const count = reader.u8(start) + 1;
  let at = start + 1;
  const sizes: number[] = [];
  if (kind === 2) {
    const size = Math.floor((end - at) / count);
    return { sizes: size > 0 ? Array.from({ length: count }, () => size) : [], at };
  }
  for (let index = 1; index < count && at < end; index += 1) {
    let size = 0;
    if (kind === 1) {
      let byte = 255;
      while (byte === 255 && at < end) {
        byte = reader.u8(at);
        size += byte;
        at += 1;
      }
    } else {
      const { value, width } = readVariable(reader, at, false);
      const open = 2 ** (7 * width) - 1;
      const read = value === -1 ? open : value;
      size = index === 1 ? read : (sizes.at(-1) ?? 0) + read - (2 ** (7 * width - 1) - 1);
      at += Math.max(1, width);
    }
    sizes.push(Math.max(0, size));
  }
  const rest = end - at - sizes.reduce((sum, size) => sum + size, 0);
  return { sizes: [...sizes, Math.max(0, rest)], at };
};

class MatroskaFile {
  private readonly tracks: Track[] = [];
  private readonly byNumber = new Map<number, Track[]>();
  private readsBlocks = false;
  private searchesUnknown = false;
  private longest = 0;
  /** Elements and bytes that were searched. */
  private work = 0;
  /** Bytes of blocks that are longer than their cluster; they may overlap. */
  private overlapping = 0;
  private readonly pace = new Pace();
  /** Descriptions of tracks may be missing. */
  private isCut = false;
  /** A track of sound is counted by its size. */
  private isGuessed = false;
  private current: Track | undefined;
  private scale = 1_000_000;
  private duration = 0;

  constructor(private readonly reader: ByteReader) {}

  /** The longest track; decoders read one. */
  get seconds(): number {
    const stated = (this.duration * this.scale) / 1e9;
    if (this.isCut || this.longest === 0)
      return Math.max(this.longest, stated, this.reader.length / USUAL_BYTES_PER_SECOND);
    return this.isGuessed ? Math.max(this.longest, stated) : this.longest;
  }

  /** Track descriptions are read first, at any position, because an index may lead decoders to them. */
  *read(from: number): Generator<undefined, void> {
    const { bytes } = this.reader;
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let at = buffer.indexOf(TRACKS_MARK, from); at !== -1; at = buffer.indexOf(TRACKS_MARK, at + 1)) {
      this.isCut ||= this.tracks.length >= MAX_TRACKS || this.work > this.reader.length;
      if (this.isCut) break;
      const size = readVariable(this.reader, at + 4, false);
      const content = at + 4 + size.width;
      yield* this.walk(
        content,
        content + (size.value < 0 ? MAX_TRACKS_BYTES : Math.min(size.value, MAX_TRACKS_BYTES)),
      );
    }
    this.readsBlocks = true;
    this.byNumber.clear();
    // A broken header may hide packets, or show false ones: the longer reading counts.
    for (const searches of [false, true]) {
      this.searchesUnknown = searches;
      this.overlapping = 0;
      for (const track of this.tracks) track.seconds = 0;
      yield* this.walk(from, this.reader.length);
      this.longest = Math.max(this.longest, ...this.tracks.map(({ seconds }) => seconds));
    }
  }

  private *walk(from: number, to: number): Generator<undefined, void> {
    const { reader } = this;
    const limits: number[] = [];
    for (let at = from; at < Math.min(to, reader.length); ) {
      while (at >= (limits.at(-1) ?? to)) limits.pop();
      this.work += 1;
      if (this.pace.isFull(1)) yield;
      const id = readVariable(reader, at, true);
      const size = readVariable(reader, at + id.width, false);
      const content = at + id.width + size.width;
      const end = content + size.value;
      const isBroken = id.width === 0 || id.width > 4 || size.width === 0;
      const isSkipped = this.searchesUnknown && SKIPPED.has(id.value) && size.value !== -1;
      if ((PARENTS.has(id.value) && !isSkipped) || (size.value === -1 && !isBroken)) {
        if (id.value === TRACK_ENTRY) this.addTrack(at);
        if (size.value !== -1) limits.push(Math.min(end, limits.at(-1) ?? to));
        at = content;
      } else if (isBroken || end > (limits.at(-1) ?? to)) {
        if (BLOCKS.has(id.value)) yield* this.readBlock(content, this.endOfOverlong(content, end));
        at = yield* this.resume(at + 1);
      } else {
        if (BLOCKS.has(id.value)) yield* this.readBlock(content, end);
        else this.readField(id.value, content, size.value);
        const isKnown = !this.searchesUnknown || isSkipped || BLOCKS.has(id.value);
        at = isKnown ? end : yield* this.resume(at + 1);
      }
    }
  }

  /** Reads each description once, even if two searches find it. */
  private addTrack(at: number): void {
    if (this.readsBlocks) return;
    this.current = this.tracks.find((track) => track.at === at);
    this.isCut ||= !this.current && this.tracks.length === MAX_TRACKS;
    if (this.current || this.isCut) return;
    this.current = new Track(at);
    this.tracks.push(this.current);
  }

  /** Decoders continue after broken data: with the next large element, or the next block of a known track. */
  private *resume(from: number): Generator<undefined, number> {
    const { reader } = this;
    let at = from;
    for (; at < reader.length; at += 1) {
      this.work += 1;
      if (this.pace.isFull(0, 1)) yield;
      const byte = reader.u8(at);
      if (byte >>> 4 === 1 && LEVEL_1.has(reader.u32(at))) break;
      if (byte !== SIMPLE_BLOCK && byte !== BLOCK_GROUP) continue;
      const size = readVariable(reader, at + 1, false);
      const content = at + 1 + size.width;
      const end = content + size.value;
      if (size.width === 0 || size.value < 4 || end > reader.length) continue;
      const isBlock = byte === BLOCK_GROUP || this.findTracks(content).length > 0;
      if (isBlock && (end === reader.length || NEIGHBOURS.has(readVariable(reader, end, true).value))) break;
    }
    return at;
  }

  /** A track may be described several times; decoders differ in their choice. */
  private findTracks(at: number): Track[] {
    const { value } = readVariable(this.reader, at, false);
    let found = this.byNumber.get(value);
    if (!found) {
      found = this.tracks.filter(({ number }) => number === value).slice(0, MAX_DESCRIPTIONS);
      if (this.byNumber.size < MAX_TRACKS) this.byNumber.set(value, found);
    }
    return found;
  }

  private readField(id: number, at: number, size: number): void {
    const { reader } = this;
    if (id === TIMESTAMP_SCALE) this.scale = readNumber(reader, at, size);
    if (id === DURATION) this.duration = Math.max(this.duration, readFloat(reader, at, size));
    const track = this.current;
    if (!track || this.readsBlocks) return;
    if (id === TRACK_NUMBER) track.number = readNumber(reader, at, size);
    if (id === TRACK_TYPE) track.kind = readNumber(reader, at, size);
    if (id === CODEC) track.codec = reader.tag(at, Math.min(size, 32)).replaceAll("\0", "");
    if (id === CODEC_PRIVATE) track.codecPrivate = new Uint8Array(reader.bytes.subarray(at, at + size));
    if (id === RATE) track.rate = readFloat(reader, at, size);
    if (id === CHANNELS) track.channels = readNumber(reader, at, size);
    if (id === BIT_DEPTH) track.bits = readNumber(reader, at, size);
    if (id === ENCODINGS) track.isEncoded = true;
  }

  /** Overlong blocks may all reach to the end of the file: later ones count by the head of each packet. */
  private endOfOverlong(at: number, stated: number): number {
    const { length } = this.reader;
    const end = Math.min(stated, length);
    this.overlapping += (end - at) * this.findTracks(at).length;
    return this.overlapping > length * MAX_READINGS ? Math.min(end, at + PACKET_HEAD_BYTES) : end;
  }

  private *readBlock(at: number, end: number): Generator<undefined, void> {
    const { reader } = this;
    if (!this.readsBlocks) return;
    const { width } = readVariable(reader, at, false);
    const flags = reader.u8(at + width + 2);
    const tracks = this.findTracks(at);
    if (tracks.length === 0) return;
    const laced = readLacing(reader, (flags >> 1) & 3, at + width + 3, end);
    for (const track of tracks) {
      if (!track.hasClock) {
        track.hasClock = true;
        track.clock = clockOf(reader, track);
        if (!track.clock && track.isSound) {
          track.clock = sizeClock;
          this.isGuessed = true;
        }
      }
      const { clock } = track;
      if (!clock) continue;
      let from = laced.at;
      for (const size of laced.sizes) {
        const to = Math.min(end, from + size);
        if (this.pace.isFull(1, Math.max(0, to - from))) yield;
        track.seconds += yield* readPieces(clock, from, to);
        from += size;
      }
    }
  }
}

/** @param from offset of the first element. */
export function* readMatroska(reader: ByteReader, from: number): LengthReading {
  const file = new MatroskaFile(reader);
  yield* file.read(from);
  return file.seconds;
}
