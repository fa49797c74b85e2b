import type { Answer, AnswerShape, AnswerUsage } from "./answer";

// https://platform.openai.com/docs/api-reference/chat

const FINISH_REASONS = { stop: "stop", length: "length", "tool-calls": "tool_calls" } as const;

const encodeUsage = (usage: AnswerUsage) => ({
  prompt_tokens: usage.input,
  completion_tokens: usage.output,
  total_tokens: usage.input + usage.output,
  ...(usage.cacheRead === undefined ? {} : { prompt_tokens_details: { cached_tokens: usage.cacheRead } }),
  ...(usage.reasoning === undefined
    ? {}
    : { completion_tokens_details: { reasoning_tokens: usage.reasoning } }),
});

const encodeToolCall = (call: Answer["toolCalls"][number]) => ({
  id: call.id,
  type: "function",
  function: { name: call.name, arguments: call.arguments },
});

const event = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;

/** The events up to and including the one that carries the finish reason, each with its delta. */
const listDeltas = (answer: Answer): Record<string, unknown>[] => {
  const deltas: Record<string, unknown>[] = [{ role: "assistant", content: "" }];
  if (answer.reasoning !== "") deltas.push({ reasoning_content: answer.reasoning });
  for (const content of answer.pieces) deltas.push({ content });
  for (const [index, call] of answer.toolCalls.entries()) {
    const { arguments: text, name } = call;
    const half = Math.ceil(text.length / 2);
    const start = {
      index,
      id: call.id,
      type: "function",
      function: { name, arguments: text.slice(0, half) },
    };
    deltas.push({ tool_calls: [start] });
    deltas.push({ tool_calls: [{ index, function: { arguments: text.slice(half) } }] });
  }
  return deltas;
};

const errorType = (status: number): string => {
  if (status === 429) return "requests";
  return status >= 400 && status < 500 ? "invalid_request_error" : "server_error";
};
const errorCode = (status: number): string | null =>
  status === 401 ? "invalid_api_key" : status === 429 ? "rate_limit_exceeded" : null;

const encodeError = (status: number, message: string) => ({
  error: { message, type: errorType(status), param: null, code: errorCode(status) },
});

/** OpenAI Chat Completions. */
export const OPENAI_CHAT: AnswerShape = {
  encodeJson: (answer, placement) => ({
    id: answer.id,
    object: "chat.completion",
    created: answer.createdAt,
    model: answer.model,
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: answer.pieces.length > 0 ? answer.pieces.join("") : null,
          ...(answer.reasoning === "" ? {} : { reasoning_content: answer.reasoning }),
          ...(answer.toolCalls.length > 0 ? { tool_calls: answer.toolCalls.map(encodeToolCall) } : {}),
        },
        logprobs: null,
        finish_reason: FINISH_REASONS[answer.finish],
      },
    ],
    ...(placement === "none" ? {} : { usage: encodeUsage(answer.usage) }),
  }),

  encodeEvents: (answer, placement, isUsageWanted) => {
    const base = {
      id: answer.id,
      object: "chat.completion.chunk",
      created: answer.createdAt,
      model: answer.model,
    };
    const deltas = listDeltas(answer);
    const isDocumented = placement === "documented" && isUsageWanted;
    const usageAt = (index: number): Record<string, unknown> => {
      if (placement === "every-event") {
        const output = Math.round((answer.usage.output * index) / deltas.length);
        return { usage: encodeUsage({ ...answer.usage, output }) };
      }
      if (placement === "with-last-choice" && index === deltas.length)
        return { usage: encodeUsage(answer.usage) };
      // A client that requested usage gets the field in every chunk, null until the last.
      return isDocumented ? { usage: null } : {};
    };
    const events = deltas.map((delta, index) =>
      event({ ...base, choices: [{ index: 0, delta, finish_reason: null }], ...usageAt(index) }),
    );
    const finish_reason = FINISH_REASONS[answer.finish];
    events.push(
      event({ ...base, choices: [{ index: 0, delta: {}, finish_reason }], ...usageAt(deltas.length) }),
    );
    if (isDocumented) events.push(event({ ...base, choices: [], usage: encodeUsage(answer.usage) }));
    events.push("data: [DONE]\n\n");
    return events;
  },

  encodeError,
  encodeErrorEvent: (status, message) => event(encodeError(status, message)),
};
