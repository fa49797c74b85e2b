import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import type { AudioPart, FilePart, ImagePart } from "@tollgate/contract/relay/request";
import type { JsonRecord } from "../shared/json/json-values";
import { readString } from "../shared/json/json-values";
import { requireRecord, requireText } from "../shared/request/request-fields";
import { readPartDetail } from "./media-resolution";
import { readField } from "./read-field";

/** Other vendors' names of recording formats. */
const AUDIO_FORMATS: Readonly<Record<string, string>> = {
  "audio/mpeg": "mp3",
  "audio/x-wav": "wav",
  "audio/wave": "wav",
  "audio/vnd.wave": "wav",
};

/** Addresses that only Google's own servers can read. */
const GOOGLE_STORE = /^(?:gs:|https:\/\/generativelanguage\.googleapis\.com\/)/i;

/**
 * Parses a part with data or a file (https://ai.google.dev/api/caching#Part).
 * @throws RequestInvalid for every other part, and for files that only Google can read.
 */
export const parseMedia = (part: JsonRecord, param: string): ImagePart | FilePart | AudioPart => {
  const media = parseData(part, param);
  const detail = readPartDetail(part);
  return media.kind === "image" && detail !== undefined ? { ...media, detail } : media;
};

const parseData = (part: JsonRecord, param: string): ImagePart | FilePart | AudioPart => {
  const inline = readField(part, "inlineData");
  if (inline !== undefined)
    return parseInline(requireRecord(inline, `${param}.inlineData`), `${param}.inlineData`);
  const file = readField(part, "fileData");
  if (file !== undefined) return parseFile(requireRecord(file, `${param}.fileData`), `${param}.fileData`);
  const [name = "nothing"] = Object.keys(part);
  throw new RequestInvalid({ code: "unsupported-part", part: name }, param);
};

const parseInline = (blob: JsonRecord, param: string): ImagePart | FilePart | AudioPart => {
  const mediaType = requireText(readField(blob, "mimeType"), `${param}.mimeType`);
  const data = requireText(blob.data, `${param}.data`);
  if (mediaType.startsWith("image/")) return { kind: "image", data, mediaType };
  if (mediaType.startsWith("audio/")) {
    return { kind: "audio", data, format: AUDIO_FORMATS[mediaType] ?? mediaType.slice("audio/".length) };
  }
  const name = readString(readField(blob, "displayName"));
  return { kind: "file", data, mediaType, ...(name === "" ? {} : { filename: name }) };
};

const parseFile = (file: JsonRecord, param: string): ImagePart | FilePart => {
  const url = requireText(readField(file, "fileUri"), `${param}.fileUri`);
  if (GOOGLE_STORE.test(url) || !/^https?:\/\//i.test(url)) {
    throw new RequestInvalid({ code: "foreign-file-address" }, `${param}.fileUri`);
  }
  const mediaType = readString(readField(file, "mimeType"));
  return mediaType.startsWith("image/")
    ? { kind: "image", url, mediaType }
    : { kind: "file", url, mediaType };
};
