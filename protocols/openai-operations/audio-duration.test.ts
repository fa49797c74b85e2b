import { recordWav } from "@tollgate/testkit/answer-shapes/recording";
import { someOf } from "@tollgate/testkit/seeds";
import { describe, expect, it } from "vitest";
import { readDurationSeconds } from "./audio-duration";

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
const zeros = (count: number): number[] => Array.from({ length: count }, () => 0);
const box = (name: string, content: Uint8Array): Uint8Array => bytes(u32(content.length + 8), name, content);

/** 44.1 kHz, 16 bits, stereo, 441000 samples. */
const FLAC = bytes("fLaC", [0x80, 0, 0, 34], zeros(10), [0x0a, 0xc4, 0x42, 0xf0], u32(441_000), zeros(2000));

const mvhd = bytes([0, 0, 0, 0], u32(1), u32(2), u32(600), u32(5400), zeros(80));
const MP4 = bytes(
  box("ftyp", bytes("M4A ", zeros(12))),
  box("mdat", bytes(zeros(1000))),
  box("moov", box("mvhd", mvhd)),
);

const page = (granule: number, content: Uint8Array): Uint8Array =>
  bytes("OggS", [0, 0], le32(granule), zeros(4), zeros(12), [1, content.length], content);
const OPUS = bytes(page(0, bytes("OpusHead", zeros(11))), page(96_000, bytes(zeros(50))));
const VORBIS = bytes(
  page(0, bytes([1], "vorbis", zeros(4), [2], le32(44_100), zeros(14))),
  page(44_100 * 3, bytes(zeros(200))),
);

/** MPEG 1 layer III, 128 kbit/s, 44.1 kHz, stereo. */
const FRAME = [0xff, 0xfb, 0x90, 0x00];
const MP3 = bytes(FRAME, zeros(32_000 - 4));
const MP3_TAGGED = bytes("ID3", [4, 0, 0, 0, 0, 0, 10], zeros(10), FRAME, zeros(16_000 - 4));
const MP3_VARIABLE = bytes(FRAME, zeros(32), "Xing", u32(1), u32(1000), zeros(20_000));

describe("readDurationSeconds", () => {
  it.each([
    ["WAV", recordWav(2.5), 2.5],
    ["FLAC", FLAC, 10],
    ["MP4", MP4, 9],
    ["Opus in Ogg", OPUS, 2],
    ["Vorbis in Ogg", VORBIS, 3],
    ["MP3 of constant bitrate", MP3, 2],
    ["MP3 behind a tag", MP3_TAGGED, 1],
    ["MP3 of variable bitrate", MP3_VARIABLE, (1000 * 1152) / 44_100],
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

  it.each([
    ["nothing", bytes()],
    ["text", bytes("this is not a recording at all, only a text that is long enough")],
    ["a fragmented MP4", bytes(box("ftyp", bytes(zeros(16))), box("moov", box("mvhd", bytes(zeros(100)))))],
    ["a WAV without data", recordWav(1).subarray(0, 44)],
  ])("knows nothing of %s", (_, recording) => {
    expect(readDurationSeconds(recording) ?? 0).toBe(0);
  });

  it("does not believe a header that would make a long recording cheap, or a short one endless", () => {
    const cheap = recordWav(3);
    cheap.writeUInt32LE(0x7fffffff, 28);
    expect(readDurationSeconds(cheap)).toBeCloseTo(3, 5);
    const few = bytes(FRAME, zeros(32), "Xing", u32(1), u32(10), zeros(100_000));
    expect(readDurationSeconds(few)).toBeGreaterThan(2);
    const many = bytes(FRAME, zeros(32), "Xing", u32(1), u32(1_000_000), zeros(1000));
    expect(readDurationSeconds(many)).toBeLessThan(1);
  });

  it("adds up the frames of an MP3 whose bitrate changes, instead of going by the first", () => {
    const slow = bytes([0xff, 0xfb, 0x10, 0x00], zeros(100));
    const fast = bytes(FRAME, zeros(413));
    const recording = Buffer.concat([slow, ...Array.from({ length: 999 }, () => fast)]);
    expect(readDurationSeconds(recording)).toBeCloseTo((1000 * 1152) / 44_100, 5);
  });

  it("reads whatever bytes come without failing", () => {
    for (const recording of [recordWav(1), FLAC, MP4, OPUS, VORBIS, MP3, MP3_TAGGED, MP3_VARIABLE]) {
      for (const length of someOf([...recording.subarray(0, 400).keys()])) {
        expect(() => readDurationSeconds(recording.subarray(0, length))).not.toThrow();
      }
      for (const at of someOf([...recording.subarray(0, 200).keys()])) {
        const spoilt = Uint8Array.from(recording);
        spoilt[at] = 255;
        expect(() => readDurationSeconds(spoilt)).not.toThrow();
      }
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

  /** 16 kHz, 16 bits, mono, as speech is packed: 18,000 bytes a second. */
  const flac = (statedSeconds: number): Uint8Array => {
    const samples = statedSeconds * 16_000;
    const info = bytes(
      "fLaC",
      [0x80, 0, 0, 34],
      zeros(10),
      [0x03, 0xe8, 0x00, 0xf0],
      u32(samples),
      zeros(16),
    );
    return Buffer.concat([info, Buffer.alloc(SECONDS * 18_000, 0x55)]);
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
    ["FLAC, number of samples", () => flac(4), 0.08],
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
    ["FLAC", () => flac(SECONDS)],
  ])("%s: an honest one costs what it is", (_, make) => {
    expect(readDurationSeconds(make())).toBeGreaterThan(SECONDS * 0.99);
    expect(readDurationSeconds(make())).toBeLessThan(SECONDS * 1.02);
  });
});
