/** Bytes of sound per second: little, so that long recordings are small. */
const BYTES_PER_SECOND = 1000;

/** A silent WAV file of 8 bits, one channel and 1000 samples a second. */
export const recordWav = (seconds: number): Buffer => {
  const size = Math.round(seconds * BYTES_PER_SECOND);
  const header = Buffer.alloc(44);
  header.write("RIFF", 0, "latin1");
  header.writeUInt32LE(36 + size, 4);
  header.write("WAVEfmt ", 8, "latin1");
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(BYTES_PER_SECOND, 24);
  header.writeUInt32LE(BYTES_PER_SECOND, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write("data", 36, "latin1");
  header.writeUInt32LE(size, 40);
  return Buffer.concat([header, Buffer.alloc(size, 128)]);
};
