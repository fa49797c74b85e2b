import type { ClientProtocol } from "@tollgate/contract/relay/protocol";
import { encodeError, encodeStreamError } from "./encode-error";
import { encodeResponse } from "./encode-response";
import { fields } from "./fields";
import { limitHeaders } from "./limit-headers";
import { parseRequest } from "./parse-request";
import { promptText } from "./prompt-text";
import { summarizeRequest } from "./request-summary";
import { createStreamWriter } from "./stream-writer";
import { withInstructions } from "./with-instructions";
import { withReasoning } from "./with-reasoning";
import { withoutForeignSeals } from "./without-foreign-seals";

/** POST /v1/messages for clients. */
export const client: ClientProtocol = {
  name: "anthropic-messages",
  spelling: "snake",
  fields,
  sendsPromptTokensFirst: true,
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
  limitHeaders,
};
