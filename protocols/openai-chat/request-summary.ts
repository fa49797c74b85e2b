import { RequestInvalid, type RequestSummary } from "@tollgate/contract/relay/protocol";
import { isRecord } from "../shared/json/json-values";
import {
  readBoolean,
  readInteger,
  readTokenLimit,
  requireBody,
  requireMessages,
  requireModel,
} from "../shared/request/request-fields";
import { readOutputBounds } from "../shared/usage/output-bounds";

/** https://platform.openai.com/docs/api-reference/chat/create#chat-create-n */
const MAX_CHOICES = 128;

/**
 * Reads the fields of a Chat Completions request that admission needs. Runs for every request, so it only reads
 * top-level fields. `max_completion_tokens` takes precedence over the older `max_tokens`.
 * @throws RequestInvalid
 */
export const summarizeRequest = (body: unknown): RequestSummary => {
  const request = requireBody(body);
  const model = requireModel(request);
  requireMessages(request);
  const maxTokens = readTokenLimit(request, "max_tokens");
  const maxCompletionTokens = readTokenLimit(request, "max_completion_tokens");
  const isStream = readBoolean(request, "stream") ?? false;
  return {
    model,
    isStream,
    maxOutputTokens: maxCompletionTokens ?? maxTokens,
    // Many an upstream of this shape knows only the older of the two.
    bounds: readOutputBounds(request, maxTokens !== undefined),
    choices: readInteger(request, "n", 1, MAX_CHOICES) ?? 1,
    wantsUsageChunk: isStream && wantsUsage(request.stream_options),
  };
};

const wantsUsage = (options: unknown): boolean => {
  if (options === undefined || options === null) return false;
  if (!isRecord(options))
    throw new RequestInvalid({ code: "wrong-type", field: "stream_options", expected: "object" });
  return options.include_usage === true;
};
