import { PromptText } from "@tollgate/contract/relay/prompt-text";
import { isRecord, readArray, readRecord, readString } from "../shared/json-values";

/**
 * Everything a Chat Completions model reads as text: contents, roles, names, tool calls and tool declarations. Images,
 * audio and files are only counted. Never throws: what has a wrong shape is left out.
 */
export const promptText = (body: unknown): PromptText => {
  const request = readRecord(body);
  const messages = readArray(request.messages);
  const pieces: string[] = [];
  let images = 0;
  for (const message of messages) if (isRecord(message)) images += addMessage(message, pieces);
  if (Array.isArray(request.tools) && request.tools.length > 0) pieces.push(JSON.stringify(request.tools));
  if (Array.isArray(request.functions) && request.functions.length > 0)
    pieces.push(JSON.stringify(request.functions));
  return new PromptText(pieces, messages.length, images);
};

/** @returns how many images, recordings and files there are. */
const addMessage = (message: Record<string, unknown>, pieces: string[]): number => {
  add(message.role, pieces);
  add(message.name, pieces);
  const images = addContent(message.content, pieces);
  add(message.reasoning_content, pieces);
  add(message.refusal, pieces);
  for (const call of readArray(message.tool_calls)) addFunction(readRecord(call).function, pieces);
  addFunction(message.function_call, pieces);
  return images;
};

const MEDIA = new Set(["image_url", "input_audio", "file"]);

const addContent = (content: unknown, pieces: string[]): number => {
  if (typeof content === "string") {
    add(content, pieces);
    return 0;
  }
  let images = 0;
  for (const part of readArray(content)) {
    if (!isRecord(part)) continue;
    add(part.text, pieces);
    add(part.refusal, pieces);
    if (MEDIA.has(readString(part.type))) images += 1;
  }
  return images;
};

const addFunction = (called: unknown, pieces: string[]): void => {
  if (!isRecord(called)) return;
  add(called.name, pieces);
  add(called.arguments, pieces);
};

const add = (value: unknown, pieces: string[]): void => {
  const text = readString(value);
  if (text !== "") pieces.push(text);
};
