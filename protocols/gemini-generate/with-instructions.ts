import type { ClientProtocol } from "@tollgate/contract/relay/protocol";
import { isRecord } from "../shared/json/json-values";
import { beforeText, hasInstructions } from "../shared/messages/before-text";

const NAMES = ["systemInstruction", "system_instruction"] as const;

const partOf = (text: string): unknown => ({ text });

/** Instructions as the first part of `systemInstruction`, as the client spells it. */
export const withInstructions: ClientProtocol["withInstructions"] = (body, text, isFirst) => {
  const name = NAMES.find((each) => hasInstructions(body[each])) ?? NAMES[0];
  const given = body[name];
  const parts = isRecord(given) ? (isRecord(given.parts) ? [given.parts] : given.parts) : undefined;
  const isGiven = isRecord(given) ? hasInstructions(parts) : hasInstructions(given);
  if (isGiven && !isFirst) return body;
  if (!isRecord(given)) {
    const own = typeof given === "string" && given.trim() !== "" ? [partOf(given)] : [];
    return { ...body, [name]: { parts: [partOf(text), ...own] } };
  }
  return {
    ...body,
    [name]: { ...given, parts: beforeText(text, Array.isArray(parts) ? parts : [], partOf) },
  };
};
