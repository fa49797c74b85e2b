import type { AssistantPart, TokenLogprob, ToolCallPart } from "@tollgate/contract/relay/request";
import { encodeOpenaiLogprobs } from "../shared/answer/logprobs";
import { encodeRedacted, encodeSeal } from "../shared/messages/seal";
import { freeformInput } from "../shared/tools/freeform-tool";
import { BUILT_IN_FUNCTIONS } from "./built-in-functions";
import type { ToolIdentity, ToolTable } from "./tool-table";

/** A finished item of `output` as sent. */
export type OutputItem = Record<string, unknown> & { type: string; id: string };

/** The content part that holds words of the model. */
export const textPart = (text: string, logprobs?: readonly TokenLogprob[]) => ({
  type: "output_text",
  text,
  annotations: [],
  logprobs: encodeOpenaiLogprobs(logprobs),
});

/** The content part that holds a refusal in the model's words. */
export const refusalPart = (refusal: string) => ({ type: "refusal", refusal });

/** @param id as `itemId` makes it. */
export const messageItem = (id: string, content: object, status = "completed"): OutputItem => ({
  type: "message",
  id,
  status,
  role: "assistant",
  content: [content],
});

/**
 * The id of an item: the kind's prefix, the answer's id and the item's position, so that the same answer has the same
 * ids.
 */
export const itemId = (part: AssistantPart, answerId: string, place: number, tools: ToolTable): string =>
  `${prefixOf(part, tools)}_${answerId.replace(/^resp_/, "")}_${place}`;

const prefixOf = (part: AssistantPart, tools: ToolTable): string => {
  if (part.kind === "text") return "msg";
  if (part.kind === "reasoning") return "rs";
  const { kind } = tools.identify(part.name);
  if (kind === "function") return "fc";
  return kind === "custom" ? "ctc" : BUILT_IN_FUNCTIONS[kind].idPrefix;
};

/** Encodes a finished item (https://platform.openai.com/docs/api-reference/responses/object#responses-object-output). */
export const encodeItem = (part: AssistantPart, id: string, tools: ToolTable): OutputItem => {
  switch (part.kind) {
    case "text":
      return messageItem(id, textPart(part.text, part.logprobs));
    case "tool-call":
      return encodeCall(part, id, tools.identify(part.name), "completed");
    case "reasoning":
      return {
        type: "reasoning",
        id,
        summary: part.text === "" ? [] : [{ type: "summary_text", text: part.text }],
        ...encodeSlot(part),
      };
  }
};

/** Encodes a call as the item kind of the client's tool. @param status "in_progress" at its start. */
export const encodeCall = (
  { id: call_id, arguments: text }: ToolCallPart,
  id: string,
  { kind, name, namespace }: ToolIdentity,
  status: "in_progress" | "completed",
): OutputItem => {
  const named = { call_id, name, ...(namespace === "" ? {} : { namespace }) };
  const isBeginning = status === "in_progress";
  switch (kind) {
    case "function": {
      const whole = text === "" && !isBeginning ? "{}" : text;
      return { type: "function_call", id, ...named, arguments: whole, status };
    }
    case "custom":
      return { type: "custom_tool_call", id, ...named, input: freeformInput(text), status };
    default: {
      const { call, encodeCall: encode } = BUILT_IN_FUNCTIONS[kind];
      return { type: call, id, call_id, ...encode(text), status };
    }
  }
};

const encodeSlot = ({
  signature,
  redactedData,
}: Extract<AssistantPart, { kind: "reasoning" }>): { encrypted_content?: string } => {
  if (redactedData !== undefined) return { encrypted_content: encodeRedacted(redactedData) };
  return signature === undefined ? {} : { encrypted_content: encodeSeal("openai", signature) };
};
