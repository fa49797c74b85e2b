/** Bytes copied per step: some milliseconds. */
export const CONCAT_STEP_BYTES = 16 * 1024 * 1024;

/** Joins pieces in steps, so that other requests can run in between; each step copies at most CONCAT_STEP_BYTES. */
export function* concatInSteps(pieces: readonly Uint8Array[]): Generator<undefined, Buffer> {
  const [only] = pieces;
  if (only && pieces.length === 1) return Buffer.from(only.buffer, only.byteOffset, only.byteLength);
  const whole = Buffer.allocUnsafe(pieces.reduce((sum, piece) => sum + piece.byteLength, 0));
  let at = 0;
  let room = CONCAT_STEP_BYTES;
  for (const piece of pieces) {
    for (let from = 0; from < piece.byteLength; ) {
      if (room === 0) {
        yield;
        room = CONCAT_STEP_BYTES;
      }
      const part = piece.subarray(from, from + room);
      whole.set(part, at);
      at += part.byteLength;
      from += part.byteLength;
      room -= part.byteLength;
    }
  }
  return whole;
}
