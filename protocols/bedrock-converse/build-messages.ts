import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import type { AssistantPart, ChatRequest, ImagePart, UserPart } from "@tollgate/contract/relay/request";
import { imageMediaType } from "../shared/messages/image-media-type";
import { systemAsUser } from "../shared/messages/system-turns";
import { argumentsObject } from "../shared/tools/arguments-text";

interface Message {
  role: "user" | "assistant";
  content: unknown[];
}

/** Builds `messages`: adjacent turns of one role are joined, the user is first, and no text is empty. */
export const buildMessages = (request: ChatRequest): Message[] => {
  const messages: Message[] = [];
  for (const turn of systemAsUser(request.turns)) {
    const content =
      turn.role === "user" ? turn.parts.flatMap(buildUserPart) : turn.parts.flatMap(buildAssistantPart);
    if (content.length === 0) continue;
    const last = messages.at(-1);
    if (last?.role === turn.role) last.content.push(...content);
    else if (last || turn.role === "user") messages.push({ role: turn.role, content });
  }
  return messages;
};

const buildText = (text: string): unknown[] => (text.trim() === "" ? [] : [{ text }]);

const buildUserPart = (part: UserPart): unknown[] => {
  switch (part.kind) {
    case "text":
      return buildText(part.text);
    case "image":
      return [buildImage(part)];
    case "tool-result":
      return [
        {
          toolResult: {
            toolUseId: part.toolCallId,
            status: part.isError ? "error" : "success",
            content: part.content.flatMap(buildUserPart),
          },
        },
      ];
    default:
      throw new RequestInvalid({ code: "unsupported-media", media: "documents-and-sound" }, "messages");
  }
};

const buildImage = ({ data, mediaType }: ImagePart): unknown => {
  if (data === undefined) {
    throw new RequestInvalid({ code: "media-as-data-only", media: "images" }, "messages");
  }
  const format = (imageMediaType(data, mediaType) ?? "image/png").replace("image/", "");
  return { image: { format: format === "jpg" ? "jpeg" : format, source: { bytes: data } } };
};

/** Reasoning is sent back only with its seal: without one it is refused. */
const buildAssistantPart = (part: AssistantPart): unknown[] => {
  switch (part.kind) {
    case "text":
      return buildText(part.text);
    case "reasoning":
      if (part.redactedData !== undefined)
        return [{ reasoningContent: { redactedContent: part.redactedData } }];
      return part.signature === undefined
        ? []
        : [{ reasoningContent: { reasoningText: { text: part.text, signature: part.signature } } }];
    case "tool-call":
      return [{ toolUse: { toolUseId: part.id, name: part.name, input: argumentsObject(part.arguments) } }];
  }
};
