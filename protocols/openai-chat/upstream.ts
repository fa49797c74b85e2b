import type { UpstreamProtocol } from "@tollgate/contract/relay/protocol";
import { modelListing } from "../shared/answer/model-listing";
import { readOpenaiError } from "../shared/errors/read-openai-error";
import { amendBody } from "./amend-body";
import { buildRequest } from "./build-request";
import { carries } from "./carries";
import { extras } from "./extras";
import { inspectBody, inspectEvent, MARKERS } from "./inspect-event";
import { isAnswer } from "./is-answer";
import { readResponse } from "./read-response";
import { readUsage } from "./read-usage";
import { createStreamReader } from "./stream-reader";

/** POST /v1/chat/completions at OpenAI and vendors with the same shape. */
export const upstream: UpstreamProtocol = {
  name: "openai-chat",
  carries,
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
  modelListing,
  passThrough: {
    path: () => "/v1/chat/completions",
    hasModelInBody: true,
    inspectEvent,
    inspectBody,
    markers: MARKERS,
    amendBody,
  },
};
