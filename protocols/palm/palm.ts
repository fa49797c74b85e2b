import type { UpstreamProtocol } from "@tollgate/contract/relay/protocol";
import { createNativeProtocol } from "../shared/answer/native-protocol";
import { isRecord } from "../shared/json/json-values";
import { buildRequest } from "./build-request";
import { readAnswer } from "./read-answer";

/**
 * Google's PaLM (https://ai.google.dev/palm_docs), which Google has switched off; kept for addresses that still answer
 * like it. It never streams: a stream is created from its whole answer.
 */
export const palm: UpstreamProtocol = createNativeProtocol({
  name: "palm",
  carries: {
    temperature: "temperature",
    topP: "topP",
    topK: "topK",
    stop: "(cut)",
    format: "(instructions)",
  },
  buildRequest,
  outputLimit: () => undefined,
  isError: (body) => isRecord(body.error) && Object.keys(body.error).length > 0,
  readAnswer,
  readFrame: (frame, sink) => {
    const answer = readAnswer(frame);
    sink.start("");
    for (const part of answer?.parts ?? []) if (part.kind === "text") sink.text("text", part.text);
    sink.finish(answer?.finishReason ?? "stop");
  },
});
