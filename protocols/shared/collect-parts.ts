import type { AssistantPart } from "@tollgate/contract/relay/request";
import type { StreamPart } from "@tollgate/contract/relay/stream";

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
    case "reasoning":
      return { kind: part.kind, text: part.text };
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
  else if ((part.kind === "text" || part.kind === "reasoning") && known.kind === part.kind)
    known.text += part.text;
};
