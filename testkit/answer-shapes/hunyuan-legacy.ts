import type { Answer, AnswerShape, UsagePlacement } from "./answer";

// Hunyuan's first API; every body has an error object, with code 0 on success.

const CODES: Readonly<Record<number, number>> = { 401: 2001 };

const base = (answer: Answer, placement: UsagePlacement, output: number) => ({
  created: String(answer.createdAt),
  id: answer.id,
  note: "",
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

const encodeError = (status: number, message: string) => ({
  error: { code: CODES[status] ?? status, message },
  note: "",
});

/** Tencent's Hunyuan, first API, which knows neither tools nor reasoning. */
export const HUNYUAN_LEGACY: AnswerShape = {
  errorStatus: 200,
  encodeJson: (answer, placement) => ({
    choices: [
      {
        finish_reason: answer.finish === "length" ? "length" : "stop",
        messages: { role: "assistant", content: answer.pieces.join("") },
      },
    ],
    ...base(answer, placement, answer.usage.output),
    error: { code: 0, message: "" },
    req_id: "r-1",
  }),
  encodeEvents: (answer, placement) =>
    [...answer.pieces, ""].map((content, index, all) => {
      const isLast = index === all.length - 1;
      const choices = [{ delta: { content }, finish_reason: isLast ? "stop" : "" }];
      const frame = { choices, ...base(answer, placement, isLast ? answer.usage.output : index) };
      return `data: ${JSON.stringify(frame)}\n\n`;
    }),
  encodeError,
  encodeErrorEvent: (status, message) => `data: ${JSON.stringify(encodeError(status, message))}\n\n`,
};
