import type { Answer, AnswerShape, AnswerUsage } from "./answer";
import { OPENAI_CHAT } from "./openai-chat";

// https://platform.openai.com/docs/api-reference/responses and …/responses-streaming

const encodeUsage = (usage: AnswerUsage) => ({
  input_tokens: usage.input,
  input_tokens_details: { cached_tokens: usage.cacheRead ?? 0 },
  output_tokens: usage.output,
  output_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
  total_tokens: usage.input + usage.output,
});

const messageOf = (id: string, status: string, content: object[]) => ({
  type: "message",
  id,
  status,
  role: "assistant",
  content,
});

const textOf = (text: string) => ({ type: "output_text", text, annotations: [], logprobs: [] });

const callOf = ({ id, name }: Answer["toolCalls"][number], text: string, status: string) => ({
  type: "function_call",
  id: `fc_${id}`,
  call_id: id,
  name,
  arguments: text,
  status,
});

const reasoningOf = (text: string) => ({
  type: "reasoning",
  id: "rs_1",
  summary: [{ type: "summary_text", text }],
  encrypted_content: "c2VhbGVk",
});

const listItems = (answer: Answer): object[] => [
  ...(answer.reasoning === "" ? [] : [reasoningOf(answer.reasoning)]),
  ...(answer.pieces.length > 0 ? [messageOf("msg_1", "completed", [textOf(answer.pieces.join(""))])] : []),
  ...answer.toolCalls.map((call) => callOf(call, call.arguments, "completed")),
];

const encodeResponse = (answer: Answer, status: string, usage: object | null) => ({
  id: `resp_${answer.id}`,
  object: "response",
  created_at: answer.createdAt,
  status,
  error: null,
  incomplete_details: status === "incomplete" ? { reason: "max_output_tokens" } : null,
  instructions: null,
  metadata: {},
  model: answer.model,
  output: status === "in_progress" ? [] : listItems(answer),
  parallel_tool_calls: true,
  previous_response_id: null,
  store: false,
  temperature: 1,
  tool_choice: "auto",
  tools: [],
  top_p: 1,
  usage,
});

const statusOf = (answer: Answer): string => (answer.finish === "length" ? "incomplete" : "completed");

/** The events between the first and the last, each with its fields. */
const listEvents = (answer: Answer): [type: string, fields: object][] => {
  const events: [string, object][] = [];
  let output_index = 0;
  if (answer.reasoning !== "") {
    const place = { item_id: "rs_1", output_index, summary_index: 0 };
    const item = reasoningOf(answer.reasoning);
    events.push(
      ["output_item.added", { output_index, item: { type: "reasoning", id: "rs_1", summary: [] } }],
      ["reasoning_summary_part.added", { ...place, part: { type: "summary_text", text: "" } }],
      ["reasoning_summary_text.delta", { ...place, delta: answer.reasoning }],
      ["reasoning_summary_text.done", { ...place, text: answer.reasoning }],
      ["reasoning_summary_part.done", { ...place, part: { type: "summary_text", text: answer.reasoning } }],
      ["output_item.done", { output_index, item }],
    );
    output_index += 1;
  }
  if (answer.pieces.length > 0) {
    const place = { item_id: "msg_1", output_index, content_index: 0 };
    const text = answer.pieces.join("");
    events.push(
      ["output_item.added", { output_index, item: messageOf("msg_1", "in_progress", []) }],
      ["content_part.added", { ...place, part: textOf("") }],
      ...answer.pieces.map((delta): [string, object] => [
        "output_text.delta",
        { ...place, delta, logprobs: [] },
      ]),
      ["output_text.done", { ...place, text, logprobs: [] }],
      ["content_part.done", { ...place, part: textOf(text) }],
      ["output_item.done", { output_index, item: messageOf("msg_1", "completed", [textOf(text)]) }],
    );
    output_index += 1;
  }
  for (const call of answer.toolCalls) {
    const place = { item_id: `fc_${call.id}`, output_index };
    const { arguments: text, name } = call;
    const half = Math.ceil(text.length / 2);
    events.push(
      ["output_item.added", { output_index, item: callOf(call, "", "in_progress") }],
      ["function_call_arguments.delta", { ...place, delta: text.slice(0, half) }],
      ["function_call_arguments.delta", { ...place, delta: text.slice(half) }],
      ["function_call_arguments.done", { ...place, name, arguments: text }],
      ["output_item.done", { output_index, item: callOf(call, text, "completed") }],
    );
    output_index += 1;
  }
  return events;
};

const event = (type: string, sequence_number: number, fields: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number, ...fields })}\n\n`;

/** OpenAI Responses. Only the last event reports usage. */
export const OPENAI_RESPONSES: AnswerShape = {
  encodeJson: (answer, placement) =>
    encodeResponse(answer, statusOf(answer), placement === "none" ? null : encodeUsage(answer.usage)),

  encodeEvents: (answer, placement) => {
    const usage = placement === "none" ? null : encodeUsage(answer.usage);
    const status = statusOf(answer);
    const started = { response: encodeResponse(answer, "in_progress", null) };
    const events: [string, object][] = [
      ["created", started],
      ["in_progress", started],
      ...listEvents(answer),
      [status, { response: encodeResponse(answer, status, usage) }],
    ];
    return events.map(([type, fields], index) => event(`response.${type}`, index, fields));
  },

  encodeError: OPENAI_CHAT.encodeError,
  encodeErrorEvent: (status, message) =>
    event("error", 0, {
      code: status === 429 ? "rate_limit_exceeded" : "server_error",
      message,
      param: null,
    }),
};
