import type { ClientProtocol } from "@tollgate/contract/relay/protocol";
import { isRecord, readArray } from "../shared/json/json-values";
import { beforeText, hasInstructions } from "../shared/messages/before-text";

const isInstruction = (item: unknown): boolean =>
  isRecord(item) && (item.role === "system" || item.role === "developer") && hasInstructions(item.content);

/** Instructions in the field of that name; clients may also give them as items of the input. */
export const withInstructions: ClientProtocol["withInstructions"] = (body, text, isFirst) => {
  const isGiven = hasInstructions(body.instructions) || readArray(body.input).some(isInstruction);
  if (isGiven && !isFirst) return body;
  const asItem = (part: string): unknown => ({
    type: "message",
    role: "developer",
    content: [{ type: "input_text", text: part }],
  });
  return { ...body, instructions: beforeText(text, body.instructions, asItem) };
};
