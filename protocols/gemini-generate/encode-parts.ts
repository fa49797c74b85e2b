import type { AssistantPart } from "@tollgate/contract/relay/request";
import { encodeRedacted, encodeSeal, isAnthropicSeal } from "../shared/messages/seal";
import { argumentsObject } from "../shared/tools/arguments-text";

/**
 * Whether the call after its thought carries the seal, as Google's own do: several clients drop thoughts, and seals
 * with them, but none drops a call. Anthropic's is worthless without the words of the thought, so it follows them.
 */
export const goesWithCall = (signature: string): boolean => !isAnthropicSeal(signature);

/** The parts of a whole answer. */
export const encodeParts = (parts: readonly AssistantPart[]): Record<string, unknown>[] => {
  let seal: string | undefined;
  return parts.flatMap((part, index) => {
    if (part.kind === "tool-call") {
      const sealed = encodePart(part, seal);
      seal = undefined;
      return sealed;
    }
    const isBeforeCall = parts[index + 1]?.kind === "tool-call";
    if (part.kind !== "reasoning" || part.signature === undefined) return encodePart(part);
    if (!isBeforeCall || !goesWithCall(part.signature)) return encodePart(part);
    seal = part.signature;
    return encodePart({ kind: "reasoning", text: part.text });
  });
};

/**
 * The parts of an answer for one canonical part: a seal follows its thought.
 * @param callSeal the canonical signature of the thought before a call, if the call carries it.
 */
export const encodePart = (part: AssistantPart, callSeal?: string): Record<string, unknown>[] => {
  switch (part.kind) {
    case "text":
      return [{ text: part.text }];
    case "tool-call": {
      const { id, name } = part;
      const seal = callSeal === undefined ? {} : { thoughtSignature: encodeSeal("gemini", callSeal) };
      return [{ functionCall: { id, name, args: argumentsObject(part.arguments) }, ...seal }];
    }
    case "reasoning":
      if (part.redactedData !== undefined) return [encodeSealed(encodeRedacted(part.redactedData))];
      return [
        ...(part.text === "" ? [] : [{ text: part.text, thought: true }]),
        ...(part.signature === undefined ? [] : [encodeSealed(encodeSeal("gemini", part.signature))]),
      ];
  }
};

/** A thought with only its seal. */
const encodeSealed = (thoughtSignature: string): Record<string, unknown> => ({
  text: "",
  thought: true,
  thoughtSignature,
});
