import type { Tool } from "@tollgate/contract/relay/request";
import { isRecord, type JsonRecord, readRecord, readString } from "../json/json-values";
import { parseJson } from "../json/safe-json";
import { forModel } from "../messages/for-model";

/**
 * OpenAI's `custom` tools take free text, every other API only JSON. Such a tool becomes a function with one field for
 * the text; its grammar, which no other vendor enforces, is part of the description.
 * @param name of the function.
 * @param tool its description and format (https://platform.openai.com/docs/guides/function-calling#custom-tools).
 */
export const freeformAsFunction = (name: string, tool: JsonRecord): Tool => ({
  name,
  description: [readString(tool.description), ASK, describeFormat(readRecord(tool.format))]
    .filter((text) => text !== "")
    .join("\n\n"),
  parameters: {
    type: "object",
    properties: { input: { type: "string", description: "The whole text, as it is." } },
    required: ["input"],
    additionalProperties: false,
  },
});

const ASK = forModel`This tool is called as a function: give its text, unchanged and without a wrapping, in the field "input".`;

/** Responses puts syntax and definition side by side, Chat Completions one level deeper. */
const describeFormat = (format: JsonRecord): string => {
  const grammar = isRecord(format.grammar) ? format.grammar : format;
  const definition = readString(grammar.definition);
  return definition === ""
    ? ""
    : forModel`The text must follow this ${readString(grammar.syntax)} grammar:\n${definition}`;
};

/** Free text as the arguments of that function. */
export const freeformArguments = (input: string): string => JSON.stringify({ input });

/** The free text in such arguments. Models that do not keep to the field: their only text, else all they wrote. */
export const freeformInput = (text: string): string => {
  const value = parseJson(text);
  if (typeof value === "string") return value;
  if (!isRecord(value)) return text;
  if (typeof value.input === "string") return value.input;
  const [only, ...others] = Object.values(value);
  return others.length === 0 && typeof only === "string" ? only : text;
};
