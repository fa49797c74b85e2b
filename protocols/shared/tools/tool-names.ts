import type { AssistantPart, ChatRequest, Turn } from "@tollgate/contract/relay/request";
import type { ChatResponse } from "@tollgate/contract/relay/response";
import type { StreamPart, StreamWriter } from "@tollgate/contract/relay/stream";
import { hexHash } from "../json/stable-hash";

/*
 * Vendors accept different names of tools. A name that the upstream refuses is replaced in the request, and put back in
 * the answer.
 */

/** OpenAI's rule; protocols without a rule of their own follow it. */
export const COMMON_TOOL_NAMES = /^[a-zA-Z0-9_-]{1,64}$/;

/** The beginning of a name that a hash is put behind: together they have 64 characters. */
const KEPT_LENGTH = 55;

/**
 * The longest name that is replaced, and the most names. No vendor takes any more; the bounds keep short calls of a
 * model from becoming an endless answer, and hashing from taking long.
 */
const MAX_REPLACED_LENGTH = 1024;
const MAX_REPLACED = 4096;

/**
 * Makes a name that every vendor accepts of one that some vendor refuses.
 * @param identity tells it from others that look the same.
 */
export const nameWithHash = (name: string, identity: string): string => {
  const plain = name.slice(0, KEPT_LENGTH).replace(/[^a-zA-Z0-9_-]/g, "_");
  // Gemini refuses a digit or a dash in front.
  const begun = /^[a-zA-Z_]/.test(plain) ? plain : `_${plain}`;
  return `${begun.slice(0, KEPT_LENGTH)}_${hexHash(identity).slice(0, 8)}`;
};

/** The client's names of tools, by the names that the upstream knows. */
export type OwnToolNames = ReadonlyMap<string, string>;

/** A request whose names the upstream accepts. */
interface FittedRequest {
  request: ChatRequest;
  /** Undefined where every name stayed. */
  ownNames?: OwnToolNames;
}

/**
 * Replaces the names of tools that the upstream refuses, in the tools, the choice and the calls; all others stay. A
 * replacement depends on the name alone, so that a repeated conversation stays the same, unless the request has a tool
 * of that very name: then another one is taken, because no two tools may share a name.
 * @param accepted names that the upstream accepts.
 */
export const fitToolNames = (request: ChatRequest, accepted: RegExp = COMMON_TOOL_NAMES): FittedRequest => {
  const taken = new Set<string>();
  const refused = new Set<string>();
  for (const name of namesIn(request)) {
    if (accepted.test(name)) taken.add(name);
    else if (name.length <= MAX_REPLACED_LENGTH && refused.size < MAX_REPLACED) refused.add(name);
  }
  if (refused.size === 0) return { request };
  const replacements = new Map<string, string>();
  const ownNames = new Map<string, string>();
  for (const name of refused) {
    const replacement = unusedName(name, taken);
    taken.add(replacement);
    replacements.set(name, replacement);
    ownNames.set(replacement, name);
  }
  return { request: withNames(request, replacements), ownNames };
};

function* namesIn({ tools, toolChoice, turns }: ChatRequest): Generator<string> {
  for (const { name } of tools) yield name;
  if (toolChoice?.kind === "tool") yield toolChoice.name;
  for (const turn of turns)
    if (turn.role === "assistant")
      for (const part of turn.parts) if (part.kind === "tool-call") yield part.name;
}

const unusedName = (name: string, taken: ReadonlySet<string>): string => {
  let found = nameWithHash(name, name);
  for (let attempt = 1; taken.has(found); attempt += 1) found = nameWithHash(name, `${name}\n${attempt}`);
  return found;
};

const withNames = (request: ChatRequest, names: ReadonlyMap<string, string>): ChatRequest => {
  const { tools, toolChoice, turns } = request;
  return {
    ...request,
    tools: tools.map((tool) => withName(tool, names)),
    toolChoice: toolChoice?.kind === "tool" ? withName(toolChoice, names) : toolChoice,
    turns: turns.map(
      (turn): Turn =>
        turn.role === "assistant" ? { role: "assistant", parts: partsWithNames(turn.parts, names) } : turn,
    ),
  };
};

const partsWithNames = (parts: AssistantPart[], names: ReadonlyMap<string, string>): AssistantPart[] =>
  parts.map((part) => (part.kind === "tool-call" ? withName(part, names) : part));

const withName = <Part extends { name: string }>(part: Part, names: ReadonlyMap<string, string>): Part => {
  const name = names.get(part.name);
  return name === undefined ? part : { ...part, name };
};

/** An answer with the client's own names. */
export const withOwnNames = (response: ChatResponse, names: OwnToolNames): ChatResponse => ({
  ...response,
  parts: partsWithNames(response.parts, names),
});

/** The same of a stream. */
export const writeOwnNames = (writer: StreamWriter, names: OwnToolNames): StreamWriter => ({
  push: (part: StreamPart) => writer.push(part.kind === "tool-call" ? withName(part, names) : part),
  end: () => writer.end(),
});
