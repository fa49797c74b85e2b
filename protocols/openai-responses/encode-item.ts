import type { AssistantPart } from "@tollgate/contract/relay/request";
import { encodeRedacted, encodeSeal } from "../shared/seal";

/** A finished item of `output` as it goes on the wire. */
export type OutputItem = Record<string, unknown> & { type: string; id: string };

/** The content part that holds words of the model. */
export const textPart = (text: string) => ({ type: "output_text", text, annotations: [], logprobs: [] });

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

/** The id of an item: the kind's prefix, the answer's id and the item's place, so that the same answer has the same. */
export const itemId = (kind: AssistantPart["kind"], answerId: string, place: number): string =>
  `${PREFIXES[kind]}_${answerId.replace(/^resp_/, "")}_${place}`;

const PREFIXES: Readonly<Record<AssistantPart["kind"], string>> = {
  text: "msg",
  reasoning: "rs",
  "tool-call": "fc",
};

/** Encodes a finished item (https://platform.openai.com/docs/api-reference/responses/object#responses-object-output). */
export const encodeItem = (part: AssistantPart, id: string): OutputItem => {
  switch (part.kind) {
    case "text":
      return messageItem(id, textPart(part.text));
    case "tool-call": {
      const { id: call_id, name, arguments: text } = part;
      const called = { call_id, name, arguments: text === "" ? "{}" : text };
      return { type: "function_call", id, ...called, status: "completed" };
    }
    case "reasoning":
      return {
        type: "reasoning",
        id,
        summary: part.text === "" ? [] : [{ type: "summary_text", text: part.text }],
        ...encodeSlot(part),
      };
  }
};

const encodeSlot = ({
  signature,
  redactedData,
}: Extract<AssistantPart, { kind: "reasoning" }>): { encrypted_content?: string } => {
  if (redactedData !== undefined) return { encrypted_content: encodeRedacted(redactedData) };
  return signature === undefined ? {} : { encrypted_content: encodeSeal("openai", signature) };
};
