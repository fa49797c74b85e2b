import type { UpstreamProtocol } from "@tollgate/contract/relay/protocol";
import { createNativeProtocol } from "../shared/answer/native-protocol";
import { isRecord, readRecord } from "../shared/json/json-values";
import { buildRequest } from "./build-request";
import { readAnswer } from "./read-answer";
import { readFrame } from "./read-frame";

/**
 * Tencent's Hunyuan, API 3.0 (https://cloud.tencent.com/document/product/1729/105701). Errors come with HTTP 200, whole
 * ones wrapped in `Response`, those of a stream as a frame with `ErrorMsg`.
 */
export const hunyuan: UpstreamProtocol = createNativeProtocol({
  name: "hunyuan",
  carries: {
    temperature: "Temperature",
    topP: "TopP",
    seed: "Seed",
    stop: "(cut)",
    reasoning: "EnableThinking",
    format: "(instructions)",
    toolChoice: "ToolChoice",
  },
  buildRequest,
  outputLimit: () => undefined,
  isError: (body) => isRecord(readRecord(body.Response).Error) || isRecord(body.ErrorMsg),
  unwrapError: (body) => {
    const error = readRecord(readRecord(body.Response).Error ?? body.ErrorMsg);
    return { code: error.Code, message: error.Message ?? error.Msg };
  },
  readAnswer,
  readFrame,
});
