import type { ClientProtocol } from "@tollgate/contract/relay/protocol";
import { isRecord, readArray } from "../shared/json/json-values";
import { beforeText, hasInstructions } from "../shared/messages/before-text";

const isInstruction = (message: unknown): boolean =>
  isRecord(message) && (message.role === "system" || message.role === "developer");

/**
 * Inserts instructions as the first message. Many upstreams of this shape accept only one message of instructions, so
 * they are merged into the client's, if that comes first.
 */
export const withInstructions: ClientProtocol["withInstructions"] = (body, text, isFirst) => {
  const messages = readArray(body.messages);
  const isGiven = messages.some(
    (message) => isInstruction(message) && isRecord(message) && hasInstructions(message.content),
  );
  if (isGiven && !isFirst) return body;
  const [first, ...others] = messages;
  if (!isRecord(first) || !isInstruction(first))
    return { ...body, messages: [{ role: "system", content: text }, ...messages] };
  const content = beforeText(text, first.content, (part) => ({ type: "text", text: part }));
  return { ...body, messages: [{ ...first, content }, ...others] };
};
