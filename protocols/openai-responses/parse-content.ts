import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import type { AudioPart, FilePart, ImagePart, TextPart } from "@tollgate/contract/relay/request";
import type { JsonRecord } from "../shared/json/json-values";
import { shownValue } from "../shared/json/shown-value";
import { parseDataUri } from "../shared/messages/data-uri";
import { requireRecord, requireString, requireText } from "../shared/request/request-fields";

/** Parts of an item's content. */
export type ContentPart = TextPart | ImagePart | FilePart | AudioPart;

/**
 * Parses the content of a message or the output of a call: a string, or a list of parts.
 * @param param path of the content, for the error.
 * @throws RequestInvalid
 */
export const parseContent = (content: unknown, param: string): ContentPart[] => {
  if (typeof content === "string") return [{ kind: "text", text: content }];
  if (!Array.isArray(content)) {
    throw new RequestInvalid({ code: "wrong-type", field: param, expected: "text-or-content-parts" });
  }
  return content.map((part, index) =>
    parsePart(requireRecord(part, `${param}[${index}]`), `${param}[${index}]`),
  );
};

/** Parses content that may only be text. @throws RequestInvalid */
export const parseTextContent = (content: unknown, param: string): TextPart[] =>
  parseContent(content, param).map((part, index) => {
    if (part.kind === "text") return part;
    throw new RequestInvalid({ code: "text-parts-only", holder: param }, `${param}[${index}].type`);
  });

/** Known types of content parts. */
const CONTENT_TYPES = ["input_text", "output_text", "refusal", "input_image", "input_file", "input_audio"];

const parsePart = (part: JsonRecord, param: string): ContentPart => {
  switch (part.type) {
    case "input_text":
    case "output_text":
    case "text":
      return { kind: "text", text: requireString(part.text, `${param}.text`) };
    case "refusal":
      return { kind: "text", text: requireString(part.refusal, `${param}.refusal`) };
    case "input_image":
      return parseImage(part, param);
    case "input_file":
      return parseFile(part, param);
    case "input_audio": {
      const audio = requireRecord(part.input_audio, `${param}.input_audio`);
      return {
        kind: "audio",
        data: requireText(audio.data, `${param}.input_audio.data`),
        format: requireText(audio.format, `${param}.input_audio.format`),
      };
    }
    default:
      throw new RequestInvalid({
        code: "unknown-value",
        field: `${param}.type`,
        value: shownValue(part.type),
        allowed: CONTENT_TYPES,
      });
  }
};

const parseImage = (part: JsonRecord, param: string): ImagePart => {
  refuseFileId(part, param);
  const url = requireText(part.image_url, `${param}.image_url`);
  const detail = typeof part.detail === "string" ? part.detail : undefined;
  if (/^https?:\/\//i.test(url)) return { kind: "image", url, detail };
  const inline = parseDataUri(url);
  if (!inline) {
    throw new RequestInvalid({
      code: "wrong-type",
      field: `${param}.image_url`,
      expected: "web-or-data-address",
    });
  }
  return { kind: "image", data: inline.data, mediaType: inline.mediaType || undefined, detail };
};

const parseFile = (part: JsonRecord, param: string): FilePart => {
  refuseFileId(part, param);
  const filename = typeof part.filename === "string" ? part.filename : undefined;
  if (typeof part.file_url === "string" && part.file_url !== "")
    return { kind: "file", url: part.file_url, filename };
  const text = requireText(part.file_data, `${param}.file_data`);
  const inline = parseDataUri(text);
  if (inline) return { kind: "file", data: inline.data, mediaType: inline.mediaType || undefined, filename };
  const mediaType = filename?.toLowerCase().endsWith(".pdf") ? "application/pdf" : undefined;
  return { kind: "file", data: text, mediaType, filename };
};

const refuseFileId = ({ file_id }: JsonRecord, param: string): void => {
  if (typeof file_id !== "string" || file_id === "") return;
  throw new RequestInvalid({ code: "foreign-file-id" }, `${param}.file_id`);
};
