import { finishSteps } from "../shared/json/finish-steps";
import { ByteReader } from "./recording-length/byte-reader";
import { readFlac } from "./recording-length/flac";
import { readMatroska } from "./recording-length/matroska";
import { readMp4 } from "./recording-length/mp4";
import { findFrames, readFrames } from "./recording-length/mpeg-frames";
import { readOgg } from "./recording-length/ogg";
import { readAiff, readAmr, readAu } from "./recording-length/other-containers";
import type { LengthReading } from "./recording-length/steps";
import { readWav } from "./recording-length/wav";

/*
 * Length of a recording as a decoder finds it. Headers are the client's own word, and decoders ignore most of them: frames,
 * packets and samples are counted instead.
 */

const MAX_TAGS = 100;

/** The start of the recording after tags: https://id3.org/id3v2.4.0-structure, section 3.1 */
const skipTags = (reader: ByteReader): number => {
  let at = 0;
  for (let count = 0; count < MAX_TAGS && reader.tag(at, 3) === "ID3"; count += 1) {
    const size = [6, 7, 8, 9].reduce((sum, index) => sum * 128 + (reader.u8(at + index) & 0x7f), 0);
    const hasFooter = (reader.u8(at + 5) & 0x10) !== 0;
    const end = at + 10 + size + (hasFooter ? 10 : 0);
    // If a tag covers the whole file, its content is searched for frames.
    if (end >= reader.length) return at + 10;
    at = end;
  }
  return at;
};

/** Boxes that may start an MP4 or QuickTime file. */
const MP4_BOXES = new Set("ftyp|styp|moov|moof|mdat|free|skip|wide|pnot|udta|uuid|sidx".split("|"));
const PROBED_BOXES = 10;

/** Decoders skip boxes that they do not know. */
const isMp4 = (reader: ByteReader, from: number): boolean => {
  let at = from;
  for (let count = 0; count < PROBED_BOXES && at + 8 <= reader.length; count += 1) {
    if (MP4_BOXES.has(reader.tag(at + 4))) return true;
    const size = reader.u32(at) === 1 ? reader.u64(at + 8) : reader.u32(at);
    if (size < 8) return false;
    at += size;
  }
  return false;
};

const WAV_MARKS = new Set(["RIFF", "RIFX", "RF64", "BW64"]);
const W64_MARK = "riff";
const EBML = 0x1a45dfa3;

/** Chooses the format by the file's first bytes. */
const readKnown = (reader: ByteReader, from: number): LengthReading | undefined => {
  const mark = reader.tag(from);
  const isWav = WAV_MARKS.has(mark) && reader.tag(from + 8) === "WAVE";
  if (isWav || (mark === W64_MARK && reader.tag(from + 24) === "wave"))
    return readWav(new ByteReader(reader.bytes.subarray(from)));
  if (mark === "fLaC") return readFlac(reader, from);
  if (mark === "OggS") return readOgg(reader, from);
  if (reader.u32(from) === EBML) return readMatroska(reader, from);
  if (isMp4(reader, from)) return readMp4(new ByteReader(reader.bytes.subarray(from)), 0);
  if (mark === "FORM" && /^AIF[FC]$/.test(reader.tag(from + 8)))
    return readAiff(new ByteReader(reader.bytes.subarray(from)));
  if (mark === ".snd") return readAu(new ByteReader(reader.bytes.subarray(from)));
  return readAmr(new ByteReader(reader.bytes.subarray(from)));
};

/** @see readDurationSeconds */
export function* readDurationInSteps(bytes: Uint8Array): LengthReading {
  const reader = new ByteReader(bytes);
  const start = skipTags(reader);
  const known = readKnown(reader, start);
  let seconds: number | undefined;
  if (known) seconds = yield* known;
  else {
    const hasSync = reader.u16(start) >>> 5 === 0x7ff;
    const frames = start > 0 || hasSync ? start : findFrames(reader);
    seconds = frames === -1 ? undefined : yield* readFrames(reader, frames);
  }
  return seconds !== undefined && Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
}

/**
 * Length of a recording in seconds: WAV, FLAC, Ogg, MPEG audio, AAC, MP4, Matroska, WebM, AIFF, AU or AMR.
 * @returns undefined for another kind, or a file without audible content.
 */
export const readDurationSeconds = (bytes: Uint8Array): number | undefined =>
  finishSteps(readDurationInSteps(bytes));
