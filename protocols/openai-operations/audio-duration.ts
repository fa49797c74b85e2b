/*
 * How long a recording is, from its header alone. Nothing is decoded: what a header does not say stays unknown.
 */

const tag = (bytes: Uint8Array, at: number, length = 4): string =>
  String.fromCharCode(...bytes.subarray(at, at + length));

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Formats of WAV whose samples are not packed: integers, floats, and either with more channels. */
const PLAIN_SAMPLES = new Set([1, 3, 0xfffe]);

/** Where samples are not packed, decoders go by their rate and size and ignore the stated bytes per second. */
const readWavRate = (view: DataView, at: number): number =>
  PLAIN_SAMPLES.has(view.getUint16(at, true))
    ? view.getUint32(at + 4, true) * view.getUint16(at + 12, true)
    : view.getUint32(at + 8, true);

/** RIFF: http://soundfile.sapp.org/doc/WaveFormat */
const readWav = (bytes: Uint8Array, view: DataView): number | undefined => {
  let bytesPerSecond = 0;
  for (let at = 12; at + 8 <= bytes.length; ) {
    const name = tag(bytes, at);
    const size = view.getUint32(at + 4, true);
    if (name === "fmt " && at + 22 <= bytes.length) bytesPerSecond = readWavRate(view, at + 8);
    if (name === "data") {
      // Who writes while recording leaves the size open, or too large.
      const rest = bytes.length - at - 8;
      const length = size === 0 ? rest : Math.min(size, rest);
      return bytesPerSecond === 0 ? undefined : length / bytesPerSecond;
    }
    at += 8 + size + (size % 2);
  }
  return undefined;
};

/** STREAMINFO: https://www.rfc-editor.org/rfc/rfc9639#section-8.2 */
const readFlac = (bytes: Uint8Array, view: DataView): number | undefined => {
  if (bytes.length < 26) return undefined;
  const rate = view.getUint32(18) >>> 12;
  const samples = (view.getUint8(21) & 0x0f) * 2 ** 32 + view.getUint32(22);
  return rate === 0 || samples === 0 ? undefined : samples / rate;
};

const findLast = (bytes: Uint8Array, text: string): number => {
  for (let at = bytes.length - text.length; at >= 0; at -= 1) {
    if (bytes[at] === text.charCodeAt(0) && tag(bytes, at, text.length) === text) return at;
  }
  return -1;
};

/** The last page tells how many samples came before its end: https://www.rfc-editor.org/rfc/rfc3533#section-6 */
const readOgg = (bytes: Uint8Array, view: DataView): number | undefined => {
  const start = 27 + (bytes[26] ?? 0);
  const isOpus = tag(bytes, start, 8) === "OpusHead";
  const isVorbis = tag(bytes, start + 1, 6) === "vorbis";
  if ((!isOpus && !isVorbis) || start + 16 > bytes.length) return undefined;
  const rate = isOpus ? 48_000 : view.getUint32(start + 12, true);
  const last = findLast(bytes, "OggS");
  if (rate === 0 || last + 14 > bytes.length) return undefined;
  const samples = Number(view.getBigUint64(last + 6, true));
  return samples > 0 && samples < 2 ** 53 ? samples / rate : undefined;
};

/** kbit/s by index, for layer III of MPEG 1 and of MPEG 2: http://www.mp3-tech.org/programmer/frame_header.html */
const BITRATES_1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const BITRATES_2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const SAMPLE_RATES = [44_100, 48_000, 32_000];

/** Where the first frame begins: after an ID3v2 tag, whose size has seven bits in each byte. */
const findFrame = (bytes: Uint8Array): number => {
  let at = 0;
  if (tag(bytes, 0, 3) === "ID3") {
    const size = [6, 7, 8, 9].reduce((sum, i) => sum * 128 + ((bytes[i] ?? 0) & 0x7f), 0);
    at = 10 + size;
  }
  const end = Math.min(bytes.length - 4, at + 4096);
  for (; at < end; at += 1) {
    if (bytes[at] === 0xff && ((bytes[at + 1] ?? 0) & 0xe0) === 0xe0) return at;
  }
  return -1;
};

