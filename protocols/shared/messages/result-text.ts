import type { ToolResultPart } from "@tollgate/contract/relay/request";

/** The text of a result for APIs whose results are text: its other content follows in the conversation. */
export const resultText = (content: ToolResultPart["content"]): string =>
  content
    .map((piece) => (piece.kind === "text" ? piece.text : piece.kind === "image" ? "[image]" : "[document]"))
    .join("\n");
