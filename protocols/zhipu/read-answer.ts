import type { ChatResponse } from "@tollgate/contract/relay/response";
import type { Usage } from "@tollgate/contract/relay/usage";
import { usageOf } from "../shared/answer/native-protocol";
import { type JsonRecord, readArray, readRecord, readString } from "../shared/json/json-values";
import { parseJson } from "../shared/json/safe-json";
import { textAnswer } from "../shared/stream/text-answer";

/** Reads a whole answer: `{code, success, data: {task_id, choices, usage}}`. */
export const readAnswer = (body: JsonRecord): ChatResponse | undefined => {
  const data = readRecord(body.data);
  if (!Array.isArray(data.choices)) return undefined;
  const choice = readRecord(readArray(data.choices)[0]);
  return textAnswer({
    id: readString(data.task_id) || readString(data.request_id),
    text: unquote(readString(choice.content)),
    finishReason: "stop",
    usage: readUsageObject(data.usage),
  });
};

/** The text is a JSON string inside of a JSON string, which not all models encode properly. */
const unquote = (content: string): string => {
  const text = content.trim();
  if (!/^".*"$/s.test(text)) return content;
  const parsed = parseJson(text);
  return typeof parsed === "string" ? parsed : text.slice(1, -1);
};

export const readUsageObject = (value: unknown): Usage => {
  const usage = readRecord(value);
  return usageOf(usage.prompt_tokens, usage.completion_tokens);
};
