import type { Answer, AnswerShape, AnswerUsage } from "./answer";

// https://ai.google.dev/api/generate-content

/** A tool call has no finish reason: the parts show it. */
const FINISH_REASONS = { stop: "STOP", length: "MAX_TOKENS", "tool-calls": "STOP" } as const;

/** In this protocol thoughts are counted beside the output, not inside it. */
const encodeUsage = (usage: AnswerUsage) => ({
  promptTokenCount: usage.input,
  candidatesTokenCount: usage.output - (usage.reasoning ?? 0),
  totalTokenCount: usage.input + usage.output,
  ...(usage.cacheRead === undefined ? {} : { cachedContentTokenCount: usage.cacheRead }),
  ...(usage.reasoning === undefined ? {} : { thoughtsTokenCount: usage.reasoning }),
});

/** The first call of a step carries the seal of the thoughts before it. */
const listParts = (answer: Answer, pieces: readonly string[]): Record<string, unknown>[] => [
  ...(answer.reasoning === "" ? [] : [{ text: answer.reasoning, thought: true }]),
  ...pieces.map((text) => ({ text })),
  ...answer.toolCalls.map(({ id, name, arguments: text }, index) => ({
    functionCall: { id, name, args: JSON.parse(text) as unknown },
    ...(index === 0 ? { thoughtSignature: "c2lnbmF0dXJl" } : {}),
  })),
];

const encodeAnswer = (answer: Answer, parts: object[], finishReason?: string, usageMetadata?: object) => ({
  candidates: [{ content: { parts, role: "model" }, finishReason, index: 0 }],
  usageMetadata,
  modelVersion: answer.model,
  responseId: answer.id,
});

const event = (data: unknown): string => `data: ${JSON.stringify(data)}\r\n\r\n`;

/** https://ai.google.dev/gemini-api/docs/troubleshooting */
const STATUSES: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
};

const encodeError = (status: number, message: string) => ({
  error: { code: status, message, status: STATUSES[status] ?? "INTERNAL" },
});

/** Gemini's generateContent. */
export const GEMINI_GENERATE: AnswerShape = {
  encodeJson: (answer, placement) => {
    const pieces = answer.pieces.length > 0 ? [answer.pieces.join("")] : [];
    const usage = placement === "none" ? undefined : encodeUsage(answer.usage);
    return encodeAnswer(answer, listParts(answer, pieces), FINISH_REASONS[answer.finish], usage);
  },

  encodeEvents: (answer, placement) => {
    const parts = listParts(answer, answer.pieces);
    const events = parts.map((part, index) => {
      const output = Math.round((answer.usage.output * index) / parts.length);
      const isReported = placement === "every-event";
      return event(
        encodeAnswer(
          answer,
          [part],
          undefined,
          isReported ? encodeUsage({ input: answer.usage.input, output }) : undefined,
        ),
      );
    });
    const usage = placement === "none" ? undefined : encodeUsage(answer.usage);
    events.push(event(encodeAnswer(answer, [{ text: "" }], FINISH_REASONS[answer.finish], usage)));
    // The shape has no end mark: the connection is closed.
    return [...events, ""];
  },

  encodeError,
  encodeErrorEvent: (status, message) => event(encodeError(status, message)),
};
