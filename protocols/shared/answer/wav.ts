/*
 * WAV files of one kind: one channel of 16-bit samples, as all vendors answer that send raw sound
 * (https://datatracker.ietf.org/doc/html/rfc2361, WAVE_FORMAT_PCM).
 */

const HEADER_BYTES = 44;
const BYTES_PER_SAMPLE = 2;
const PCM = 1;

/** The rate of OpenAI's `pcm`: https://platform.openai.com/docs/guides/text-to-speech#supported-output-formats */
export const SPEECH_RATE = 24_000;

/** Length of raw sound in seconds. @param rate samples per second. */
export const secondsOfPcm = (bytes: number, rate: number): number => bytes / (rate * BYTES_PER_SAMPLE);

/** Puts raw sound into a file. @param rate samples per second. */
export const encodeWav = (samples: Uint8Array, rate: number): Buffer => {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write("RIFF", 0, "latin1");
  header.writeUInt32LE(HEADER_BYTES - 8 + samples.length, 4);
  header.write("WAVEfmt ", 8, "latin1");
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(PCM, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate * BYTES_PER_SAMPLE, 28);
  header.writeUInt16LE(BYTES_PER_SAMPLE, 32);
  header.writeUInt16LE(8 * BYTES_PER_SAMPLE, 34);
  header.write("data", 36, "latin1");
  header.writeUInt32LE(samples.length, 40);
  return Buffer.concat([header, samples]);
};

/** Raw sound and its samples per second. */
export interface RawSound {
  samples: Buffer;
  rate: number;
}

/** Chunks before the sound. */
const MAX_CHUNKS = 100;

/** Takes the raw sound out of a file. @returns undefined for a file of another kind. */
export const decodeWav = (file: Buffer): RawSound | undefined => {
  if (file.toString("latin1", 0, 4) !== "RIFF" || file.toString("latin1", 8, 12) !== "WAVE") return undefined;
  let rate: number | undefined;
  let at = 12;
  for (let count = 0; count < MAX_CHUNKS && at + 8 <= file.length; count += 1) {
    const name = file.toString("latin1", at, at + 4);
    const size = file.readUInt32LE(at + 4);
    const content = file.subarray(at + 8, at + 8 + size);
    if (name === "fmt " && content.length >= 16) rate = readRate(content);
    if (name === "data") return rate === undefined ? undefined : { samples: content, rate };
    at += 8 + size + (size % 2);
  }
  return undefined;
};

/** @returns undefined for anything but one channel of 16-bit samples. */
const readRate = (format: Buffer): number | undefined => {
  const isPcm = format.readUInt16LE(0) === PCM && format.readUInt16LE(2) === 1;
  const rate = format.readUInt32LE(4);
  return isPcm && format.readUInt16LE(14) === 8 * BYTES_PER_SAMPLE && rate > 0 ? rate : undefined;
};
