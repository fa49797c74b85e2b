import type { OperationInput } from "@tollgate/contract/relay/operation";
import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import { lookUp, readString } from "../json/json-values";

/** A request for OpenAI's `audio/transcriptions` or `audio/translations`, as another vendor reads it. */
export interface RecordingRequest {
  bytes: Uint8Array;
  /** Media type of the recording, by its first bytes. */
  mediaType: string;
  /** Language spoken in it, by its code; "" where the client names none. */
  language: string;
  /** Words that may occur in it; "" for none. */
  prompt: string;
  /** Undefined where the client sets none. */
  temperature: number | undefined;
}

const MIB = 1024 * 1024;

/** Media types by the end of a file's name, for formats without a mark of their own. */
const TYPES_BY_NAME: Readonly<Record<string, string>> = {
  mp3: "audio/mpeg",
  mpga: "audio/mpeg",
  mpeg: "audio/mpeg",
  aac: "audio/aac",
};

const latin = (bytes: Uint8Array, from: number, to: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1", from, to);

/** https://en.wikipedia.org/wiki/List_of_file_signatures */
const typeOf = (bytes: Uint8Array, filename: string): string | undefined => {
  const mark = latin(bytes, 0, 4);
  if (mark === "RIFF" && latin(bytes, 8, 12) === "WAVE") return "audio/wav";
  if (mark === "fLaC") return "audio/flac";
  if (mark === "OggS") return "audio/ogg";
  if (mark === "\x1a\x45\xdf\xa3") return "audio/webm";
  if (latin(bytes, 4, 8) === "ftyp") return "audio/mp4";
  if (mark === "FORM" && /^AIF[FC]$/.test(latin(bytes, 8, 12))) return "audio/aiff";
  if (mark === "#!AM") return "audio/amr";
  if (mark.startsWith("ID3")) return "audio/mpeg";
  const [first = 0, second = 0] = bytes;
  // A frame of MPEG audio; AAC has layer 0.
  if (first === 0xff && second >= 0xe0) return (second & 0x06) === 0 ? "audio/aac" : "audio/mpeg";
  return lookUp(TYPES_BY_NAME, filename.slice(filename.lastIndexOf(".") + 1).toLowerCase());
};

const FORMATS = ["json", "text"];

/** Fields that ask for more than the words, which vendors of other shapes do not return. */
const BEYOND_WORDS = ["include", "include[]", "timestamp_granularities", "timestamp_granularities[]"];

const readTemperature = (value: unknown): number | undefined => {
  if (value === undefined || value === "") return undefined;
  const temperature = Number(value);
  if (temperature >= 0 && temperature <= 1) return temperature;
  throw new RequestInvalid({ code: "no-number-within", field: "temperature", min: 0, max: 1 });
};

/**
 * @param maxMib the largest recording that the vendor takes inside a request.
 * @throws RequestInvalid when the vendor does not support the request.
 */
export const readRecordingRequest = (
  { fields, uploads }: OperationInput,
  maxMib: number,
): RecordingRequest => {
  const format = readString(fields.response_format);
  if (format !== "" && !FORMATS.includes(format)) {
    const fault = { code: "unsupported-value-instead", field: "response_format", value: format } as const;
    throw new RequestInvalid({ ...fault, instead: FORMATS });
  }
  const beyond = BEYOND_WORDS.find((field) => fields[field] !== undefined);
  if (beyond !== undefined) throw new RequestInvalid({ code: "unsupported-field", field: beyond });
  const upload = uploads.find(({ field, bytes }) => field === "file" && bytes.length > 0);
  if (!upload) throw new RequestInvalid({ code: "file-missing", field: "file" });
  if (upload.bytes.length > maxMib * MIB)
    throw new RequestInvalid({ code: "file-too-large", field: "file", maxMib });
  const mediaType = typeOf(upload.bytes, upload.filename);
  if (mediaType === undefined) {
    const type = upload.filename.slice(-40);
    throw new RequestInvalid({ code: "unsupported-file-type", type }, "file");
  }
  return {
    bytes: upload.bytes,
    mediaType,
    language: readString(fields.language),
    prompt: readString(fields.prompt),
    temperature: readTemperature(fields.temperature),
  };
};

/** The recording as base64. */
export const encodeRecording = ({ bytes }: RecordingRequest): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
