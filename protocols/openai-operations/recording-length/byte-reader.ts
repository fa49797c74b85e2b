/** Reads numbers of a file. A read beyond the end returns 0, because every offset comes from the client. */
export class ByteReader {
  readonly length: number;
  private readonly view: DataView;

  constructor(readonly bytes: Uint8Array) {
    this.length = bytes.length;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  u8(at: number): number {
    return this.bytes[at] ?? 0;
  }

  u16(at: number, isLittle = false): number {
    return this.has(at, 2) ? this.view.getUint16(at, isLittle) : 0;
  }

  u32(at: number, isLittle = false): number {
    return this.has(at, 4) ? this.view.getUint32(at, isLittle) : 0;
  }

  u64(at: number, isLittle = false): number {
    return this.has(at, 8) ? Number(this.view.getBigUint64(at, isLittle)) : 0;
  }

  f64(at: number): number {
    return this.has(at, 8) ? this.view.getFloat64(at) : 0;
  }

  f32(at: number): number {
    return this.has(at, 4) ? this.view.getFloat32(at) : 0;
  }

  tag(at: number, length = 4): string {
    return String.fromCharCode(...this.bytes.subarray(at, at + length));
  }

  private has(at: number, size: number): boolean {
    return at >= 0 && at + size <= this.length;
  }
}

/** Reads fields of bits, from the most significant (MPEG) or the least significant bit (Vorbis) of each byte. */
export class BitReader {
  private at: number;

  constructor(
    private readonly bytes: Uint8Array,
    private readonly isLittle: boolean,
    from = 0,
  ) {
    this.at = from * 8;
  }

  get isOver(): boolean {
    return this.at > this.bytes.length * 8;
  }

  read(count: number): number {
    let value = 0;
    for (let index = 0; index < count; index += 1) {
      const byte = this.bytes[this.at >> 3] ?? 0;
      const bit = (byte >> (this.isLittle ? this.at & 7 : 7 - (this.at & 7))) & 1;
      value = this.isLittle ? value + bit * 2 ** index : value * 2 + bit;
      this.at += 1;
    }
    return value;
  }
}
