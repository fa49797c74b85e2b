import { ByteReader } from "./byte-reader";
import { flacClock, flacStreamRate } from "./flac";
import { opusClock } from "./opus";
import { type LengthReading, MAX_READINGS, type PacketClock, STEP_BYTES } from "./steps";
import { vorbisClock } from "./vorbis";

/* Pages: https://www.rfc-editor.org/rfc/rfc3533#section-6. Their granule positions are not read: packets are counted. */

const PAGE_HEADER = 27;
const IS_CONTINUED = 1;
const IS_FIRST = 2;
const HEADERS_BEHIND = 2;
const MAX_STREAMS = 64;

const CRC_32 = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 24;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x80000000 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
  return crc >>> 0;
});

/** Decoders skip a page with a wrong checksum, and search its content for others. */
const isIntact = (reader: ByteReader, at: number, end: number): boolean => {
  if (end > reader.length) return false;
  let crc = 0;
  for (let index = at; index < end; index += 1) {
    const isChecksum = index >= at + 22 && index < at + 26;
    const byte = isChecksum ? 0 : (reader.bytes[index] ?? 0);
    crc = (crc << 8) ^ (CRC_32[(crc >>> 24) ^ byte] ?? 0);
  }
  return crc >>> 0 === reader.u32(at + 22, true);
};

/** Heads of streams of pictures and text. */
const SILENT_HEADS = ["\x80theora", "BBCD", "OVP80", "\x01video", "\x01text", "fishead", "\x80kate", "CMML"];

/** Vorbis and Opus at their usual lowest rate. */
const LEAST_BYTES_PER_SECOND = 2000;

const SPEEX_FRAME_SAMPLES = 160;
const MAX_SPEEX_FRAMES = 64;

/** https://www.speex.org/docs/manual/speex-manual/node8.html */
const speexClock = (reader: ByteReader, at: number): PacketClock | undefined => {
  const rate = reader.u32(at + 36, true);
  const frames = Math.min(MAX_SPEEX_FRAMES, Math.max(1, reader.u32(at + 64, true)));
  const samples = SPEEX_FRAME_SAMPLES * 2 ** Math.min(2, reader.u32(at + 40, true)) * frames;
  return rate === 0 ? undefined : (from, to) => (to > from ? samples / rate : 0);
};

/** Headers of codecs are some thousand bytes; comments, which may contain pictures, are not kept. */
const MAX_SETUP_BYTES = 1024 * 1024;
const VORBIS_SETUP = 5;

/** One logical stream, which starts with the headers of its codec. */
class OggStream {
  seconds = 0;
  isUnfinished = false;
  private head: Uint8Array | undefined;
  private parts: Uint8Array[] = [];
  private partBytes = 0;
  private clock: PacketClock | undefined;
  private isSilent = false;
  /** Packets of headers that follow the first. */
  private headersLeft = 0;

  constructor(private readonly reader: ByteReader) {}

  /** Takes the part of a packet within one page. */
  take(from: number, to: number, isStart: boolean, isEnd: boolean): void {
    if (this.head && this.headersLeft === 0) {
      if (this.clock) this.seconds += isStart ? this.clock(from, to) : 0;
      // Sound of an unknown kind would be free beside a stream that is known.
      else if (!this.isSilent) this.seconds += (to - from) / LEAST_BYTES_PER_SECOND;
      return;
    }
    if (isStart) {
      this.parts = [];
      this.partBytes = 0;
    }
    if (this.partBytes < MAX_SETUP_BYTES) this.parts.push(this.reader.bytes.subarray(from, to));
    this.partBytes += to - from;
    if (!isEnd) return;
    if (this.head) this.readHeader(this.head);
    else this.readHead();
  }

  private readHead(): void {
    const head = Buffer.concat(this.parts);
    const header = new ByteReader(head);
    this.head = head;
    if (header.tag(0, 8) === "OpusHead") this.begin(1, opusClock(this.reader));
    else if (header.tag(0, 8) === "Speex   ") this.begin(1 + header.u32(68, true), speexClock(header, 0));
    else if (header.tag(1) === "FLAC")
      this.begin(header.u16(7), flacClock(this.reader, flacStreamRate(header, 17)));
    else if (header.tag(1, 6) === "vorbis") this.begin(HEADERS_BEHIND, undefined);
    else this.isSilent = SILENT_HEADS.some((name) => header.tag(0, name.length) === name);
  }

