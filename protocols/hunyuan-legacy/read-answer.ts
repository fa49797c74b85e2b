import type { ChatResponse, FinishReason } from "@tollgate/contract/relay/response";
import type { Usage } from "@tollgate/contract/relay/usage";
import { usageOf } from "../shared/answer/native-protocol";
import { isRecord, type JsonRecord, readArray, readRecord, readString } from "../shared/json/json-values";
import { textAnswer } from "../shared/stream/text-answer";

/** @returns undefined while the answer continues. */
export const readFinish = (value: unknown): FinishReason | undefined =>
  typeof value !== "string" || value === "" ? undefined : value === "length" ? "length" : "stop";

/** Reads a whole answer; its message is in a field called `messages`. */
export const readAnswer = (body: JsonRecord): ChatResponse | undefined => {
  const choice = readArray(body.choices)[0];
  if (!isRecord(choice)) return undefined;
  return textAnswer({
    id: readString(body.id),
    text: readString(readRecord(choice.messages).content),
    finishReason: readFinish(choice.finish_reason) ?? "stop",
    usage: readUsageObject(body.usage),
  });
};

export const readUsageObject = (value: unknown): Usage => {
  const usage = readRecord(value);
  return usageOf(usage.prompt_tokens, usage.completion_tokens);
};
