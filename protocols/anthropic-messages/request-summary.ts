import { RequestInvalid, type RequestSummary } from "@tollgate/contract/relay/protocol";
import {
  readBoolean,
  readTokenLimit,
  requireBody,
  requireMessages,
  requireModel,
} from "../shared/request/request-fields";
import { readOutputBounds } from "../shared/usage/output-bounds";

/**
 * Reads the fields of a Messages request that admission needs (https://docs.anthropic.com/en/api/messages). Runs for
 * every request, so it only reads top-level fields. Usage is always part of the stream and never a separate chunk.
 * @throws RequestInvalid
 */
export const summarizeRequest = (body: unknown): RequestSummary => {
  const request = requireBody(body);
  const model = requireModel(request);
  requireMessages(request);
  const maxOutputTokens = readTokenLimit(request, "max_tokens");
  if (maxOutputTokens === undefined) throw new RequestInvalid({ code: "missing", field: "max_tokens" });
  return {
    model,
    isStream: readBoolean(request, "stream") ?? false,
    maxOutputTokens,
    choices: 1,
    bounds: readOutputBounds(request, true),
    wantsUsageChunk: false,
  };
};
