import type { AnswerStamp } from "@tollgate/contract/relay/protocol";
import type { ChatResponse } from "@tollgate/contract/relay/response";
import { answerId } from "../shared/answer-id";
import { encodeItem, itemId, messageItem, refusalPart } from "./encode-item";
import { encodeUsage } from "./encode-usage";
import { encodeStatus } from "./status";

/** Encodes a whole answer (https://platform.openai.com/docs/api-reference/responses/object). */
export const encodeResponse = (response: ChatResponse, stamp: AnswerStamp): unknown => {
  const id = responseId(response.id, stamp);
  const output = response.parts.map((part, place) => encodeItem(part, itemId(part.kind, id, place)));
  if (response.refusal !== undefined) {
    output.push(messageItem(itemId("text", id, output.length), refusalPart(response.refusal)));
  }
  return {
    ...encodeShell(id, stamp),
    ...encodeStatus(response.finishReason),
    output,
    usage: encodeUsage(response.usage),
  };
};

/** The answer's id in this protocol's spelling. */
export const responseId = (upstreamId: string, stamp: AnswerStamp): string =>
  answerId(upstreamId, `resp_${stamp.id}`, "resp_");

/**
 * Everything in an answer besides its status, its output and its usage. The API repeats the request here; clients need
 * the fields but not their values, so they stand at their defaults, except that nothing was stored.
 */
export const encodeShell = (id: string, stamp: AnswerStamp): Record<string, unknown> => ({
  id,
  object: "response",
  created_at: stamp.createdAt,
  status: "in_progress",
  background: false,
  error: null,
  incomplete_details: null,
  instructions: null,
  max_output_tokens: null,
  metadata: {},
  model: stamp.model,
  output: [],
  parallel_tool_calls: true,
  previous_response_id: null,
  reasoning: { effort: null, summary: null },
  store: false,
  temperature: null,
  text: { format: { type: "text" } },
  tool_choice: "auto",
  tools: [],
  top_p: null,
  truncation: "disabled",
  usage: null,
});
