import type { AnswerStamp } from "@tollgate/contract/relay/protocol";
import type { AssistantPart } from "@tollgate/contract/relay/request";
import type { ChatResponse } from "@tollgate/contract/relay/response";
import { answerId } from "../shared/answer/answer-id";
import { encodeItem, itemId, messageItem, refusalPart } from "./encode-item";
import { encodeShell } from "./encode-shell";
import { encodeUsage } from "./encode-usage";
import { encodeStatus } from "./status";
import { readKnownTools } from "./tool-table";

/** Encodes a whole answer (https://platform.openai.com/docs/api-reference/responses/object). */
export const encodeResponse = (response: ChatResponse, stamp: AnswerStamp): unknown => {
  const id = responseId(response.id, stamp);
  const tools = readKnownTools(stamp.request);
  const output = response.parts.map((part, place) => encodeItem(part, itemId(part, id, place, tools), tools));
  if (response.refusal !== undefined) {
    const words: AssistantPart = { kind: "text", text: response.refusal };
    output.push(messageItem(itemId(words, id, output.length, tools), refusalPart(response.refusal)));
  }
  return {
    ...encodeShell(id, stamp),
    ...encodeStatus(response.finishReason),
    completed_at: stamp.createdAt,
    output,
    usage: encodeUsage(response.usage),
  };
};

/** The answer's id in this protocol's spelling. */
export const responseId = (upstreamId: string, stamp: AnswerStamp): string =>
  answerId(upstreamId, `resp_${stamp.id}`, "resp_");
