import { PromptText } from "@tollgate/contract/relay/prompt-text";
import { fileTokensOfUrl, inlineFileTokens, MediaCount, NAMED_FILE_TOKENS } from "../shared/file-tokens";
import { isRecord, type JsonRecord, readArray, readRecord, readString } from "../shared/json-values";

/**
 * Everything a Chat Completions model reads as text: contents, roles, names, tool calls and tool declarations. Images,
 * audio and files are only counted. Never throws: what has a wrong shape is left out.
 */
export const promptText = (body: unknown): PromptText => {
  const request = readRecord(body);
  const messages = readArray(request.messages);
  const pieces: string[] = [];
  const media = new MediaCount();
  for (const message of messages) if (isRecord(message)) addMessage(message, pieces, media);
  if (Array.isArray(request.tools) && request.tools.length > 0) pieces.push(JSON.stringify(request.tools));
  if (Array.isArray(request.functions) && request.functions.length > 0)
    pieces.push(JSON.stringify(request.functions));
  // The schema of an answer is read like the declaration of a tool.
  if (isRecord(request.response_format)) pieces.push(JSON.stringify(request.response_format));
  return new PromptText(pieces, messages.length, media.count, 0, media.files, media.fileTokens);
};

const addMessage = (message: JsonRecord, pieces: string[], media: MediaCount): void => {
  add(message.role, pieces);
  add(message.name, pieces);
  addContent(message.content, pieces, media);
  add(message.reasoning_content, pieces);
  add(message.reasoning, pieces);
  add(message.refusal, pieces);
  for (const call of readArray(message.tool_calls)) {
    addFunction(readRecord(call).function, pieces);
    addFunction(readRecord(call).custom, pieces);
  }
  addFunction(message.function_call, pieces);
};

/** An address stands in an object or, in some clients, by itself. */
const urlOf = (value: unknown): string =>
  typeof value === "string" ? value : readString(readRecord(value).url);

/** Adds a part that is no text: the API's own, and what vendors of its shape have besides. */
const addMedia = (part: JsonRecord, media: MediaCount): void => {
  switch (part.type) {
    case "image_url":
      media.add(fileTokensOfUrl(urlOf(part.image_url), true));
      return;
    case "input_audio":
      media.addFile(inlineFileTokens(readString(readRecord(part.input_audio).data), "audio"));
      return;
    case "file": {
      const data = readString(readRecord(part.file).file_data);
      media.addFile(data === "" ? NAMED_FILE_TOKENS : inlineFileTokens(data));
      return;
    }
    case "audio_url":
    case "video_url":
    case "file_url":
      media.add(fileTokensOfUrl(urlOf(part[part.type]), false));
  }
};

const addContent = (content: unknown, pieces: string[], media: MediaCount): void => {
  if (typeof content === "string") {
    add(content, pieces);
    return;
  }
  for (const part of readArray(content)) {
    if (!isRecord(part)) continue;
    add(part.text, pieces);
    add(part.refusal, pieces);
    addMedia(part, media);
  }
};

const addFunction = (called: unknown, pieces: string[]): void => {
  if (!isRecord(called)) return;
  add(called.name, pieces);
  add(called.arguments, pieces);
  add(called.input, pieces);
};

const add = (value: unknown, pieces: string[]): void => {
  const text = readString(value);
  if (text !== "") pieces.push(text);
};