const readMp3 = (bytes: Uint8Array, view: DataView): number | undefined => {
  const at = findFrame(bytes);
  if (at === -1) return undefined;
  const header = view.getUint32(at);
  const version = (header >>> 19) & 3;
  const isLayer3 = ((header >>> 17) & 3) === 1;
  const isMpeg1 = version === 3;
  const bitrate = (isMpeg1 ? BITRATES_1 : BITRATES_2)[(header >>> 12) & 15];
  const baseRate = SAMPLE_RATES[(header >>> 10) & 3];
  if (version === 1 || !isLayer3 || !bitrate || baseRate === undefined) return undefined;
  const rate = isMpeg1 ? baseRate : version === 2 ? baseRate / 2 : baseRate / 4;
  const isMono = ((header >>> 6) & 3) === 3;
  // A file of variable bitrate tells its number of frames in its first one.
  const side = isMpeg1 ? (isMono ? 17 : 32) : isMono ? 9 : 17;
  const info = at + 4 + side;
  if (/^(?:Xing|Info)$/.test(tag(bytes, info)) && info + 12 <= bytes.length && view.getUint32(info + 4) & 1) {
    return (view.getUint32(info + 8) * (isMpeg1 ? 1152 : 576)) / rate;
  }
  return ((bytes.length - at) * 8) / (bitrate * 1000);
};

/** A box by its name, among those from `from` on. @returns where its content begins and ends. */
const findBox = (
  bytes: Uint8Array,
  view: DataView,
  name: string,
  from: number,
  to: number,
): [number, number] | undefined => {
  for (let at = from; at + 8 <= to; ) {
    const short = view.getUint32(at);
    const isLong = short === 1 && at + 16 <= to;
    const size = isLong ? Number(view.getBigUint64(at + 8)) : short === 0 ? to - at : short;
    if (size < 8) return undefined;
    if (tag(bytes, at + 4) === name) return [at + (isLong ? 16 : 8), Math.min(to, at + size)];
    at += size;
  }
  return undefined;
};

/** The movie header (ISO/IEC 14496-12); in a fragmented file it says 0. */
const readMp4 = (bytes: Uint8Array, view: DataView): number | undefined => {
  const movie = findBox(bytes, view, "moov", 0, bytes.length);
  const header = movie && findBox(bytes, view, "mvhd", movie[0], movie[1]);
  if (!header || header[1] - header[0] < 32) return undefined;
  const [at] = header;
  const isLong = view.getUint8(at) === 1;
  const scale = view.getUint32(at + (isLong ? 20 : 12));
  const duration = isLong ? Number(view.getBigUint64(at + 24)) : view.getUint32(at + 16);
  return scale === 0 || duration === 0 ? undefined : duration / scale;
};

/** What speech and music lie between, in bytes per second: a header that says otherwise is not believed. */
const LEAST_BYTES_PER_SECOND = 50;
const MOST_BYTES_PER_SECOND = 2_000_000;
/** 320 kbit/s, and some room for what is no sound. */
const MOST_MP3_BYTES_PER_SECOND = 48_000;

const believe = (seconds: number | undefined, size: number, most: number): number | undefined =>
  seconds !== undefined && size / seconds >= LEAST_BYTES_PER_SECOND && size / seconds <= most
    ? seconds
    : undefined;

/**
 * The length of a recording in seconds, from the header of a WAV, FLAC, Ogg (Opus, Vorbis), MP3 or MP4 file.
 * @returns undefined when it is of another kind, or its header does not say, or says what cannot be.
 */
export const readDurationSeconds = (bytes: Uint8Array): number | undefined => {
  if (bytes.length < 44) return undefined;
  const view = viewOf(bytes);
  const start = tag(bytes, 0);
  if (start === "RIFF") return believe(readWav(bytes, view), bytes.length, MOST_BYTES_PER_SECOND);
  if (start === "fLaC") return believe(readFlac(bytes, view), bytes.length, MOST_BYTES_PER_SECOND);
  if (start === "OggS") return believe(readOgg(bytes, view), bytes.length, MOST_BYTES_PER_SECOND);
  if (tag(bytes, 4) === "ftyp") return believe(readMp4(bytes, view), bytes.length, MOST_BYTES_PER_SECOND);
  if (start.startsWith("ID3") || (bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe0) === 0xe0)) {
    const from = Math.max(0, findFrame(bytes));
    return believe(readMp3(bytes, view), bytes.length - from, MOST_MP3_BYTES_PER_SECOND);
  }
  return undefined;
};
