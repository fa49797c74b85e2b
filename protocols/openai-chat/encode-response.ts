import type { AnswerStamp } from "@tollgate/contract/relay/protocol";
import type { ChatResponse } from "@tollgate/contract/relay/response";
import { answerId } from "../shared/answer-id";
import { encodeUsage } from "./encode-usage";
import { encodeFinishReason } from "./finish-reason";

/**
 * Encodes a whole answer (https://platform.openai.com/docs/api-reference/chat/object). Reasoning goes out as
 * `reasoning_content`, the field that DeepSeek introduced and most clients read; its seals have no place in this shape.
 */
export const encodeResponse = (response: ChatResponse, stamp: AnswerStamp): unknown => {
  let content = "";
  let reasoning = "";
  const toolCalls: unknown[] = [];
  for (const part of response.parts) {
    if (part.kind === "text") content += part.text;
    else if (part.kind === "reasoning") reasoning += part.text;
    else {
      const { id, name, arguments: text } = part;
      toolCalls.push({ id, type: "function", function: { name, arguments: text === "" ? "{}" : text } });
    }
  }
  const isWithoutContent = content === "" && (toolCalls.length > 0 || response.refusal !== undefined);
  return {
    id: answerId(response.id, stamp.id, "chatcmpl-"),
    object: "chat.completion",
    created: stamp.createdAt,
    model: stamp.model,
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: isWithoutContent ? null : content,
          ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
          refusal: response.refusal ?? null,
          ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
        },
        logprobs: null,
        finish_reason: encodeFinishReason(response.finishReason),
      },
    ],
    usage: encodeUsage(response.usage),
  };
};
