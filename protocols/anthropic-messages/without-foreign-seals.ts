import type { ClientProtocol } from "@tollgate/contract/relay/protocol";
import { changeList } from "../shared/json/change-list";
import { isRecord, type JsonRecord, readArray, readString } from "../shared/json/json-values";
import { isAnthropicSeal } from "../shared/messages/seal";
import { findModelRule } from "./model-rules";

/**
 * Removes thinking that Anthropic did not sign, and turns without other content: the API refuses both. Other vendors
 * of this shape sign nothing, so their models keep thinking without a signature.
 */
export const withoutForeignSeals: ClientProtocol["withoutForeignSeals"] = (body, model) => {
  if (!Array.isArray(body.messages)) return body;
  const isSigned = /claude/i.test(model);
  const isForeign = (block: unknown): boolean => {
    if (!isRecord(block) || block.type !== "thinking") return false;
    const signature = readString(block.signature);
    return signature === "" ? isSigned : !isAnthropicSeal(signature);
  };
  const messages = changeList(body.messages, (message) => {
    if (!isRecord(message) || message.role !== "assistant" || !Array.isArray(message.content)) return message;
    const content = changeList(message.content, (block) => (isForeign(block) ? undefined : block));
    if (content === message.content) return message;
    return content.length === 0 ? undefined : { ...message, content };
  });
  if (messages === body.messages) return body;
  const changed = { ...body, messages };
  return findModelRule(model).thinking === "budget" && !canContinueThinking(messages)
    ? withoutThinking(changed)
    : changed;
};

/** With thinking on, models with a budget require that a final assistant turn, or one with calls, starts with it. */
const canContinueThinking = (messages: readonly unknown[]): boolean => {
  const last = messages.findLast((message) => isRecord(message) && message.role === "assistant");
  if (!isRecord(last)) return true;
  const [first, ...others] = readArray(last.content);
  const hasCall = [first, ...others].some((block) => isRecord(block) && block.type === "tool_use");
  if (!hasCall && messages.at(-1) !== last) return true;
  return isRecord(first) && (first.type === "thinking" || first.type === "redacted_thinking");
};

/** The edit that clears thinking is refused where thinking is off. */
const withoutThinking = ({ thinking: _, ...rest }: JsonRecord): JsonRecord => {
  const { context_management: management } = rest;
  if (!isRecord(management)) return rest;
  const edits = changeList(readArray(management.edits), (edit) =>
    isRecord(edit) && readString(edit.type).startsWith("clear_thinking") ? undefined : edit,
  );
  return edits === management.edits ? rest : { ...rest, context_management: { ...management, edits } };
};
