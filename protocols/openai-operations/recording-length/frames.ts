import type { ByteReader } from "./byte-reader";
import { STEP_PACKETS } from "./steps";

/** A frame that contains its size and length. */
export interface Frame {
  bytes: number;
  seconds: number;
  /** Fields that do not change within a recording. */
  kind: number;
}

export type ReadFrame = (reader: ByteReader, at: number) => Frame | undefined;

/**
 * Adds up the frames between two offsets like decoders, which search for the next frame after anything else. A frame
 * without a next frame may be an imitation with real frames inside, so its content is searched as well.
 */
export function* walkFrames(
  reader: ByteReader,
  readFrame: ReadFrame,
  from: number,
  to: number,
): Generator<undefined, number> {
  let seconds = 0;
  let kind: number | undefined;
  let insideUntil = from;
  let steps = 0;
  for (let at = from; at + 4 <= to; ) {
    steps += 1;
    if (steps % STEP_PACKETS === 0) yield;
    const frame = readFrame(reader, at);
    if (!frame || (at < insideUntil && kind !== undefined && frame.kind !== kind)) {
      at += 1;
      // A fast path: most bytes start no frame.
      for (let last = Math.min(to, at + STEP_PACKETS); at < last && reader.bytes[at] !== 0xff; ) at += 1;
      continue;
    }
    seconds += frame.seconds;
    const end = at + frame.bytes;
    const isFollowed = end + 4 > to || readFrame(reader, end) !== undefined;
    if (isFollowed) {
      kind ??= frame.kind;
      at = end;
    } else {
      insideUntil = Math.max(insideUntil, end);
      at += 1;
    }
  }
  return seconds;
}
