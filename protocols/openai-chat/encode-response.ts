import type { AnswerStamp } from "@tollgate/contract/relay/protocol";
import type { TokenLogprob, ToolCallPart } from "@tollgate/contract/relay/request";
import type { ChatResponse } from "@tollgate/contract/relay/response";
import { answerId } from "../shared/answer/answer-id";
import { encodeOpenaiLogprobs, joinLogprobs } from "../shared/answer/logprobs";
import { freeformInput } from "../shared/tools/freeform-tool";
import { encodeCallSeal, sealFields } from "./call-seal";
import { encodeUsage } from "./encode-usage";
import { encodeFinishReason } from "./finish-reason";
import { customNames, usesFunctions } from "./parse-tools";

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
  const calls: unknown[] = [];
  const { request } = stamp;
  const custom = customNames(request);
  const isOlder = usesFunctions(request);
  for (const part of response.parts) {
    if (part.kind === "text") {
      content += part.text;
      logprobs = joinLogprobs(logprobs, part.logprobs);
    } else if (part.kind === "reasoning") {
      reasoning += part.text;
      seal = encodeCallSeal(part.signature) ?? seal;
    } else {
      calls.push(isOlder ? encodeFunction(part) : { ...encodeCall(part, custom), ...sealFields(seal) });
      seal = undefined;
    }
  }
  const isWithoutContent = content === "" && (calls.length > 0 || response.refusal !== undefined);
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
          ...callFields(calls, isOlder),
        },
        logprobs: logprobs ? { content: encodeOpenaiLogprobs(logprobs), refusal: null } : null,
        finish_reason: encodeFinishReason(response.finishReason, isOlder),
      },
    ],
    usage: encodeUsage(response.usage),
  };
};

/** The older form holds one call. */
const callFields = (calls: readonly unknown[], isOlder: boolean): Record<string, unknown> => {
  if (calls.length === 0) return {};
  return isOlder ? { function_call: calls[0] } : { tool_calls: calls };
};

/** A call of `tool_calls`. */
const encodeCall = (part: ToolCallPart, custom: ReadonlySet<string>): Record<string, unknown> => {
  const { id, name, arguments: text } = part;
  return custom.has(name)
    ? { id, type: "custom", custom: { name, input: freeformInput(text) } }
    : { id, type: "function", function: encodeFunction(part) };
};

const encodeFunction = ({ name, arguments: text }: ToolCallPart): unknown => ({
  name,
  arguments: text === "" ? "{}" : text,
});
