import { RequestInvalid, type RequestSummary } from "@tollgate/contract/relay/protocol";
import type { ChatRequest } from "@tollgate/contract/relay/request";
import { readOpenaiHints } from "../shared/errors/openai-hints";
import { type JsonRecord, readArray, readRecord, readString } from "../shared/json/json-values";
import { isReasoningEffort, REASONING_EFFORTS } from "../shared/request/reasoning-effort";
import {
  readBoolean,
  readInteger,
  readNumber,
  requireBody,
  requireRecord,
  requireString,
} from "../shared/request/request-fields";
import { LOGPROBS } from "./fields";
import { parseFormat } from "./parse-format";
import { parseInput } from "./parse-input";
import { parseTools } from "./parse-tools";
import { requireInput } from "./request-summary";
import { readToolTable } from "./tool-table";

/**
 * Parses a Responses request (https://platform.openai.com/docs/api-reference/responses/create) for an upstream of
 * another protocol. Hints without a counterpart (`include`, `truncation`, `client_metadata` …) are left out.
 * @throws RequestInvalid
 */
export const parseRequest = (body: unknown, summary: RequestSummary): ChatRequest => {
  const request = requireBody(body);
  if (request.prompt !== undefined && request.prompt !== null) {
    throw new RequestInvalid({ code: "templates-unsupported", field: "prompt" });
  }
  const table = readToolTable(request);
  const { system, turns } = parseInput(requireInput(request), table);
  return {
    model: summary.model,
    system: [...parseInstructions(request), ...system],
    turns,
    ...parseTools(request, table),
    isParallelToolCallsAllowed: readBoolean(request, "parallel_tool_calls"),
    maxOutputTokens: summary.maxOutputTokens,
    temperature: readNumber(request, "temperature", 0, 2),
    topP: readNumber(request, "top_p", 0, 1),
    logprobs: parseLogprobs(request),
    reasoning: parseReasoning(request.reasoning),
    showsReasoning: showsReasoning(readRecord(request.reasoning)),
    responseFormat: parseFormat(request.text),
    openaiHints: readOpenaiHints(request, readRecord(request.text).verbosity),
    endUserId: readUserId(request.safety_identifier) ?? readUserId(request.user),
    isStream: summary.isStream,
    wantsUsageChunk: false,
  };
};

const parseInstructions = ({ instructions }: JsonRecord): ChatRequest["system"] =>
  instructions === undefined || instructions === null
    ? []
    : [{ kind: "text", text: requireString(instructions, "instructions") }];

/** https://platform.openai.com/docs/api-reference/responses/create#responses-create-top_logprobs */
const MAX_TOP_LOGPROBS = 20;

const parseLogprobs = (request: JsonRecord): ChatRequest["logprobs"] => {
  const top = readInteger(request, "top_logprobs", 0, MAX_TOP_LOGPROBS);
  return (top ?? 0) > 0 || readArray(request.include).includes(LOGPROBS) ? { top } : undefined;
};

const parseReasoning = (value: unknown): ChatRequest["reasoning"] => {
  if (value === undefined || value === null) return undefined;
  const { effort } = requireRecord(value, "reasoning");
  if (effort === undefined || effort === null) return undefined;
  if (isReasoningEffort(effort)) return { effort };
  throw new RequestInvalid({ code: "not-one-of", field: "reasoning.effort", allowed: REASONING_EFFORTS });
};

/** `generate_summary` is the older name. */
const showsReasoning = ({ summary, generate_summary: older }: JsonRecord): boolean | undefined =>
  readString(summary) !== "" || readString(older) !== "" ? true : undefined;

const readUserId = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;
