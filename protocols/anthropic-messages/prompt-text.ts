import type { PromptText } from "@tollgate/contract/relay/protocol";
import { isRecord, readArray, readRecord, readString } from "../shared/json-values";

/**
 * Everything a Messages model reads as text: system, contents, roles, tool calls, tool results and tool declarations.
 * Images and documents count nothing here. Never throws: what has a wrong shape is left out.
 */
export const promptText = (body: unknown): PromptText => {
  const request = readRecord(body);
  const messages = readArray(request.messages);
  const pieces: string[] = [];
  addContent(request.system, pieces);
  for (const message of messages) {
    if (!isRecord(message)) continue;
    add(message.role, pieces);
    addContent(message.content, pieces);
  }
  if (Array.isArray(request.tools) && request.tools.length > 0) pieces.push(JSON.stringify(request.tools));
  return { text: pieces.join("\n"), messages: messages.length };
};

const addContent = (content: unknown, pieces: string[]): void => {
  if (typeof content === "string") {
    add(content, pieces);
    return;
  }
  for (const block of readArray(content)) {
    if (!isRecord(block)) continue;
    add(block.text, pieces);
    add(block.thinking, pieces);
    if (block.type === "tool_use") {
      add(block.name, pieces);
      pieces.push(JSON.stringify(block.input ?? {}));
    } else if (block.type === "tool_result" || block.type === "search_result") {
      addContent(block.content, pieces);
    } else if (block.type === "document" && isRecord(block.source) && block.source.type === "text") {
      add(block.source.data, pieces);
    }
  }
};

const add = (value: unknown, pieces: string[]): void => {
  const text = readString(value);
  if (text !== "") pieces.push(text);
};
