import { RequestInvalid, type RequestSummary } from "@tollgate/contract/relay/protocol";
import type { JsonRecord } from "../shared/json/json-values";
import { readBoolean, readTokenLimit, requireBody, requireModel } from "../shared/request/request-fields";
import { readOutputBounds } from "../shared/usage/output-bounds";

/**
 * Reads the fields of a Responses request that admission needs
 * (https://platform.openai.com/docs/api-reference/responses/create). Runs for every request, so it only reads top-level
 * fields. `store` is accepted, because clients leave it at its default, but nothing is stored: requests that refer to
 * stored answers are refused. Usage is always part of the stream.
 * @throws RequestInvalid
 */
export const summarizeRequest = (body: unknown): RequestSummary => {
  const request = requireBody(body);
  const model = requireModel(request);
  requireInput(request);
  for (const field of ["previous_response_id", "conversation"]) {
    if (request[field] === undefined || request[field] === null) continue;
    throw new RequestInvalid({ code: "responses-not-stored", field });
  }
  if (readBoolean(request, "background") === true) {
    throw new RequestInvalid({ code: "background-not-stored", field: "background" });
  }
  const maxOutputTokens = readTokenLimit(request, "max_output_tokens");
  return {
    model,
    isStream: readBoolean(request, "stream") ?? false,
    maxOutputTokens,
    choices: 1,
    bounds: readOutputBounds(request, maxOutputTokens !== undefined),
    wantsUsageChunk: false,
  };
};

/** `input`: a text, or items. @throws RequestInvalid when it is missing. */
export const requireInput = ({ input }: JsonRecord): string | readonly unknown[] => {
  if (typeof input === "string" || (Array.isArray(input) && input.length > 0)) return input;
  throw new RequestInvalid({ code: "text-or-list-missing", field: "input" });
};
