import { createRandom } from "../random";

/*
 * Recordings with false headers: fields of a valid file are rewritten, chunks are doubled, moved, removed or cut. The
 * same seed makes the same file, so that a decoder's result can be stored beside it.
 */

/** Names of chunks, boxes and pages, behind or before which the fields stand. */
const MARKS = [
  ..."RIFF|WAVE|fmt |data|fact|ds64|fLaC|OggS|OpusHead|vorbis|Speex   |COMM|SSND|Xing|Info".split("|"),
  ..."moov|mvhd|trak|tkhd|mdhd|stsd|stts|stsc|stsz|stco|esds|alac|dfLa|dOps|moof|tfhd|trun|mdat".split("|"),
  ..."elst|A_OPUS|A_VORBIS|A_AAC|A_MPEG|A_FLAC|A_PCM|\x1f\x43\xb6\x75|\x16\x54\xae\x6b|\x15\x49\xa9\x66".split(
    "|",
  ),
];
const FIELDS_BEHIND = 48;
const BEGIN = 160;

const WIDTHS = [1, 2, 4, 8];

/** Values by which a number of a header is replaced. */
const REPLACEMENTS: readonly ((value: bigint, width: number) => bigint)[] = [
  () => 0n,
  () => 1n,
  () => 2n,
  () => 100n,
  (_, width) => 2n ** BigInt(width * 8) - 1n,
  (_, width) => 2n ** BigInt(width * 8 - 1) - 1n,
  (value) => value / 2n,
  (value) => value / 16n,
  (value) => value * 2n,
  (value) => value * 10n,
  (value) => value + 1n,
  (value) => value ^ 0x40n,
];

const rewriteField = (bytes: Buffer, at: number, random: () => number): Buffer => {
  const changed = Buffer.from(bytes);
  const width = Math.min(WIDTHS[random() % WIDTHS.length] ?? 1, bytes.length - at);
  const isLittle = random() % 2 === 0;
  const order = Array.from({ length: width }, (_, index) => at + (isLittle ? width - 1 - index : index));
  let value = 0n;
  for (const place of order) value = value * 256n + BigInt(bytes[place] ?? 0);
  let next = REPLACEMENTS[random() % REPLACEMENTS.length]?.(value, width) ?? 0n;
  for (const place of order.reverse()) {
    changed[place] = Number(next & 255n);
    next >>= 8n;
  }
  return changed;
};

/** Offsets of the file's structural marks. */
export const findMarks = (bytes: Buffer): number[] => {
  const places: number[] = [];
  for (const mark of MARKS)
    for (let at = bytes.indexOf(mark, 0, "latin1"); at !== -1; at = bytes.indexOf(mark, at + 1, "latin1"))
      places.push(at);
  return places.sort((one, other) => one - other);
};

/** The bytes from one name up to another are doubled, removed, moved to the end, or put before the rest. */
const moveChunk = (bytes: Buffer, marks: readonly number[], random: () => number): Buffer => {
  const shift = random() % 2 === 0 ? 4 : 0;
  const [one = 0, other = 0] = [random(), random()].map((value) => marks[value % Math.max(1, marks.length)]);
  const from = Math.max(0, Math.min(one, other) - shift);
  const to = Math.max(from, Math.max(one, other) - shift);
  const chunk = bytes.subarray(from, to);
  const before = bytes.subarray(0, from);
  const behind = bytes.subarray(to);
  const kind = random() % 4;
  if (kind === 0) return Buffer.concat([before, chunk, chunk, behind]);
  if (kind === 1) return Buffer.concat([before, behind]);
  if (kind === 2) return Buffer.concat([before, behind, chunk]);
  return Buffer.concat([before, chunk, rewriteField(chunk, Math.min(8, chunk.length - 1), random), behind]);
};

/** @returns the file that a seed makes of an honest one. */
export const mutate = (honest: Buffer, seed: number): Buffer => {
  const fraction = createRandom(seed * 7919);
  const random = (): number => Math.floor(fraction() * 2 ** 32);
  const marks = findMarks(honest);
  let bytes = honest;
  for (let count = 1 + (random() % 3); count > 0 && bytes.length > 0; count -= 1) {
    const kind = random() % 10;
    const mark = marks[random() % Math.max(1, marks.length)] ?? 0;
    const place = kind < 3 ? random() % BEGIN : Math.max(0, mark - 4 + (random() % FIELDS_BEHIND));
    if (kind === 9) bytes = moveChunk(bytes, marks, random);
    else bytes = rewriteField(bytes, Math.min(place, bytes.length - 1), random);
  }
  return bytes;
};
