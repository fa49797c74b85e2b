import type { UpstreamCall } from "@tollgate/contract/relay/protocol";
import type { ChatRequest } from "@tollgate/contract/relay/request";
import { hexHash } from "../shared/json/stable-hash";
import { plainTurnsWithSystem } from "../shared/messages/plain-turns";
import { systemText } from "../shared/messages/system-text";
import { clamp } from "../shared/request/clamp";
import { toolParameters, toolsToOffer } from "../shared/tools/tools-to-offer";
import { buildMessages } from "./build-messages";
import { isPlainModel, modelPath } from "./model-path";

const MAX_STOP_SEQUENCES = 4;
const MIN_OUTPUT_TOKENS = 2;

/**
 * Builds a chat of the Wenxin workshop; the model is in the address.
 * @throws RequestInvalid for pictures, and for tools that the model does not support.
 */
export const buildRequest = (request: ChatRequest): UpstreamCall => ({
  path: modelPath(request.model),
  headers: {},
  body: {
    ...(isPlainModel(request.model) ? buildPlainConversation(request) : buildConversation(request)),
    stream: request.isStream ? true : undefined,
    // Above 0, up to and including 1.
    temperature: clamp(request.temperature, 0.01, 1),
    top_p: clamp(request.topP, 0, 1),
    penalty_score:
      request.frequencyPenalty === undefined ? undefined : clamp(1 + request.frequencyPenalty / 2, 1, 2),
    max_output_tokens: outputLimit(request),
    stop: buildStop(request.stopSequences),
    user_id: request.endUserId === undefined ? undefined : hexHash(request.endUserId).slice(0, 32),
  },
});

/** The client's limit, as far as it is not refused. */
export const outputLimit = ({ maxOutputTokens }: ChatRequest): number | undefined =>
  clamp(maxOutputTokens, MIN_OUTPUT_TOKENS, Number.MAX_SAFE_INTEGER);

const buildPlainConversation = (request: ChatRequest) => ({
  messages: plainTurnsWithSystem(request).map(({ role, text }) => ({ role, content: text })),
});

const buildConversation = (request: ChatRequest) => {
  const system = systemText(request, true);
  const messages = buildMessages(request);
  const functions = toolsToOffer(request).map((tool) => ({
    name: tool.name,
    description: tool.description ?? tool.name,
    parameters: toolParameters(tool),
  }));
  return {
    ...(messages.length > 0
      ? { messages, system: system || undefined }
      : { messages: [{ role: "user", content: system }] }),
    functions: functions.length > 0 ? functions : undefined,
    response_format: request.responseFormat === undefined ? undefined : "json_object",
  };
};

const buildStop = (sequences: readonly string[] | undefined): string[] | undefined =>
  sequences && sequences.length > 0 ? sequences.slice(0, MAX_STOP_SEQUENCES) : undefined;
