import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import type { ChatRequest } from "@tollgate/contract/relay/request";
import { flattenMessages } from "./flat-messages";
import { systemText } from "./system-text";

/** A turn in a text-only API. */
export interface PlainTurn {
  role: "user" | "assistant";
  text: string;
}

/** The model's supposed answer to instructions, for APIs without a field for them. */
const ACKNOWLEDGEMENT = "Okay";

/**
 * The conversation for text-only APIs, in turns that strictly alternate and start with the user: adjacent turns of one
 * role are joined, and assistant turns before the first user turn are dropped.
 * @throws RequestInvalid for pictures, documents, audio and tools, which such an API does not support.
 */
export const plainTurns = (request: ChatRequest): PlainTurn[] => {
  refuseTools(request);
  const turns: PlainTurn[] = [];
  for (const message of flattenMessages(request)) {
    if (message.role === "tool" || (message.role === "assistant" && message.calls.length > 0))
      throw noTools();
    if (message.role === "user") refuseImages(message.images);
    const last = turns.at(-1);
    if (last?.role === message.role) last.text += `\n\n${message.text}`;
    else if (last || message.role === "user") turns.push({ role: message.role, text: message.text });
  }
  return turns;
};

/** The same, preceded by the instructions as a user turn that the assistant agreed to. */
export const plainTurnsWithSystem = (request: ChatRequest): PlainTurn[] => {
  const turns = plainTurns(request);
  const system = systemText(request);
  if (system === "") return turns;
  if (turns.length === 0) return [{ role: "user", text: system }];
  return [{ role: "user", text: system }, { role: "assistant", text: ACKNOWLEDGEMENT }, ...turns];
};

/** @throws RequestInvalid when there are any. */
export const refuseImages = (images: readonly unknown[]): void => {
  if (images.length > 0) {
    throw new RequestInvalid({ code: "images-unsupported" }, "messages");
  }
};

/** @throws RequestInvalid when the model is to be given tools. */
export const refuseTools = (request: ChatRequest): void => {
  if (request.tools.length > 0 && request.toolChoice?.kind !== "none") throw noTools();
};

const noTools = (): RequestInvalid => new RequestInvalid({ code: "tools-unsupported" }, "tools");
