/** Bytes of sound per second: little, so that long recordings are small. */
const BYTES_PER_SECOND = 1000;

/** A WAV file of one channel. @param rate samples per second. @param bits of a sample. */
export const wavOf = (samples: Uint8Array, rate: number, bits: number): Buffer => {
  const header = Buffer.alloc(44);
  header.write("RIFF", 0, "latin1");
  header.writeUInt32LE(36 + samples.length, 4);
  header.write("WAVEfmt ", 8, "latin1");
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE((rate * bits) / 8, 28);
  header.writeUInt16LE(bits / 8, 32);
  header.writeUInt16LE(bits, 34);
  header.write("data", 36, "latin1");
  header.writeUInt32LE(samples.length, 40);
  return Buffer.concat([header, samples]);
};

/** A silent WAV file of 8 bits, one channel and 1000 samples a second. */
export const recordWav = (seconds: number): Buffer =>
  wavOf(Buffer.alloc(Math.round(seconds * BYTES_PER_SECOND), 128), BYTES_PER_SECOND, 8);
