import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { recordWav } from "@tollgate/testkit/answer-shapes/recording";
import { someOf } from "@tollgate/testkit/seeds";
import { describe, expect, it } from "vitest";
import { readDurationInSteps, readDurationSeconds } from "./audio-duration";

const bytes = (...pieces: (string | number[] | Uint8Array)[]): Uint8Array =>
  Buffer.concat(
    pieces.map((piece) => (typeof piece === "string" ? Buffer.from(piece, "latin1") : Buffer.from(piece))),
  );

const u32 = (value: number): number[] => [
  value >>> 24,
  (value >>> 16) & 255,
  (value >>> 8) & 255,
  value & 255,
];
const le32 = (value: number): number[] => u32(value).reverse();
const FOLDER = fileURLToPath(new URL("../../testkit/recordings/files/", import.meta.url));
const readRecording = (name: string): Buffer => readFileSync(`${FOLDER}${name}`);
const zeros = (count: number): number[] => Array.from({ length: count }, () => 0);
const box = (name: string, content: Uint8Array): Uint8Array => bytes(u32(content.length + 8), name, content);

const page = (granule: number, content: Uint8Array): Uint8Array =>
  bytes("OggS", [0, 0], le32(granule), zeros(4), zeros(12), [1, content.length], content);
/** MPEG 1 layer III, 128 kbit/s, 44.1 kHz, stereo. */
const FRAME = [0xff, 0xfb, 0x90, 0x00];
/** A whole frame. */
const WHOLE_FRAME = bytes(FRAME, zeros(413));
const framesOf = (count: number): Uint8Array =>
  Buffer.concat(Array.from({ length: count }, () => WHOLE_FRAME));
const FRAME_SECONDS = 1152 / 44_100;

/** Frames whose header, without the bits that vary, says that their bit rate is free. */
const FREE_FRAMES = Buffer.concat(
  Array.from({ length: 50 }, () => bytes([0xff, 0xfb, 0x00, 0x00], zeros(300))),
);

