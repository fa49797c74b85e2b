import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import type {
  AssistantPart,
  ChatRequest,
  ImagePart,
  ToolCallPart,
  ToolResultPart,
  UserPart,
} from "@tollgate/contract/relay/request";
import { resultText } from "./result-text";
import { systemAsUser } from "./system-turns";

/** A message in the many APIs whose messages contain one text each. */
export type FlatMessage =
  | { role: "user"; text: string; images: readonly ImagePart[] }
  | { role: "assistant"; text: string; reasoning: string; calls: readonly ToolCallPart[] }
  | { role: "tool"; callId: string; name: string; text: string };

/**
 * Splits the turns into messages of one text each. Tool results come first, directly after the turn with the calls;
 * images in them follow in a user message.
 * @throws RequestInvalid for documents and audio, which none of these APIs accepts.
 */
export const flattenMessages = (request: ChatRequest): FlatMessage[] => {
  const names = new Map<string, string>();
  return systemAsUser(request.turns).flatMap((turn) =>
    turn.role === "user" ? flattenUser(turn.parts, names) : flattenAssistant(turn.parts, names),
  );
};

const flattenUser = (parts: readonly UserPart[], names: ReadonlyMap<string, string>): FlatMessage[] => {
  const messages: FlatMessage[] = [];
  const texts: string[] = [];
  const images: ImagePart[] = [];
  for (const part of parts) {
    if (part.kind === "text") texts.push(part.text);
    else if (part.kind === "image") images.push(part);
    else if (part.kind === "tool-result") {
      const name = names.get(part.toolCallId) ?? "";
      messages.push({ role: "tool", callId: part.toolCallId, name, text: markedText(part) });
      for (const piece of part.content) {
        if (piece.kind === "image") images.push(piece);
        else if (piece.kind === "file") throw noDocuments();
      }
    } else {
      throw noDocuments();
    }
  }
  const text = texts.filter((each) => each !== "").join("\n\n");
  if (text !== "" || images.length > 0) messages.push({ role: "user", text, images });
  return messages;
};

const noDocuments = (): RequestInvalid =>
  new RequestInvalid({ code: "unsupported-media", media: "documents-and-sound" }, "messages");

const markedText = ({ content, isError }: ToolResultPart): string => {
  const text = resultText(content);
  return isError ? `Error: ${text}` : text;
};

const flattenAssistant = (parts: readonly AssistantPart[], names: Map<string, string>): FlatMessage[] => {
  let text = "";
  let reasoning = "";
  const calls: ToolCallPart[] = [];
  for (const part of parts) {
    if (part.kind === "text") text += part.text;
    else if (part.kind === "reasoning") reasoning += part.text;
    else {
      calls.push(part);
      names.set(part.id, part.name);
    }
  }
  // A turn that contains only unreadable reasoning has no counterpart.
  return text === "" && calls.length === 0 ? [] : [{ role: "assistant", text, reasoning, calls }];
};
