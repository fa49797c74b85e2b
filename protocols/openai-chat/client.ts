import type { ClientProtocol } from "@tollgate/contract/relay/protocol";
import { encodeOpenaiError } from "../shared/errors/encode-openai-error";
import { openaiLimitHeaders } from "../shared/usage/openai-limit-headers";
import { encodeResponse } from "./encode-response";
import { encodeStreamError } from "./encode-stream-error";
import { fields } from "./fields";
import { parseRequest } from "./parse-request";
import { promptText } from "./prompt-text";
import { summarizeRequest } from "./request-summary";
import { createStreamWriter } from "./stream-writer";
import { withInstructions } from "./with-instructions";
import { withReasoning } from "./with-reasoning";
import { withoutForeignSeals } from "./without-foreign-seals";

/** POST /v1/chat/completions for clients. */
export const client: ClientProtocol = {
  name: "openai-chat",
  spelling: "snake",
  fields,
  summarizeRequest,
  promptText,
  withInstructions,
  withReasoning,
  withoutForeignSeals,
  parseRequest,
  encodeResponse,
  createStreamWriter,
  encodeError: encodeOpenaiError,
  encodeStreamError,
  limitHeaders: openaiLimitHeaders,
};
