import type { UpstreamProtocol } from "@tollgate/contract/relay/protocol";
import { createNativeProtocol } from "../shared/answer/native-protocol";
import { createAwsEventDecoder } from "../shared/stream/aws-event-stream";
import { buildRequest, outputLimit } from "./build-request";
import { readAnswer } from "./read-answer";
import { readFrame } from "./read-frame";

/** "ThrottlingException:http://…", and in streams "throttlingException". */
const errorName = (text: string): string => {
  const name = text.split(":")[0] ?? "";
  return name.charAt(0).toUpperCase() + name.slice(1);
};

/** Amazon Bedrock's Converse: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html */
export const bedrockConverse: UpstreamProtocol = createNativeProtocol({
  name: "bedrock-converse",
  carries: {
    outputLimit: "inferenceConfig.maxTokens",
    temperature: "inferenceConfig.temperature",
    topP: "inferenceConfig.topP",
    topK: "additionalModelRequestFields.top_k",
    stop: "(cut)",
    reasoning: "additionalModelRequestFields.thinking",
    format: "(instructions)",
    toolChoice: "toolConfig.toolChoice",
  },
  buildRequest,
  outputLimit,
  needsImageData: true,
  isError: (_body, event) => event === "exception",
  unwrapError: ({ code, message, Message, __type }) => ({
    code: errorName(String(code ?? __type ?? "").replace(/^.*#/, "")),
    message: message ?? Message,
  }),
  readErrorCode: (headers) => errorName(String(headers["x-amzn-errortype"] ?? "")),
  errorRules: [
    {
      kind: "model-missing",
      codes: ["ValidationException"],
      phrases: ["model identifier is invalid", "on-demand throughput", "model id"],
    },
    { kind: "caller", codes: ["ValidationException"] },
    {
      kind: "dead-key",
      codes: ["AccessDeniedException"],
      phrases: ["token", "api key", "suspended", "invalid_payment_instrument"],
    },
    { kind: "model-missing", codes: ["AccessDeniedException"] },
    { kind: "overloaded", codes: ["InvalidSignatureException"], phrases: ["expired", "not yet current"] },
    { kind: "dead-key", codes: ["InvalidSignatureException"] },
  ],
  readAnswer,
  readFrame,
  createDecoder: createAwsEventDecoder,
});
