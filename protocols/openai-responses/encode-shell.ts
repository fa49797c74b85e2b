import type { AnswerStamp } from "@tollgate/contract/relay/protocol";
import { isRecord, type JsonRecord, readArray, readRecord } from "../shared/json/json-values";

/**
 * All fields of an answer except its status, its output and its usage: the request as it was understood, with the API's
 * documented defaults (https://platform.openai.com/docs/api-reference/responses/object). Clients with typed schemas
 * refuse an answer without one of them. Nothing is stored, whatever the request contains.
 */
export const encodeShell = (id: string, stamp: AnswerStamp): JsonRecord => {
  const { request } = stamp;
  return {
    id,
    object: "response",
    created_at: stamp.createdAt,
    completed_at: null,
    status: "in_progress",
    background: false,
    error: null,
    incomplete_details: null,
    instructions: textOrNull(request.instructions),
    max_output_tokens: numberOr(request.max_output_tokens, null),
    max_tool_calls: numberOr(request.max_tool_calls, null),
    metadata: readRecord(request.metadata),
    model: stamp.model,
    output: [],
    parallel_tool_calls: request.parallel_tool_calls !== false,
    presence_penalty: numberOr(request.presence_penalty, 0),
    frequency_penalty: numberOr(request.frequency_penalty, 0),
    previous_response_id: null,
    prompt_cache_key: textOrNull(request.prompt_cache_key),
    reasoning: encodeReasoning(readRecord(request.reasoning)),
    safety_identifier: textOrNull(request.safety_identifier),
    service_tier: textOrNull(request.service_tier) ?? "default",
    store: false,
    temperature: numberOr(request.temperature, 1),
    text: encodeText(readRecord(request.text)),
    tool_choice: request.tool_choice ?? "auto",
    tools: readArray(request.tools).filter(isRecord).map(encodeTool),
    top_logprobs: numberOr(request.top_logprobs, 0),
    top_p: numberOr(request.top_p, 1),
    truncation: request.truncation === "auto" ? "auto" : "disabled",
    usage: null,
    user: textOrNull(request.user),
  };
};

const textOrNull = (value: unknown): string | null => (typeof value === "string" ? value : null);

const numberOr = <Otherwise>(value: unknown, otherwise: Otherwise): number | Otherwise =>
  typeof value === "number" ? value : otherwise;

const encodeReasoning = ({ effort, summary }: JsonRecord): JsonRecord => ({
  effort: textOrNull(effort),
  summary: textOrNull(summary),
});

const encodeText = ({ format, verbosity }: JsonRecord): JsonRecord => ({
  format: encodeFormat(format),
  verbosity: textOrNull(verbosity) ?? "medium",
});

const encodeFormat = (format: unknown): JsonRecord => {
  if (!isRecord(format)) return { type: "text" };
  return format.type === "json_schema" ? { description: null, strict: false, ...format } : format;
};

/** A function is repeated with all of its fields, whatever the client left out. */
const encodeTool = (tool: JsonRecord): JsonRecord =>
  tool.type === "function" ? { description: null, parameters: null, strict: true, ...tool } : tool;
