import type { UpstreamProtocol } from "@tollgate/contract/relay/protocol";
import { createNativeProtocol } from "../shared/answer/native-protocol";
import { createSseDecoder } from "../shared/stream/sse-decoder";
import { buildRequest } from "./build-request";
import { readAnswer } from "./read-answer";
import { parseData, readFrame } from "./read-frame";

/** Maximum size of an event: far above any answer of these models. */
const MAX_EVENT_UNITS = 8 * 1024 * 1024;

/**
 * Zhipu's third API, which only `chatglm_*` still uses: https://open.bigmodel.cn/dev/howuse/model (newer models use the
 * fourth, which has the shape of Chat Completions).
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
  // The data is the plain text, its blanks included; the usage has a separate field.
  createDecoder: () => createSseDecoder(MAX_EVENT_UNITS, { dataFields: ["data", "meta"], keepsBlanks: true }),
});
