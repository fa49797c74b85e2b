import type { ChatResponse } from "@tollgate/contract/relay/response";
import type { StreamPart } from "@tollgate/contract/relay/stream";

/** Converts an answer in one piece to the parts of a stream, for a client that requested one. */
export const responseToStreamParts = (response: ChatResponse): StreamPart[] => {
  const parts: StreamPart[] = [{ kind: "start", id: response.id, model: response.model }];
  response.parts.forEach((part, index) => {
    switch (part.kind) {
      case "text":
        parts.push({
          kind: "text",
          index,
          text: part.text,
          ...(part.logprobs ? { logprobs: part.logprobs } : {}),
        });
        break;
      case "reasoning":
        if (part.redactedData !== undefined) {
          parts.push({ kind: "redacted-reasoning", index, data: part.redactedData });
          break;
        }
        parts.push({ kind: "reasoning", index, text: part.text });
        if (part.signature !== undefined) {
          parts.push({ kind: "reasoning-signature", index, signature: part.signature });
        }
        break;
      case "tool-call":
        parts.push({ kind: "tool-call", index, id: part.id, name: part.name });
        parts.push({ kind: "tool-arguments", index, text: part.arguments });
        break;
    }
  });
  if (response.refusal !== undefined) {
    parts.push({ kind: "refusal", index: response.parts.length, text: response.refusal });
  }
  parts.push({ kind: "usage", usage: response.usage }, { kind: "finish", reason: response.finishReason });
  return parts;
};
