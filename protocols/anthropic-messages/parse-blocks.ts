import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import type { FilePart, ImagePart, TextPart } from "@tollgate/contract/relay/request";
import type { JsonRecord } from "../shared/json/json-values";
import { shownValue } from "../shared/json/shown-value";
import { forModel } from "../shared/messages/for-model";
import { readList, requireRecord, requireString, requireText } from "../shared/request/request-fields";

/** Blocks that mean the same in a user turn and in a tool result. */
export type PlainPart = TextPart | ImagePart | FilePart;

/** Content as a list of blocks; a string is one text block. @throws RequestInvalid */
export const listBlocks = (content: unknown, param: string): readonly JsonRecord[] => {
  if (typeof content === "string") return [{ type: "text", text: content }];
  if (!Array.isArray(content)) {
    throw new RequestInvalid({ code: "wrong-type", field: param, expected: "text-or-content-blocks" });
  }
  return content.map((block, index) => requireRecord(block, `${param}[${index}]`));
};

/** Content that may only be text (`system`). @throws RequestInvalid */
export const parseTextBlocks = (content: unknown, param: string): TextPart[] =>
  listBlocks(content, param).map((block, index) => {
    if (block.type !== "text") {
      throw new RequestInvalid({ code: "text-parts-only", holder: param }, `${param}[${index}].type`);
    }
    return { kind: "text", text: requireString(block.text, `${param}[${index}].text`) };
  });

/**
 * Parses a text, image, document or search result block (https://docs.anthropic.com/en/api/messages#body-messages).
 * Documents that are text become text.
 * @throws RequestInvalid for every other type.
 */
export const parsePlainBlock = (block: JsonRecord, param: string): PlainPart[] => {
  switch (block.type) {
    case "text":
      return [{ kind: "text", text: requireString(block.text, `${param}.text`) }];
    case "image":
      return [parseImage(requireRecord(block.source, `${param}.source`), `${param}.source`)];
    case "document":
      return parseDocument(block, requireRecord(block.source, `${param}.source`), `${param}.source`);
    case "tool_reference":
      return [
        {
          kind: "text",
          text: forModel`The tool "${requireText(block.tool_name, `${param}.tool_name`)}" can be called now.`,
        },
      ];
    case "search_result":
      return [{ kind: "text", text: searchResultText(block, param) }];
    default:
      throw new RequestInvalid({
        code: "unsupported-value",
        field: `${param}.type`,
        value: shownValue(block.type),
      });
  }
};

const parseImage = (source: JsonRecord, param: string): ImagePart => {
  switch (source.type) {
    case "base64":
      return {
        kind: "image",
        data: requireText(source.data, `${param}.data`),
        mediaType: requireText(source.media_type, `${param}.media_type`),
      };
    case "url":
      return { kind: "image", url: requireText(source.url, `${param}.url`) };
    default:
      throw new RequestInvalid({ code: "not-one-of", field: `${param}.type`, allowed: ["base64", "url"] });
  }
};

/** The purpose of the document (`context`) precedes it. */
const parseDocument = (block: JsonRecord, source: JsonRecord, param: string): PlainPart[] => {
  const context = typeof block.context === "string" ? block.context : "";
  const parts = parseDocumentSource(block, source, param);
  return context.trim() === "" ? parts : [{ kind: "text", text: context }, ...parts];
};

const parseDocumentSource = (block: JsonRecord, source: JsonRecord, param: string): PlainPart[] => {
  const filename = typeof block.title === "string" && block.title !== "" ? block.title : undefined;
  switch (source.type) {
    case "base64":
      return [
        {
          kind: "file",
          data: requireText(source.data, `${param}.data`),
          mediaType: requireText(source.media_type, `${param}.media_type`),
          filename,
        },
      ];
    case "url":
      return [{ kind: "file", url: requireText(source.url, `${param}.url`), filename }];
    case "file":
      return [{ kind: "file", fileId: requireText(source.file_id, `${param}.file_id`), filename }];
    case "text":
      return [{ kind: "text", text: withTitle(filename, requireString(source.data, `${param}.data`)) }];
    case "content":
      return listBlocks(source.content, `${param}.content`).flatMap((inner, index) =>
        parsePlainBlock(inner, `${param}.content[${index}]`),
      );
    default:
      throw new RequestInvalid({
        code: "not-one-of",
        field: `${param}.type`,
        allowed: ["base64", "url", "text", "content", "file"],
      });
  }
};

const searchResultText = (block: JsonRecord, param: string): string => {
  const text = readList(block.content, `${param}.content`)
    .map((inner, index) =>
      requireString(requireRecord(inner, `${param}.content[${index}]`).text, `${param}.content`),
    )
    .join("\n");
  const title = [block.title, block.source]
    .filter((piece) => typeof piece === "string" && piece !== "")
    .join(", ");
  return withTitle(title, text);
};

const withTitle = (title: string | undefined, text: string): string => (title ? `${title}\n\n${text}` : text);
