import type { ChatRequest } from "@tollgate/contract/relay/request";
import { formatWords, mentionsJson } from "../shared/messages/format-words";
import type { ModelRule } from "../shared/request/openai-model-rules";
import { isStrictSchema } from "../shared/tools/strict-schema";

/** Builds `response_format`; a model without schemas gets JSON mode. */
export const buildFormat = ({ responseFormat: format }: ChatRequest, rule: ModelRule): unknown => {
  if (format === undefined) return undefined;
  if (format.kind === "json" || rule.lacksSchemaFormat) return { type: "json_object" };
  const { name, description, schema, isStrict } = format;
  const strict = isStrict && isStrictSchema(schema);
  return { type: "json_schema", json_schema: { name, description, schema, strict } };
};

/** The request with the words that JSON mode requires, and with the schema that it does not carry. */
export const withFormatWords = (request: ChatRequest, rule: ModelRule): ChatRequest => {
  const { responseFormat: format, system } = request;
  const isComplete = format?.kind === "json" ? mentionsJson(request) : !rule.lacksSchemaFormat;
  if (format === undefined || isComplete) return request;
  return { ...request, system: [...system, { kind: "text", text: formatWords(format) }] };
};
