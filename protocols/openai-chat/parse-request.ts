import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import type { ChatRequest } from "@tollgate/contract/relay/request";
import { isRecord } from "../shared/json-values";
import { readOpenaiHints } from "../shared/openai-hints";
import { isReasoningEffort, REASONING_EFFORTS } from "../shared/reasoning-effort";
import { readBoolean, readInteger, readNumber, requireBody, requireMessages } from "../shared/request-fields";
import { readWebSearch } from "../shared/web-search";
import { parseMessages } from "./parse-messages";
import { parseResponseFormat } from "./parse-response-format";
import { parseToolChoice, parseTools } from "./parse-tools";
import { summarizeRequest } from "./request-summary";

/**
 * Parses a Chat Completions request (https://platform.openai.com/docs/api-reference/chat/create) for an upstream of
 * another protocol. Hints without a counterpart elsewhere (`logit_bias`, `logprobs`, `store` …) are left out; what would
 * change the answer's shape is refused.
 * @throws RequestInvalid
 */
export const parseRequest = (body: unknown): ChatRequest => {
  const request = requireBody(body);
  const { model, isStream, maxOutputTokens, choices, wantsUsageChunk } = summarizeRequest(request);
  if (choices > 1) {
    throw new RequestInvalid({ code: "several-answers", field: "n" });
  }
  if (Array.isArray(request.modalities) && request.modalities.some((kind) => kind !== "text")) {
    throw new RequestInvalid({ code: "other-answers-than-text" }, "modalities");
  }
  return {
    model,
    ...parseMessages(requireMessages(request)),
    tools: parseTools(request),
    toolChoice: parseToolChoice(request),
    webSearch: isRecord(request.web_search_options) ? readWebSearch(request.web_search_options) : undefined,
    isParallelToolCallsAllowed: readBoolean(request, "parallel_tool_calls"),
    maxOutputTokens,
    temperature: readNumber(request, "temperature", 0, 2),
    topP: readNumber(request, "top_p", 0, 1),
    stopSequences: parseStop(request.stop),
    seed: readInteger(request, "seed", Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
    presencePenalty: readNumber(request, "presence_penalty", -2, 2),
    frequencyPenalty: readNumber(request, "frequency_penalty", -2, 2),
    reasoning: parseEffort(request.reasoning_effort),
    responseFormat: parseResponseFormat(request.response_format),
    openaiHints: readOpenaiHints(request, request.verbosity),
    endUserId: readUserId(request.safety_identifier) ?? readUserId(request.user),
    isStream,
    wantsUsageChunk,
  };
};

const parseStop = (stop: unknown): string[] | undefined => {
  if (stop === undefined || stop === null) return undefined;
  const list: unknown[] = Array.isArray(stop) ? stop : [stop];
  return list.map((entry, index) => {
    if (typeof entry === "string") return entry;
    throw new RequestInvalid(
      { code: "wrong-type", field: "stop", expected: "text-or-list-of-texts" },
      Array.isArray(stop) ? `stop[${index}]` : "stop",
    );
  });
};

const parseEffort = (effort: unknown): ChatRequest["reasoning"] => {
  if (effort === undefined || effort === null) return undefined;
  if (isReasoningEffort(effort)) return { effort };
  throw new RequestInvalid({ code: "not-one-of", field: "reasoning_effort", allowed: REASONING_EFFORTS });
};

const readUserId = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;