describe("readDurationSeconds", () => {
  it.each([
    ["a WAV", recordWav(2.5), 2.5],
    ["a WAV behind a tag", bytes("ID3", [4, 0, 0, 0, 0, 0, 10], zeros(10), recordWav(2)), 2],
    ["an MP3", framesOf(100), 100 * FRAME_SECONDS],
    ["an MP3 behind a tag", bytes("ID3", [4, 0, 0, 0, 0, 0, 10], zeros(10), framesOf(9)), 9 * FRAME_SECONDS],
    ["an MP3 behind something unknown", bytes(zeros(500), framesOf(100)), 100 * FRAME_SECONDS],
    ["an MP3 of a free bit rate", FREE_FRAMES, 50 * FRAME_SECONDS],
    [
      "an MP3 behind a tag whose size is wrong",
      bytes("ID3", [4, 0, 0, 127, 127, 127, 127], framesOf(100)),
      100 * FRAME_SECONDS,
    ],
  ])("reads %s", (_, recording, seconds) => {
    expect(readDurationSeconds(recording)).toBeCloseTo(seconds, 5);
  });

  it("takes the bytes that are there when a WAV was written while recording", () => {
    const open = recordWav(3);
    open.writeUInt32LE(0xffffffff, 40);
    expect(readDurationSeconds(open)).toBeCloseTo(3, 5);
    open.writeUInt32LE(0, 40);
    expect(readDurationSeconds(open)).toBeCloseTo(3, 5);
  });

  it("takes the longest of several formats of a WAV, and all of its sound (M16)", () => {
    const honest = recordWav(62);
    const lying = Buffer.from(honest.subarray(12, 36));
    lying.writeUInt32LE(62_000, 12);
    const [head, sound] = [honest.subarray(0, 36), honest.subarray(36)];
    expect(readDurationSeconds(Buffer.concat([head, lying, sound]))).toBeCloseTo(62, 5);
    expect(
      readDurationSeconds(Buffer.concat([honest.subarray(0, 12), lying, head.subarray(12), sound])),
    ).toBeCloseTo(62, 5);
    expect(readDurationSeconds(Buffer.concat([head, sound, sound]))).toBeCloseTo(124, 5);
  });

  it.each([
    ["nothing", bytes()],
    ["text", bytes("this is not a recording at all, only a text that is long enough")],
    ["a WAV without data", recordWav(1).subarray(0, 44)],
  ])("knows nothing of %s", (_, recording) => {
    expect(readDurationSeconds(recording)).toBeUndefined();
  });

  it("does not believe the bytes per second of a WAV", () => {
    const cheap = recordWav(3);
    cheap.writeUInt32LE(0x7fffffff, 28);
    expect(readDurationSeconds(cheap)).toBeCloseTo(3, 5);
  });

  it("finds frames that an imitation of a frame would hide", () => {
    // 320 kbit/s: the imitation reaches over two real frames, and ends within a third.
    const imitation = bytes([0xff, 0xfb, 0xe0, 0x00]);
    const recording = Buffer.concat([
      framesOf(20),
      ...Array.from({ length: 20 }, () => [imitation, framesOf(3)]).flat(),
    ]);
    expect(readDurationSeconds(recording)).toBeGreaterThan(80 * FRAME_SECONDS);
  });

  it("finds pages that an imitation of a page would hide", () => {
    const opus = readRecording("opus.ogg");
    const honest = readDurationSeconds(opus) ?? 0;
    const second = opus.indexOf("OggS", 1);
    const imitation = bytes("OggS", zeros(22), [255], Buffer.alloc(255, 255));
    const recording = Buffer.concat([opus.subarray(0, second), imitation, opus.subarray(second)]);
    expect(readDurationSeconds(recording)).toBeGreaterThan(honest * 0.99);
  });

  it("adds up the streams of a chained Ogg file", () => {
    const opus = readRecording("opus.ogg");
    const vorbis = readRecording("vorbis.ogg");
    const seconds = [opus, vorbis].map((file) => readDurationSeconds(file) ?? 0);
    expect(readDurationSeconds(Buffer.concat([opus, vorbis]))).toBeCloseTo(
      (seconds[0] ?? 0) + (seconds[1] ?? 0),
      5,
    );
  });

  it("adds up the frames of an MP3 whose bitrate changes, instead of going by the first", () => {
    const slow = bytes([0xff, 0xfb, 0x10, 0x00], zeros(100));
    expect(readDurationSeconds(Buffer.concat([slow, framesOf(999)]))).toBeCloseTo(1000 * FRAME_SECONDS, 5);
  });

  it("reads any bytes without failing", () => {
    for (const name of readdirSync(FOLDER)) {
      const recording = readRecording(name);
      for (const length of someOf([...recording.subarray(0, 400).keys()])) {
        expect(() => readDurationSeconds(recording.subarray(0, length))).not.toThrow();
      }
      for (const at of someOf([...recording.subarray(0, 400).keys()])) {
        const spoilt = Uint8Array.from(recording);
        spoilt[at] = 255;
        expect(() => readDurationSeconds(spoilt)).not.toThrow();
      }
    }
  });

  it("yields after a bounded number of steps, whatever 4 MB hold", () => {
    const size = 4 * 1024 * 1024;
    const head = readRecording("opus.webm").subarray(0, 420);
    const units = [
      bytes([0xff, 0xfb, 0x90]),
      bytes([0xff, 0xf3, 0x14, 0xc4], zeros(20)),
      bytes("OggS"),
      bytes("OggS", zeros(22), [255], Buffer.alloc(255, 1), Buffer.alloc(255, 8)),
      bytes([0xff, 0xf8, 0xc9, 8, 0]),
      bytes(u32(8), "trak"),
      bytes([0xa3, 0x85, 0x81, 0, 0, 0, 8]),
      bytes([0x1f, 0x43, 0xb6, 0x75, 0]),
      bytes("COMM", u32(0)),
    ];
    const begins = [bytes(), bytes("fLaC"), bytes(u32(8), "ftyp"), bytes("FORM", u32(0), "AIFF"), head];
    for (const begin of begins)
      for (const unit of units) {
        const steps = readDurationInSteps(Buffer.concat([begin, Buffer.alloc(size, unit)]));
        let count = 0;
        let longest = 0;
        for (let isOver = false; !isOver; count += 1) {
          const before = process.cpuUsage();
          isOver = steps.next().done === true;
          longest = Math.max(longest, process.cpuUsage(before).user / 1000);
        }
        expect(count).toBeLessThan(10_000);
        // Generous: a step takes a few milliseconds, to which compiling and collecting are added.
        expect(longest).toBeLessThan(300);
      }
  });
});

