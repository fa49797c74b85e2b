import type { Answer, AnswerShape, UsagePlacement } from "./answer";

// https://www.xfyun.cn/doc/spark/Web.html: each event is one message of a WebSocket; errors are messages too.

const CODES: Readonly<Record<number, number>> = {
  400: 10003,
  401: 11200,
  429: 11202,
  500: 10012,
  503: 10110,
};

const encode = (answer: Answer, placement: UsagePlacement, text: object, seq: number, status: 0 | 1 | 2) => ({
  header: { code: 0, message: "Success", sid: answer.id, status },
  payload: {
    choices: { status, seq, text: [{ content: "", role: "assistant", index: 0, ...text }] },
    ...(status < 2 || placement === "none"
      ? {}
      : {
          usage: {
            text: {
              question_tokens: 1,
              prompt_tokens: answer.usage.input,
              completion_tokens: answer.usage.output,
              total_tokens: answer.usage.input + answer.usage.output,
            },
          },
        }),
  },
});

const encodeError = (status: number, message: string) => ({
  header: { code: CODES[status] ?? 10012, message, sid: "cht-1", status: 2 },
});

const event = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;

/** iFlytek's Spark, which does nothing but stream. */
export const SPARK: AnswerShape = {
  errorStatus: 200,
  encodeJson: () => ({}),
  encodeEvents: (answer, placement) => {
    const [call] = answer.toolCalls;
    const texts: object[] = [
      ...(answer.reasoning === "" ? [] : [{ reasoning_content: answer.reasoning }]),
      ...answer.pieces.map((content) => ({ content })),
      call ? { content_type: "text", function_call: { name: call.name, arguments: call.arguments } } : {},
    ];
    return texts.map((text, seq) => {
      const status = seq === texts.length - 1 ? 2 : seq === 0 ? 0 : 1;
      return event(encode(answer, placement, text, seq, status));
    });
  },
  encodeError,
  encodeErrorEvent: (status, message) => event(encodeError(status, message)),
};
