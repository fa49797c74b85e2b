import type { AssistantPart } from "@tollgate/contract/relay/request";
import type { ChatResponse } from "@tollgate/contract/relay/response";
import { carriesError } from "../shared/errors/error-details";
import { isRecord, type JsonRecord, readRecord, readString } from "../shared/json/json-values";
import { argumentsText } from "../shared/json/stringify-in-steps";
import { readUsage } from "./read-usage";
import { readStopReason } from "./stop-reason";

/**
 * Reads a whole answer (https://docs.anthropic.com/en/api/messages). Blocks of server tools are left out.
 * @returns undefined when the body is no such answer or carries an error.
 */
export const readResponse = (body: unknown): ChatResponse | undefined => {
  if (!isRecord(body) || carriesError(body)) return undefined;
  if (body.type !== "message" || !Array.isArray(body.content)) return undefined;
  const parts = body.content.flatMap((block: unknown) => (isRecord(block) ? readBlock(block) : []));
  const hasToolCalls = parts.some((part) => part.kind === "tool-call");
  return {
    id: readString(body.id),
    model: readString(body.model),
    parts,
    refusal: readString(readRecord(body.stop_details).explanation) || undefined,
    finishReason: readStopReason(body.stop_reason) ?? (hasToolCalls ? "tool-calls" : "stop"),
    usage: readUsage(body),
  };
};

const readBlock = (block: JsonRecord): AssistantPart[] => {
  switch (block.type) {
    case "text": {
      const text = readString(block.text);
      return text === "" ? [] : [{ kind: "text", text }];
    }
    case "thinking":
      return [
        {
          kind: "reasoning",
          text: readString(block.thinking),
          signature: readString(block.signature) || undefined,
        },
      ];
    case "redacted_thinking":
      return [{ kind: "reasoning", text: "", redactedData: readString(block.data) }];
    case "tool_use":
      return [
        {
          kind: "tool-call",
          id: readString(block.id),
          name: readString(block.name),
          arguments: argumentsText(readRecord(block.input)),
        },
      ];
    default:
      return [];
  }
};
