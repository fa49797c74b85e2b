import type { ChatResponse, FinishReason } from "@tollgate/contract/relay/response";
import type { Usage } from "@tollgate/contract/relay/usage";
import { usageOf } from "../shared/answer/native-protocol";
import {
  isRecord,
  type JsonRecord,
  lookUp,
  readArray,
  readRecord,
  readString,
} from "../shared/json/json-values";
import { textAnswer } from "../shared/stream/text-answer";

const FINISH_REASONS: Readonly<Record<string, FinishReason>> = {
  length: "length",
  sensitive: "content-filter",
  tool_calls: "tool-calls",
};

/** @returns undefined while the answer continues. */
export const readFinish = (value: unknown): FinishReason | undefined =>
  typeof value !== "string" || value === "" ? undefined : (lookUp(FINISH_REASONS, value) ?? "stop");

/** Reads a whole answer: `{Response: {Id, Choices, Usage}}`. */
export const readAnswer = (body: JsonRecord): ChatResponse | undefined => {
  const response = readRecord(body.Response);
  const choice = readArray(response.Choices)[0];
  if (!isRecord(choice)) return undefined;
  const message = readRecord(choice.Message);
  return textAnswer({
    id: readString(response.Id),
    text: readString(message.Content),
    reasoning: readString(message.ReasoningContent),
    calls: readArray(message.ToolCalls)
      .filter(isRecord)
      .map((call) => {
        const called = readRecord(call.Function);
        return {
          id: readString(call.Id),
          name: readString(called.Name),
          arguments: readString(called.Arguments),
        };
      }),
    finishReason: readFinish(choice.FinishReason) ?? "stop",
    usage: readUsageObject(response.Usage),
  });
};

export const readUsageObject = (value: unknown): Usage => {
  const usage = readRecord(value);
  return usageOf(usage.PromptTokens, usage.CompletionTokens);
};
