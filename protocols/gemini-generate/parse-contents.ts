import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import type { AssistantPart, ToolResultPart, Turn, UserPart } from "@tollgate/contract/relay/request";
import { isRecord, type JsonRecord } from "../shared/json/json-values";
import { shownValue } from "../shared/json/shown-value";
import { argumentsText } from "../shared/json/stringify-in-steps";
import { readList, requireRecord, requireString, requireText } from "../shared/request/request-fields";
import { collectParts } from "../shared/stream/collect-parts";
import { createToolCallCheck } from "../shared/tools/tool-call-check";
import { AnswerParts } from "./answer-parts";
import { parseMedia } from "./parse-media";
import { readField } from "./read-field";

interface Content {
  isModel: boolean;
  parts: { part: JsonRecord; param: string }[];
}

/**
 * Parses `contents` (https://ai.google.dev/api/caching#Content). Adjacent contents of one role are one turn: the
 * official client stores every piece of a streamed answer as a separate content.
 * @throws RequestInvalid with the path of the wrong field.
 */
export const parseContents = (contents: readonly unknown[]): Turn[] => {
  const pairing = createPairing();
  const turns = mergeRoles(contents).map(
    ({ isModel, parts }, index): Turn =>
      isModel
        ? { role: "assistant", parts: parseModel(parts, String(index), pairing) }
        : { role: "user", parts: parts.map(({ part, param }) => parseUserPart(part, param, pairing)) },
  );
  pairing.close();
  return turns;
};

/** Parts as a list; a single part may stand without one. @throws RequestInvalid */
export const listParts = (parts: unknown, param: string): JsonRecord[] =>
  (isRecord(parts) ? [parts] : readList(parts, param)).map((part, index) =>
    typeof part === "string" ? { text: part } : requireRecord(part, `${param}[${index}]`),
  );

const mergeRoles = (contents: readonly unknown[]): Content[] => {
  const merged: Content[] = [];
  contents.forEach((value, index) => {
    const param = `contents[${index}]`;
    const content = requireRecord(typeof value === "string" ? { parts: { text: value } } : value, param);
    const isModel = readIsModel(content.role, `${param}.role`);
    const parts = listParts(content.parts, `${param}.parts`).map((part, position) => ({
      part,
      param: `${param}.parts[${position}]`,
    }));
    const last = merged.at(-1);
    if (last?.isModel === isModel) last.parts.push(...parts);
    else merged.push({ isModel, parts });
  });
  return merged;
};

/** The first versions used "function" for a turn of results. */
const readIsModel = (role: unknown, param: string): boolean => {
  if (role === "model") return true;
  if (role === undefined || role === null || role === "" || role === "user" || role === "function")
    return false;
  throw new RequestInvalid({
    code: "unknown-value",
    field: param,
    value: shownValue(role),
    allowed: ["user", "model"],
  });
};

const parseModel = (parts: Content["parts"], turnId: string, pairing: Pairing): AssistantPart[] => {
  pairing.close();
  const answer = new AnswerParts();
  const stream = parts.flatMap(({ part, param }) => {
    const call = readField(part, "functionCall");
    if (isRecord(call)) requireText(call.name, `${param}.functionCall.name`);
    const made = answer.push(part, turnId);
    for (const one of made) if (one.kind === "tool-call") pairing.addCall(one.id, one.name, param);
    return made;
  });
  return collectParts(stream);
};

const parseUserPart = (part: JsonRecord, param: string, pairing: Pairing): UserPart => {
  const response = readField(part, "functionResponse");
  if (response !== undefined) {
    return parseResponse(
      requireRecord(response, `${param}.functionResponse`),
      `${param}.functionResponse`,
      pairing,
    );
  }
  if (part.text !== undefined) return { kind: "text", text: requireString(part.text, `${param}.text`) };
  return parseMedia(part, param);
};

const parseResponse = (response: JsonRecord, param: string, pairing: Pairing): ToolResultPart => {
  const name = requireText(response.name, `${param}.name`);
  const toolCallId = pairing.addResult(typeof response.id === "string" ? response.id : "", name, param);
  const { text, isError } = readResult(response.response);
  const media = listParts(response.parts, `${param}.parts`).map((part, index) => {
    const piece = parseMedia(part, `${param}.parts[${index}]`);
    if (piece.kind !== "audio") return piece;
    throw new RequestInvalid({ code: "tool-result-parts" }, `${param}.parts[${index}]`);
  });
  return {
    kind: "tool-result",
    toolCallId,
    content: [{ kind: "text", text }, ...media],
    ...(isError ? { isError } : {}),
  };
};

/** "output" (or "result" in most clients) and "error" wrap the function's result. */
const readResult = (response: unknown): { text: string; isError: boolean } => {
  if (!isRecord(response))
    return { text: response === undefined ? "" : JSON.stringify(response), isError: false };
  const [key, ...others] = Object.keys(response);
  const isWrapped = others.length === 0 && (key === "output" || key === "result" || key === "error");
  const value = isWrapped && key !== undefined ? response[key] : response;
  return {
    text: typeof value === "string" ? value : isRecord(value) ? argumentsText(value) : JSON.stringify(value),
    isError: isWrapped && key === "error",
  };
};

/** Pairs responses with calls. */
interface Pairing {
  addCall(id: string, name: string, param: string): void;
  /** @returns the id of the answered call. @throws RequestInvalid without one. */
  addResult(id: string, name: string, param: string): string;
  /** @throws RequestInvalid when calls are open. */
  close(): void;
}

/** Calls of one function, or of one id, in their order: a search for each response would take the square of their number. */
interface WaitingCalls {
  calls: { id: string; isAnswered: boolean }[];
  /** All calls before this index are answered. */
  next: number;
}

const waitingIn = (calls: Map<string, WaitingCalls>, key: string): WaitingCalls => {
  const known = calls.get(key) ?? { calls: [], next: 0 };
  calls.set(key, known);
  return known;
};

/** The first call that has no response yet; it has one from now on. */
const takeFirst = (waiting: WaitingCalls | undefined): { id: string } | undefined => {
  if (waiting === undefined) return undefined;
  while (waiting.calls[waiting.next]?.isAnswered) waiting.next += 1;
  const call = waiting.calls[waiting.next];
  if (call) call.isAnswered = true;
  return call;
};

/** Ids are new in this protocol: without one a response answers the first open call of its function. */
const createPairing = (): Pairing => {
  const check = createToolCallCheck();
  const byId = new Map<string, WaitingCalls>();
  const byName = new Map<string, WaitingCalls>();
  return {
    addCall(id, name, param) {
      check.addCall(id, param);
      const call = { id, isAnswered: false };
      waitingIn(byId, id).calls.push(call);
      waitingIn(byName, name).calls.push(call);
    },
    addResult(id, name, param) {
      const call = takeFirst(id === "" ? byName.get(name) : byId.get(id));
      check.addResult(call?.id ?? (id || name), param);
      return call?.id ?? id;
    },
    close: () => check.close(),
  };
};
