import type { UpstreamProtocol } from "@tollgate/contract/relay/protocol";
import type { ChatResponse } from "@tollgate/contract/relay/response";
import { NO_USAGE } from "@tollgate/contract/relay/usage";
import { createNativeProtocol, isAnswer } from "../shared/answer/native-protocol";
import { isRecord, readArray, readRecord } from "../shared/json/json-values";
import { parseJson } from "../shared/json/safe-json";
import { collectResponse } from "../shared/stream/collect-response";
import { buildRequest, outputLimit } from "./build-request";
import { readFrame } from "./read-frame";

const isErrorFrame = (frame: unknown): boolean => {
  const { code } = readRecord(readRecord(frame).header);
  return code !== undefined && code !== 0;
};

const frames = createNativeProtocol({
  name: "spark",
  carries: {
    outputLimit: "parameter.chat.max_tokens",
    temperature: "parameter.chat.temperature",
    topK: "parameter.chat.top_k",
    stop: "(cut)",
    format: "(instructions)",
    endUser: "header.uid",
  },
  buildRequest,
  outputLimit,
  isError: isErrorFrame,
  unwrapError: ({ header, ...body }) => {
    if (!isRecord(header)) return body;
    return { code: header.code, message: header.message };
  },
  readAnswer: () => undefined,
  readFrame,
});

/** The API only streams: a whole answer is the list of its frames. */
const readResponse = (body: unknown): ChatResponse | undefined => {
  const reader = frames.createStreamReader();
  const parts = readArray(body).flatMap((frame) => reader.push("", JSON.stringify(frame)));
  return collectResponse([...parts, ...reader.end()]);
};

/** iFlytek's Spark over a WebSocket: https://www.xfyun.cn/doc/spark/Web.html */
export const spark: UpstreamProtocol = {
  ...frames,
  readResponse,
  isAnswer: (body) => isAnswer(readResponse(body)),
  readUsage: (body) => readResponse(body)?.usage ?? NO_USAGE,
  readError: (status, headers, body) =>
    frames.readError(status, headers, Array.isArray(body) ? (body.find(isErrorFrame) ?? body) : body),
  isLastMessage: (data) => {
    const frame = parseJson(data);
    return isErrorFrame(frame) || readRecord(readRecord(frame).header).status === 2;
  },
};
