import type { UpstreamCall } from "@tollgate/contract/relay/protocol";
import type { ChatRequest } from "@tollgate/contract/relay/request";
import { clamp } from "../shared/request/clamp";
import { toolParameters, toolsToOffer } from "../shared/tools/tools-to-offer";
import { actionHeaders } from "./action-headers";
import { buildMessages } from "./build-messages";

/**
 * Builds an action `ChatCompletions`. There is no limit on the answer.
 * @throws RequestInvalid for documents and sound.
 */
export const buildRequest = (request: ChatRequest): UpstreamCall => ({
  path: "/",
  headers: actionHeaders("ChatCompletions"),
  body: {
    Model: request.model,
    Messages: buildMessages(request),
    Stream: request.isStream,
    Temperature: clamp(request.temperature, 0, 2),
    TopP: clamp(request.topP, 0, 1),
    Seed: clamp(request.seed, 1, 10_000),
    Stop: request.stopSequences,
    EnableThinking: request.reasoning === undefined ? undefined : request.reasoning.effort !== "none",
    ...buildTools(request),
  },
});

const buildTools = (request: ChatRequest): Record<string, unknown> => {
  const offered = toolsToOffer(request);
  if (offered.length === 0) return {};
  const tools = offered.map((tool) => ({
    Type: "function",
    Function: {
      Name: tool.name,
      Description: tool.description,
      Parameters: JSON.stringify(toolParameters(tool)),
    },
  }));
  const { toolChoice } = request;
  const isForced = toolChoice?.kind === "tool" || toolChoice?.kind === "required";
  return {
    Tools: tools,
    ToolChoice: isForced ? "custom" : undefined,
    // A call can be forced of one tool only: without a name of the first.
    CustomTool: isForced ? tools[0] : undefined,
  };
};
