const SMALLEST_BYTES = 1024;

/** Copies passing bytes, up to a limit: the copy keeps no other buffer alive. */
export class CappedBytes {
  /** All that came, kept or not. */
  sizeBytes = 0;
  private kept = Buffer.alloc(0);
  private length = 0;
  private isFull = false;

  /**
   * @param capBytes maximum number of bytes to keep.
   * @param reserve reserves memory, in bytes; when it returns false, only the earlier bytes are kept.
   */
  constructor(
    private readonly capBytes: number,
    private readonly reserve: (bytes: number) => boolean,
  ) {}

  get bytes(): Uint8Array {
    return this.kept.subarray(0, this.length);
  }

  push(chunk: Uint8Array | string): void {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    this.sizeBytes += bytes.byteLength;
    if (this.isFull) return;
    const length = Math.min(this.capBytes, this.length + bytes.byteLength);
    if (!this.makeRoom(length)) {
      this.isFull = true;
      return;
    }
    const taken = length - this.length;
    this.kept.set(bytes.subarray(0, taken), this.length);
    this.length = length;
    this.isFull = taken < bytes.byteLength;
  }

  /** Counts passing bytes without keeping them. */
  skip(chunk: Uint8Array | string): void {
    this.sizeBytes += Buffer.byteLength(chunk);
  }

  private makeRoom(length: number): boolean {
    if (length <= this.kept.byteLength) return true;
    const capacity = Math.min(this.capBytes, Math.max(length, this.kept.byteLength * 2, SMALLEST_BYTES));
    if (!this.reserve(capacity - this.kept.byteLength)) return false;
    const larger = Buffer.alloc(capacity);
    larger.set(this.bytes);
    this.kept = larger;
    return true;
  }
}
