import type { AssistantPart } from "@tollgate/contract/relay/request";
import type { ChatResponse, FinishReason } from "@tollgate/contract/relay/response";
import { NO_USAGE, readCounter, type Usage } from "@tollgate/contract/relay/usage";
import { usageOf } from "../shared/answer/native-protocol";
import {
  isRecord,
  type JsonRecord,
  lookUp,
  readArray,
  readRecord,
  readString,
} from "../shared/json/json-values";
import { argumentsText } from "../shared/json/stringify-in-steps";

const STOP_REASONS: Readonly<Record<string, FinishReason>> = {
  max_tokens: "length",
  model_context_window_exceeded: "length",
  tool_use: "tool-calls",
  guardrail_intervened: "content-filter",
  content_filtered: "content-filter",
};

export const readStopReason = (value: unknown): FinishReason =>
  lookUp(STOP_REASONS, readString(value)) ?? "stop";

/** `inputTokens` excludes tokens read from or written to a cache. */
export const readUsageObject = (value: unknown): Usage => {
  const usage = readRecord(value);
  const read = readCounter(usage.cacheReadInputTokens);
  const written = readCounter(usage.cacheWriteInputTokens);
  const input = readCounter(usage.inputTokens);
  const counts = usageOf(
    input === undefined ? undefined : input + (read ?? 0) + (written ?? 0),
    usage.outputTokens,
  );
  return counts === NO_USAGE ? counts : { ...counts, cacheReadTokens: read, cacheWriteTokens: written };
};

/** Reads `{output: {message}, stopReason, usage}`. */
export const readAnswer = (body: JsonRecord): ChatResponse | undefined => {
  const message = readRecord(readRecord(body.output).message);
  if (!Array.isArray(message.content)) return undefined;
  return {
    id: "",
    model: "",
    parts: readArray(message.content).filter(isRecord).flatMap(readBlock),
    finishReason: readStopReason(body.stopReason),
    usage: readUsageObject(body.usage),
  };
};

const readBlock = (block: JsonRecord): AssistantPart[] => {
  if (isRecord(block.toolUse)) {
    const { toolUseId, name, input } = block.toolUse;
    return [
      {
        kind: "tool-call",
        id: readString(toolUseId),
        name: readString(name),
        arguments: isRecord(input) ? argumentsText(input) : JSON.stringify(input ?? {}),
      },
    ];
  }
  if (isRecord(block.reasoningContent)) {
    const { reasoningText, redactedContent } = block.reasoningContent;
    if (typeof redactedContent === "string")
      return [{ kind: "reasoning", text: "", redactedData: redactedContent }];
    const { text, signature } = readRecord(reasoningText);
    const sealed = typeof signature === "string" ? { signature } : {};
    return [{ kind: "reasoning", text: readString(text), ...sealed }];
  }
  const text = readString(block.text);
  return text === "" ? [] : [{ kind: "text", text }];
};
