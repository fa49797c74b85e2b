import type { ClientProtocol } from "@tollgate/contract/relay/protocol";
import { encodeOpenaiError } from "../shared/encode-openai-error";
import { openaiLimitHeaders } from "../shared/openai-limit-headers";
import { encodeResponse } from "./encode-response";
import { encodeStreamError } from "./encode-stream-error";
import { outline } from "./outline";
import { parseRequest } from "./parse-request";
import { promptText } from "./prompt-text";
import { createStreamWriter } from "./stream-writer";

/** POST /v1/responses as clients speak it. */
export const client: ClientProtocol = {
  name: "openai-responses",
  spelling: "snake",
  outline,
  promptText,
  parseRequest,
  encodeResponse,
  createStreamWriter,
  encodeError: encodeOpenaiError,
  encodeStreamError,
  limitHeaders: openaiLimitHeaders,
};
