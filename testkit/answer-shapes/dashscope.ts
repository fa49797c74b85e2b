import type { Answer, AnswerShape, UsagePlacement } from "./answer";

// https://help.aliyun.com/zh/model-studio/dashscope-api-reference/

const FINISH_REASONS = { stop: "stop", length: "length", "tool-calls": "tool_calls" } as const;
const CODES: Readonly<Record<number, string>> = {
  400: "InvalidParameter",
  401: "InvalidApiKey",
  429: "Throttling.RateQuota",
  500: "InternalError",
  503: "ModelServingError",
};

const encodeError = (status: number, message: string) => ({
  code: CODES[status] ?? "SystemError",
  message,
  request_id: "8e2c",
});

const encode = (
  answer: Answer,
  placement: UsagePlacement,
  message: object,
  isLast: boolean,
  output: number,
) => ({
  output: {
    choices: [
      {
        message: { role: "assistant", content: "", ...message },
        finish_reason: isLast ? FINISH_REASONS[answer.finish] : "null",
      },
    ],
  },
  ...(placement === "none"
    ? {}
    : {
        usage: {
          input_tokens: answer.usage.input,
          output_tokens: output,
          total_tokens: answer.usage.input + output,
        },
      }),
  request_id: answer.id,
});

const toolCalls = (answer: Answer) =>
  answer.toolCalls.map((call, index) => ({
    index,
    id: call.id,
    type: "function",
    function: { name: call.name, arguments: call.arguments },
  }));

/** DashScope's own API. */
export const DASHSCOPE: AnswerShape = {
  encodeJson: (answer, placement) => {
    const message = {
      content: answer.pieces.join(""),
      ...(answer.reasoning === "" ? {} : { reasoning_content: answer.reasoning }),
      ...(answer.toolCalls.length > 0 ? { tool_calls: toolCalls(answer) } : {}),
    };
    return encode(answer, placement, message, true, answer.usage.output);
  },
  encodeEvents: (answer, placement) => {
    const messages: object[] = [
      ...(answer.reasoning === "" ? [] : [{ reasoning_content: answer.reasoning }]),
      ...answer.pieces.map((content) => ({ content })),
      ...toolCalls(answer).map((call) => ({ tool_calls: [call] })),
      {},
    ];
    return messages.map((message, index) => {
      const isLast = index === messages.length - 1;
      const data = encode(answer, placement, message, isLast, isLast ? answer.usage.output : index);
      return `id:${index + 1}\nevent:result\n:HTTP_STATUS/200\ndata:${JSON.stringify(data)}\n\n`;
    });
  },
  encodeError,
  encodeErrorEvent: (status, message) =>
    `event:error\n:HTTP_STATUS/${status}\ndata:${JSON.stringify(encodeError(status, message))}\n\n`,
};
