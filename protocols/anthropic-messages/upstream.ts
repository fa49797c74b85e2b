import type { UpstreamProtocol } from "@tollgate/contract/relay/protocol";
import { buildRequest, outputLimit } from "./build-request";
import { carries } from "./carries";
import { extras } from "./extras";
import { inspectBody, inspectEvent, MARKERS } from "./inspect-event";
import { isAnswer } from "./is-answer";
import { modelListing } from "./model-listing";
import { readError } from "./read-error";
import { readResponse } from "./read-response";
import { readUsage } from "./read-usage";
import { createStreamReader } from "./stream-reader";

/** POST /v1/messages at Anthropic and vendors with the same shape. */
export const upstream: UpstreamProtocol = {
  name: "anthropic-messages",
  takesCacheMarks: true,
  carries,
  // https://docs.anthropic.com/en/api/beta-headers
  clientHeaders: ["anthropic-beta"],
  // https://docs.anthropic.com/en/api/messages#body-tools-name
  toolNames: () => /^[a-zA-Z0-9_-]{1,128}$/,
  buildRequest,
  outputLimit,
  readResponse,
  createStreamReader,
  isAnswer,
  extras,
  readUsage,
  readError,
  modelListing,
  passThrough: {
    path: () => "/v1/messages",
    hasModelInBody: true,
    inspectEvent,
    inspectBody,
    markers: MARKERS,
    // Usage is always part of the stream.
    amendBody: () => undefined,
  },
};
