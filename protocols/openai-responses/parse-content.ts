import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import type { AudioPart, FilePart, ImagePart, TextPart } from "@tollgate/contract/relay/request";
import { parseDataUri } from "../shared/data-uri";
import type { JsonRecord } from "../shared/json-values";
import { requireRecord, requireString, requireText } from "../shared/request-fields";

/** What the content of an item can be made of. */
export type ContentPart = TextPart | ImagePart | FilePart | AudioPart;

/**
 * Parses the content of a message or the output of a call: a string, or a list of parts.
 * @param param where the content stands, for the error.
 * @throws RequestInvalid
 */
export const parseContent = (content: unknown, param: string): ContentPart[] => {
  if (typeof content === "string") return [{ kind: "text", text: content }];
  if (!Array.isArray(content)) {
    throw new RequestInvalid(`${param} must be a string or a list of content parts`, param);
  }
  return content.map((part, index) =>
    parsePart(requireRecord(part, `${param}[${index}]`), `${param}[${index}]`),
  );
};

/** Parses content that may only be text. @throws RequestInvalid */
export const parseTextContent = (content: unknown, param: string): TextPart[] =>
  parseContent(content, param).map((part, index) => {
    if (part.kind === "text") return part;
    throw new RequestInvalid(`${param} can only hold text`, `${param}[${index}].type`);
  });

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
      throw new RequestInvalid(
        `${param}.type "${String(part.type)}" is not a known content type`,
        `${param}.type`,
      );
  }
};

const parseImage = (part: JsonRecord, param: string): ImagePart => {
  refuseFileId(part, param);
  const url = requireText(part.image_url, `${param}.image_url`);
  const detail = typeof part.detail === "string" ? part.detail : undefined;
  if (/^https?:\/\//i.test(url)) return { kind: "image", url, detail };
  const inline = parseDataUri(url);
  if (!inline) {
    throw new RequestInvalid(
      `${param}.image_url must be an http(s) address or a base64 data: address`,
      `${param}.image_url`,
    );
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
  throw new RequestInvalid(
    "a file id of OpenAI means nothing to the upstream of this model, send the file's data",
    `${param}.file_id`,
  );
};
