import type { PromptText } from "@tollgate/contract/relay/protocol";
import { isRecord, readArray, readRecord, readString } from "../shared/json-values";

/**
 * Everything a Chat Completions model reads as text: contents, roles, names, tool calls and tool declarations. Images,
 * audio and files count nothing here. Never throws: what has a wrong shape is left out.
 */
export const promptText = (body: unknown): PromptText => {
  const request = readRecord(body);
  const messages = readArray(request.messages);
  const pieces: string[] = [];
  for (const message of messages) if (isRecord(message)) addMessage(message, pieces);
  if (Array.isArray(request.tools) && request.tools.length > 0) pieces.push(JSON.stringify(request.tools));
  if (Array.isArray(request.functions) && request.functions.length > 0)
    pieces.push(JSON.stringify(request.functions));
  return { text: pieces.join("\n"), messages: messages.length };
};

const addMessage = (message: Record<string, unknown>, pieces: string[]): void => {
  add(message.role, pieces);
  add(message.name, pieces);
  addContent(message.content, pieces);
  add(message.reasoning_content, pieces);
  add(message.refusal, pieces);
  for (const call of readArray(message.tool_calls)) addFunction(readRecord(call).function, pieces);
  addFunction(message.function_call, pieces);
};

const addContent = (content: unknown, pieces: string[]): void => {
  if (typeof content === "string") {
    add(content, pieces);
    return;
  }
  for (const part of readArray(content)) {
    if (!isRecord(part)) continue;
    add(part.text, pieces);
    add(part.refusal, pieces);
  }
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
