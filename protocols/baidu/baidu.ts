import type { UpstreamProtocol } from "@tollgate/contract/relay/protocol";
import { createNativeProtocol } from "../shared/answer/native-protocol";
import { buildRequest, outputLimit } from "./build-request";
import { readAnswer } from "./read-answer";
import { readFrame } from "./read-frame";

/** Baidu's Wenxin workshop: https://cloud.baidu.com/doc/WENXINWORKSHOP/s/jlil56u11. Errors come with HTTP 200. */
export const baidu: UpstreamProtocol = createNativeProtocol({
  name: "baidu",
  carries: {
    outputLimit: "max_output_tokens",
    temperature: "temperature",
    topP: "top_p",
    frequencyPenalty: "penalty_score",
    stop: "(cut)",
    format: "(instructions)",
    endUser: "user_id",
  },
  buildRequest,
  outputLimit,
  isError: (body) => body.error_code !== undefined || body.error !== undefined,
  readAnswer,
  readFrame,
});
