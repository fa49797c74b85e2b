import type { AssistantPart } from "@tollgate/contract/relay/request";
import type { ChatResponse } from "@tollgate/contract/relay/response";
import { readOpenaiLogprobs } from "../shared/answer/logprobs";
import { carriesError } from "../shared/errors/error-details";
import { isRecord, type JsonRecord, readArray, readRecord, readString } from "../shared/json/json-values";
import { argumentsText } from "../shared/json/stringify-in-steps";
import { markSeal } from "../shared/messages/seal";
import { makeCallId } from "../shared/tools/call-id";
import { readCallSeal } from "./call-seal";
import { readFinishReason } from "./finish-reason";
import { readContent } from "./read-content";
import { readUsage } from "./read-usage";

/**
 * Reads a whole answer (https://platform.openai.com/docs/api-reference/chat/object); of several choices the first.
 * @returns undefined when the body is no such answer or carries an error.
 */
export const readResponse = (body: unknown): ChatResponse | undefined => {
  if (!isRecord(body) || carriesError(body) || !Array.isArray(body.choices)) return undefined;
  const choice: unknown = body.choices[0];
  if (!isRecord(choice) || !isRecord(choice.message)) return undefined;
  const { message } = choice;
  const id = readString(body.id);
  const { text, reasoning } = readContent(message);
  const parts: AssistantPart[] = [];
  if (reasoning !== "") parts.push({ kind: "reasoning", text: reasoning });
  const logprobs = readOpenaiLogprobs(readRecord(choice.logprobs).content);
  if (text !== "") parts.push({ kind: "text", text, ...(logprobs ? { logprobs } : {}) });
  const calls = readCalls(message, id);
  parts.push(...calls);
  return {
    id,
    model: readString(body.model),
    parts,
    refusal: readString(message.refusal) || undefined,
    finishReason:
      readFinishReason(choice.finish_reason, calls.length > 0) ?? (calls.length > 0 ? "tool-calls" : "stop"),
    usage: readUsage(body),
  };
};

/** Calls of both forms: `tool_calls`, and the older `function_call`. */
const readCalls = (message: JsonRecord, answerId: string): AssistantPart[] => {
  const calls: JsonRecord[] = readArray(message.tool_calls).filter(isRecord);
  const legacy: JsonRecord[] = isRecord(message.function_call) ? [{ function: message.function_call }] : [];
  return [...calls, ...legacy].flatMap((call, position): AssistantPart[] => {
    const called = readRecord(call.function);
    const name = readString(called.name);
    const seal = readCallSeal(call);
    return [
      ...(seal === "" ? [] : [{ kind: "reasoning" as const, text: "", signature: markSeal("gemini", seal) }]),
      {
        kind: "tool-call",
        id: readString(call.id) || makeCallId(answerId, position, name),
        name,
        arguments: readCallArguments(called.arguments),
      },
    ];
  });
};

/** Text by the specification; some vendors (Ollama) send the object itself. */
export const readCallArguments = (value: unknown): string =>
  typeof value === "string" ? value : isRecord(value) ? argumentsText(value) : "";
