import type { TextPart, Turn } from "@tollgate/contract/relay/request";
import { systemAsUser } from "../shared/messages/system-turns";
import { type Block, buildAssistantBlock, buildText, buildUserBlock } from "./build-blocks";
import type { ModelRule } from "./model-rules";

/** A message as sent. */
export interface Message {
  role: "user" | "assistant" | "system";
  content: Block[];
}

/** Inserted when the API requires a user turn and the conversation has none. */
const CONTINUE: Block = { type: "text", text: "Continue." };

/**
 * Builds `messages`: adjacent turns of one role are merged, results come first in theirs, and empty turns are dropped.
 * Instructions keep their position; for models that do not accept them there, they become marked user text.
 * @param rule whether the model accepts and continues a final assistant turn, and accepts instructions between turns.
 * @throws RequestInvalid
 */
export const buildMessages = (
  turns: readonly Turn[],
  rule: Pick<ModelRule, "canPrefill" | "takesSystemTurns">,
): Message[] => {
  const messages: Message[] = [];
  /** Instructions of the newest user turn, which they must follow. */
  let system: Block[] = [];
  const add = (role: Message["role"], content: Block[]): void => {
    const last = messages.at(-1);
    if (last?.role === role) last.content.push(...content);
    else if (content.length > 0) messages.push({ role, content });
  };
  for (const turn of rule.takesSystemTurns ? turns : systemAsUser(turns)) {
    if (turn.role === "system") {
      system.push(...turn.parts.flatMap(buildText));
      continue;
    }
    if (turn.role === "user") {
      add("user", turn.parts.flatMap(buildUserBlock));
      continue;
    }
    const content = turn.parts.flatMap(buildAssistantBlock);
    if (content.length === 0) continue;
    addSystem(messages, system);
    system = [];
    add("assistant", content);
  }
  for (const message of messages)
    if (message.role === "user") message.content = resultsFirst(message.content);
  // A conversation must start with the user.
  if (messages[0]?.role === "assistant") messages.unshift({ role: "user", content: [CONTINUE] });
  const last = messages.at(-1);
  if (last?.role === "assistant") {
    if (rule.canPrefill && system.length === 0) trimEnd(last.content);
    else messages.push({ role: "user", content: [CONTINUE] });
  }
  addSystem(messages, system);
  return messages;
};

const addSystem = (messages: Message[], content: Block[]): void => {
  if (content.length === 0) return;
  if (messages.at(-1)?.role !== "user") messages.push({ role: "user", content: [CONTINUE] });
  messages.push({ role: "system", content });
};

/** The instructions before the conversation: one text, or blocks if one of them is marked for the cache. */
export const buildHead = (parts: readonly TextPart[], added: readonly string[]): string | Block[] => {
  const all: TextPart[] = [...parts, ...added.map((text): TextPart => ({ kind: "text", text }))];
  if (all.some(({ cacheMark }) => cacheMark !== undefined)) return all.flatMap(buildText);
  return all
    .map(({ text }) => text)
    .filter((text) => text.trim() !== "")
    .join("\n\n");
};

/** Results must come before anything else in the turn that answers calls. */
const resultsFirst = (content: Block[]): Block[] =>
  content.some((block) => block.type === "tool_result")
    ? [
        ...content.filter((block) => block.type === "tool_result"),
        ...content.filter((block) => block.type !== "tool_result"),
      ]
    : content;

/** The text that the model is to continue must not end in white space. */
const trimEnd = (content: Block[]): void => {
  const last = content.at(-1);
  if (last?.type === "text" && typeof last.text === "string") last.text = last.text.trimEnd();
};