  /** A number of headers that no codec has would hide packets. */
  private begin(headers: number, clock: PacketClock | undefined): void {
    this.headersLeft = Math.min(headers, HEADERS_BEHIND);
    this.clock = clock;
  }

  private readHeader(head: Uint8Array): void {
    this.headersLeft -= 1;
    if (this.parts[0]?.[0] === VORBIS_SETUP)
      this.clock ??= vorbisClock(this.reader, head, Buffer.concat(this.parts));
    this.parts = [];
  }
}

/** Chained streams follow each other; of those that start together, decoders read one. */
class OggFile {
  private before = 0;
  private streams = new Map<number, OggStream>();
  private last: OggStream | undefined;
  private hasContent = false;
  /** There are more streams than are told apart. */
  isCut = false;

  constructor(private readonly reader: ByteReader) {}

  get seconds(): number {
    return this.before + Math.max(0, ...[...this.streams.values()].map(({ seconds }) => seconds));
  }

  private streamOf(serial: number, isFirst: boolean): OggStream {
    if (isFirst && (this.hasContent || this.streams.has(serial))) {
      this.before = this.seconds;
      this.streams = new Map();
      this.hasContent = false;
    }
    // A page of an unknown stream belongs to the last one.
    const isFull = this.streams.size >= MAX_STREAMS;
    this.isCut ||= isFull && isFirst && !this.streams.has(serial);
    const known = this.streams.get(serial) ?? (isFirst && !isFull ? undefined : this.last);
    const stream = known ?? new OggStream(this.reader);
    if (!known) this.streams.set(serial, stream);
    this.hasContent ||= !isFirst;
    this.last = stream;
    return stream;
  }

  takePage(at: number, content: number): void {
    const { reader } = this;
    const flags = reader.u8(at + 5);
    const stream = this.streamOf(reader.u32(at + 14, true), (flags & IS_FIRST) !== 0);
    let isStart = !((flags & IS_CONTINUED) !== 0 && stream.isUnfinished);
    let from = content;
    let to = content;
    for (let index = at + PAGE_HEADER; index < content; index += 1) {
      const size = reader.u8(index);
      to += size;
      if (size === 255 && index + 1 < content) continue;
      stream.take(from, Math.min(to, reader.length), isStart, size < 255);
      stream.isUnfinished = size === 255;
      isStart = true;
      from = to;
    }
  }
}

/** Length of a page's content by its table of segments. */
const contentBytes = (reader: ByteReader, at: number, segments: number): number => {
  let size = 0;
  for (let index = 0; index < segments; index += 1) size += reader.u8(at + PAGE_HEADER + index);
  return size;
};

const MARK = Buffer.from("OggS");

/** @param from offset of the first page. */
export function* readOgg(reader: ByteReader, from: number): LengthReading {
  const file = new OggFile(reader);
  const { bytes } = reader;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let pause = STEP_BYTES;
  let work = 0;
  const maxWork = reader.length * MAX_READINGS;
  for (let at = from; work < maxWork && at !== -1 && at + PAGE_HEADER <= reader.length; ) {
    const segments = reader.u8(at + 26);
    const content = at + PAGE_HEADER + segments;
    const end = content + contentBytes(reader, at, segments);
    work += PAGE_HEADER + Math.min(end, reader.length) - at;
    if (work > pause) {
      pause = work + STEP_BYTES;
      yield;
    }
    file.takePage(at, content);
    at = buffer.indexOf(MARK, isIntact(reader, at, end) ? end : at + MARK.length);
  }
  const isWhole = !file.isCut && work < maxWork && file.seconds > 0;
  return isWhole ? file.seconds : Math.max(file.seconds, reader.length / LEAST_BYTES_PER_SECOND);
}
