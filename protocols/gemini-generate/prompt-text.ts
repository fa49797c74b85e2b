import { PromptText } from "@tollgate/contract/relay/prompt-text";
import { inlineFileTokens, MediaCount, NAMED_FILE_TOKENS } from "../shared/file-tokens";
import { isRecord, type JsonRecord, readArray, readRecord, readString } from "../shared/json-values";
import { readField } from "./read-field";

/**
 * Everything a Gemini model reads as text: instructions, contents, roles, function calls, responses and declarations.
 * Images, recordings and files are only counted. Never throws: what has a wrong shape is left out.
 */
export const promptText = (body: unknown): PromptText => {
  const request = readRecord(body);
  const contents = isRecord(request.contents) ? [request.contents] : readArray(request.contents);
  const pieces: string[] = [];
  const media = new MediaCount();
  addContent(readField(request, "systemInstruction"), pieces, media);
  for (const content of contents) addContent(content, pieces, media);
  const { tools } = request;
  if (Array.isArray(tools) && tools.length > 0) pieces.push(JSON.stringify(tools));
  return new PromptText(pieces, contents.length, media.count, 0, media.files, media.fileTokens);
};

/** Bytes, or the address of a file that Google fetches or stores. */
const addMedia = (part: JsonRecord, media: MediaCount): void => {
  const inline = readField(part, "inlineData");
  const named = readField(part, "fileData");
  const data = readRecord(inline ?? named);
  const mediaType = readString(readField(data, "mimeType"));
  if (!isRecord(inline) && !isRecord(named)) return;
  if (mediaType.startsWith("image/")) media.addImage();
  else
    media.addFile(isRecord(inline) ? inlineFileTokens(readString(data.data), mediaType) : NAMED_FILE_TOKENS);
};

const addContent = (content: unknown, pieces: string[], media: MediaCount): void => {
  const { role, parts } = readRecord(content);
  add(role, pieces);
  for (const part of isRecord(parts) ? [parts] : readArray(parts)) {
    if (!isRecord(part)) continue;
    add(part.text, pieces);
    const call = readRecord(readField(part, "functionCall"));
    const response = readRecord(readField(part, "functionResponse"));
    add(call.name ?? response.name, pieces);
    const data = call.args ?? response.response;
    if (isRecord(data)) pieces.push(JSON.stringify(data));
    addMedia(part, media);
  }
};

const add = (value: unknown, pieces: string[]): void => {
  const text = readString(value);
  if (text !== "") pieces.push(text);
};
