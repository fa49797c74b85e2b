import type { ChatRequest } from "@tollgate/contract/relay/request";
import { flattenMessages } from "../shared/messages/flat-messages";
import { plainTurnsWithSystem, refuseImages } from "../shared/messages/plain-turns";

interface Line {
  role: "system" | "user" | "assistant";
  content: string;
}

/**
 * Builds the conversation. There is no role for tool results: they become user messages.
 * @throws RequestInvalid for pictures, and for calls that the version does not support.
 */
export const buildText = (
  request: ChatRequest,
  system: string,
  knowsSystem: boolean,
  knowsFunctions: boolean,
): Line[] => {
  if (!knowsFunctions) {
    const isSystemApart = knowsSystem && system !== "" && request.turns.length > 0;
    const { responseFormat: _, ...rest } = request;
    const turns = plainTurnsWithSystem(isSystemApart ? { ...rest, system: [] } : request);
    const lines = turns.map(({ role, text }): Line => ({ role, content: text }));
    return isSystemApart ? [{ role: "system", content: system }, ...lines] : lines;
  }
  const lines: Line[] = [];
  const add = (role: "user" | "assistant", content: string): void => {
    const last = lines.at(-1);
    if (last?.role === role) last.content += `\n\n${content}`;
    else lines.push({ role, content });
  };
  for (const message of flattenMessages(request)) {
    if (message.role === "tool") add("user", `${message.name}: ${message.text}`);
    else if (message.role === "user") {
      refuseImages(message.images);
      add("user", message.text);
    } else {
      const calls = message.calls.map(({ name, arguments: text }) => `${name}(${text})`);
      add("assistant", [message.text, ...calls].filter((text) => text !== "").join("\n"));
    }
  }
  if (system === "") return lines;
  return lines.length === 0
    ? [{ role: "user", content: system }]
    : [{ role: "system", content: system }, ...lines];
};
