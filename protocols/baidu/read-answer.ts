import type { ChatResponse, FinishReason } from "@tollgate/contract/relay/response";
import type { Usage } from "@tollgate/contract/relay/usage";
import { usageOf } from "../shared/answer/native-protocol";
import { isRecord, type JsonRecord, readRecord, readString } from "../shared/json/json-values";
import { textAnswer } from "../shared/stream/text-answer";

/** Reads a whole answer: `{id, result, is_truncated, finish_reason, function_call, usage}`. */
export const readAnswer = (body: JsonRecord): ChatResponse | undefined => {
  if (typeof body.result !== "string" && !isRecord(body.function_call)) return undefined;
  const called = readRecord(body.function_call);
  const name = readString(called.name);
  return textAnswer({
    id: readString(body.id),
    text: readString(body.result),
    reasoning: readString(called.thoughts),
    calls: name === "" ? [] : [{ id: "", name, arguments: readString(called.arguments) }],
    finishReason: readFinish(body),
    usage: readUsageObject(body.usage),
  });
};

/** `need_clear_history` means that the content was not allowed. */
export const readFinish = (body: JsonRecord): FinishReason => {
  if (body.need_clear_history === true || body.finish_reason === "content_filter") return "content-filter";
  if (body.is_truncated === true || body.finish_reason === "length") return "length";
  return body.finish_reason === "function_call" ? "tool-calls" : "stop";
};

export const readUsageObject = (value: unknown): Usage => {
  const usage = readRecord(value);
  return usageOf(usage.prompt_tokens, usage.completion_tokens);
};
