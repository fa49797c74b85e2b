import type { UpstreamCall } from "@tollgate/contract/relay/protocol";
import type { ChatRequest, ReasoningEffort } from "@tollgate/contract/relay/request";
import { hexHash } from "../shared/json/stable-hash";
import { findModelRule, type ModelRule } from "../shared/request/openai-model-rules";
import { effortOfBudget, nearestEffort } from "../shared/request/reasoning-effort";
import { refuseRequiredSearch } from "../shared/tools/web-search";
import { buildFormat, withFormatWords } from "./build-format";
import { buildMessages } from "./build-messages";
import { buildTools } from "./build-tools";

/** https://platform.openai.com/docs/api-reference/chat/create#chat-create-stop */
const MAX_STOP_SEQUENCES = 4;

/** Longer user ids are refused. */
const MAX_USER_ID_LENGTH = 64;

/**
 * Builds a Chat Completions request from the canonical one, with only the fields that OpenAI supports, because it
 * refuses unknown ones. Undefined fields disappear when the body is serialized.
 * @throws RequestInvalid
 */
export const buildRequest = (request: ChatRequest): UpstreamCall => {
  const rule = findModelRule(request.model);
  const effort = chooseEffort(request, rule);
  // A reasoning model refuses all sampling fields.
  const isSampling = !rule.isReasoning || effort === "none";
  return {
    path: "/v1/chat/completions",
    headers: {},
    body: {
      model: request.model,
      messages: buildMessages(withFormatWords(request, rule), rule),
      ...buildTools(request),
      [rule.isReasoning ? "max_completion_tokens" : "max_tokens"]: request.maxOutputTokens,
      ...(isSampling
        ? {
            temperature: request.temperature,
            top_p: request.topP,
            presence_penalty: request.presencePenalty,
            frequency_penalty: request.frequencyPenalty,
            ...(request.logprobs ? { logprobs: true, top_logprobs: request.logprobs.top } : {}),
          }
        : {}),
      stop: rule.isReasoning ? undefined : buildStop(request.stopSequences),
      seed: request.seed,
      reasoning_effort: effort,
      response_format: buildFormat(request, rule),
      ...buildHints(request, rule),
      web_search_options: buildSearch(request),
      user: request.endUserId && buildUserId(request.endUserId),
      // Usage is always requested, because the answer could otherwise only be estimated.
      ...(request.isStream ? { stream: true, stream_options: { include_usage: true } } : {}),
    },
  };
};

const chooseEffort = (request: ChatRequest, rule: ModelRule): ReasoningEffort | undefined => {
  if (rule.areToolsWithoutReasoning && request.tools.length > 0) return "none";
  const { effort, budgetTokens } = request.reasoning ?? {};
  const wanted = effort ?? (budgetTokens === undefined ? undefined : effortOfBudget(budgetTokens));
  if (wanted === undefined) return undefined;
  // Vendors whose efforts do not include "none" stay at their default: sending "low" could turn reasoning on.
  if (wanted === "none" && !rule.isReasoning) return undefined;
  return nearestEffort(wanted, rule.efforts);
};

const buildStop = (sequences: readonly string[] | undefined): string[] | undefined =>
  sequences && sequences.length > 0 ? sequences.slice(0, MAX_STOP_SEQUENCES) : undefined;

/**
 * Fields that only OpenAI supports; other vendors refuse unknown fields. Metadata is left out: OpenAI refuses it in
 * this shape for answers that are not stored.
 */
const buildHints = ({ openaiHints }: ChatRequest, rule: ModelRule): Record<string, unknown> =>
  openaiHints === undefined || rule.isOpenai !== true
    ? {}
    : {
        prompt_cache_key: openaiHints.promptCacheKey,
        prompt_cache_retention: openaiHints.promptCacheRetention,
        service_tier: openaiHints.serviceTier,
        store: openaiHints.isUnstored ? false : undefined,
        verbosity: rule.isReasoning ? openaiHints.verbosity : undefined,
      };

/** Only these models search (https://platform.openai.com/docs/guides/tools-web-search?api-mode=chat). */
const SEARCHES = /-search-(?:preview|api)/;

const buildSearch = (request: ChatRequest): unknown => {
  const { webSearch, model } = request;
  if (webSearch === undefined) return undefined;
  if (!SEARCHES.test(model)) {
    refuseRequiredSearch(request);
    return undefined;
  }
  const { contextSize, userLocation } = webSearch;
  return {
    search_context_size: contextSize,
    user_location: userLocation && { type: "approximate", approximate: userLocation },
  };
};

const buildUserId = (id: string): string => (id.length <= MAX_USER_ID_LENGTH ? id : hexHash(id));
