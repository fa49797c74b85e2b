import type { ChatRequest } from "@tollgate/contract/relay/request";
import { flattenMessages } from "../shared/messages/flat-messages";
import { refuseImages } from "../shared/messages/plain-turns";

interface Message {
  role: "user" | "assistant" | "function";
  content: string;
  name?: string;
  function_call?: { name: string; arguments: string };
}

/**
 * Builds `messages`, in which user and assistant strictly alternate and the user is first. A turn has at most one call:
 * of several calls, each comes with its result.
 * @throws RequestInvalid for pictures.
 */
export const buildMessages = (request: ChatRequest): Message[] => {
  const messages: Message[] = [];
  /** Calls that have not been written because their results are still to come. */
  let open = new Map<string, { arguments: string }>();
  for (const message of flattenMessages(request)) {
    if (message.role === "user") {
      refuseImages(message.images);
      addText(messages, "user", message.text);
    } else if (message.role === "assistant") {
      if (message.text !== "") addText(messages, "assistant", message.text);
      open = new Map(message.calls.map((call) => [call.id, call]));
    } else {
      const call = open.get(message.callId);
      open.delete(message.callId);
      addCall(messages, message.name, call?.arguments || "{}");
      messages.push({ role: "function", name: message.name, content: message.text });
    }
  }
  return messages;
};

const addText = (messages: Message[], role: "user" | "assistant", content: string): void => {
  const last = messages.at(-1);
  if (last?.role === role) last.content = last.content === "" ? content : `${last.content}\n\n${content}`;
  // An assistant message must follow a function's result.
  else if (last?.role === "function" && role === "user") last.content += `\n\n${content}`;
  else if (last || role === "user") messages.push({ role, content });
};

/** Attaches a call to the preceding assistant message, if that has no call yet. */
const addCall = (messages: Message[], name: string, argumentsText: string): void => {
  const function_call = { name, arguments: argumentsText };
  const last = messages.at(-1);
  if (last?.role === "assistant" && !last.function_call) last.function_call = function_call;
  else messages.push({ role: "assistant", content: "", function_call });
};
