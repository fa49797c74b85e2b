import type { PromptText } from "@tollgate/contract/relay/prompt-text";
import { isRecord, type JsonRecord, readArray, readRecord, readString } from "../shared/json/json-values";
import { inlineFileTokens, NAMED_FILE_TOKENS } from "../shared/usage/file-tokens";
import { PromptTally } from "../shared/usage/prompt-tally";
import { readField } from "./read-field";

const inBothSpellings = (names: string): ReadonlySet<string> =>
  new Set(
    names
      .split(" ")
      .flatMap((name) => [name, name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]),
  );

/** Fields that are read apart, or that no model reads. */
const REQUEST_FIELDS = inBothSpellings(
  "model contents systemInstruction tools toolConfig safetySettings generationConfig cachedContent labels serviceTier",
);
const CONTENT_FIELDS = inBothSpellings("role parts");
const PART_FIELDS = inBothSpellings(
  "text thought thoughtSignature functionCall functionResponse inlineData fileData videoMetadata",
);
const CALL_FIELDS = inBothSpellings("id name args response willContinue scheduling");

/**
 * All text that a Gemini model reads: instructions, contents, roles, function calls, responses and declarations.
 * Images, recordings and files are only counted; unknown content counts by its apparent type. Never throws: values of a
 * wrong shape are left out.
 */
export const promptText = (body: unknown): PromptText => {
  const request = readRecord(body);
  const contents = isRecord(request.contents) ? [request.contents] : readArray(request.contents);
  const tally = new PromptTally();
  addContent(readField(request, "systemInstruction"), tally);
  for (const content of contents) addContent(content, tally);
  const { tools } = request;
  if (Array.isArray(tools) && tools.length > 0) tally.addJson(tools);
  // The schema of an answer is read like the declaration of a tool.
  const config = readRecord(readField(request, "generationConfig"));
  const schema = readField(config, "responseSchema") ?? readField(config, "responseJsonSchema");
  if (isRecord(schema)) tally.addJson(schema);
  tally.addOthers(request, REQUEST_FIELDS);
  return tally.prompt(contents.length);
};

/** Bytes, or the address of a file that Google fetches or stores. */
const addMedia = (part: JsonRecord, tally: PromptTally): void => {
  const inline = readField(part, "inlineData");
  const named = readField(part, "fileData");
  const data = readRecord(inline ?? named);
  const mediaType = readString(readField(data, "mimeType"));
  if (!isRecord(inline) && !isRecord(named)) return;
  if (mediaType.startsWith("image/")) tally.addImage();
  else
    tally.addFile(isRecord(inline) ? inlineFileTokens(readString(data.data), mediaType) : NAMED_FILE_TOKENS);
};

const addContent = (content: unknown, tally: PromptTally): void => {
  const record = readRecord(content);
  const { role, parts } = record;
  tally.add(role);
  for (const part of isRecord(parts) ? [parts] : readArray(parts)) if (isRecord(part)) addPart(part, tally);
  tally.addOthers(record, CONTENT_FIELDS);
};

const addPart = (part: JsonRecord, tally: PromptTally): void => {
  tally.add(part.text);
  const call = readRecord(readField(part, "functionCall"));
  const response = readRecord(readField(part, "functionResponse"));
  tally.add(call.name ?? response.name);
  const data = call.args ?? response.response;
  if (isRecord(data)) tally.addJson(data);
  // A response may contain pictures and files.
  for (const more of readArray(response.parts)) if (isRecord(more)) addPart(more, tally);
  tally.addOthers(call, CALL_FIELDS);
  addMedia(part, tally);
  tally.addOthers(part, PART_FIELDS);
};
