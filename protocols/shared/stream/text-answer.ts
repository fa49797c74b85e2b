import type { AssistantPart } from "@tollgate/contract/relay/request";
import type { ChatResponse, FinishReason } from "@tollgate/contract/relay/response";
import { NO_USAGE, type Usage } from "@tollgate/contract/relay/usage";
import { makeCallId } from "../tools/call-id";

/** A tool call as a vendor's whole answer holds it. */
export interface ReadCall {
  /** "" when the vendor sends none. */
  id: string;
  name: string;
  /** JSON text. */
  arguments: string;
}

/** Assembles a whole answer; with calls in it, "stop" becomes "tool-calls". */
export const textAnswer = (answer: {
  id: string;
  model?: string;
  text: string;
  reasoning?: string;
  calls?: readonly ReadCall[];
  finishReason: FinishReason;
  usage?: Usage;
}): ChatResponse => {
  const { id, text, reasoning = "", calls = [], finishReason } = answer;
  const parts: AssistantPart[] = [];
  if (reasoning !== "") parts.push({ kind: "reasoning", text: reasoning });
  if (text !== "") parts.push({ kind: "text", text });
  calls.forEach((call, position) => {
    parts.push({ kind: "tool-call", ...call, id: call.id || makeCallId(id, position, call.name) });
  });
  return {
    id,
    model: answer.model ?? "",
    parts,
    finishReason: finishReason === "stop" && calls.length > 0 ? "tool-calls" : finishReason,
    usage: answer.usage ?? NO_USAGE,
  };
};
