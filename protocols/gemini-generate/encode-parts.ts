import type { AssistantPart } from "@tollgate/contract/relay/request";
import { encodeRedacted, encodeSeal } from "../shared/seal";
import { parseToolArguments } from "../shared/tool-arguments";

/** The parts of an answer for one canonical part: a seal stands behind the thought that it belongs to. */
export const encodePart = (part: AssistantPart): Record<string, unknown>[] => {
  switch (part.kind) {
    case "text":
      return [{ text: part.text }];
    case "tool-call": {
      const { id, name } = part;
      return [{ functionCall: { id, name, args: parseToolArguments(part.arguments) } }];
    }
    case "reasoning":
      if (part.redactedData !== undefined) return [encodeSealed(encodeRedacted(part.redactedData))];
      return [
        ...(part.text === "" ? [] : [{ text: part.text, thought: true }]),
        ...(part.signature === undefined ? [] : [encodeSealed(encodeSeal("gemini", part.signature))]),
      ];
  }
};

/** A thought of nothing but its seal. */
const encodeSealed = (thoughtSignature: string): Record<string, unknown> => ({
  text: "",
  thought: true,
  thoughtSignature,
});
