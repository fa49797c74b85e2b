import type { AnswerShape } from "./answer";

// https://ai.google.dev/palm_docs: it neither streams nor reports its usage.

const STATUSES: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  429: "RESOURCE_EXHAUSTED",
};

const encodeError = (status: number, message: string) => ({
  error: { code: status, message, status: STATUSES[status] ?? "INTERNAL" },
});

/** Google's PaLM. */
export const PALM: AnswerShape = {
  encodeJson: (answer) => ({
    candidates: [{ author: "1", content: answer.pieces.join("") }],
    messages: [{ author: "0", content: "hi" }],
  }),
  encodeEvents: () => [],
  encodeError,
  encodeErrorEvent: (status, message) => `data: ${JSON.stringify(encodeError(status, message))}\n\n`,
};
