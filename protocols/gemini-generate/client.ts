import type { ClientProtocol } from "@tollgate/contract/relay/protocol";
import { openaiLimitHeaders } from "../shared/usage/openai-limit-headers";
import { encodeError, encodeStreamError } from "./encode-error";
import { encodeResponse } from "./encode-response";
import { fields } from "./fields";
import { parseRequest } from "./parse-request";
import { promptText } from "./prompt-text";
import { summarizeRequest } from "./request-summary";
import { requireOneModel } from "./require-one-model";
import { createStreamWriter } from "./stream-writer";
import { withInstructions } from "./with-instructions";
import { withReasoning } from "./with-reasoning";
import { withoutForeignSeals } from "./without-foreign-seals";

/** POST /v1beta/models/{model}:generateContent and :streamGenerateContent for clients. */
export const client: ClientProtocol = {
  name: "gemini-generate",
  spelling: "google",
  fields,
  requireOneModel,
  summarizeRequest,
  promptText,
  withInstructions,
  withReasoning,
  withoutForeignSeals,
  parseRequest,
  encodeResponse,
  createStreamWriter,
  encodeError,
  encodeStreamError,
  limitHeaders: openaiLimitHeaders,
};
