import type { AnswerShape, AnswerUsage } from "./answer";
import { encodeAwsFrame } from "./aws-event-frame";

// https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html

const STOP_REASONS = { stop: "end_turn", length: "max_tokens", "tool-calls": "tool_use" } as const;
const TYPES: Readonly<Record<number, string>> = {
  400: "ValidationException",
  401: "UnrecognizedClientException",
  429: "ThrottlingException",
  503: "ServiceUnavailableException",
};

const typeOf = (status: number): string => TYPES[status] ?? "InternalServerException";

const encodeUsage = (usage: AnswerUsage) => ({
  inputTokens: usage.input - (usage.cacheRead ?? 0) - (usage.cacheWrite ?? 0),
  outputTokens: usage.output,
  totalTokens: usage.input + usage.output,
  ...(usage.cacheRead === undefined ? {} : { cacheReadInputTokens: usage.cacheRead }),
});

const event = (type: string, payload: unknown): Buffer =>
  encodeAwsFrame(
    { ":event-type": type, ":content-type": "application/json", ":message-type": "event" },
    payload,
  );

/** Amazon Bedrock's Converse. */
export const BEDROCK_CONVERSE: AnswerShape = {
  streamType: "application/vnd.amazon.eventstream",
  encodeJson: (answer, placement) => ({
    output: {
      message: {
        role: "assistant",
        content: [
          ...(answer.reasoning === ""
            ? []
            : [{ reasoningContent: { reasoningText: { text: answer.reasoning, signature: "Eq" } } }]),
          ...(answer.pieces.length > 0 ? [{ text: answer.pieces.join("") }] : []),
          ...answer.toolCalls.map((call) => ({
            toolUse: { toolUseId: call.id, name: call.name, input: JSON.parse(call.arguments) as unknown },
          })),
        ],
      },
    },
    stopReason: STOP_REASONS[answer.finish],
    ...(placement === "none" ? {} : { usage: encodeUsage(answer.usage) }),
    metrics: { latencyMs: 9 },
  }),
  encodeEvents: (answer, placement) => {
    const events = [event("messageStart", { role: "assistant" })];
    let contentBlockIndex = 0;
    const block = (deltas: readonly unknown[], start?: unknown): void => {
      if (start !== undefined) events.push(event("contentBlockStart", { contentBlockIndex, start }));
      for (const delta of deltas)
        events.push(event("contentBlockDelta", { contentBlockIndex, delta, p: "abc" }));
      events.push(event("contentBlockStop", { contentBlockIndex }));
      contentBlockIndex += 1;
    };
    if (answer.reasoning !== "") {
      const deltas = [{ text: answer.reasoning }, { signature: "Eq" }];
      block(deltas.map((reasoningContent) => ({ reasoningContent })));
    }
    if (answer.pieces.length > 0) block(answer.pieces.map((text) => ({ text })));
    for (const { id, name, arguments: input } of answer.toolCalls) {
      block([{ toolUse: { input } }], { toolUse: { toolUseId: id, name } });
    }
    events.push(event("messageStop", { stopReason: STOP_REASONS[answer.finish] }));
    const usage = placement === "none" ? {} : { usage: encodeUsage(answer.usage) };
    events.push(event("metadata", { ...usage, metrics: { latencyMs: 9 } }));
    return events;
  },
  encodeError: (status, message) => ({ __type: typeOf(status), message }),
  encodeErrorEvent: (status, message) =>
    encodeAwsFrame(
      {
        ":exception-type": typeOf(status),
        ":content-type": "application/json",
        ":message-type": "exception",
      },
      { message },
    ),
};
