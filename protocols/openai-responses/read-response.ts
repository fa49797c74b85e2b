import type { AssistantPart, TokenLogprob } from "@tollgate/contract/relay/request";
import type { ChatResponse } from "@tollgate/contract/relay/response";
import { readOpenaiLogprobs } from "../shared/answer/logprobs";
import { carriesError } from "../shared/errors/error-details";
import { isRecord, type JsonRecord, readArray, readRecord, readString } from "../shared/json/json-values";
import { markSeal } from "../shared/messages/seal";
import { readUsage } from "./read-usage";
import { readStatus } from "./status";

/**
 * Reads a whole answer (https://platform.openai.com/docs/api-reference/responses/object). Items of built-in tools are
 * left out.
 * @returns undefined when the body is no such answer, is not finished or carries an error.
 */
export const readResponse = (body: unknown): ChatResponse | undefined => {
  if (!isRecord(body) || carriesError(body) || !Array.isArray(body.output)) return undefined;
  if (body.status !== undefined && body.status !== "completed" && body.status !== "incomplete")
    return undefined;
  const items = body.output.filter(isRecord);
  const parts = items.flatMap(readItem);
  return {
    id: readString(body.id),
    model: readString(body.model),
    parts,
    refusal: items.map((item) => readTexts(item.content, "refusal")).join("") || undefined,
    finishReason: readStatus(
      body,
      parts.some((part) => part.kind === "tool-call"),
    ),
    usage: readUsage(body),
  };
};

const readItem = (item: JsonRecord): AssistantPart[] => {
  switch (item.type) {
    case "message": {
      const text = readTexts(item.content, "text");
      const logprobs = readLogprobs(item.content);
      return text === "" ? [] : [{ kind: "text", text, ...(logprobs ? { logprobs } : {}) }];
    }
    case "reasoning": {
      const text = readReasoning(item);
      const seal = readString(item.encrypted_content);
      if (text === "" && seal === "") return [];
      return [{ kind: "reasoning", text, ...(seal === "" ? {} : { signature: markSeal("openai", seal) }) }];
    }
    case "function_call":
      return [
        {
          kind: "tool-call",
          id: readString(item.call_id) || readString(item.id),
          name: readString(item.name),
          arguments: readString(item.arguments),
        },
      ];
    default:
      return [];
  }
};

const readLogprobs = (parts: unknown): TokenLogprob[] | undefined =>
  readOpenaiLogprobs(readArray(parts).flatMap((part) => readArray(readRecord(part).logprobs)));

/** The words in one field of an item's parts, joined. */
export const readTexts = (parts: unknown, field: "text" | "refusal", separator = ""): string =>
  readArray(parts)
    .map((part) => (isRecord(part) ? readString(part[field]) : ""))
    .filter((text) => text !== "")
    .join(separator);

/** The summary of a reasoning item, or the reasoning itself if the model shows it. */
export const readReasoning = (item: JsonRecord): string =>
  readTexts(item.summary, "text", "\n\n") || readTexts(item.content, "text");
