/*
 * How long a recording is. Nothing is decoded, but a header is the client's own word: it is believed only as far as the
 * bytes behind it allow. Where frames or packets tell their length each, they are added up; elsewhere the length is at
 * least what the densest packing of the format leaves for so many bytes.
 */

const tag = (bytes: Uint8Array, at: number, length = 4): string =>
  String.fromCharCode(...bytes.subarray(at, at + length));

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Formats of WAV whose samples are not packed: integers, floats, and either with more channels. */
const PLAIN_SAMPLES = new Set([1, 3, 0xfffe]);
/** Formats with one byte for each sample (A-law, µ-law). */
const BYTE_SAMPLES = new Set([6, 7]);
/** The most that packed samples take (ADPCM is half a byte each), beside what their blocks begin with. */
const MOST_PACKED_SAMPLE_BYTES = 0.6;

/**
 * Decoders go by the rate, the channels and the size of samples, and ignore the stated bytes per second and size of
 * blocks where samples are not packed; where they are, the stated figure counts unless it is more than packing allows.
 */
const readWavRate = (view: DataView, at: number): number => {
  const format = view.getUint16(at, true);
  const samples = view.getUint16(at + 2, true) * view.getUint32(at + 4, true);
  if (PLAIN_SAMPLES.has(format)) return samples * Math.ceil(view.getUint16(at + 14, true) / 8);
  if (BYTE_SAMPLES.has(format)) return samples;
  return Math.min(view.getUint32(at + 8, true), samples * MOST_PACKED_SAMPLE_BYTES);
};

/** RIFF: http://soundfile.sapp.org/doc/WaveFormat */
const readWav = (bytes: Uint8Array, view: DataView): number | undefined => {
  let bytesPerSecond = 0;
  for (let at = 12; at + 8 <= bytes.length; ) {
    const name = tag(bytes, at);
    const size = view.getUint32(at + 4, true);
    if (name === "fmt " && at + 24 <= bytes.length) bytesPerSecond = readWavRate(view, at + 8);
    // Who writes while recording leaves the size open; some decoders read on behind what is stated.
    if (name === "data") return bytesPerSecond === 0 ? undefined : (bytes.length - at - 8) / bytesPerSecond;
    at += 8 + size + (size % 2);
  }
  return undefined;
};

/** Two channels of CD quality, not packed at all, and some room. */
const MOST_FLAC_BYTES_PER_SECOND = 200_000;

/** Where the frames begin, behind the blocks of metadata, one of which may be a picture. */
const findFlacFrames = (bytes: Uint8Array, view: DataView): number => {
  for (let at = 4; at + 4 <= bytes.length; ) {
    const header = view.getUint32(at);
    at += 4 + (header & 0xffffff);
    if (header >>> 31 === 1) return Math.min(at, bytes.length);
  }
  return bytes.length;
};

/** STREAMINFO: https://www.rfc-editor.org/rfc/rfc9639#section-8.2 */
const readFlac = (bytes: Uint8Array, view: DataView): number | undefined => {
  if (bytes.length < 26) return undefined;
  const rate = view.getUint32(18) >>> 12;
  const samples = (view.getUint8(21) & 0x0f) * 2 ** 32 + view.getUint32(22);
  const least = (bytes.length - findFlacFrames(bytes, view)) / MOST_FLAC_BYTES_PER_SECOND;
  return atLeast(rate === 0 ? 0 : samples / rate, least, bytes.length);
};

const find = (bytes: Uint8Array, text: string, from: number): number => {
  for (
    let at = bytes.indexOf(text.charCodeAt(0), from);
    at !== -1;
    at = bytes.indexOf(text.charCodeAt(0), at + 1)
  )
    if (tag(bytes, at, text.length) === text) return at;
  return -1;
};

/** The highest quality of Vorbis, and of Opus. */
const MOST_OGG_BYTES_PER_SECOND = 64_000;
const OPUS_RATE = 48_000;
/** No packet of Opus is longer (https://www.rfc-editor.org/rfc/rfc6716#section-3.2). */
const MOST_OPUS_SAMPLES = 5760;

/** Samples of a frame by its configuration: https://www.rfc-editor.org/rfc/rfc6716#section-3.1 */
const opusFrameSamples = (config: number): number => {
  if (config < 12) return [480, 960, 1920, 2880][config % 4] ?? 0;
  if (config < 16) return config % 2 === 0 ? 480 : 960;
  return 120 * 2 ** (config % 4);
};

