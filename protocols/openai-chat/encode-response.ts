import type { AnswerStamp } from "@tollgate/contract/relay/protocol";
import type { TokenLogprob } from "@tollgate/contract/relay/request";
import type { ChatResponse } from "@tollgate/contract/relay/response";
import { answerId } from "../shared/answer/answer-id";
import { encodeOpenaiLogprobs, joinLogprobs } from "../shared/answer/logprobs";
import { freeformInput } from "../shared/tools/freeform-tool";
import { encodeCallSeal, sealFields } from "./call-seal";
import { encodeUsage } from "./encode-usage";
import { encodeFinishReason } from "./finish-reason";
import { customNames } from "./parse-tools";

/**
 * Encodes a whole answer (https://platform.openai.com/docs/api-reference/chat/object). Reasoning is sent as
 * `reasoning_content`, the field that DeepSeek introduced and most clients read; a seal is part of the next call, the
 * only field of this shape for one.
 */
export const encodeResponse = (response: ChatResponse, stamp: AnswerStamp): unknown => {
  let content = "";
  let reasoning = "";
  let seal: string | undefined;
  let logprobs: TokenLogprob[] | undefined;
  const toolCalls: unknown[] = [];
  const custom = customNames(stamp.request);
  for (const part of response.parts) {
    if (part.kind === "text") {
      content += part.text;
      logprobs = joinLogprobs(logprobs, part.logprobs);
    } else if (part.kind === "reasoning") {
      reasoning += part.text;
      seal = encodeCallSeal(part.signature) ?? seal;
    } else {
      const { id, name, arguments: text } = part;
      const called = custom.has(name)
        ? { type: "custom", custom: { name, input: freeformInput(text) } }
        : { type: "function", function: { name, arguments: text === "" ? "{}" : text } };
      toolCalls.push({ id, ...called, ...sealFields(seal) });
      seal = undefined;
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
        logprobs: logprobs ? { content: encodeOpenaiLogprobs(logprobs), refusal: null } : null,
        finish_reason: encodeFinishReason(response.finishReason),
      },
    ],
    usage: encodeUsage(response.usage),
  };
};
