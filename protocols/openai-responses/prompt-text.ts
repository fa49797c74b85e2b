import type { PromptText } from "@tollgate/contract/relay/prompt-text";
import { isRecord, type JsonRecord, readArray, readRecord, readString } from "../shared/json/json-values";
import { fileTokensOfUrl, inlineFileTokens, NAMED_FILE_TOKENS } from "../shared/usage/file-tokens";
import { PromptTally } from "../shared/usage/prompt-tally";

/** Text fields of calls of every kind, and of tools that are declared later. */
const WORDS = ["role", "name", "arguments", "input", "code"] as const;
const OBJECTS = ["arguments", "action", "operation", "tools"] as const;
const CONTENTS = ["content", "output", "summary"] as const;

/** Fields that are read apart, or that no model reads. */
const REQUEST_FIELDS = new Set(
  [
    "model instructions input tools text metadata user stream stream_options include reasoning tool_choice service_tier",
    "prompt_cache_key safety_identifier truncation previous_response_id conversation context_management",
    "prompt_cache_retention client_metadata extra_body extra_headers",
  ].flatMap((line) => line.split(" ")),
);
const ITEM_FIELDS = new Set<string>([
  ...WORDS,
  ...OBJECTS,
  ...CONTENTS,
  "type",
  "namespace",
  // A seal on reasoning counts as its vendor pleases.
  "encrypted_content",
  "result",
  "logprobs",
]);
const PART_FIELDS = new Set([
  ...["type", "text", "refusal", "stdout", "stderr", "image_url", "input_audio", "file_data", "file_url"],
  ...["file_id", "filename", "annotations", "logprobs", "outcome"],
]);

/**
 * All text that a Responses model reads: instructions, contents, roles, calls, their outputs and tool declarations.
 * Images, recordings and files are only counted; unknown content counts by its apparent type. Never throws: values of a
 * wrong shape are left out.
 */
export const promptText = (body: unknown): PromptText => {
  const request = readRecord(body);
  const items = typeof request.input === "string" ? [{ content: request.input }] : readArray(request.input);
  const tally = new PromptTally();
  tally.add(request.instructions);
  for (const item of items) if (isRecord(item)) addItem(item, tally);
  if (Array.isArray(request.tools) && request.tools.length > 0) tally.addJson(request.tools);
  // The schema of an answer is read like the declaration of a tool.
  const { format } = readRecord(request.text);
  if (isRecord(format)) tally.addJson(format);
  tally.addOthers(request, REQUEST_FIELDS);
  return tally.prompt(items.length);
};

/** A base64 character encodes 3/4 of a byte, and a token has four bytes. */
const TOKENS_PER_SEALED_CHARACTER = 3 / 16;

const addItem = (item: JsonRecord, tally: PromptTally): void => {
  for (const field of WORDS) tally.add(item[field]);
  for (const field of OBJECTS)
    if (isRecord(item[field]) || Array.isArray(item[field])) tally.addJson(item[field]);
  for (const field of CONTENTS) addContent(item[field], tally);
  // A conversation that was made shorter is sealed, and read; so is a picture that the model drew.
  if (readString(item.type).includes("compaction"))
    tally.addTokens(Math.ceil(readString(item.encrypted_content).length * TOKENS_PER_SEALED_CHARACTER));
  if (item.type === "image_generation_call" && readString(item.result) !== "") tally.addImage();
  tally.addOthers(item, ITEM_FIELDS);
};

/** Reads a part by its fields, whatever type it declares. */
const addMedia = (part: JsonRecord, tally: PromptTally): void => {
  const { type, image_url, input_audio, file_data } = part;
  if (typeof image_url === "string") tally.addMedia(fileTokensOfUrl(image_url, true));
  else if (type === "input_image" || type === "computer_screenshot") tally.addImage();
  if (input_audio !== undefined) {
    const { data, format } = readRecord(input_audio);
    tally.addFile(inlineFileTokens(readString(data), `audio/${readString(format)}`));
  }
  if (type === "input_file" || file_data !== undefined) {
    const data = readString(file_data);
    tally.addFile(data === "" ? NAMED_FILE_TOKENS : inlineFileTokens(data));
  }
};

const addContent = (content: unknown, tally: PromptTally): void => {
  tally.add(content);
  for (const part of isRecord(content) ? [content] : readArray(content)) {
    if (typeof part === "string") tally.add(part);
    if (!isRecord(part)) continue;
    tally.add(part.text);
    tally.add(part.refusal);
    // Output of a shell.
    tally.add(part.stdout);
    tally.add(part.stderr);
    addMedia(part, tally);
    tally.addOthers(part, PART_FIELDS);
  }
};
