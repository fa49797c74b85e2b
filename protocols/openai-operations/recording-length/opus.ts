import type { ByteReader } from "./byte-reader";
import type { PacketClock } from "./steps";

const OPUS_RATE = 48_000;
/** No packet is longer (https://www.rfc-editor.org/rfc/rfc6716#section-3.2). */
const MAX_PACKET_SAMPLES = 5760;

/** Samples of a frame by its configuration: https://www.rfc-editor.org/rfc/rfc6716#section-3.1 */
const frameSamples = (config: number): number => {
  if (config < 12) return [480, 960, 1920, 2880][config % 4] ?? 0;
  if (config < 16) return config % 2 === 0 ? 480 : 960;
  return 120 * 2 ** (config % 4);
};

export const opusClock =
  (reader: ByteReader): PacketClock =>
  (from, to) => {
    if (to <= from) return 0;
    const head = reader.u8(from);
    const code = head & 3;
    const frames = code === 0 ? 1 : code === 3 ? reader.u8(from + 1) & 63 : 2;
    return Math.min(MAX_PACKET_SAMPLES, frames * frameSamples(head >>> 3)) / OPUS_RATE;
  };
