/**
 * Reads a file in steps between which other requests run. @returns seconds; undefined when the file does not contain
 * them.
 */
export type LengthReading = Generator<undefined, number | undefined>;

/** Packets, frames or positions of one step: a few milliseconds. */
export const STEP_PACKETS = 2000;
/** Bytes of one step that are only compared or summed. */
export const STEP_BYTES = 128 * 1024;

/** Files that list or nest their bytes more often than this are not read to the end: no recorder writes them. */
export const MAX_READINGS = 8;

/** Counts work, and tells when a step is full. */
export class Pace {
  private left = STEP_BYTES;

  /** @param packets or elements. @param bytes that are compared or summed. */
  isFull(packets: number, bytes = 0): boolean {
    this.left -= packets * (STEP_BYTES / STEP_PACKETS) + bytes;
    if (this.left > 0) return false;
    this.left = STEP_BYTES;
    return true;
  }
}

/** Speech in a codec that is not known. */
export const USUAL_BYTES_PER_SECOND = 4000;

/** Seconds of one packet that lies between two offsets. */
export type PacketClock = (from: number, to: number) => number;

/** Bytes of a packet that are read in one step: frames within it are counted one by one. */
const PIECE_BYTES = 64 * 1024;

/** Seconds of a packet, which may be as large as the file. */
export function* readPieces(clock: PacketClock, from: number, to: number): Generator<undefined, number> {
  let seconds = 0;
  for (let at = from; at < to; at += PIECE_BYTES) {
    if (at > from) yield;
    seconds += clock(at, Math.min(to, at + PIECE_BYTES));
  }
  return seconds;
}
