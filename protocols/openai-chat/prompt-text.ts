import type { PromptText } from "@tollgate/contract/relay/prompt-text";
import { isRecord, type JsonRecord, readArray, readRecord, readString } from "../shared/json/json-values";
import { fileTokensOfUrl, inlineFileTokens, NAMED_FILE_TOKENS } from "../shared/usage/file-tokens";
import { PromptTally } from "../shared/usage/prompt-tally";

/** Fields of a request that are read apart, or that no model reads. A prediction is charged as it is rejected. */
const REQUEST_FIELDS = new Set(
  [
    "messages model tools functions response_format prediction metadata user store stop stream stream_options modalities",
    "audio voice tool_choice function_call logit_bias service_tier prompt_cache_key safety_identifier reasoning_effort",
    "verbosity prompt_cache_retention reasoning reasoning_format provider models route transforms plugins thinking",
    "web_search_options extra_body extra_headers speed",
  ].flatMap((line) => line.split(" ")),
);
const MESSAGE_FIELDS = new Set(
  [
    "role name content reasoning_content reasoning refusal tool_calls function_call tool_call_id annotations audio id",
    "logprobs",
  ].flatMap((line) => line.split(" ")),
);
const PART_FIELDS = new Set(
  "type text refusal image_url input_audio file audio_url video_url file_url".split(" "),
);

/**
 * All text that a Chat Completions model reads: contents, roles, names, tool calls and tool declarations. Images, audio
 * and files are only counted; unknown fields count by their apparent type. Never throws: values of a wrong shape are
 * left out.
 */
export const promptText = (body: unknown): PromptText => {
  const request = readRecord(body);
  const messages = readArray(request.messages);
  const tally = new PromptTally();
  for (const message of messages) if (isRecord(message)) addMessage(message, tally);
  if (Array.isArray(request.tools) && request.tools.length > 0) tally.addJson(request.tools);
  if (Array.isArray(request.functions) && request.functions.length > 0) tally.addJson(request.functions);
  // The schema of an answer is read like the declaration of a tool.
  if (isRecord(request.response_format)) tally.addJson(request.response_format);
  tally.addOthers(request, REQUEST_FIELDS);
  tally.addOthers(readRecord(request.extra_body), REQUEST_FIELDS);
  return tally.prompt(messages.length);
};

const addMessage = (message: JsonRecord, tally: PromptTally): void => {
  tally.add(message.role);
  tally.add(message.name);
  addContent(message.content, tally);
  tally.add(message.reasoning_content);
  tally.add(message.reasoning);
  tally.add(message.refusal);
  for (const call of readArray(message.tool_calls)) {
    addFunction(readRecord(call).function, tally);
    addFunction(readRecord(call).custom, tally);
  }
  addFunction(message.function_call, tally);
  for (const name in message) {
    // This field repeats the reasoning.
    const isTwice = name === "reasoning_details" && typeof message.reasoning === "string";
    if (!MESSAGE_FIELDS.has(name) && !isTwice) tally.addUnknown(message[name], name);
  }
};

/** An address is in an object or, in some clients, a plain string. */
const urlOf = (value: unknown): string =>
  typeof value === "string" ? value : readString(readRecord(value).url);

/**
 * Adds a part other than text: the API's own, and those of vendors with the same shape. Some vendors detect it by the
 * field, whatever its type.
 */
const addMedia = (part: JsonRecord, tally: PromptTally): void => {
  const { image_url, input_audio, file } = part;
  if (image_url !== undefined) tally.addMedia(fileTokensOfUrl(urlOf(image_url), true));
  if (input_audio !== undefined) {
    const { data, format } = readRecord(input_audio);
    tally.addFile(inlineFileTokens(readString(data), `audio/${readString(format)}`));
  }
  if (file !== undefined) {
    const data = readString(readRecord(file).file_data);
    tally.addFile(data === "" ? NAMED_FILE_TOKENS : inlineFileTokens(data));
  }
  for (const name of ["audio_url", "video_url", "file_url"])
    if (part[name] !== undefined) tally.addMedia(fileTokensOfUrl(urlOf(part[name]), false));
};

const addContent = (content: unknown, tally: PromptTally): void => {
  if (typeof content === "string") {
    tally.add(content);
    return;
  }
  for (const part of isRecord(content) ? [content] : readArray(content)) {
    if (typeof part === "string") tally.add(part);
    if (!isRecord(part)) continue;
    tally.add(part.text);
    tally.add(part.refusal);
    addMedia(part, tally);
    tally.addOthers(part, PART_FIELDS);
  }
};

const addFunction = (called: unknown, tally: PromptTally): void => {
  if (!isRecord(called)) return;
  tally.add(called.name);
  // Some vendors take an object.
  if (isRecord(called.arguments)) tally.addJson(called.arguments);
  else tally.add(called.arguments);
  tally.add(called.input);
};
