import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import type { ChatRequest } from "@tollgate/contract/relay/request";
import { readOpenaiHints } from "../shared/errors/openai-hints";
import { isRecord, type JsonRecord, readRecord } from "../shared/json/json-values";
import {
  readBoolean,
  readInteger,
  readNumber,
  requireBody,
  requireMessages,
} from "../shared/request/request-fields";
import { readMaxUses, readWebSearch } from "../shared/tools/web-search";
import { parseMessages } from "./parse-messages";
import { parseReasoning, showsReasoning } from "./parse-reasoning";
import { parseResponseFormat } from "./parse-response-format";
import { parseOfferedTools, usesFunctions } from "./parse-tools";
import { summarizeRequest } from "./request-summary";

/** https://platform.openai.com/docs/api-reference/chat/create#chat-create-top_logprobs */
const MAX_TOP_LOGPROBS = 20;

/**
 * Parses a Chat Completions request (https://platform.openai.com/docs/api-reference/chat/create) for an upstream of
 * another protocol. Fields that would change the answer's shape are refused.
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
    ...parseOfferedTools(request),
    webSearch: parseSearch(request.web_search_options),
    isParallelToolCallsAllowed: usesFunctions(request) ? false : readBoolean(request, "parallel_tool_calls"),
    maxOutputTokens,
    temperature: readNumber(request, "temperature", 0, 2),
    topP: readNumber(request, "top_p", 0, 1),
    stopSequences: parseStop(request.stop),
    logprobs: parseLogprobs(request),
    seed: readInteger(request, "seed", Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
    presencePenalty: readNumber(request, "presence_penalty", -2, 2),
    frequencyPenalty: readNumber(request, "frequency_penalty", -2, 2),
    topK: parseTopK(request),
    reasoning: parseReasoning(request),
    showsReasoning: showsReasoning(request),
    responseFormat: parseResponseFormat(request.response_format),
    openaiHints: readOpenaiHints(request, request.verbosity),
    endUserId: readUserId(request.safety_identifier) ?? readUserId(request.user),
    isStream,
    wantsUsageChunk,
  };
};

const parseSearch = (options: unknown): ChatRequest["webSearch"] =>
  isRecord(options) ? { ...readWebSearch(options), ...readMaxUses(options, "max_uses") } : undefined;

const parseLogprobs = (request: JsonRecord): ChatRequest["logprobs"] => {
  const top = readInteger(request, "top_logprobs", 0, MAX_TOP_LOGPROBS);
  return readBoolean(request, "logprobs") === true ? { top } : undefined;
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

/** A field of many vendors of this shape, but not of OpenAI. */
const parseTopK = (request: JsonRecord): number | undefined =>
  readInteger(request, "top_k", 0, 2 ** 31 - 1) ??
  readInteger(readRecord(request.extra_body), "top_k", 0, 2 ** 31 - 1);

const readUserId = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;
