import type { UpstreamProtocol } from "@tollgate/contract/relay/protocol";
import { createNativeProtocol } from "../shared/answer/native-protocol";
import { buildRequest, outputLimit } from "./build-request";
import { readAnswer } from "./read-answer";
import { readFrame } from "./read-frame";

/** DashScope's own API: https://help.aliyun.com/zh/model-studio/dashscope-api-reference/ */
export const dashscope: UpstreamProtocol = createNativeProtocol({
  name: "dashscope",
  carries: {
    outputLimit: "parameters.max_tokens",
    temperature: "parameters.temperature",
    topP: "parameters.top_p",
    topK: "parameters.top_k",
    seed: "parameters.seed",
    presencePenalty: "parameters.presence_penalty",
    stop: "(cut)",
    reasoning: "parameters.enable_thinking",
    format: "(instructions)",
    toolChoice: "parameters.tool_choice",
  },
  buildRequest,
  outputLimit,
  isError: (body, event) => event === "error" || (typeof body.code === "string" && body.code !== ""),
  readAnswer,
  readFrame,
});
