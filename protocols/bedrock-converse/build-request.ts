import type { UpstreamCall } from "@tollgate/contract/relay/protocol";
import type { ChatRequest } from "@tollgate/contract/relay/request";
import { systemText } from "../shared/messages/system-text";
import { clamp } from "../shared/request/clamp";
import { buildMessages } from "./build-messages";
import { buildReasoning } from "./build-reasoning";
import { buildTools } from "./build-tools";

/**
 * Builds a Converse request; the address names the model and whether it streams.
 * @throws RequestInvalid for pictures by address, documents and sound.
 */
export const buildRequest = (request: ChatRequest): UpstreamCall => {
  const system = systemText(request);
  const messages = buildMessages(request);
  const { fields, maxTokens } = buildReasoning(request);
  // A reasoning model refuses sampling fields.
  const isSampling = fields === undefined;
  const isClaude = request.model.includes("claude");
  const more = { ...(isClaude && isSampling ? { top_k: request.topK } : {}), ...fields };
  return {
    path: `/model/${encodeURIComponent(request.model)}/${request.isStream ? "converse-stream" : "converse"}`,
    headers: {},
    body: {
      ...(messages.length > 0
        ? { system: system === "" ? undefined : [{ text: system }], messages }
        : { messages: [{ role: "user", content: [{ text: system }] }] }),
      inferenceConfig: {
        maxTokens,
        temperature: isSampling ? clamp(request.temperature, 0, 1) : undefined,
        topP: isSampling ? clamp(request.topP, 0, 1) : undefined,
        stopSequences: request.stopSequences?.filter((text) => text.trim() !== ""),
      },
      toolConfig: buildTools(request),
      additionalModelRequestFields: Object.values(more).some((value) => value !== undefined)
        ? more
        : undefined,
    },
  };
};

/** The client's limit, raised for a thinking budget. */
export const outputLimit = (request: ChatRequest): number | undefined => buildReasoning(request).maxTokens;
