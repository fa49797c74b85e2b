import { PromptText } from "@tollgate/contract/relay/prompt-text";
import { isRecord, readArray, readRecord, readString } from "../shared/json-values";

/**
 * Everything a Messages model reads as text: system, contents, roles, tool calls, tool results and tool declarations.
 * Images and documents are only counted. Never throws: what has a wrong shape is left out.
 */
export const promptText = (body: unknown): PromptText => {
  const request = readRecord(body);
  const messages = readArray(request.messages);
  const pieces: string[] = [];
  let images = 0;
  addContent(request.system, pieces);
  for (const message of messages) {
    if (!isRecord(message)) continue;
    add(message.role, pieces);
    images += addContent(message.content, pieces);
  }
  if (Array.isArray(request.tools) && request.tools.length > 0) pieces.push(JSON.stringify(request.tools));
  return new PromptText(pieces, messages.length, images);
};

/** @returns how many images and documents there are. */
const addContent = (content: unknown, pieces: string[]): number => {
  if (typeof content === "string") {
    add(content, pieces);
    return 0;
  }
  let images = 0;
  for (const block of readArray(content)) {
    if (!isRecord(block)) continue;
    add(block.text, pieces);
    add(block.thinking, pieces);
    if (block.type === "tool_use") {
      add(block.name, pieces);
      pieces.push(JSON.stringify(block.input ?? {}));
    } else if (block.type === "tool_result" || block.type === "search_result") {
      images += addContent(block.content, pieces);
    } else if (block.type === "document" && isRecord(block.source) && block.source.type === "text") {
      add(block.source.data, pieces);
    } else if (block.type === "image" || block.type === "document") {
      images += 1;
    }
  }
  return images;
};

const add = (value: unknown, pieces: string[]): void => {
  const text = readString(value);
  if (text !== "") pieces.push(text);
};
