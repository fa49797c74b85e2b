import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import type {
  AssistantPart,
  CacheMark,
  FilePart,
  ImagePart,
  TextPart,
  ToolResultPart,
  UserPart,
} from "@tollgate/contract/relay/request";
import { imageMediaType } from "../shared/messages/image-media-type";
import { isAnthropicSeal } from "../shared/messages/seal";
import { argumentsObject } from "../shared/tools/arguments-text";
import { buildToolId } from "./tool-id";

/** A content block as sent. */
export type Block = Record<string, unknown> & { type: string };

/** Builds the blocks of a user turn. Empty text is left out: the API refuses it. @throws RequestInvalid */
export const buildUserBlock = (part: UserPart): Block[] => {
  switch (part.kind) {
    case "text":
      return buildText(part);
    case "image":
      return [{ ...buildImage(part), ...cacheControl(part.cacheMark) }];
    case "file":
      return [{ ...buildFile(part), ...cacheControl(part.cacheMark) }];
    case "audio":
      throw new RequestInvalid({ code: "unsupported-media", media: "sound" }, "messages");
    case "tool-result":
      return [buildToolResult(part)];
  }
};

/**
 * Builds the blocks of an assistant turn. Reasoning is sent back only with the vendor's seal; other models' reasoning
 * would be refused.
 */
export const buildAssistantBlock = (part: AssistantPart): Block[] => {
  switch (part.kind) {
    case "text":
      return buildText(part);
    case "reasoning":
      if (part.redactedData !== undefined) return [{ type: "redacted_thinking", data: part.redactedData }];
      if (part.signature === undefined || !isAnthropicSeal(part.signature)) return [];
      return [{ type: "thinking", thinking: part.text, signature: part.signature }];
    case "tool-call":
      return [
        {
          type: "tool_use",
          id: buildToolId(part.id),
          name: part.name,
          input: argumentsObject(part.arguments),
        },
      ];
  }
};

/** Empty for empty text, which the API refuses. */
export const buildText = ({ text, cacheMark }: TextPart): Block[] =>
  text.trim() === "" ? [] : [{ type: "text", text, ...cacheControl(cacheMark) }];

/** The field that caches the prompt up to here; empty when the client did not request it. */
export const cacheControl = (mark: CacheMark | undefined): { cache_control?: object } =>
  mark === undefined ? {} : { cache_control: { type: "ephemeral", ttl: mark.ttl } };

const buildImage = ({ url, data, mediaType }: ImagePart): Block => {
  if (data === undefined) return { type: "image", source: { type: "url", url: url ?? "" } };
  const source = { type: "base64", media_type: imageMediaType(data, mediaType) ?? "image/png", data };
  return { type: "image", source };
};

const buildFile = ({ url, data, mediaType, filename }: FilePart): Block => {
  if (data === undefined) {
    if (url !== undefined) return { type: "document", source: { type: "url", url }, title: filename };
    throw new RequestInvalid({ code: "foreign-file-id" }, "messages");
  }
  if (mediaType?.startsWith("image/")) return buildImage({ kind: "image", data, mediaType });
  if (mediaType?.startsWith("text/")) {
    const text = Buffer.from(data, "base64").toString("utf8");
    return {
      type: "document",
      source: { type: "text", media_type: "text/plain", data: text },
      title: filename,
    };
  }
  if (mediaType !== undefined && mediaType !== "application/pdf") {
    throw new RequestInvalid({ code: "unsupported-file-type", type: mediaType }, "messages");
  }
  return {
    type: "document",
    source: { type: "base64", media_type: "application/pdf", data },
    title: filename,
  };
};

const buildToolResult = ({ toolCallId, content, isError, cacheMark }: ToolResultPart): Block => {
  const blocks = content.flatMap(buildUserBlock);
  return {
    type: "tool_result",
    tool_use_id: buildToolId(toolCallId),
    // A list is only needed beside images; an empty result is left out.
    content: blocks.length === 0 ? undefined : blocks,
    is_error: isError === true ? true : undefined,
    ...cacheControl(cacheMark),
  };
};
