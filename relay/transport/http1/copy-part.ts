/** A read is at most half as large; small enough not to be kept alive for long by one part that is. */
const SLAB_BYTES = 64 * 1024;

let slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
let used = 0;

/**
 * Copies a part of the read buffer. Allocating memory for each part would cost more than the copy: consecutive parts
 * share a block, which is freed with the last of them.
 */
export const copyPart = (bytes: Uint8Array, from: number, to: number): Buffer => {
  const size = to - from;
  if (used + size > SLAB_BYTES) {
    if (size > SLAB_BYTES) return Buffer.from(bytes.subarray(from, to));
    slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
    used = 0;
  }
  const copy = slab.subarray(used, used + size);
  copy.set(bytes.subarray(from, to));
  used += size;
  return copy;
};
