import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import type {
  AssistantPart,
  FilePart,
  ImagePart,
  TextPart,
  ToolResultPart,
  Turn,
  UserPart,
} from "@tollgate/contract/relay/request";
import { encodeDataUri } from "../shared/messages/data-uri";
import { imageMediaType } from "../shared/messages/image-media-type";
import { ownSeal } from "../shared/messages/seal";

/** An item as sent. */
type Item = Record<string, unknown>;

/** Builds `input`: one item for each message, call, output and piece of sealed reasoning. @throws RequestInvalid */
export const buildInput = (turns: readonly Turn[]): Item[] => turns.flatMap(buildTurn);

const buildTurn = (turn: Turn): Item[] => {
  switch (turn.role) {
    case "user":
      return buildUser(turn.parts);
    case "assistant":
      return turn.parts.flatMap(buildAssistantItem);
    case "system":
      return buildSystem(turn.parts);
  }
};

/** Instructions keep their position, so that the cached prompt remains the beginning of the conversation. */
const buildSystem = (parts: readonly TextPart[]): Item[] => {
  const content = parts.filter(({ text }) => text !== "").map(buildPart);
  return content.length === 0 ? [] : [{ role: "developer", content }];
};

/** Outputs must come before anything else, directly after the turn with the calls. */
const buildUser = (parts: readonly UserPart[]): Item[] => {
  const items: Item[] = [];
  const content: Item[] = [];
  for (const part of parts) {
    if (part.kind === "tool-result") items.push(buildOutput(part));
    else if (part.kind !== "text" || part.text !== "") content.push(buildPart(part));
  }
  if (content.length > 0) items.push({ role: "user", content });
  return items;
};

const buildOutput = ({ toolCallId, content, isError }: ToolResultPart): Item => {
  const mark = isError ? "Error: " : "";
  const isText = content.every((piece) => piece.kind === "text");
  const text = content.map((piece) => (piece.kind === "text" ? piece.text : "")).join("\n");
  const opening = isError ? [{ type: "input_text", text: "Error:" }] : [];
  return {
    type: "function_call_output",
    call_id: toolCallId,
    output: isText ? mark + text : [...opening, ...content.map(buildPart)],
  };
};

const buildPart = (part: Exclude<UserPart, ToolResultPart>): Item => {
  switch (part.kind) {
    case "text":
      return { type: "input_text", text: part.text };
    case "image":
      return { type: "input_image", image_url: imageAddress(part), detail: part.detail ?? "auto" };
    case "audio":
      return { type: "input_audio", input_audio: { data: part.data, format: part.format } };
    case "file":
      return buildFile(part);
  }
};

const imageAddress = ({ url, data, mediaType }: ImagePart): string =>
  data === undefined ? (url ?? "") : encodeDataUri(imageMediaType(data, mediaType) ?? "image/png", data);

const buildFile = ({ url, data, mediaType, filename }: FilePart): Item => {
  if (data !== undefined) {
    const file_data = encodeDataUri(mediaType ?? "application/pdf", data);
    return { type: "input_file", filename: filename ?? "file.pdf", file_data };
  }
  if (url !== undefined) return { type: "input_file", file_url: url };
  throw new RequestInvalid({ code: "foreign-file-id" }, "messages");
};

/** Reasoning is sent back only with OpenAI's own seal. */
const buildAssistantItem = (part: AssistantPart): Item[] => {
  switch (part.kind) {
    case "text":
      return part.text === "" ? [] : [{ role: "assistant", content: part.text }];
    case "reasoning": {
      const seal = part.signature === undefined ? undefined : ownSeal("openai", part.signature);
      if (seal === undefined) return [];
      const summary = part.text === "" ? [] : [{ type: "summary_text", text: part.text }];
      return [{ type: "reasoning", summary, encrypted_content: seal }];
    }
    case "tool-call": {
      const { id, name, arguments: text } = part;
      return [{ type: "function_call", call_id: id, name, arguments: text === "" ? "{}" : text }];
    }
  }
};
