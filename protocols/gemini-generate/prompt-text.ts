import { PromptText } from "@tollgate/contract/relay/prompt-text";
import { isRecord, readArray, readRecord, readString } from "../shared/json-values";
import { readField } from "./read-field";

/**
 * Everything a Gemini model reads as text: instructions, contents, roles, function calls, responses and declarations.
 * Images, recordings and files are only counted. Never throws: what has a wrong shape is left out.
 */
export const promptText = (body: unknown): PromptText => {
  const request = readRecord(body);
  const contents = isRecord(request.contents) ? [request.contents] : readArray(request.contents);
  const pieces: string[] = [];
  let images = addContent(readField(request, "systemInstruction"), pieces);
  for (const content of contents) images += addContent(content, pieces);
  const { tools } = request;
  if (Array.isArray(tools) && tools.length > 0) pieces.push(JSON.stringify(tools));
  return new PromptText(pieces, contents.length, images);
};

/** @returns how many images, recordings and files there are. */
const addContent = (content: unknown, pieces: string[]): number => {
  const { role, parts } = readRecord(content);
  add(role, pieces);
  let images = 0;
  for (const part of isRecord(parts) ? [parts] : readArray(parts)) {
    if (!isRecord(part)) continue;
    add(part.text, pieces);
    const call = readRecord(readField(part, "functionCall"));
    const response = readRecord(readField(part, "functionResponse"));
    add(call.name ?? response.name, pieces);
    const data = call.args ?? response.response;
    if (isRecord(data)) pieces.push(JSON.stringify(data));
    if (isRecord(readField(part, "inlineData")) || isRecord(readField(part, "fileData"))) images += 1;
  }
  return images;
};

const add = (value: unknown, pieces: string[]): void => {
  const text = readString(value);
  if (text !== "") pieces.push(text);
};