describe("a header that lies about a long recording (M7)", () => {
  const SECONDS = 1800;

  const wav = (
    format: number,
    bits: number,
    bytesPerSecond: number,
    lie?: { at: number; value: number },
  ): Buffer => {
    const recording = Buffer.alloc(44 + SECONDS * bytesPerSecond);
    recordWav(0).copy(recording);
    recording.writeUInt32LE(recording.length - 44, 40);
    recording.writeUInt16LE(format, 20);
    recording.writeUInt32LE(8000, 24);
    recording.writeUInt32LE(bytesPerSecond, 28);
    recording.writeUInt16LE(bits / 8, 32);
    recording.writeUInt16LE(bits, 34);
    if (lie?.at === 32) recording.writeUInt16LE(lie.value, lie.at);
    else if (lie) recording.writeUInt32LE(lie.value, lie.at);
    return recording;
  };

  const mp3 = (statedFrames?: number, junkBytes = 0): Buffer => {
    const frame = Buffer.alloc(417 + junkBytes, 0x55);
    Buffer.from(FRAME).copy(frame);
    const count = Math.ceil((SECONDS * 44_100) / 1152);
    const recording = Buffer.concat(Array.from({ length: count }, () => frame));
    if (statedFrames !== undefined) Buffer.from(bytes("Xing", u32(1), u32(statedFrames))).copy(recording, 36);
    return recording;
  };

  /** 16 kbit/s: packets of 20 ms and 40 bytes, fifty on a page. */
  const opus = (statedSamples?: number): Buffer => {
    const packet = Buffer.alloc(40, 0x33);
    packet[0] = 1 << 3;
    const table = Array.from({ length: 50 }, () => 40);
    const pages: Uint8Array[] = [
      page(0, bytes("OpusHead", zeros(11))),
      page(0, bytes("OpusTags", zeros(11))),
    ];
    for (let second = 1; second <= SECONDS; second += 1)
      pages.push(
        bytes("OggS", [0, 0], le32(statedSamples ?? second * 48_000), zeros(4), zeros(12), [50], table),
        ...table.map(() => packet),
      );
    return Buffer.concat(pages);
  };

  const m4a = (statedSeconds: number): Uint8Array => {
    const rate = 16_000;
    const count = Math.ceil((SECONDS * rate) / 1024);
    const entry = bytes(u32(36), "mp4a", zeros(6), [0, 1], zeros(8), [0, 1, 0, 16], zeros(4), [
      rate >> 8,
      rate & 255,
      0,
      0,
    ]);
    const sizes = box("stsz", bytes(u32(0), u32(0), u32(count), new Uint8Array(count * 4)));
    const table = box("stbl", bytes(box("stsd", bytes(u32(0), u32(1), entry)), sizes));
    const header = box("mvhd", bytes(u32(0), u32(1), u32(2), u32(600), u32(600 * statedSeconds), zeros(80)));
    const movie = box("moov", bytes(header, box("trak", box("mdia", box("minf", table)))));
    return bytes(box("ftyp", bytes("M4A ", zeros(12))), box("mdat", new Uint8Array(SECONDS * 4000)), movie);
  };

  it.each<[string, () => Uint8Array, number]>([
    ["WAV, bytes per second", () => wav(1, 16, 16_000, { at: 28, value: 0x7fffffff }), 1],
    ["WAV, size of a block", () => wav(1, 16, 16_000, { at: 32, value: 65_535 }), 1],
    ["WAV, size of the samples", () => wav(1, 16, 16_000, { at: 40, value: 64_000 }), 1],
    ["µ-law in WAV, bytes per second", () => wav(7, 8, 8000, { at: 28, value: 0x7fffffff }), 1],
    ["ADPCM in WAV, bytes per second", () => wav(2, 4, 4000, { at: 28, value: 0x7fffffff }), 0.8],
    ["MP3, number of frames", () => mp3(100), 1],
    ["MP3, number of frames, with something between the frames", () => mp3(100, 600), 1],
    ["Opus, samples before the end", () => opus(48_000 * 4), 1],
    ["MP4, length of the movie", () => m4a(4), 1],
  ])("%s: is not believed", (_, make, share) => {
    const seconds = readDurationSeconds(make()) ?? 0;
    expect(seconds).toBeGreaterThan(SECONDS * share * 0.95);
    expect(seconds).toBeLessThan(SECONDS * 1.1);
  });

  it.each<[string, () => Uint8Array]>([
    ["WAV", () => wav(1, 16, 16_000)],
    ["ADPCM in WAV", () => wav(2, 4, 4000)],
    ["MP3", () => mp3()],
    ["MP3 with its number of frames", () => mp3(Math.ceil((SECONDS * 44_100) / 1152))],
    ["Opus", () => opus()],
    ["MP4", () => m4a(SECONDS)],
  ])("%s: an honest one costs what it is", (_, make) => {
    expect(readDurationSeconds(make())).toBeGreaterThan(SECONDS * 0.99);
    expect(readDurationSeconds(make())).toBeLessThan(SECONDS * 1.02);
  });
});
