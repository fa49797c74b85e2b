import type { ChatRequest, ImagePart } from "@tollgate/contract/relay/request";
import { encodeDataUri } from "../shared/messages/data-uri";
import { type FlatMessage, flattenMessages } from "../shared/messages/flat-messages";
import { imageMediaType } from "../shared/messages/image-media-type";
import { systemText } from "../shared/messages/system-text";

/** Builds `Messages`: instructions first, neighbours of one role joined. Earlier reasoning is not sent back. */
export const buildMessages = (request: ChatRequest): unknown[] => {
  const system = systemText(request);
  const messages = joinUsers(flattenMessages(request)).map(buildMessage);
  if (system === "") return messages;
  return [{ Role: messages.length === 0 ? "user" : "system", Content: system }, ...messages];
};

const joinUsers = (messages: readonly FlatMessage[]): FlatMessage[] => {
  const joined: FlatMessage[] = [];
  /**
   * The current user message: text is appended in place, because copying it for each addition would take quadratic
   * time.
   */
  let last: { role: "user"; text: string; images: ImagePart[] } | undefined;
  for (const message of messages) {
    if (message.role !== "user") {
      last = undefined;
      joined.push(message);
    } else if (last === undefined) {
      last = { role: "user", text: message.text, images: [...message.images] };
      joined.push(last);
    } else {
      last.text += last.text === "" || message.text === "" ? message.text : `\n\n${message.text}`;
      last.images.push(...message.images);
    }
  }
  return joined;
};

const buildMessage = (message: FlatMessage): unknown => {
  switch (message.role) {
    case "tool":
      return { Role: "tool", ToolCallId: message.callId, Content: message.text };
    case "user":
      return message.images.length === 0
        ? { Role: "user", Content: message.text }
        : { Role: "user", Contents: [...message.images.map(buildImage), ...buildText(message.text)] };
    case "assistant":
      return {
        Role: "assistant",
        Content: message.text,
        ToolCalls:
          message.calls.length === 0
            ? undefined
            : message.calls.map(({ id, name, arguments: text }, Index) => ({
                Id: id,
                Type: "function",
                Function: { Name: name, Arguments: text === "" ? "{}" : text },
                Index,
              })),
      };
  }
};

const buildText = (text: string): unknown[] => (text === "" ? [] : [{ Type: "text", Text: text }]);

const buildImage = ({ url, data, mediaType }: ImagePart): unknown => ({
  Type: "image_url",
  ImageUrl: {
    Url: data === undefined ? url : encodeDataUri(imageMediaType(data, mediaType) ?? "image/png", data),
  },
});
