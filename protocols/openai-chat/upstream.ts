import type { UpstreamProtocol } from "@tollgate/contract/relay/protocol";
import { readOpenaiError } from "../shared/read-openai-error";
import { amendBody } from "./amend-body";
import { buildRequest } from "./build-request";
import { extras } from "./extras";
import { isAnswer } from "./is-answer";
import { LANDMARKS, observe } from "./observe";
import { readResponse } from "./read-response";
import { readUsage } from "./read-usage";
import { createStreamReader } from "./stream-reader";

/** POST /v1/chat/completions as OpenAI and the vendors of its shape speak it. */
export const upstream: UpstreamProtocol = {
  name: "openai-chat",
  buildRequest,
  outputLimit: ({ maxOutputTokens }) => maxOutputTokens,
  readResponse,
  needsFileData: () => true,
  createStreamReader,
  isAnswer,
  extras,
  mayHideReasoning: true,
  readUsage,
  readError: readOpenaiError,
  passThrough: {
    path: () => "/v1/chat/completions",
    hasModelInBody: true,
    observe,
    landmarks: LANDMARKS,
    amendBody,
  },
};
