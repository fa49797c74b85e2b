import { BitReader, type ByteReader } from "./byte-reader";
import type { PacketClock } from "./steps";

/** Fields of a stream's headers about its packets. */
interface VorbisSetup {
  /** Whether each mode has long blocks. */
  isLong: readonly boolean[];
}

const bitLength = (value: number): number => (value === 0 ? 0 : Math.floor(Math.log2(value)) + 1);

/** Largest number of values whose power `dimensions` is no larger than `entries`. */
const lookupValues = (entries: number, dimensions: number): number => {
  const values = Math.floor(entries ** (1 / dimensions));
  // The root may be rounded to either side.
  if ((values + 1) ** dimensions <= entries) return values + 1;
  return values ** dimensions > entries ? values - 1 : values;
};

/** Bits that decoders accept for the number of dimensions and that of entries together. */
const MAX_CODEBOOK_BITS = 24;

const MAX_FIELDS = 1_000_000;

/** A list of bit fields is skipped; a count that no header holds is refused. */
const skipFields = (bits: BitReader, count: number, width: number): void => {
  for (let index = 0; index < Math.min(count, MAX_FIELDS) && !bits.isOver; index += 1) bits.read(width);
};

const skipCodebook = (bits: BitReader): boolean => {
  if (bits.read(24) !== 0x564342) return false;
  const dimensions = bits.read(16);
  const entries = bits.read(24);
  if (dimensions === 0 || bitLength(dimensions) + bitLength(entries) > MAX_CODEBOOK_BITS) return false;
  if (bits.read(1) === 1) {
    bits.read(5);
    for (let entry = 0; entry < entries && !bits.isOver; ) {
      const count = bits.read(bitLength(entries - entry));
      entry += count;
    }
  } else {
    const isSparse = bits.read(1) === 1;
    for (let entry = 0; entry < entries && !bits.isOver; entry += 1)
      if (!isSparse || bits.read(1) === 1) bits.read(5);
  }
  const lookup = bits.read(4);
  if (lookup > 2) return false;
  if (lookup > 0) {
    bits.read(32);
    bits.read(32);
    const width = bits.read(4) + 1;
    bits.read(1);
    skipFields(bits, lookup === 1 ? lookupValues(entries, dimensions) : entries * dimensions, width);
  }
  return !bits.isOver;
};

const skipFloor = (bits: BitReader): boolean => {
  const kind = bits.read(16);
  if (kind === 0) {
    bits.read(8 + 16 + 16 + 6 + 8);
    skipFields(bits, bits.read(4) + 1, 8);
    return true;
  }
  if (kind !== 1) return false;
  const partitions = Array.from({ length: bits.read(5) }, () => bits.read(4));
  const dimensions: number[] = [];
  for (let index = 0; index <= Math.max(-1, ...partitions); index += 1) {
    dimensions.push(bits.read(3) + 1);
    const subclasses = bits.read(2);
    if (subclasses > 0) bits.read(8);
    skipFields(bits, 2 ** subclasses, 8);
  }
  bits.read(2);
  const width = bits.read(4);
  for (const partition of partitions) skipFields(bits, dimensions[partition] ?? 0, width);
  return true;
};

const skipResidue = (bits: BitReader): boolean => {
  if (bits.read(16) > 2) return false;
  skipFields(bits, 3, 24);
  const classes = bits.read(6) + 1;
  bits.read(8);
  const cascades = Array.from(
    { length: classes },
    () => bits.read(3) + (bits.read(1) === 1 ? bits.read(5) * 8 : 0),
  );
  for (const cascade of cascades) for (let rest = cascade; rest > 0; rest >>= 1) if (rest & 1) bits.read(8);
  return true;
};

const skipMapping = (bits: BitReader, channels: number): boolean => {
  if (bits.read(16) !== 0) return false;
  const submaps = bits.read(1) === 1 ? bits.read(4) + 1 : 1;
  if (bits.read(1) === 1) {
    const width = bitLength(channels - 1);
    skipFields(bits, (bits.read(8) + 1) * 2, width);
  }
  bits.read(2);
  if (submaps > 1) skipFields(bits, channels, 4);
  skipFields(bits, submaps * 3, 8);
  return true;
};

const repeat = (count: number, skip: () => boolean): boolean => {
  for (let index = 0; index < count; index += 1) if (!skip()) return false;
  return true;
};

/** Reads the setup header up to its modes: https://xiph.org/vorbis/doc/Vorbis_I_spec.html#x1-590004.2.4 */
const readSetup = (setup: Uint8Array, channels: number): VorbisSetup | undefined => {
  const bits = new BitReader(setup, true, 7);
  const isRead =
    repeat(bits.read(8) + 1, () => skipCodebook(bits)) &&
    repeat(bits.read(6) + 1, () => bits.read(16) === 0) &&
    repeat(bits.read(6) + 1, () => skipFloor(bits)) &&
    repeat(bits.read(6) + 1, () => skipResidue(bits)) &&
    repeat(bits.read(6) + 1, () => skipMapping(bits, channels));
  if (!isRead) return undefined;
  const isLong = Array.from({ length: bits.read(6) + 1 }, () => {
    const flag = bits.read(1) === 1;
    bits.read(16 + 16 + 8);
    return flag;
  });
  return bits.isOver ? undefined : { isLong };
};

/** Samples between the middles of a block and of the one before: https://xiph.org/vorbis/doc/Vorbis_I_spec.html#x1-210001.3.2 */
export const vorbisClock = (
  reader: ByteReader,
  head: Uint8Array,
  setup: Uint8Array,
): PacketClock | undefined => {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  if (head.length < 29) return undefined;
  const channels = view.getUint8(11);
  const rate = view.getUint32(12, true);
  const sizes = [2 ** (view.getUint8(28) & 15), 2 ** (view.getUint8(28) >> 4)] as const;
  const read = rate === 0 || channels === 0 ? undefined : readSetup(setup, channels);
  if (!read) return undefined;
  const modeMask = 2 ** bitLength(read.isLong.length - 1) - 1;
  let before: number | undefined;
  return (from, to) => {
    const first = reader.u8(from);
    if (to <= from || (first & 1) === 1) return 0;
    const isLong = read.isLong[(first >> 1) & modeMask];
    if (isLong === undefined) return 0;
    const size = isLong ? sizes[1] : sizes[0];
    const samples = before === undefined ? 0 : (before + size) / 4;
    before = size;
    return samples / rate;
  };
};
