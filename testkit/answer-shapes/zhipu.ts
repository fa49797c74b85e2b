import type { AnswerShape } from "./answer";

// https://open.bigmodel.cn/dev/howuse/model, the third API: text in its own events, usage in `meta`.

const CODES: Readonly<Record<number, number>> = { 400: 1210, 401: 1000, 429: 1302, 500: 1200, 503: 1305 };

const encodeError = (status: number, message: string) => ({
  code: CODES[status] ?? 1234,
  msg: message,
  success: false,
});

const encodeUsage = (usage: { input: number; output: number }) => ({
  prompt_tokens: usage.input,
  completion_tokens: usage.output,
  total_tokens: usage.input + usage.output,
});

/** Zhipu's third API, which knows neither tools nor reasoning. */
export const ZHIPU: AnswerShape = {
  encodeJson: (answer, placement) => ({
    code: 200,
    msg: "操作成功",
    success: true,
    data: {
      request_id: answer.id,
      task_id: answer.id,
      task_status: "SUCCESS",
      choices: [{ role: "assistant", content: JSON.stringify(answer.pieces.join("")) }],
      ...(placement === "none" ? {} : { usage: encodeUsage(answer.usage) }),
    },
  }),

  encodeEvents: (answer, placement) => {
    const meta = {
      request_id: answer.id,
      task_id: answer.id,
      task_status: "SUCCESS",
      ...(placement === "none" ? {} : { usage: encodeUsage(answer.usage) }),
    };
    return [
      ...answer.pieces.map(
        (piece) => `event:add\nid:${answer.id}\ndata:${piece.replaceAll("\n", "\ndata:")}\n\n`,
      ),
      `event:finish\nid:${answer.id}\ndata:\nmeta:${JSON.stringify(meta)}\n\n`,
    ];
  },

  encodeError,
  encodeErrorEvent: (status, message) =>
    `event:error\ndata:${JSON.stringify({ code: String(CODES[status] ?? 1234), message })}\n\n`,
};
