import { recordWav } from "@tollgate/testkit/answer-shapes/recording";
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
    expect(readDurationSeconds(few)).toBeUndefined();
    const many = bytes(FRAME, zeros(32), "Xing", u32(1), u32(1_000_000), zeros(1000));
    expect(readDurationSeconds(many)).toBeUndefined();
  });

  it("reads whatever bytes come without failing", () => {
    for (const recording of [recordWav(1), FLAC, MP4, OPUS, VORBIS, MP3, MP3_TAGGED, MP3_VARIABLE]) {
      for (let length = 0; length < Math.min(recording.length, 400); length += 1) {
        expect(() => readDurationSeconds(recording.subarray(0, length))).not.toThrow();
      }
      for (let at = 0; at < Math.min(recording.length, 200); at += 1) {
        const spoilt = Uint8Array.from(recording);
        spoilt[at] = 255;
        expect(() => readDurationSeconds(spoilt)).not.toThrow();
      }
    }
  });
});
