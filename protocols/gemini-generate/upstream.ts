import type { UpstreamProtocol } from "@tollgate/contract/relay/protocol";
import { isReadable } from "./build-media";
import { buildRequest } from "./build-request";
import { callPath } from "./call-path";
import { carries } from "./carries";
import { extras } from "./extras";
import { inspectBody, inspectEvent, MARKERS } from "./inspect-event";
import { isAnswer } from "./is-answer";
import { modelListing } from "./model-listing";
import { acceptedToolNames } from "./model-rules";
import { readError } from "./read-error";
import { readResponse } from "./read-response";
import { readUsage } from "./read-usage";
import { createStreamReader } from "./stream-reader";

/** POST /v1beta/models/{model}:generateContent and :streamGenerateContent at Google. */
export const upstream: UpstreamProtocol = {
  name: "gemini-generate",
  carries,
  toolNames: acceptedToolNames,
  buildRequest,
  outputLimit: ({ maxOutputTokens }) => maxOutputTokens,
  needsImageData: true,
  needsFileData: (url) => !isReadable(url),
  readResponse,
  createStreamReader,
  isAnswer,
  extras,
  reportsCallsAtEnd: true,
  readUsage,
  readError,
  modelListing,
  passThrough: {
    path: callPath,
    hasModelInBody: false,
    inspectEvent,
    inspectBody,
    markers: MARKERS,
    // Usage is always part of the stream.
    amendBody: () => undefined,
  },
};
