import type { Answer, AnswerShape, AnswerUsage } from "./answer";

// https://docs.anthropic.com/en/api/messages and …/messages-streaming

const STOP_REASONS = { stop: "end_turn", length: "max_tokens", "tool-calls": "tool_use" } as const;

/** In this protocol `input_tokens` excludes tokens read from or written to a cache. */
const encodeInputUsage = (usage: AnswerUsage) => ({
  input_tokens: usage.input - (usage.cacheRead ?? 0) - (usage.cacheWrite ?? 0),
  cache_creation_input_tokens: usage.cacheWrite ?? 0,
  cache_read_input_tokens: usage.cacheRead ?? 0,
});

const event = (data: { type: string; [field: string]: unknown }): string =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

/** Each content block: its start and its deltas. */
const listBlocks = (answer: Answer) => {
  const blocks: { start: Record<string, unknown>; deltas: Record<string, unknown>[] }[] = [];
  if (answer.reasoning !== "") {
    blocks.push({
      start: { type: "thinking", thinking: "", signature: "" },
      deltas: [
        { type: "thinking_delta", thinking: answer.reasoning },
        { type: "signature_delta", signature: "c2lnbmF0dXJl" },
      ],
    });
  }
  if (answer.pieces.length > 0) {
    blocks.push({
      start: { type: "text", text: "" },
      deltas: answer.pieces.map((text) => ({ type: "text_delta", text })),
    });
  }
  for (const call of answer.toolCalls) {
    const half = Math.ceil(call.arguments.length / 2);
    blocks.push({
      start: { type: "tool_use", id: call.id, name: call.name, input: {} },
      deltas: [
        { type: "input_json_delta", partial_json: "" },
        { type: "input_json_delta", partial_json: call.arguments.slice(0, half) },
        { type: "input_json_delta", partial_json: call.arguments.slice(half) },
      ],
    });
  }
  return blocks;
};

/** https://docs.anthropic.com/en/api/errors */
const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  529: "overloaded_error",
};
const errorType = (status: number): string => ERROR_TYPES[status] ?? "api_error";

const encodeError = (status: number, message: string) => ({
  type: "error",
  error: { type: errorType(status), message },
  request_id: "req_011CSHoEeqs5C35K2UUqR7Fy",
});

/** Anthropic Messages. */
export const ANTHROPIC_MESSAGES: AnswerShape = {
  encodeJson: (answer, placement) => ({
    id: answer.id,
    type: "message",
    role: "assistant",
    model: answer.model,
    content: [
      ...(answer.reasoning === ""
        ? []
        : [{ type: "thinking", thinking: answer.reasoning, signature: "c2lnbmF0dXJl" }]),
      ...(answer.pieces.length > 0 ? [{ type: "text", text: answer.pieces.join("") }] : []),
      ...answer.toolCalls.map((call) => ({
        type: "tool_use",
        id: call.id,
        name: call.name,
        input: JSON.parse(call.arguments) as unknown,
      })),
    ],
    stop_reason: STOP_REASONS[answer.finish],
    stop_sequence: null,
    ...(placement === "none"
      ? {}
      : { usage: { ...encodeInputUsage(answer.usage), output_tokens: answer.usage.output } }),
  }),

  encodeEvents: (answer, placement) => {
    const blocks = listBlocks(answer);
    const hasUsage = placement !== "none";
    const message = {
      id: answer.id,
      type: "message",
      role: "assistant",
      model: answer.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      ...(hasUsage ? { usage: { ...encodeInputUsage(answer.usage), output_tokens: 1 } } : {}),
    };
    const events = [event({ type: "message_start", message })];
    const total = blocks.reduce((sum, block) => sum + block.deltas.length, 0);
    let sent = 0;
    for (const [index, { start, deltas }] of blocks.entries()) {
      events.push(event({ type: "content_block_start", index, content_block: start }));
      if (index === 0) events.push(event({ type: "ping" }));
      for (const delta of deltas) {
        events.push(event({ type: "content_block_delta", index, delta }));
        sent += 1;
        if (placement === "every-event") {
          const output_tokens = Math.round((answer.usage.output * sent) / total);
          events.push(event({ type: "message_delta", delta: {}, usage: { output_tokens } }));
        }
      }
      events.push(event({ type: "content_block_stop", index }));
    }
    events.push(
      event({
        type: "message_delta",
        delta: { stop_reason: STOP_REASONS[answer.finish], stop_sequence: null },
        ...(hasUsage ? { usage: { output_tokens: answer.usage.output } } : {}),
      }),
      event({ type: "message_stop" }),
    );
    return events;
  },

  encodeError,
  encodeErrorEvent: (status, message) => event(encodeError(status, message)),
};
