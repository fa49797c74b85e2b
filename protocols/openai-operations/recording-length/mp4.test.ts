import { describe, expect, it } from "vitest";
import { readDurationInSteps, readDurationSeconds } from "../audio-duration";

const u32 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => {
    bytes.writeUInt32BE(value, index * 4);
  });
  return bytes;
};

const box = (name: string, ...contents: Uint8Array[]): Buffer => {
  const content = Buffer.concat(contents);
  return Buffer.concat([u32(content.length + 8), Buffer.from(name), content]);
};

interface Tables {
  kind: string;
  sizes: Buffer;
  /** Packets of each chunk. */
  perChunk: number;
  chunks: number[];
  handler?: string;
  /** Entries of chunks with equally many packets: the first chunk, packets, description. */
  runs?: number[];
}

const track = ({ kind, sizes, perChunk, chunks, handler, runs }: Tables): Buffer => {
  const entry = Buffer.alloc(36);
  entry.writeUInt32BE(36, 0);
  entry.write(kind, 4);
  const table = box(
    "stbl",
    box("stsd", u32(0, 1), entry),
    box("stsz", u32(0), sizes),
    box("stsc", u32(0, (runs?.length ?? 3) / 3, ...(runs ?? [1, perChunk, 1]))),
    box("stco", u32(0, chunks.length), u32(...chunks)),
  );
  const handlers = handler === undefined ? [] : [box("hdlr", u32(0, 0), Buffer.from(handler))];
  return box("trak", box("mdia", ...handlers, box("minf", table)));
};

/** A file whose sound begins behind its first 24 bytes. */
const mp4 = (sound: Buffer, ...tracks: Buffer[]): Buffer =>
  Buffer.concat([box("ftyp", u32(0, 0)), box("mdat", sound), box("moov", ...tracks)]);
const SOUND_AT = 24;

const countSteps = (file: Buffer): number => {
  const steps = readDurationInSteps(file);
  let count = 0;
  while (count < 5000 && !steps.next().done) count += 1;
  return count;
};

/** One packet of Opus is 20 ms. */
const OPUS = Buffer.from([8, 0]);
const repeated = (count: number): number[] => Array.from({ length: count }, () => SOUND_AT);

describe("an MP4 file that lists its packets again and again", () => {
  const file = mp4(
    Buffer.alloc(1000, OPUS),
    track({ kind: "Opus", sizes: u32(2, 0xffffffff), perChunk: 500, chunks: repeated(5000) }),
  );

  it("is read in steps whose number its size bounds", () => {
    expect(countSteps(file)).toBeLessThan(200);
  });

  it("counts those that it does not read", () => {
    expect(readDurationSeconds(file)).toBeCloseTo(5000 * 500 * 0.02, 0);
  });

  it("counts those behind packets without sound", () => {
    const silent = track({ kind: "fLaC", sizes: u32(1, 0xffffffff), perChunk: 1000, chunks: repeated(1000) });
    const opus = track({ kind: "Opus", sizes: u32(2, 500), perChunk: 500, chunks: repeated(1) });
    expect(readDurationSeconds(mp4(Buffer.alloc(1000, OPUS), silent, opus))).toBeGreaterThan(9.9);
  });

  it("counts chunks that are said to have no packets", () => {
    const runs = [1, 0, 1, 3, 5, 1];
    const opus = track({ kind: "Opus", sizes: u32(2, 20), perChunk: 5, chunks: repeated(4), runs });
    expect(readDurationSeconds(mp4(Buffer.alloc(100, OPUS), opus))).toBeCloseTo(0.4, 3);
  });

  it("ends a step within chunks that have no packets", () => {
    const chunks = Array.from({ length: 50_000 }, () => 0xffffffff);
    const file = mp4(OPUS, track({ kind: "Opus", sizes: u32(2, 20), perChunk: 0, chunks }));
    expect(countSteps(file)).toBeGreaterThan(20);
  });

  it("reads no bytes before its first", () => {
    const offset = box("trun", u32(0x201, 1, 0x80000000, 0xfffffff0));
    const moof = box("moof", box("traf", box("tfhd", u32(0, 0)), offset));
    const opus = track({ kind: "fLaC", sizes: u32(2, 0), perChunk: 1, chunks: [] });
    expect(countSteps(Buffer.concat([mp4(Buffer.alloc(100), opus), moof]))).toBeLessThan(200);
  });
});

describe("an MP4 file with one packet of Opus beside another track", () => {
  const opus = track({ kind: "Opus", sizes: u32(2, 1), perChunk: 1, chunks: [SOUND_AT] });
  const other = (kind: string, handler?: string): Buffer =>
    track({ kind, sizes: u32(4000, 60), perChunk: 60, chunks: [SOUND_AT], ...(handler && { handler }) });
  const fileOf = (...tracks: Buffer[]): Buffer => mp4(Buffer.alloc(240_000, OPUS), opus, ...tracks);

  it.each([
    ["dtsc", undefined],
    ["dtsc", "soun"],
    ["dtsc", "text"],
    ["enca", "soun"],
  ])("counts sound of the kind %s with the handler %s by its size", (kind, handler) => {
    expect(readDurationSeconds(fileOf(other(kind, handler)))).toBeCloseTo(60, 0);
  });

  it.each([
    ["avc1", "vide"],
    ["tx3g", "sbtl"],
  ])("counts no %s", (kind, handler) => {
    expect(readDurationSeconds(fileOf(other(kind, handler)))).toBeCloseTo(0.02, 3);
  });

  it("believes a stated length that is longer", () => {
    const header = box("mvhd", u32(0, 0, 0, 1, 300));
    expect(readDurationSeconds(fileOf(header, other("dtsc")))).toBe(300);
    expect(readDurationSeconds(fileOf(header, other("avc1", "vide")))).toBeCloseTo(0.02, 3);
  });

  it("counts by the size behind more tracks than are read", () => {
    const decoys = Array.from({ length: 1200 }, () => box("trak"));
    expect(readDurationSeconds(fileOf(...decoys, other("dtsc")))).toBeGreaterThan(60);
  });
});
