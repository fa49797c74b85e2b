import type { UpstreamProtocol } from "@tollgate/contract/relay/protocol";
import { createNativeProtocol } from "../shared/answer/native-protocol";
import { isRecord, readRecord } from "../shared/json/json-values";
import { buildRequest } from "./build-request";
import { readAnswer } from "./read-answer";
import { readFrame } from "./read-frame";

/**
 * Hunyuan's first API, used only by its first model; Tencent has switched it off, private deployments may not have.
 * Every body contains an `error`, whose code is 0 for a success.
 */
export const hunyuanLegacy: UpstreamProtocol = createNativeProtocol({
  name: "hunyuan-legacy",
  carries: {
    temperature: "temperature",
    topP: "top_p",
    stop: "(cut)",
    format: "(instructions)",
  },
  buildRequest,
  outputLimit: () => undefined,
  isError: ({ error }) =>
    isRecord(error) && error.code !== undefined && error.code !== 0 && error.code !== "0",
  unwrapError: (body) => (isRecord(body.error) ? readRecord(body.error) : body),
  readAnswer,
  readFrame,
});
