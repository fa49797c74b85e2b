import type { PromptText } from "@tollgate/contract/relay/prompt-text";
import {
  isRecord,
  type JsonRecord,
  lookUp,
  readArray,
  readRecord,
  readString,
} from "../shared/json/json-values";
import { inlineFileTokens, NAMED_FILE_TOKENS } from "../shared/usage/file-tokens";
import { PromptTally } from "../shared/usage/prompt-tally";

/** Fields that are read apart, or that no model reads. */
const REQUEST_FIELDS = new Set(
  [
    "model system messages tools metadata stop_sequences stream tool_choice thinking output_config output_format",
    "service_tier speed inference_geo container betas anthropic_version anthropic_beta context_management mcp_servers",
    "fallbacks",
  ].flatMap((line) => line.split(" ")),
);
const MESSAGE_FIELDS = new Set(["role", "content"]);
/** A seal in any block counts by its vendor's own rules; citations quote the input. */
const BLOCK_FIELDS = new Set(["type", "text", "thinking", "context", "tool_name", "signature", "citations"]);
const KNOWN_FIELDS: Readonly<Record<string, ReadonlySet<string>>> = {
  tool_use: new Set([...BLOCK_FIELDS, "name", "input"]),
  tool_result: new Set([...BLOCK_FIELDS, "content"]),
  search_result: new Set([...BLOCK_FIELDS, "content"]),
  document: new Set([...BLOCK_FIELDS, "source"]),
  container_upload: new Set([...BLOCK_FIELDS, "file_id"]),
  image: new Set([...BLOCK_FIELDS, "source"]),
  redacted_thinking: new Set([...BLOCK_FIELDS, "data"]),
};

/**
 * All text that a Messages model reads: system, contents, roles, tool calls, tool results and tool declarations. Images
 * and documents are only counted; unknown content counts by its apparent type. Never throws: values of a wrong shape
 * are left out.
 */
export const promptText = (body: unknown): PromptText => {
  const request = readRecord(body);
  const messages = readArray(request.messages);
  const tally = new PromptTally();
  addContent(request.system, tally);
  for (const message of messages) {
    if (!isRecord(message)) continue;
    tally.add(message.role);
    addContent(message.content, tally);
    tally.addOthers(message, MESSAGE_FIELDS);
  }
  if (Array.isArray(request.tools) && request.tools.length > 0) tally.addJson(request.tools);
  tally.addOthers(request, REQUEST_FIELDS);
  return tally.prompt(messages.length);
};

/** A document by its source: a text, nested content, bytes, or a name. */
const addDocument = (source: JsonRecord, tally: PromptTally): void => {
  switch (source.type) {
    case "text":
      tally.add(source.data);
      return;
    case "content":
      addContent(source.content, tally);
      return;
    case "base64":
      tally.addFile(inlineFileTokens(readString(source.data), readString(source.media_type)));
      return;
    default:
      tally.addFile(NAMED_FILE_TOKENS);
  }
};

const addContent = (content: unknown, tally: PromptTally): void => {
  if (typeof content === "string") {
    tally.add(content);
    return;
  }
  for (const block of isRecord(content) ? [content] : readArray(content)) {
    if (typeof block === "string") tally.add(block);
    if (!isRecord(block)) continue;
    tally.add(block.text);
    tally.add(block.thinking);
    tally.add(block.context);
    tally.add(block.tool_name);
    if (block.type === "tool_use") {
      tally.add(block.name);
      tally.addJson(block.input ?? {});
    } else if (block.type === "tool_result" || block.type === "search_result") {
      addContent(block.content, tally);
    } else if (block.type === "document") {
      addDocument(readRecord(block.source), tally);
    } else if (block.type === "container_upload") {
      tally.addFile(NAMED_FILE_TOKENS);
    } else if (block.type === "image") {
      tally.addImage();
    }
    tally.addOthers(block, lookUp(KNOWN_FIELDS, readString(block.type)) ?? BLOCK_FIELDS);
  }
};
