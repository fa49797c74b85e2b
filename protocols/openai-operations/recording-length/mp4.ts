import type { ByteReader } from "./byte-reader";
import { SAMPLE_BITS } from "./other-containers";
import {
  aacClock,
  aacClockOf,
  ac3Clock,
  alacClock,
  amrClock,
  flacPacketClock,
  mpegClock,
  opusClock,
  pcmClock,
  sizeClock,
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
 * Boxes of ISO/IEC 14496-12 and QuickTime. The stated durations are ignored when the packets of a track can be counted.
 */

/** Container boxes. Decoders recognize each at any position. */
const PARENTS = new Set(["moov", "trak", "mdia", "minf", "stbl", "moof", "traf", "mvex", "edts"]);
/** Decoders go no deeper either. */
const MAX_DEPTH = 10;
const MAX_TRACKS = 1000;
/** A packet that was not read counts as most codecs' packets. */
const USUAL_PACKET_SECONDS = 0.02;

/** Packets that follow each other in the file. */
interface Run {
  at: number;
  count: number;
  sizeAt: (index: number) => number;
}

/** Offsets of the content of tables; the first that counts of each kind. */
interface Table {
  at: number;
  end: number;
}

class Track {
  id = 0;
  statedSeconds = 0;
  description: Table | undefined;
  sizes: (Table & { isCompact: boolean }) | undefined;
  chunks: (Table & { isWide: boolean }) | undefined;
  chunkRuns: Table | undefined;
  readonly handlers = new Set<string>();
  clock: PacketClock | undefined;
  /** Sound without a clock is counted by its size. */
  isGuessed = false;
  /** Seconds of the packets that were read, their number, and that of the others. */
  counted = 0;
  packets = 0;
  unread = 0;

  get seconds(): number {
    if (this.unread === 0) return this.counted;
    const mean = this.packets === 0 ? 0 : this.counted / this.packets;
    return this.counted + this.unread * Math.max(mean, USUAL_PACKET_SECONDS);
  }
}

const RUN_BYTES = 12;

/** Packets of each chunk, by the table of chunks that have equally many. */
class ChunkRuns {
  readonly entries: number;
  private entry = 0;
  private filled = 0;

  constructor(
    private readonly reader: ByteReader,
    private readonly table: Table,
  ) {
    const fitting = Math.floor((table.end - table.at - 8) / RUN_BYTES);
    this.entries = Math.min(reader.u32(table.at + 4), fitting);
  }

  /** @param chunk no lower than that of the call before. */
  *countPackets(chunk: number, pace: Pace): Generator<undefined, number> {
    for (; this.entry + 1 < this.entries && this.field(this.entry + 1, 0) <= chunk + 1; this.entry += 1)
      if (pace.isFull(0, RUN_BYTES)) yield;
    // Decoders fill an entry without packets from the next one.
    this.filled = Math.max(this.filled, this.entry);
    for (; this.filled + 1 < this.entries && this.field(this.filled, 4) === 0; this.filled += 1)
      if (pace.isFull(0, RUN_BYTES)) yield;
    return Math.max(1, this.field(this.filled, 4));
  }

  private field(entry: number, offset: number): number {
    return this.reader.u32(this.table.at + 8 + entry * RUN_BYTES + offset);
  }
}

interface FragmentHeader {
  base: number;
  size: number;
}

/** Boxes of a sample description are near its beginning, and their fields near theirs. */
const MAX_ENTRY_BYTES = 4096;

/** Content of the first box of a name within unknown ones; it may follow fields. */
const findContent = (reader: ByteReader, name: string, { at, end }: Table): Uint8Array | undefined => {
  for (let offset = at; offset + 8 <= Math.min(end, at + MAX_ENTRY_BYTES); offset += 1)
    if (reader.tag(offset + 4) === name) {
      const size = reader.u32(offset);
      return reader.bytes.subarray(offset + 8, Math.max(offset + 8, Math.min(end, offset + (size || end))));
    }
  return undefined;
};

const DECODER_CONFIG = 0x04;
const DECODER_SPECIFIC = 0x05;

/** The codec of an "esds" box, and its configuration: ISO/IEC 14496-1, section 7.2.6. */
const readDescriptors = (content: Uint8Array): { object: number; config: Uint8Array } => {
  let at = 4;
  let object = 0;
  while (at < Math.min(content.length, MAX_ENTRY_BYTES)) {
    const kind = content[at] ?? 0;
    let size = 0;
    do {
      at += 1;
      size = size * 128 + ((content[at] ?? 0) & 0x7f);
    } while (((content[at] ?? 0) & 0x80) !== 0 && at < content.length);
    at += 1;
    if (kind === 0x03) at += 3;
    else if (kind === DECODER_CONFIG) {
      object = content[at] ?? 0;
      at += 13;
    } else if (kind === DECODER_SPECIFIC) return { object, config: content.subarray(at, at + size) };
    else at += size;
  }
  return { object, config: content.subarray(0, 0) };
};

const SOUND = "soun";
const PICTURE = "vide";
/** Kinds of text, time codes and measurements, which decoders take for no sound whatever their handler says. */
const SILENT = new Set(
  "text|tx3g|c608|c708|wvtt|stpp|sbtt|stxt|mp4s|tmcd|rtp |mett|metx|mebx|gpmd|fdsc|camm|rtmd|djmd|dbgi|urim|mdta".split(
    "|",
  ),
);

const MPEG_LAYERS = new Set([0x69, 0x6b]);
const PLAIN = new Set(["sowt", "twos", "raw ", "NONE", "lpcm", "ipcm"]);

/** The counter for the packets of a sample description. */
const clockOf = (reader: ByteReader, table: Table): PacketClock | undefined => {
  // The first entry behind version and count.
  const at = table.at + 8;
  const kind = reader.tag(at + 4);
  const content = (name: string): Uint8Array | undefined =>
    findContent(reader, name, { at: at + 36, end: table.end });
  const rate = reader.u32(at + 32) >>> 16;
  const channels = reader.u16(at + 24);
  const isSecondVersion = reader.u16(at + 16) === 2;
  const descriptors = content("esds");
  if (kind === "mp4a" || descriptors) {
    const { object, config } = readDescriptors(descriptors ?? new Uint8Array());
    if (MPEG_LAYERS.has(object)) return mpegClock(reader);
    return aacClock(config) ?? aacClockOf(rate, channels);
  }
  if (kind === ".mp3" || kind === "ms\0U") return mpegClock(reader);
  const cookie = content("alac");
  if (kind === "alac" || cookie) return alacClock(reader, (cookie ?? new Uint8Array()).subarray(4));
  if (kind === "Opus" || content("dOps")) return opusClock(reader);
  const metadata = content("dfLa");
  if (kind === "fLaC" || metadata) return flacPacketClock(reader, (metadata ?? new Uint8Array()).subarray(4));
  if (kind === "samr" || kind === "sawb") return amrClock(reader, kind === "sawb");
  if (kind === "ac-3" || kind === "ec-3" || kind === "sac3") return ac3Clock(reader);
  const bits = isSecondVersion ? reader.u32(at + 56) : (SAMPLE_BITS[kind] ?? reader.u16(at + 26));
  if (PLAIN.has(kind) || SAMPLE_BITS[kind] !== undefined)
    return isSecondVersion
      ? pcmClock((reader.f64(at + 40) * reader.u32(at + 48) * bits) / 8)
      : pcmClock((rate * channels * bits) / 8);
  return undefined;
};

class Mp4File {
  private readonly tracks: Track[] = [];
  private movieSeconds = 0;
  private readonly defaults = new Map<number, number>();
  private moof = 0;
  private fragment: FragmentHeader = { base: 0, size: 0 };
  private fragmentTrack: Track | undefined;
  private end = 0;
  /** Bytes of packets that were read, each at least one. */
  private work = 0;
  private readonly pace = new Pace();
  /** There are more tracks than are read. */
  private isCut = false;
  /** Fragments are read once all tracks are known, which may follow them. */
  private readsFragments = false;

  constructor(private readonly reader: ByteReader) {}

  /** Walks the boxes between two offsets. */
  *walk(from: number, to: number, depth = 0): Generator<undefined, void> {
    const { reader } = this;
    for (let at = from; at + 8 <= to; ) {
      if (this.pace.isFull(1)) yield;
      const short = reader.u32(at);
      const size = short === 1 ? reader.u64(at + 8) : short === 0 ? to - at : short;
      const content = at + (short === 1 ? 16 : 8);
      if (size < 8) return;
      const name = reader.tag(at + 4);
      const end = Math.min(to, at + size);
      if (name === "moof") this.moof = at;
      if (name === "trak" && !this.readsFragments) this.addTrack();
      if (PARENTS.has(name) && depth < MAX_DEPTH) yield* this.walk(content, end, depth + 1);
      else if (!this.readsFragments) this.take(name, { at: content, end });
      else if (name === "tfhd") this.readFragment(content);
      else if (name === "trun") yield* this.readRun({ at: content, end });
      at += size;
    }
  }

  private addTrack(): void {
    this.isCut ||= this.tracks.length === MAX_TRACKS;
    if (!this.isCut) this.tracks.push(new Track());
  }

  /** Reads a table. Of several, decoders take the first or the last: the longer one counts. */
  private take(name: string, table: Table): void {
    const { reader } = this;
    const track = this.tracks.at(-1);
    const { at } = table;
    if (name === "mvhd") this.movieSeconds = Math.max(this.movieSeconds, this.readDuration(at));
    if (name === "trex") this.defaults.set(reader.u32(at + 4), reader.u32(at + 16));
    if (!track) return;
    if (name === "tkhd") track.id = reader.u32(at + (reader.u8(at) === 1 ? 20 : 12));
    if (name === "mdhd") track.statedSeconds = Math.max(track.statedSeconds, this.readDuration(at));
    if (name === "hdlr") track.handlers.add(reader.tag(at + 8));
    if (name === "stsd") track.description ??= table;
    if (name === "stsc") track.chunkRuns ??= table;
    if (name === "stco" || name === "co64") track.chunks ??= { ...table, isWide: name === "co64" };
    if (name === "stsz" || name === "stz2") {
      const before = track.sizes ? reader.u32(track.sizes.at + 8) : -1;
      if (reader.u32(at + 8) > before) track.sizes = { ...table, isCompact: name === "stz2" };
    }
  }

  private readDuration(at: number): number {
    const { reader } = this;
    const isLong = reader.u8(at) === 1;
    const scale = reader.u32(at + (isLong ? 20 : 12));
    const duration = isLong ? reader.u64(at + 24) : reader.u32(at + 16);
    return scale === 0 ? 0 : duration / scale;
  }

  private readFragment(start: number): void {
    const { reader } = this;
    const flags = reader.u32(start) & 0xffffff;
    const id = reader.u32(start + 4);
    let at = start + 8;
    const field = (bit: number, size: number): number | undefined => {
      if ((flags & bit) === 0) return undefined;
      at += size;
      return at - size;
    };
    const base = field(0x1, 8);
    field(0x2, 4);
    field(0x8, 4);
    const size = field(0x10, 4);
    this.fragmentTrack = this.tracks.find((track) => track.id === id) ?? this.tracks[0];
    this.fragment = {
      base: base === undefined ? this.moof : reader.u64(base),
      size: size === undefined ? (this.defaults.get(id) ?? 0) : reader.u32(size),
    };
    this.end = this.fragment.base;
  }

  private *readRun({ at: start, end }: Table): Generator<undefined, void> {
    const { reader, fragment } = this;
    const flags = reader.u32(start) & 0xffffff;
    let at = start + 8;
    if (flags & 0x1) {
      this.end = fragment.base + (reader.u32(at) | 0);
      at += 4;
    }
    if (flags & 0x4) at += 4;
    const isListed = (flags & 0x200) !== 0;
    const stride = [0x100, 0x200, 0x400, 0x800].reduce((sum, bit) => sum + (flags & bit ? 4 : 0), 0);
    const first = at + (flags & 0x100 ? 4 : 0);
    const fitting = stride > 0 ? Math.floor((end - at) / stride) : this.fitting(this.end, fragment.size);
    const count = Math.min(reader.u32(start + 4), fitting);
    const sizeAt = (index: number): number => (isListed ? reader.u32(first + index * stride) : fragment.size);
    if (this.fragmentTrack) yield* this.readPackets(this.fragmentTrack, { at: this.end, count, sizeAt });
  }

  /** Packets of one size that fit behind an offset. */
  private fitting(from: number, size: number): number {
    return size === 0 ? 0 : Math.max(0, Math.ceil((this.reader.length - from) / size));
  }

  /** Packets of a track's tables, chunk by chunk. @returns undefined at the end of a step. */
  private *chunksOf({ sizes, chunks, chunkRuns }: Track): Generator<Run | undefined> {
    if (!sizes || !chunks) return;
    const { reader } = this;
    const constant = sizes.isCompact ? 0 : reader.u32(sizes.at + 4);
    const width = sizes.isCompact ? reader.u8(sizes.at + 7) : 32;
    const listed = Math.floor(((sizes.end - sizes.at - 12) * 8) / Math.max(4, width));
    let left = Math.min(reader.u32(sizes.at + 8), constant > 0 ? Number.POSITIVE_INFINITY : listed);
    const sizeOf = (index: number): number => {
      const offset = sizes.at + 12;
      if (width === 4) return (reader.u8(offset + (index >> 1)) >> (index % 2 === 0 ? 4 : 0)) & 15;
      return width === 8
        ? reader.u8(offset + index)
        : width === 16
          ? reader.u16(offset + index * 2)
          : reader.u32(offset + index * 4);
    };
    const step = chunks.isWide ? 8 : 4;
    const count = Math.min(reader.u32(chunks.at + 4), Math.floor((chunks.end - chunks.at - 8) / step));
    const runs = chunkRuns && new ChunkRuns(reader, chunkRuns);
    let first = 0;
    for (let chunk = 0; chunk < count && left > 0; chunk += 1) {
      if (this.pace.isFull(1)) yield undefined;
      const at = chunks.isWide
        ? reader.u64(chunks.at + 8 + chunk * 8)
        : reader.u32(chunks.at + 8 + chunk * 4);
      const stated = runs?.entries ? yield* runs.countPackets(chunk, this.pace) : left;
      const taken = Math.min(left, stated, constant > 0 ? this.fitting(at, constant) : left);
      const from = first;
      yield { at, count: taken, sizeAt: (index) => constant || sizeOf(from + index) };
      first += taken;
      left -= taken;
    }
  }

  /** Packets may be listed again and again: beyond a bound, they are only counted. */
  private *readPackets(track: Track, { at, count, sizeAt }: Run): Generator<undefined, void> {
    const { length } = this.reader;
    let from = at;
    let index = 0;
    for (; index < count && this.work < length * MAX_READINGS; index += 1) {
      const end = from + sizeAt(index);
      const to = Math.min(end, length);
      const start = Math.max(0, from);
      const bytes = Math.max(0, to - start);
      this.work += Math.max(1, bytes);
      if (this.pace.isFull(1, bytes)) yield;
      if (track.clock) track.counted += yield* readPieces(track.clock, start, to);
      from = end;
    }
    if (track.clock) {
      track.packets += index;
      track.unread += count - index;
    }
    this.end = from;
  }

  /** The longest track; decoders read one. */
  *read(from: number): LengthReading {
    const { reader } = this;
    yield* this.walk(from, reader.length);
    for (const track of this.tracks) {
      this.chooseClock(track);
      if (!track.clock) continue;
      for (const run of this.chunksOf(track))
        if (run) yield* this.readPackets(track, run);
        else yield;
    }
    this.readsFragments = true;
    yield* this.walk(from, reader.length);
    const longest = Math.max(0, ...this.tracks.map(({ seconds }) => seconds));
    const stated = Math.max(this.movieSeconds, ...this.tracks.map(({ statedSeconds }) => statedSeconds));
    if (this.isCut || longest === 0)
      return Math.max(longest, stated, (reader.length - from) / USUAL_BYTES_PER_SECOND);
    return this.tracks.some((track) => track.isGuessed && track.seconds > 0)
      ? Math.max(longest, stated)
      : longest;
  }

  private chooseClock(track: Track): void {
    const { description, handlers } = track;
    track.clock = description && clockOf(this.reader, description);
    const kind = description ? this.reader.tag(description.at + 12) : "";
    if (track.clock || SILENT.has(kind) || (handlers.has(PICTURE) && !handlers.has(SOUND))) return;
    track.clock = sizeClock;
    track.isGuessed = true;
  }
}

/** @param from offset of the first box. */
export const readMp4 = (reader: ByteReader, from: number): LengthReading => new Mp4File(reader).read(from);
