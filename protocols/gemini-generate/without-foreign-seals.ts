import type { ClientProtocol } from "@tollgate/contract/relay/protocol";
import { changeList } from "../shared/json/change-list";
import { isRecord, type JsonRecord } from "../shared/json/json-values";
import { isForeignSlot } from "../shared/messages/seal";
import { NO_SEAL } from "./build-contents";
import { findModelRule } from "./model-rules";
import { readField } from "./read-field";

/**
 * Removes other vendors' seals. The first call of a turn without a seal gets the mark for a lost one if the model
 * refuses it otherwise: calls of models without seals have none either.
 */
export const withoutForeignSeals: ClientProtocol["withoutForeignSeals"] = (body, model) => {
  if (!Array.isArray(body.contents)) return body;
  const { sealsCalls } = findModelRule(model);
  /** Whether the model's current turn has a seal; adjacent contents of the model are one turn. */
  let isSealed = false;
  const changePart = (part: unknown): unknown => {
    if (!isRecord(part)) return part;
    const own = withoutForeignSeal(part);
    if (own === undefined) return undefined;
    if (readField(own, "thoughtSignature") !== undefined) isSealed = true;
    if (isSealed || !sealsCalls || !isRecord(readField(own, "functionCall"))) return own;
    isSealed = true;
    return { ...own, thoughtSignature: NO_SEAL };
  };
  const contents = changeList(body.contents, (content) => {
    if (!isRecord(content) || content.role !== "model") {
      isSealed = false;
      return content;
    }
    if (isRecord(content.parts)) {
      const parts = changePart(content.parts);
      return parts === content.parts ? content : parts && { ...content, parts };
    }
    if (!Array.isArray(content.parts)) return content;
    const parts = changeList(content.parts, changePart);
    if (parts === content.parts) return content;
    return parts.length === 0 ? undefined : { ...content, parts };
  });
  return contents === body.contents ? body : { ...body, contents };
};

/** @returns undefined for a part that contained only the seal. */
const withoutForeignSeal = (part: JsonRecord): JsonRecord | undefined => {
  if (!isForeignSlot(readField(part, "thoughtSignature"))) return part;
  const { thoughtSignature: _camel, thought_signature: _snake, ...rest } = part;
  return rest.text === "" ? undefined : rest;
};
