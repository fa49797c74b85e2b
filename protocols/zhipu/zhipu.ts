import type { UpstreamProtocol } from "@tollgate/contract/relay/protocol";
import { createNativeProtocol } from "../shared/answer/native-protocol";
import { createSseDecoder } from "../shared/stream/sse-decoder";
import { buildRequest } from "./build-request";
import { readAnswer } from "./read-answer";
import { parseData, readFrame } from "./read-frame";

/** What an event may weigh at most: far above any answer of these models. */
const MAX_EVENT_UNITS = 8 * 1024 * 1024;

/**
 * Zhipu's third API, which only `chatglm_*` still speaks: https://open.bigmodel.cn/dev/howuse/model (newer models speak
 * the fourth, which has the shape of Chat Completions).
 */
export const zhipu: UpstreamProtocol = createNativeProtocol({
  name: "zhipu",
  carries: {
    temperature: "temperature",
    topP: "top_p",
    stop: "(cut)",
    format: "(instructions)",
  },
  buildRequest,
  outputLimit: () => undefined,
  isError: (body, event) => event === "error" || event === "interrupted" || body.success === false,
  readAnswer,
  readFrame,
  parseData,
  // The text stands in the data as it is, its blanks included; the usage in a field of its own.
  createDecoder: () => createSseDecoder(MAX_EVENT_UNITS, { dataFields: ["data", "meta"], keepsBlanks: true }),
});
