import { PromptText } from "@tollgate/contract/relay/prompt-text";
import { fileTokensOfUrl, inlineFileTokens, MediaCount, NAMED_FILE_TOKENS } from "../shared/file-tokens";
import { isRecord, type JsonRecord, readArray, readRecord, readString } from "../shared/json-values";

/**
 * Everything a Responses model reads as text: instructions, contents, roles, calls, their outputs and tool
 * declarations. Images, recordings and files are only counted. Never throws: what has a wrong shape is left out.
 */
export const promptText = (body: unknown): PromptText => {
  const request = readRecord(body);
  const items = typeof request.input === "string" ? [{ content: request.input }] : readArray(request.input);
  const pieces: string[] = [];
  const media = new MediaCount();
  add(request.instructions, pieces);
  for (const item of items) if (isRecord(item)) addItem(item, pieces, media);
  if (Array.isArray(request.tools) && request.tools.length > 0) pieces.push(JSON.stringify(request.tools));
  // The schema of an answer is read like the declaration of a tool.
  const { format } = readRecord(request.text);
  if (isRecord(format)) pieces.push(JSON.stringify(format));
  return new PromptText(pieces, items.length, media.count, 0, media.files, media.fileTokens);
};

const addItem = (item: JsonRecord, pieces: string[], media: MediaCount): void => {
  for (const field of WORDS) add(item[field], pieces);
  for (const field of OBJECTS)
    if (isRecord(item[field]) || Array.isArray(item[field])) addObject(item[field], pieces);
  for (const field of ["content", "output", "summary"]) addContent(item[field], pieces, media);
};

const addMedia = (part: JsonRecord, media: MediaCount): void => {
  switch (part.type) {
    case "input_image":
      media.add(fileTokensOfUrl(readString(part.image_url), true));
      return;
    case "input_audio":
      media.addFile(inlineFileTokens(readString(readRecord(part.input_audio).data), "audio"));
      return;
    case "input_file": {
      const data = readString(part.file_data);
      media.addFile(data === "" ? NAMED_FILE_TOKENS : inlineFileTokens(data));
    }
  }
};

/** What calls of every kind are made of, and tools that are handed in later. */
const WORDS = ["role", "name", "arguments", "input", "code"] as const;
const OBJECTS = ["arguments", "action", "operation", "tools"] as const;

const addObject = (value: unknown, pieces: string[]): void => {
  pieces.push(JSON.stringify(value));
};

const addContent = (content: unknown, pieces: string[], media: MediaCount): void => {
  add(content, pieces);
  for (const part of readArray(content)) {
    if (!isRecord(part)) continue;
    add(part.text, pieces);
    add(part.refusal, pieces);
    // What a shell wrote.
    add(part.stdout, pieces);
    add(part.stderr, pieces);
    addMedia(part, media);
  }
};

const add = (value: unknown, pieces: string[]): void => {
  const text = readString(value);
  if (text !== "") pieces.push(text);
};
