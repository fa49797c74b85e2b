import type { UpstreamProtocol } from "@tollgate/contract/relay/protocol";
import { createNativeProtocol } from "../shared/answer/native-protocol";
import { buildRequest } from "./build-request";
import { readAnswer } from "./read-answer";
import { readFrame } from "./read-frame";

/** The knowledge base of AI Proxy (https://docs.aiproxy.io): answers a question from the documents of a library. */
export const aiproxyLibrary: UpstreamProtocol = createNativeProtocol({
  name: "aiproxy-library",
  carries: {
    stop: "(cut)",
  },
  buildRequest,
  outputLimit: () => undefined,
  isError: (body) => body.success === false || (typeof body.errCode === "number" && body.errCode !== 0),
  unwrapError: ({ errCode, message, error }) => error ?? { code: errCode, message },
  readAnswer,
  readFrame,
});
