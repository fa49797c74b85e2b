import type { AssistantPart } from "@tollgate/contract/relay/request";
import type { StreamPart } from "@tollgate/contract/relay/stream";
import { joinLogprobs } from "../answer/logprobs";

/** Puts the parts of a stream together to those of a whole answer, in the order of their numbers. Refusals are left out. */
export const collectParts = (stream: readonly StreamPart[]): AssistantPart[] => {
  const parts = new Map<number, AssistantPart>();
  for (const part of stream) {
    if (!("index" in part) || part.kind === "refusal") continue;
    const known = parts.get(part.index);
    if (known) extend(known, part);
    else parts.set(part.index, begin(part));
  }
  return [...parts.values()];
};

type ContentPart = Exclude<
  StreamPart,
  { kind: "start" | "usage" | "finish" | "error" } | { kind: "refusal" }
>;

const begin = (part: ContentPart): AssistantPart => {
  switch (part.kind) {
    case "text":
      return { kind: "text", text: part.text, ...(part.logprobs ? { logprobs: part.logprobs } : {}) };
    case "reasoning":
      return { kind: "reasoning", text: part.text };
    case "reasoning-signature":
      return { kind: "reasoning", text: "", signature: part.signature };
    case "redacted-reasoning":
      return { kind: "reasoning", text: "", redactedData: part.data };
    case "tool-call":
      return { kind: "tool-call", id: part.id, name: part.name, arguments: "" };
    case "tool-arguments":
      return { kind: "tool-call", id: "", name: "", arguments: part.text };
  }
};

const extend = (known: AssistantPart, part: ContentPart): void => {
  if (part.kind === "tool-arguments" && known.kind === "tool-call") known.arguments += part.text;
  else if (part.kind === "reasoning-signature" && known.kind === "reasoning")
    known.signature = part.signature;
  else if (part.kind === "text" && known.kind === "text") {
    known.text += part.text;
    const logprobs = joinLogprobs(known.logprobs, part.logprobs);
    if (logprobs) known.logprobs = logprobs;
  } else if (part.kind === "reasoning" && known.kind === "reasoning") known.text += part.text;
};
