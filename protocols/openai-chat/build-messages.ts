import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import type {
  AssistantPart,
  AudioPart,
  ChatRequest,
  FilePart,
  ImagePart,
  TextPart,
  ToolResultPart,
  UserPart,
} from "@tollgate/contract/relay/request";
import { encodeDataUri } from "../shared/messages/data-uri";
import { imageMediaType } from "../shared/messages/image-media-type";
import { resultText } from "../shared/messages/result-text";
import { ownSeal } from "../shared/messages/seal";
import { systemAsUser } from "../shared/messages/system-turns";
import type { ModelRule } from "../shared/request/openai-model-rules";
import { sealFields } from "./call-seal";

type UserContentPart = TextPart | ImagePart | FilePart | AudioPart;

/**
 * Builds `messages`. Instructions at the beginning become one `system` message, a role that every vendor of this shape
 * supports; later ones keep their position.
 * @throws RequestInvalid when this shape cannot express a part.
 */
export const buildMessages = (request: ChatRequest, rule: ModelRule): unknown[] => {
  const messages: unknown[] = [];
  const system = request.system.filter((part) => part.text !== "");
  if (system.length > 0)
    messages.push({ role: "system", content: system.map((part) => part.text).join("\n\n") });
  for (const turn of rule.takesSystemTurns ? request.turns : systemAsUser(request.turns)) {
    if (turn.role === "user") messages.push(...buildUser(turn.parts));
    else if (turn.role === "assistant") messages.push(...buildAssistant(turn.parts, rule));
    else if (turn.parts.some(({ text }) => text !== "")) {
      messages.push({ role: "system", content: buildContent(turn.parts) });
    }
  }
  return messages;
};

/**
 * Results must come before anything else, directly after the turn with the calls; images and documents in them follow
 * as a user message.
 */
const buildUser = (parts: readonly UserPart[]): unknown[] => {
  const messages: unknown[] = [];
  const content: UserContentPart[] = [];
  for (const part of parts) {
    if (part.kind !== "tool-result") {
      content.push(part);
      continue;
    }
    messages.push({ role: "tool", tool_call_id: part.toolCallId, content: buildResult(part) });
    content.push(...part.content.filter((piece) => piece.kind !== "text"));
  }
  if (content.length > 0) messages.push({ role: "user", content: buildContent(content) });
  return messages;
};

const buildResult = ({ content, isError }: ToolResultPart): string => {
  const text = resultText(content);
  return isError ? `Error: ${text}` : text;
};

/** Text alone is sent as a string: older vendors of this shape support nothing else. */
const buildContent = (parts: readonly UserContentPart[]): unknown => {
  const texts = parts.filter((part) => part.kind === "text");
  if (texts.length === parts.length) return texts.map((part) => part.text).join("\n\n");
  return parts.map(buildPart);
};

const buildPart = (part: UserContentPart): unknown => {
  switch (part.kind) {
    case "text":
      return { type: "text", text: part.text };
    case "image":
      return { type: "image_url", image_url: { url: imageAddress(part), detail: part.detail } };
    case "audio":
      return { type: "input_audio", input_audio: { data: part.data, format: part.format } };
    case "file":
      return { type: "file", file: { filename: part.filename ?? "file.pdf", file_data: fileAddress(part) } };
  }
};

const imageAddress = ({ url, data, mediaType }: ImagePart): string => {
  if (data === undefined) return url ?? "";
  return encodeDataUri(imageMediaType(data, mediaType) ?? "image/png", data);
};

const fileAddress = ({ data, mediaType }: FilePart): string => {
  if (data !== undefined) return encodeDataUri(mediaType ?? "application/pdf", data);
  throw new RequestInvalid({ code: "media-as-data-only", media: "documents" }, "messages");
};

const buildAssistant = (
  parts: readonly AssistantPart[],
  { readsReasoning, readsSeals }: ModelRule,
): unknown[] => {
  let text = "";
  let reasoning = "";
  let seal: string | undefined;
  const toolCalls: unknown[] = [];
  for (const part of parts) {
    if (part.kind === "text") text += part.text;
    else if (part.kind === "reasoning") {
      reasoning += part.text;
      if (readsSeals && part.signature !== undefined) seal = ownSeal("gemini", part.signature) ?? seal;
    } else {
      const called = { name: part.name, arguments: part.arguments === "" ? "{}" : part.arguments };
      toolCalls.push({ id: part.id, type: "function", function: called, ...sealFields(seal) });
      seal = undefined;
    }
  }
  // A turn that contains only unreadable reasoning has no counterpart.
  if (text === "" && toolCalls.length === 0) return [];
  return [
    {
      role: "assistant",
      content: text === "" ? null : text,
      ...(readsReasoning && reasoning !== "" ? { reasoning_content: reasoning } : {}),
      ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
    },
  ];
};
