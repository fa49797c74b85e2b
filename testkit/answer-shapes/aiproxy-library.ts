import type { AnswerShape } from "./answer";

// https://docs.aiproxy.io: a knowledge base, which names its documents and reports no usage.

const DOCUMENTS = [{ title: "Geo", url: "https://example.com/geo" }];

/** References that the gateway appends to an answer of this knowledge base. */
export const LIBRARY_REFERENCES = "\n\n1. [Geo](https://example.com/geo)";

const encodeError = (status: number, message: string) => ({
  success: false,
  errCode: status,
  message,
  answer: "",
});

/** AI Proxy's knowledge base. */
export const AIPROXY_LIBRARY: AnswerShape = {
  encodeJson: (answer) => ({
    success: true,
    answer: answer.pieces.join(""),
    documents: DOCUMENTS,
    errCode: 0,
    message: "",
  }),
  encodeEvents: (answer) => {
    const frames = answer.pieces.map((content) => ({ content, finish: false, documents: [] as unknown[] }));
    frames.push({ content: "", finish: true, documents: DOCUMENTS });
    return frames.map((frame) => `data:${JSON.stringify({ ...frame, model: answer.model })}\n\n`);
  },
  encodeError,
  encodeErrorEvent: (status, message) => `data:${JSON.stringify(encodeError(status, message))}\n\n`,
};
