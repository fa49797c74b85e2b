import { createRandom } from "@tollgate/testkit/random";

/** Ways to cut a byte stream, for tests: whatever the network does, the result must be the same. */

/** One chunk per byte. */
export const cutEveryByte = (bytes: Uint8Array): Uint8Array[] =>
  Array.from(bytes, (byte) => Uint8Array.of(byte));

/** Chunks of 0 to 63 bytes. */
export const cutAtRandom = (bytes: Uint8Array, seed: number): Uint8Array[] => {
  const random = createRandom(seed);
  const chunks: Uint8Array[] = [];
  let from = 0;
  while (from < bytes.length) {
    const to = Math.min(bytes.length, from + Math.floor(random() * 64));
    chunks.push(bytes.subarray(from, to));
    from = to;
  }
  return chunks;
};

/** Cuts inside every character of several bytes, and nowhere else. */
export const cutInsideCharacters = (bytes: Uint8Array): Uint8Array[] => {
  const chunks: Uint8Array[] = [];
  let from = 0;
  for (let at = 1; at < bytes.length; at += 1) {
    const isContinuation = ((bytes[at] ?? 0) & 0xc0) === 0x80;
    if (!isContinuation) continue;
    chunks.push(bytes.subarray(from, at));
    from = at;
  }
  chunks.push(bytes.subarray(from));
  return chunks;
};
