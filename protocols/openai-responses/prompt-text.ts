import { PromptText } from "@tollgate/contract/relay/prompt-text";
import { isRecord, type JsonRecord, readArray, readRecord, readString } from "../shared/json-values";

/**
 * Everything a Responses model reads as text: instructions, contents, roles, calls, their outputs and tool
 * declarations. Images, recordings and files are only counted. Never throws: what has a wrong shape is left out.
 */
export const promptText = (body: unknown): PromptText => {
  const request = readRecord(body);
  const items = typeof request.input === "string" ? [{ content: request.input }] : readArray(request.input);
  const pieces: string[] = [];
  let images = 0;
  add(request.instructions, pieces);
  for (const item of items) if (isRecord(item)) images += addItem(item, pieces);
  if (Array.isArray(request.tools) && request.tools.length > 0) pieces.push(JSON.stringify(request.tools));
  return new PromptText(pieces, items.length, images);
};

/** @returns how many images, recordings and files there are. */
const addItem = (item: JsonRecord, pieces: string[]): number => {
  for (const field of ["role", "name", "arguments"]) add(item[field], pieces);
  return (
    addContent(item.content, pieces) + addContent(item.output, pieces) + addContent(item.summary, pieces)
  );
};

const MEDIA = new Set(["input_image", "input_file", "input_audio"]);

const addContent = (content: unknown, pieces: string[]): number => {
  add(content, pieces);
  let images = 0;
  for (const part of readArray(content)) {
    if (!isRecord(part)) continue;
    add(part.text, pieces);
    add(part.refusal, pieces);
    if (MEDIA.has(readString(part.type))) images += 1;
  }
  return images;
};

const add = (value: unknown, pieces: string[]): void => {
  const text = readString(value);
  if (text !== "") pieces.push(text);
};
