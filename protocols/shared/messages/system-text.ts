import type { ChatRequest } from "@tollgate/contract/relay/request";
import { formatWords } from "./format-words";

/**
 * All instructions as one text, "" without any.
 * @param hasJsonMode whether a field of the API requests JSON; otherwise the text does.
 */
export const systemText = (request: ChatRequest, hasJsonMode = false): string => {
  const texts = request.system.map((part) => part.text).filter((text) => text.trim() !== "");
  const { responseFormat: format } = request;
  if (format && !(format.kind === "json" && hasJsonMode)) texts.push(formatWords(format));
  return texts.join("\n\n");
};
