import { PromptText } from "@tollgate/contract/relay/prompt-text";
import { inlineFileTokens, MediaCount, NAMED_FILE_TOKENS } from "../shared/file-tokens";
import { isRecord, type JsonRecord, readArray, readRecord, readString } from "../shared/json-values";

/**
 * Everything a Messages model reads as text: system, contents, roles, tool calls, tool results and tool declarations.
 * Images and documents are only counted. Never throws: what has a wrong shape is left out.
 */
export const promptText = (body: unknown): PromptText => {
  const request = readRecord(body);
  const messages = readArray(request.messages);
  const pieces: string[] = [];
  const media = new MediaCount();
  addContent(request.system, pieces, media);
  for (const message of messages) {
    if (!isRecord(message)) continue;
    add(message.role, pieces);
    addContent(message.content, pieces, media);
  }
  if (Array.isArray(request.tools) && request.tools.length > 0) pieces.push(JSON.stringify(request.tools));
  return new PromptText(pieces, messages.length, media.count, 0, media.files, media.fileTokens);
};

/** A document by its source: a text, contents of its own, bytes, or a name. */
const addDocument = (source: JsonRecord, pieces: string[], media: MediaCount): void => {
  switch (source.type) {
    case "text":
      add(source.data, pieces);
      return;
    case "content":
      addContent(source.content, pieces, media);
      return;
    case "base64":
      media.addFile(inlineFileTokens(readString(source.data), readString(source.media_type)));
      return;
    default:
      media.addFile(NAMED_FILE_TOKENS);
  }
};

const addContent = (content: unknown, pieces: string[], media: MediaCount): void => {
  if (typeof content === "string") {
    add(content, pieces);
    return;
  }
  for (const block of readArray(content)) {
    if (!isRecord(block)) continue;
    add(block.text, pieces);
    add(block.thinking, pieces);
    add(block.context, pieces);
    add(block.tool_name, pieces);
    if (block.type === "tool_use") {
      add(block.name, pieces);
      pieces.push(JSON.stringify(block.input ?? {}));
    } else if (block.type === "tool_result" || block.type === "search_result") {
      addContent(block.content, pieces, media);
    } else if (block.type === "document") {
      addDocument(readRecord(block.source), pieces, media);
    } else if (block.type === "container_upload") {
      media.addFile(NAMED_FILE_TOKENS);
    } else if (block.type === "image") {
      media.addImage();
    }
  }
};

const add = (value: unknown, pieces: string[]): void => {
  const text = readString(value);
  if (text !== "") pieces.push(text);
};
