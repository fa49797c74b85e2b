import type { ChatRequest, ImagePart } from "@tollgate/contract/relay/request";
import { encodeDataUri } from "../shared/messages/data-uri";
import { type FlatMessage, flattenMessages } from "../shared/messages/flat-messages";
import { mentionsJson } from "../shared/messages/format-words";
import { imageMediaType } from "../shared/messages/image-media-type";
import { systemText } from "../shared/messages/system-text";

type Message = Record<string, unknown>;

/** Builds `messages`; if there is a picture, every content becomes a list. */
export const buildMessages = (request: ChatRequest): { messages: Message[]; hasImages: boolean } => {
  const flat = flattenMessages(request);
  const hasImages = flat.some((message) => message.role === "user" && message.images.length > 0);
  const buildContent = (text: string, images: readonly ImagePart[] = []): unknown =>
    hasImages ? [...images.map(buildImage), ...(text === "" ? [] : [{ text }])] : text;
  // JSON mode requires the word.
  const system = systemText(request, mentionsJson(request));
  const messages = flat.map((message) => buildMessage(message, buildContent));
  if (system !== "")
    messages.unshift({ role: messages.length === 0 ? "user" : "system", content: buildContent(system) });
  return { messages, hasImages };
};

const buildMessage = (
  message: FlatMessage,
  buildContent: (text: string, images?: readonly ImagePart[]) => unknown,
): Message => {
  switch (message.role) {
    case "user":
      return { role: "user", content: buildContent(message.text, message.images) };
    case "tool":
      return {
        role: "tool",
        tool_call_id: message.callId,
        name: message.name,
        content: buildContent(message.text),
      };
    case "assistant":
      return {
        role: "assistant",
        content: buildContent(message.text),
        tool_calls:
          message.calls.length === 0
            ? undefined
            : message.calls.map(({ id, name, arguments: text }) => ({
                id,
                type: "function",
                function: { name, arguments: text === "" ? "{}" : text },
              })),
      };
  }
};

const buildImage = ({ url, data, mediaType }: ImagePart): unknown => ({
  image: data === undefined ? url : encodeDataUri(imageMediaType(data, mediaType) ?? "image/png", data),
});
