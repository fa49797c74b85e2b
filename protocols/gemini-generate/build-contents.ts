import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import type { AssistantPart, ToolResultPart, Turn, UserPart } from "@tollgate/contract/relay/request";
import { isRecord } from "../shared/json/json-values";
import { parseJson } from "../shared/json/safe-json";
import { resultText } from "../shared/messages/result-text";
import { ownSeal } from "../shared/messages/seal";
import { systemAsUser } from "../shared/messages/system-turns";
import { argumentsObject } from "../shared/tools/arguments-text";
import { buildMedia, type Part } from "./build-media";

/** A turn as sent. */
export interface Content {
  role: "user" | "model";
  parts: Part[];
}

/** Replaces a lost seal; documented at https://ai.google.dev/gemini-api/docs/thought-signatures. */
export const NO_SEAL = "skip_thought_signature_validator";

/**
 * Builds `contents`: adjacent turns of one role are merged, and empty turns are dropped.
 * @param sealsCalls whether the model refuses a call without its seal.
 * @throws RequestInvalid
 */
export const buildContents = (turns: readonly Turn[], sealsCalls: boolean): Content[] => {
  const contents: Content[] = [];
  const names = new Map<string, string>();
  for (const turn of systemAsUser(turns)) {
    const role = turn.role === "user" ? "user" : "model";
    const parts =
      turn.role === "user" ? buildUser(turn.parts, names) : buildModel(turn.parts, names, sealsCalls);
    const last = contents.at(-1);
    if (parts.length === 0) continue;
    if (last?.role === role) last.parts.push(...parts);
    else contents.push({ role, parts });
  }
  return contents;
};

/** All results of a turn come first; images and documents in them follow as separate parts. */
const buildUser = (parts: readonly UserPart[], names: ReadonlyMap<string, string>): Part[] => {
  const results: Part[] = [];
  const others: Part[] = [];
  for (const part of parts) {
    if (part.kind === "tool-result") {
      results.push(buildResult(part, names));
      for (const piece of part.content) if (piece.kind !== "text") others.push(buildMedia(piece));
    } else if (part.kind !== "text") others.push(buildMedia(part));
    else if (part.text !== "") others.push({ text: part.text });
  }
  return [...results, ...others];
};

/** This shape names the function that a result is of, and carries an object. */
const buildResult = (
  { toolCallId, content, isError }: ToolResultPart,
  names: ReadonlyMap<string, string>,
): Part => {
  const name = names.get(toolCallId);
  if (name === undefined) {
    throw new RequestInvalid({ code: "result-without-call", id: toolCallId }, "messages");
  }
  const text = resultText(content);
  const value = parseJson(text);
  const response = isError ? { error: text } : isRecord(value) ? value : { result: text };
  return { functionResponse: { id: toolCallId, name, response } };
};

/**
 * Thoughts themselves are not sent back; their seal goes with the next call, or after the turn's text. The first call
 * of a turn must have one.
 */
const buildModel = (
  turn: readonly AssistantPart[],
  names: Map<string, string>,
  sealsCalls: boolean,
): Part[] => {
  const parts: Part[] = [];
  let seal: string | undefined;
  let hasCalls = false;
  for (const part of turn) {
    if (part.kind === "reasoning") {
      seal = (part.signature === undefined ? undefined : ownSeal("gemini", part.signature)) ?? seal;
    } else if (part.kind === "text") {
      if (part.text !== "") parts.push({ text: part.text });
    } else {
      const { id, name } = part;
      names.set(id, name);
      const thoughtSignature = seal ?? (sealsCalls && !hasCalls ? NO_SEAL : undefined);
      parts.push({ functionCall: { id, name, args: argumentsObject(part.arguments) }, thoughtSignature });
      seal = undefined;
      hasCalls = true;
    }
  }
  if (seal !== undefined && parts.length > 0) parts.push({ text: "", thoughtSignature: seal });
  return parts;
};
