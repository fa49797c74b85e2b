import type { ChatRequest } from "@tollgate/contract/relay/request";
import { forModel } from "./for-model";

/**
 * All instructions as one text, "" without any.
 * @param hasFormats whether the API has a field for the answer's format; otherwise the text requests the format.
 */
export const systemText = (request: ChatRequest, hasFormats = false): string => {
  const texts = request.system.map((part) => part.text).filter((text) => text.trim() !== "");
  const { responseFormat } = request;
  if (responseFormat?.kind === "json" && !hasFormats)
    texts.push(forModel`Answer with a single JSON object only.`);
  if (responseFormat?.kind === "json-schema") {
    const schema = JSON.stringify(responseFormat.schema);
    texts.push(forModel`Answer with a single JSON object only, which matches this JSON schema: ${schema}`);
  }
  return texts.join("\n\n");
};
