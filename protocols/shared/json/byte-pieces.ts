/**
 * Maximum number of pieces kept without copying. Nearly everything arrives in fewer, and is copied only when joined.
 */
const FEW_PIECES = 16;
/** From this size on, a piece is kept without copying: its object weighs little compared with its bytes. */
const LARGE_PIECE_BYTES = 16 * 1024;
const MIN_BLOCK_BYTES = 4 * 1024;
const MAX_BLOCK_BYTES = 64 * 1024;

/**
 * Gathers bytes that come in pieces until they are needed. Each piece is an object and may hold the read that it was cut
 * from, so one byte can cost hundreds. Many small pieces are therefore copied together: the memory kept is a small
 * multiple of the bytes, however they were cut.
 */
export class BytePieces {
  /** Total length of the pieces. */
  length = 0;
  private pieces: Buffer[] = [];
  /** Memory for small pieces, filled from its beginning on. */
  private block: Buffer | undefined;
  private blockBytes = 0;

  push(piece: Buffer): void {
    if (piece.length === 0) return;
    this.length += piece.length;
    const isKept = piece.length >= LARGE_PIECE_BYTES || this.pieces.length < FEW_PIECES;
    if (!isKept) {
      this.copy(piece);
      return;
    }
    this.closeBlock();
    this.pieces.push(piece);
  }

  /** The last byte; undefined without one. */
  get lastByte(): number | undefined {
    return this.block ? this.block[this.blockBytes - 1] : this.pieces.at(-1)?.at(-1);
  }

  /** Returns and removes all pieces, in order. */
  takePieces(): Buffer[] {
    this.closeBlock();
    const { pieces } = this;
    this.pieces = [];
    this.length = 0;
    return pieces;
  }

  /** Returns and removes everything as one buffer, without a copy if it came in one piece. */
  take(): Buffer {
    const { length } = this;
    const pieces = this.takePieces();
    return pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces, length);
  }

  private copy(piece: Buffer): void {
    const size = this.blockBytes + piece.length;
    if (this.block && size > MAX_BLOCK_BYTES) {
      this.closeBlock();
      this.copy(piece);
      return;
    }
    if (!this.block || size > this.block.length) {
      const wanted = Math.max(MIN_BLOCK_BYTES, size * 2);
      const larger = Buffer.allocUnsafeSlow(Math.min(MAX_BLOCK_BYTES, wanted));
      this.block?.copy(larger, 0, 0, this.blockBytes);
      this.block = larger;
    }
    piece.copy(this.block, this.blockBytes);
    this.blockBytes = size;
  }

  private closeBlock(): void {
    if (this.block) this.pieces.push(this.block.subarray(0, this.blockBytes));
    this.block = undefined;
    this.blockBytes = 0;
  }
}
