/*
 * Materials of log lines, from which millions can be priced again: some bytes for each line instead of a row. The lines
 * of one hour follow each other, unordered; each has its second of the hour, so that blocks of the same hour can be
 * concatenated. All numbers have seven bits a byte, the lowest first.
 *
 * second of the hour · number of the shape · user's id · size of the quota · flags · [shortfall] · [cost] · values…
 *
 * The flags are eight times the number of values, four more where the cost is known, two more where the quota is below
 * 0, and one more where there is a shortfall.
 */

/** One line. */
export interface PricedLine {
  /** Unix seconds. */
  createdAt: number;
  /** The number of its shape (table `price_shapes`), which says its model and its group. */
  shapeId: number;
  userId: number;
  /** Charged quota; below 0 for a reversed charge. */
  quota: number;
  shortfall: number;
  /** Cost at the upstream, in thousandths of quota; undefined when unknown. */
  cost: number | undefined;
  /** None where it cannot be priced again. */
  values: readonly number[];
}

const HOUR = 3600;

/** Numbers above it exceed JavaScript's operators on bits. */
const WIDE = 0x7fff_ffff;

/** Bytes of the lines of one hour, while they come. */
export class PricedBlock {
  private bytes = Buffer.allocUnsafe(1024);
  private length = 0;
  private count = 0;

  /** How many lines there are. */
  get lines(): number {
    return this.count;
  }

  add({ createdAt, shapeId, userId, quota, shortfall, cost, values }: PricedLine): void {
    // Nine bytes hold the largest number.
    this.reserve(9 * (7 + values.length));
    this.write(((createdAt % HOUR) + HOUR) % HOUR);
    this.write(shapeId);
    this.write(userId);
    this.write(Math.abs(quota));
    const known = cost === undefined ? 0 : 4;
    this.write(values.length * 8 + known + (quota < 0 ? 2 : 0) + (shortfall > 0 ? 1 : 0));
    if (shortfall > 0) this.write(shortfall);
    if (cost !== undefined) this.write(cost);
    for (const value of values) this.write(value);
    this.count += 1;
  }

  /** Returns the bytes so far: a view, valid until the next line is added. */
  data(): Buffer {
    return this.bytes.subarray(0, this.length);
  }

  private reserve(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.length + more));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }

  private write(value: number): void {
    let rest = value;
    while (rest > WIDE) {
      this.bytes[this.length++] = (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
    while (rest > 127) {
      this.bytes[this.length++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.bytes[this.length++] = rest;
  }
}

/**
 * Reads the lines of a block, one at a time, into the same fields: there are millions. `next` is false behind the last one.
 */
export class PricedLineReader {
  createdAt = 0;
  shapeId = 0;
  userId = 0;
  quota = 0;
  shortfall = 0;
  /** Below 0 where it is not known. */
  cost = -1;
  valueCount = 0;
  /** The first `valueCount` are this line's. */
  readonly values: number[] = [];
  private at = 0;

  /** @param hour its begin, unix seconds. @param bytes of one or several blocks of it. */
  constructor(
    private readonly hour: number,
    private readonly bytes: Uint8Array,
  ) {}

  next(): boolean {
    if (this.at >= this.bytes.length) return false;
    this.createdAt = this.hour + this.read();
    this.shapeId = this.read();
    this.userId = this.read();
    const size = this.read();
    const flags = this.read();
    this.quota = (flags & 2) === 2 ? 0 - size : size;
    this.valueCount = flags >>> 3;
    this.shortfall = (flags & 1) === 1 ? this.read() : 0;
    this.cost = (flags & 4) === 4 ? this.read() : -1;
    for (let i = 0; i < this.valueCount; i += 1) this.values[i] = this.read();
    return true;
  }

  private read(): number {
    const { bytes } = this;
    let byte = bytes[this.at++] ?? 0;
    if (byte < 128) return byte;
    let value = byte & 127;
    let shift = 7;
    do {
      byte = bytes[this.at++] ?? 0;
      value |= (byte & 127) << shift;
      shift += 7;
      if (byte < 128) return value;
    } while (shift < 28);
    // Beyond four bytes the operators on bits hold no more.
    let factor = 2 ** 28;
    do {
      byte = bytes[this.at++] ?? 0;
      value += (byte & 127) * factor;
      factor *= 128;
    } while (byte > 127);
    return value;
  }
}