const opusPacketSamples = (bytes: Uint8Array, at: number): number => {
  const head = bytes[at] ?? 0;
  const code = head & 3;
  const frames = code === 0 ? 1 : code === 3 ? (bytes[at + 1] ?? 0) & 63 : 2;
  return Math.min(MOST_OPUS_SAMPLES, frames * opusFrameSamples(head >>> 3));
};

/**
 * Each page tells how many samples come before its end (https://www.rfc-editor.org/rfc/rfc3533#section-6); packets of
 * Opus also tell their own.
 */
const readOgg = (bytes: Uint8Array, view: DataView): number | undefined => {
  const start = 27 + (bytes[26] ?? 0);
  const isOpus = tag(bytes, start, 8) === "OpusHead";
  const isVorbis = tag(bytes, start + 1, 6) === "vorbis";
  if ((!isOpus && !isVorbis) || start + 16 > bytes.length) return undefined;
  const rate = isOpus ? OPUS_RATE : view.getUint32(start + 12, true);
  if (rate === 0) return undefined;
  let stated = 0;
  let packed = 0;
  let isContinued = false;
  for (let at = 0; at !== -1 && at + 27 <= bytes.length; ) {
    const samples = Number(view.getBigUint64(at + 6, true));
    if (samples < 2 ** 53) stated = Math.max(stated, samples);
    const segments = view.getUint8(at + 26);
    let content = at + 27 + segments;
    for (let segment = 0; segment < segments; segment += 1) {
      const size = bytes[at + 27 + segment] ?? 0;
      if (!isContinued && isOpus && size > 0 && tag(bytes, content, 4) !== "Opus")
        packed += opusPacketSamples(bytes, content);
      isContinued = size === 255;
      content += size;
    }
    at = find(bytes, "OggS", content);
  }
  const least = bytes.length / MOST_OGG_BYTES_PER_SECOND;
  return atLeast(stated / rate, Math.max(least, packed / OPUS_RATE), bytes.length);
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

/** What a frame's header says. */
interface Mp3Frame {
  bytes: number;
  seconds: number;
  /** Where the first frame of a file with variable bitrate tells the number of frames. */
  infoAt: number;
  bytesPerSecond: number;
}

const readMp3Frame = (view: DataView, at: number): Mp3Frame | undefined => {
  const header = view.getUint32(at);
  const version = (header >>> 19) & 3;
  const isLayer3 = ((header >>> 17) & 3) === 1;
  const isMpeg1 = version === 3;
  const bitrate = (isMpeg1 ? BITRATES_1 : BITRATES_2)[(header >>> 12) & 15];
  const baseRate = SAMPLE_RATES[(header >>> 10) & 3];
  if (header >>> 21 !== 0x7ff || version === 1 || !isLayer3 || !bitrate || baseRate === undefined)
    return undefined;
  const rate = isMpeg1 ? baseRate : version === 2 ? baseRate / 2 : baseRate / 4;
  const samples = isMpeg1 ? 1152 : 576;
  const isMono = ((header >>> 6) & 3) === 3;
  return {
    bytes: Math.floor((samples * bitrate * 125) / rate) + ((header >>> 9) & 1),
    seconds: samples / rate,
    infoAt: at + 4 + (isMpeg1 ? (isMono ? 17 : 32) : isMono ? 9 : 17),
    bytesPerSecond: bitrate * 125,
  };
};

/** Adds up the frames, as a decoder does, which looks for the next one where something else stands between. */
const walkMp3 = (bytes: Uint8Array, view: DataView, start: number): { seconds: number; bytes: number } => {
  let seconds = 0;
  let inFrames = 0;
  for (let at = start; at !== -1 && at + 4 <= bytes.length; ) {
    const frame = bytes[at] === 0xff ? readMp3Frame(view, at) : undefined;
    if (frame) {
      seconds += frame.seconds;
      inFrames += frame.bytes;
      at += frame.bytes;
    } else at = bytes.indexOf(0xff, at + 1);
  }
  return { seconds, bytes: inFrames };
};

const readMp3 = (bytes: Uint8Array, view: DataView): number | undefined => {
  const at = findFrame(bytes);
  const first = at === -1 ? undefined : readMp3Frame(view, at);
  if (!first) return undefined;
  const size = bytes.length - at;
  const walked = walkMp3(bytes, view, at);
  if (walked.bytes > size / 2) return walked.seconds;
  const { infoAt, bytesPerSecond } = first;
  const isCounted =
    /^(?:Xing|Info)$/.test(tag(bytes, infoAt)) &&
    infoAt + 12 <= bytes.length &&
    view.getUint32(infoAt + 4) & 1;
  const stated = isCounted ? view.getUint32(infoAt + 8) * first.seconds : size / bytesPerSecond;
  return atLeast(stated, Math.max(walked.seconds, size / MOST_MP3_BYTES_PER_SECOND), size);
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

/** Samples of a frame of AAC, and the most of them in a second that speech comes in. */
const AAC_FRAME_SAMPLES = 1024;
const MOST_AAC_RATE = 48_000;

type Range = [from: number, to: number];

/** The length that the tables of one track leave for its frames, however long they are said to be; 0 for no sound. */
const readTrack = (bytes: Uint8Array, view: DataView, [from, to]: Range): number => {
  const within = (name: string, range: Range | undefined): Range | undefined =>
    range && findBox(bytes, view, name, range[0], range[1]);
  const table = within("stbl", within("minf", within("mdia", [from, to])));
  const description = within("stsd", table);
  const sizes = within("stsz", table);
  if (!description || !sizes || description[1] - description[0] < 44 || sizes[1] - sizes[0] < 12) return 0;
  if (tag(bytes, description[0] + 12) !== "mp4a") return 0;
  const rate = view.getUint32(description[0] + 40) >>> 16;
  const count = view.getUint32(sizes[0] + 8);
  const isWhole = view.getUint32(sizes[0] + 4) !== 0 || count <= (sizes[1] - sizes[0] - 12) / 4;
  return isWhole ? (count * AAC_FRAME_SAMPLES) / Math.min(MOST_AAC_RATE, rate || MOST_AAC_RATE) : 0;
};

/** The movie header (ISO/IEC 14496-12), which in a fragmented file says 0, and the tables of the frames. */
const readMp4 = (bytes: Uint8Array, view: DataView): number | undefined => {
  const movie = findBox(bytes, view, "moov", 0, bytes.length);
  const header = movie && findBox(bytes, view, "mvhd", movie[0], movie[1]);
  if (!movie || !header || header[1] - header[0] < 32) return undefined;
  let least = 0;
  let track = findBox(bytes, view, "trak", movie[0], movie[1]);
  for (; track; track = findBox(bytes, view, "trak", track[1], movie[1]))
    least = Math.max(least, readTrack(bytes, view, track));
  const [at] = header;
  const isLong = view.getUint8(at) === 1;
  const scale = view.getUint32(at + (isLong ? 20 : 12));
  const duration = isLong ? Number(view.getBigUint64(at + 24)) : view.getUint32(at + 16);
  return atLeast(scale === 0 ? 0 : duration / scale, least, bytes.length) || undefined;
};

/** Nothing that is heard takes less: a header that says so is not believed. */
const LEAST_BYTES_PER_SECOND = 50;
/** 320 kbit/s, and some room for what is no sound. */
const MOST_MP3_BYTES_PER_SECOND = 48_000;

/** The larger of what is stated and what the bytes leave at least; what is stated must be possible in so many bytes. */
const atLeast = (stated: number, least: number, size: number): number =>
  Number.isFinite(stated) && size / stated >= LEAST_BYTES_PER_SECOND ? Math.max(stated, least) : least;

/** The formats by how they begin. */
const readAny = (bytes: Uint8Array, view: DataView): number | undefined => {
  const start = tag(bytes, 0);
  if (start === "RIFF") return readWav(bytes, view);
  if (start === "fLaC") return readFlac(bytes, view);
  if (start === "OggS") return readOgg(bytes, view);
  if (tag(bytes, 4) === "ftyp") return readMp4(bytes, view);
  const isMp3 = start.startsWith("ID3") || (bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe0) === 0xe0);
  return isMp3 ? readMp3(bytes, view) : undefined;
};

/**
 * The length of a recording in seconds, of a WAV, FLAC, Ogg (Opus, Vorbis), MP3 or MP4 file.
 * @returns undefined when it is of another kind, or does not say.
 */
export const readDurationSeconds = (bytes: Uint8Array): number | undefined => {
  if (bytes.length < 44) return undefined;
  const seconds = readAny(bytes, viewOf(bytes));
  return seconds !== undefined && seconds > 0 ? seconds : undefined;
};
