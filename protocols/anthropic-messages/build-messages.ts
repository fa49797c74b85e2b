import type { Turn } from "@tollgate/contract/relay/request";
import { type Block, buildAssistantBlock, buildUserBlock } from "./build-blocks";

/** A message as it goes on the wire. */
export interface Message {
  role: "user" | "assistant";
  content: Block[];
}

/** Said for the user where the API needs a user turn and the conversation has none. */
const CONTINUE: Block = { type: "text", text: "Continue." };

/**
 * Builds `messages`: neighbouring turns of one role become one, results stand first in theirs, and turns in which
 * nothing is left disappear.
 * @param canPrefill whether the model takes an assistant turn at the end and continues it.
 * @throws RequestInvalid
 */
export const buildMessages = (turns: readonly Turn[], canPrefill: boolean): Message[] => {
  const messages: Message[] = [];
  for (const turn of turns) {
    const content =
      turn.role === "user" ? turn.parts.flatMap(buildUserBlock) : turn.parts.flatMap(buildAssistantBlock);
    const last = messages.at(-1);
    if (content.length === 0) continue;
    if (last?.role === turn.role) last.content.push(...content);
    else messages.push({ role: turn.role, content });
  }
  for (const message of messages)
    if (message.role === "user") message.content = resultsFirst(message.content);
  // A conversation begins with the user.
  if (messages[0]?.role === "assistant") messages.unshift({ role: "user", content: [CONTINUE] });
  const last = messages.at(-1);
  if (last?.role === "assistant") {
    if (canPrefill) trimEnd(last.content);
    else messages.push({ role: "user", content: [CONTINUE] });
  }
  return messages;
};

/** Results must stand before anything else in the turn that answers calls. */
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
