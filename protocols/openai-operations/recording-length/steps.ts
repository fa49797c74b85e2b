/**
 * Reads a file in steps between which other requests run. @returns seconds; undefined when the file does not contain
 * them.
 */
export type LengthReading = Generator<undefined, number | undefined>;

/** Packets, frames or positions of one step: a few milliseconds. */
export const STEP_PACKETS = 2000;
/** Bytes of one step that are only compared or summed. */
export const STEP_BYTES = 128 * 1024;

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
