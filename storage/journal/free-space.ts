/*
 * Content of a journal file where no record stands yet. The space is reserved on the disk beforehand, so that requests
 * under way when the disk becomes full can still be charged. Every eight bytes name their file and offset: a piece of a
 * file that was zeroed, cut off or copied over another one never looks like unwritten space.
 */

const UNIT_BYTES = 8;
/** Minimum free space behind the last record: more than a piece of other content equals by chance. */
export const LEAST_FREE_BYTES = 4 * UNIT_BYTES;
/** How many equal bytes are free space for sure. */
const SURE_BYTES = 2 * UNIT_BYTES;
/** The first half of a unit; the other is its number. */
const MARK_BYTES = 4;
const CHUNK_BYTES = 64 * 1024;

const markOf = (file: string): Buffer => Buffer.from(`\u001ffr${file}`, "latin1");

/** The bytes of free space from one offset up to another. @param file "a" or "b". */
export const freeSpace = (file: string, from: number, to: number): Buffer => {
  const firstUnit = Math.floor(from / UNIT_BYTES);
  const units = Math.ceil(to / UNIT_BYTES) - firstUnit;
  const bytes = Buffer.allocUnsafeSlow(units * UNIT_BYTES);
  bytes.fill(markOf(file));
  // Every charge is written over as many bytes of it, and a buffer's own methods take several times as long.
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let i = 0; i < units; i += 1) view.setUint32(i * UNIT_BYTES + MARK_BYTES, firstUnit + i);
  return bytes.subarray(from - firstUnit * UNIT_BYTES, to - firstUnit * UNIT_BYTES);
};

/** How the range is cut into pieces for writing it. The last piece comes first: see JournalFiles. */
export const piecesBackwards = (from: number, to: number): [from: number, to: number][] => {
  const pieces: [number, number][] = [];
  for (let end = to; end > from; end -= CHUNK_BYTES) pieces.push([Math.max(from, end - CHUNK_BYTES), end]);
  return pieces;
};

/** Returns the end of the free space that starts at `from`; `from` itself without one. */
export const endOfFreeSpace = (bytes: Buffer, file: string, from: number): number => {
  let at = from;
  while (at < bytes.length) {
    const to = Math.min(bytes.length, at + CHUNK_BYTES);
    const expected = freeSpace(file, at, to);
    if (expected.equals(bytes.subarray(at, to))) {
      at = to;
      continue;
    }
    let same = 0;
    while (expected[same] === bytes[at + same]) same += 1;
    at += same;
    break;
  }
  return at - from >= SURE_BYTES ? at : from;
};

/** Where free space begins again from `from` on; the file's end when it does not. */
export const nextFreeSpace = (bytes: Buffer, file: string, from: number): number => {
  const mark = markOf(file);
  for (let at = bytes.indexOf(mark, from); at !== -1; at = bytes.indexOf(mark, at + 1)) {
    if (at % UNIT_BYTES !== 0 || endOfFreeSpace(bytes.subarray(0, at + SURE_BYTES), file, at) === at)
      continue;
    // A piece of a unit in front of it may belong to it.
    let start = at;
    const before = freeSpace(file, Math.max(from, at - UNIT_BYTES), at);
    while (start > from && bytes[start - 1] === before[before.length - (at - start) - 1]) start -= 1;
    return start;
  }
  return bytes.length;
};
