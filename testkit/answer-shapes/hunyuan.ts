import type { Answer, AnswerShape, UsagePlacement } from "./answer";

// https://cloud.tencent.com/document/product/1729/105701; errors come with HTTP 200.

const FINISH_REASONS = { stop: "stop", length: "length", "tool-calls": "tool_calls" } as const;
const CODES: Readonly<Record<number, string>> = {
  400: "InvalidParameterValue",
  401: "AuthFailure.SecretIdNotFound",
  429: "RequestLimitExceeded",
  500: "InternalError",
  503: "FailedOperation.EngineServerLimitExceeded",
};

const codeOf = (status: number): string => CODES[status] ?? "InternalError";

const usage = (answer: Answer, placement: UsagePlacement, output: number) =>
  placement === "none"
    ? {}
    : {
        Usage: {
          PromptTokens: answer.usage.input,
          CompletionTokens: output,
          TotalTokens: answer.usage.input + output,
        },
      };

const toolCalls = (answer: Answer) =>
  answer.toolCalls.map((call, Index) => ({
    Id: call.id,
    Type: "function",
    Function: { Name: call.name, Arguments: call.arguments },
    Index,
  }));

/** Tencent's Hunyuan, API 3.0. */
export const HUNYUAN: AnswerShape = {
  errorStatus: 200,
  encodeJson: (answer, placement) => ({
    Response: {
      RequestId: answer.id,
      Note: "",
      Choices: [
        {
          Index: 0,
          Message: {
            Role: "assistant",
            Content: answer.pieces.join(""),
            ...(answer.reasoning === "" ? {} : { ReasoningContent: answer.reasoning }),
            ...(answer.toolCalls.length > 0 ? { ToolCalls: toolCalls(answer) } : {}),
          },
          FinishReason: FINISH_REASONS[answer.finish],
        },
      ],
      Created: answer.createdAt,
      Id: answer.id,
      ...usage(answer, placement, answer.usage.output),
    },
  }),
  encodeEvents: (answer, placement) => {
    const deltas: object[] = [
      ...(answer.reasoning === "" ? [] : [{ ReasoningContent: answer.reasoning }]),
      ...answer.pieces.map((Content) => ({ Content })),
      ...toolCalls(answer).map((call) => ({ ToolCalls: [call] })),
      { Content: "" },
    ];
    return deltas.map((delta, index) => {
      const isLast = index === deltas.length - 1;
      const frame = {
        Note: "",
        Choices: [
          {
            Delta: { Role: "assistant", ...delta },
            FinishReason: isLast ? FINISH_REASONS[answer.finish] : "",
          },
        ],
        Created: answer.createdAt,
        Id: answer.id,
        ...usage(answer, placement, isLast ? answer.usage.output : index),
      };
      return `data: ${JSON.stringify(frame)}\n\n`;
    });
  },
  encodeError: (status, Message) => ({
    Response: { Error: { Code: codeOf(status), Message }, RequestId: "r-1" },
  }),
  encodeErrorEvent: (status, Msg) =>
    `data: ${JSON.stringify({ ErrorMsg: { Msg, Code: codeOf(status) } })}\n\n`,
};
