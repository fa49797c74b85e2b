import type { ChannelFields, UpstreamCall } from "@tollgate/contract/relay/protocol";
import type { ChatRequest } from "@tollgate/contract/relay/request";
import { clamp } from "../shared/request/clamp";
import { toolParameters, toolsToOffer } from "../shared/tools/tools-to-offer";
import { buildMessages } from "./build-messages";

const TEXT_PATH = "/services/aigc/text-generation/generation";
const PICTURE_PATH = "/services/aigc/multimodal-generation/generation";

/** one-api's convention for an answer with an internet search: a suffix of the model's name. */
const SEARCHING = /-internet$/;

/**
 * Builds a generation. Vision models have a separate address. The channel's `other` field names a plugin.
 * @throws RequestInvalid for documents and audio.
 */
export const buildRequest = (request: ChatRequest, fields: ChannelFields): UpstreamCall => {
  const { messages, hasImages } = buildMessages(request);
  const isVisual = hasImages || /-vl|^qvq|^qwen-omni/.test(request.model);
  return {
    path: isVisual ? PICTURE_PATH : TEXT_PATH,
    headers: {
      ...(request.isStream ? { "x-dashscope-sse": "enable" } : {}),
      ...(fields.other === "" ? {} : { "x-dashscope-plugin": fields.other }),
    },
    body: {
      model: request.model.replace(SEARCHING, ""),
      input: { messages: isVisual && !hasImages ? messages.map(withContentList) : messages },
      parameters: buildParameters(request),
    },
  };
};

const withContentList = (message: Record<string, unknown>): Record<string, unknown> =>
  typeof message.content === "string" ? { ...message, content: [{ text: message.content }] } : message;

const buildParameters = (request: ChatRequest): Record<string, unknown> => {
  const tools = toolsToOffer(request);
  const isForced = request.toolChoice?.kind === "tool";
  return {
    result_format: "message",
    incremental_output: request.isStream ? true : undefined,
    max_tokens: request.maxOutputTokens,
    // Below 2, and below 1.
    temperature: clamp(request.temperature, 0, 1.99),
    top_p: clamp(request.topP, 0.001, 0.999),
    top_k: request.topK,
    seed: clamp(request.seed, 0, 2 ** 31 - 1),
    stop: request.stopSequences,
    presence_penalty: request.presencePenalty,
    enable_search: SEARCHING.test(request.model) ? true : undefined,
    enable_thinking: buildThinking(request),
    thinking_budget: request.reasoning?.budgetTokens,
    response_format: request.responseFormat === undefined ? undefined : { type: "json_object" },
    tools:
      tools.length === 0
        ? undefined
        : tools.map((tool) => ({
            type: "function",
            function: { name: tool.name, description: tool.description, parameters: toolParameters(tool) },
          })),
    tool_choice: isForced && tools[0] ? { type: "function", function: { name: tools[0].name } } : undefined,
  };
};

/** Models that cannot think refuse the field, so it is only sent when the client's request mentions thinking. */
const buildThinking = ({ reasoning }: ChatRequest): boolean | undefined =>
  reasoning === undefined ? undefined : reasoning.effort !== "none";

/**
 * Thinking has a separate limit in addition to the answer's (https://help.aliyun.com/zh/model-studio/deep-thinking).
 */
export const outputLimit = (request: ChatRequest): number | undefined => {
  const { maxOutputTokens, reasoning } = request;
  if (maxOutputTokens === undefined || !buildThinking(request)) return maxOutputTokens;
  return reasoning?.budgetTokens === undefined ? undefined : maxOutputTokens + reasoning.budgetTokens;
};
