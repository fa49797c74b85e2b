import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import type { AudioPart, CacheMark, FilePart, ImagePart, TextPart } from "@tollgate/contract/relay/request";
import { isRecord, type JsonRecord } from "../shared/json/json-values";
import { shownValue } from "../shared/json/shown-value";
import { parseDataUri } from "../shared/messages/data-uri";
import { requireRecord, requireString, requireText } from "../shared/request/request-fields";

/** Parts of a message's content. A refusal in the history becomes text. */
export type ContentPart = TextPart | ImagePart | FilePart | AudioPart;

/**
 * Parses `content`: a string or a list of parts (https://platform.openai.com/docs/api-reference/chat/create).
 * @param param path of the content, for the error.
 * @throws RequestInvalid
 */
export const parseContent = (content: unknown, param: string): ContentPart[] => {
  if (typeof content === "string") return [{ kind: "text", text: content }];
  if (!Array.isArray(content)) {
    throw new RequestInvalid({ code: "wrong-type", field: param, expected: "text-or-content-parts" });
  }
  return content.map((part, index) => {
    const parsed = parsePart(part, `${param}[${index}]`);
    const cacheMark = readCacheMark(part);
    return cacheMark === undefined || parsed.kind === "audio" ? parsed : { ...parsed, cacheMark };
  });
};

/** `cache_control`, which gateways and clients for Claude send in this shape too. */
export const readCacheMark = (holder: unknown): CacheMark | undefined => {
  const control = isRecord(holder) ? holder.cache_control : undefined;
  if (!isRecord(control)) return undefined;
  return typeof control.ttl === "string" ? { ttl: control.ttl } : {};
};

/** Parses content that may only be text. @throws RequestInvalid */
export const parseTextContent = (content: unknown, param: string): TextPart[] =>
  parseContent(content, param).map((part, index) => {
    if (part.kind === "text") return part;
    throw new RequestInvalid({ code: "text-parts-only", holder: param }, `${param}[${index}].type`);
  });

/** Known types of content parts. */
const CONTENT_TYPES = ["text", "refusal", "image_url", "input_audio", "file"];

const parsePart = (value: unknown, param: string): ContentPart => {
  if (typeof value === "string") return { kind: "text", text: value };
  const part = requireRecord(value, param);
  switch (part.type) {
    case "text":
    case "input_text":
    case "output_text":
      return { kind: "text", text: requireString(part.text, `${param}.text`) };
    case "refusal":
      return { kind: "text", text: requireString(part.refusal, `${param}.refusal`) };
    case "image_url":
      return parseImage(part.image_url, `${param}.image_url`);
    case "input_audio":
      return parseAudio(requireRecord(part.input_audio, `${param}.input_audio`), `${param}.input_audio`);
    case "file":
      return parseFile(requireRecord(part.file, `${param}.file`), `${param}.file`);
    default:
      throw new RequestInvalid({
        code: "unknown-value",
        field: `${param}.type`,
        value: shownValue(part.type),
        allowed: CONTENT_TYPES,
      });
  }
};

const parseImage = (value: unknown, param: string): ImagePart => {
  // The API documents an object; many clients send the address itself.
  const image: JsonRecord = typeof value === "string" ? { url: value } : requireRecord(value, param);
  const url = requireText(image.url, `${param}.url`);
  const detail = typeof image.detail === "string" ? image.detail : undefined;
  if (/^https?:\/\//i.test(url)) return { kind: "image", url, detail };
  const inline = parseDataUri(url);
  if (!inline) {
    throw new RequestInvalid({ code: "wrong-type", field: `${param}.url`, expected: "web-or-data-address" });
  }
  return { kind: "image", data: inline.data, mediaType: inline.mediaType || undefined, detail };
};

const parseAudio = (audio: JsonRecord, param: string): AudioPart => ({
  kind: "audio",
  data: requireText(audio.data, `${param}.data`),
  format: requireText(audio.format, `${param}.format`),
});

const parseFile = (file: JsonRecord, param: string): FilePart => {
  const filename = typeof file.filename === "string" ? file.filename : undefined;
  if (typeof file.file_id === "string" && file.file_id !== "") {
    return { kind: "file", fileId: file.file_id, filename };
  }
  // OpenAI itself takes no addresses here, but many vendors of this shape do.
  if (typeof file.file_url === "string" && file.file_url !== "") {
    return { kind: "file", url: file.file_url, filename };
  }
  const text = requireText(file.file_data, `${param}.file_data`);
  const inline = parseDataUri(text);
  if (inline) return { kind: "file", data: inline.data, mediaType: inline.mediaType || undefined, filename };
  // OpenAI also accepts bare base64; the name then determines the type.
  const mediaType = filename?.toLowerCase().endsWith(".pdf") ? "application/pdf" : undefined;
  return { kind: "file", data: text, mediaType, filename };
};
