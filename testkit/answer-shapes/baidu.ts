import type { Answer, AnswerShape, UsagePlacement } from "./answer";

// https://cloud.baidu.com/doc/WENXINWORKSHOP/s/jlil56u11; errors come with HTTP 200.

const FINISH_REASONS = { stop: "normal", length: "length", "tool-calls": "function_call" } as const;
const CODES: Readonly<Record<number, number>> = { 400: 336003, 401: 14, 429: 18, 500: 336000, 503: 336100 };

const encodeError = (status: number, message: string) => ({
  error_code: CODES[status] ?? 1,
  error_msg: message,
});

const encode = (answer: Answer, placement: UsagePlacement, result: string, output: number) => ({
  id: answer.id,
  object: "chat.completion",
  created: answer.createdAt,
  result,
  is_truncated: false,
  need_clear_history: false,
  ...(placement === "none"
    ? {}
    : {
        usage: {
          prompt_tokens: answer.usage.input,
          completion_tokens: output,
          total_tokens: answer.usage.input + output,
        },
      }),
});

const ending = (answer: Answer) => {
  const [call] = answer.toolCalls;
  return {
    finish_reason: FINISH_REASONS[answer.finish],
    ...(call ? { function_call: { name: call.name, thoughts: "", arguments: call.arguments } } : {}),
  };
};

/** Baidu's Wenxin workshop. */
export const BAIDU: AnswerShape = {
  errorStatus: 200,
  encodeJson: (answer, placement) => ({
    ...encode(answer, placement, answer.pieces.join(""), answer.usage.output),
    ...ending(answer),
  }),
  encodeEvents: (answer, placement) => {
    const pieces = answer.pieces.length > 0 ? answer.pieces : [""];
    return pieces.map((piece, index) => {
      const isLast = index === pieces.length - 1;
      const frame = encode(answer, placement, piece, isLast ? answer.usage.output : index);
      const more = isLast ? ending(answer) : {};
      return `data: ${JSON.stringify({ ...frame, sentence_id: index, is_end: isLast, ...more })}\n\n`;
    });
  },
  encodeError,
  encodeErrorEvent: (status, message) => `data: ${JSON.stringify(encodeError(status, message))}\n\n`,
};
