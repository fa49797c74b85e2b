import type { AnswerStamp } from "@tollgate/contract/relay/protocol";
import type { AssistantPart } from "@tollgate/contract/relay/request";
import type { ChatResponse } from "@tollgate/contract/relay/response";
import { answerId } from "../shared/answer/answer-id";
import { argumentsObject } from "../shared/tools/arguments-text";
import { encodeUsage } from "./encode-usage";
import { encodeStop } from "./stop-reason";

/** Encodes a whole answer (https://docs.anthropic.com/en/api/messages#response-id). */
export const encodeResponse = (response: ChatResponse, stamp: AnswerStamp): unknown => {
  const content = response.parts.map(encodePart);
  if (response.refusal !== undefined) content.push({ type: "text", text: response.refusal });
  // Clients read the first block without looking whether there is one.
  if (content.length === 0) content.push({ type: "text", text: "" });
  return {
    id: answerId(response.id, stamp.id, "msg_"),
    type: "message",
    role: "assistant",
    model: stamp.model,
    content,
    ...encodeStop(response.finishReason, response.stopSequence, response.refusal !== undefined),
    usage: encodeUsage(response.usage),
  };
};

const encodePart = (part: AssistantPart): Record<string, unknown> => {
  switch (part.kind) {
    case "text":
      return { type: "text", text: part.text };
    case "reasoning":
      return part.redactedData === undefined
        ? { type: "thinking", thinking: part.text, signature: part.signature ?? "" }
        : { type: "redacted_thinking", data: part.redactedData };
    case "tool-call":
      return { type: "tool_use", id: part.id, name: part.name, input: argumentsObject(part.arguments) };
  }
};
