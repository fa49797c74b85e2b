import type { ClientError } from "@tollgate/contract/relay/error";
import { encodeOpenaiError } from "../shared/errors/encode-openai-error";
import { readRecord } from "../shared/json/json-values";

/**
 * An error in a stream that has started (https://platform.openai.com/docs/api-reference/responses-streaming/error); it
 * is the last event. The reference has its fields at the top level, the API itself sends them under `error`: clients
 * read either.
 */
export const encodeStreamError = (error: ClientError, requestId: string): string => {
  const fields = readRecord(readRecord(encodeOpenaiError(error, requestId)).error);
  const { code, message, param } = fields;
  const event = { type: "error", sequence_number: 0, code, message, param, error: fields };
  return `event: error\ndata: ${JSON.stringify(event)}\n\n`;
};
