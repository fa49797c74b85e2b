import type { UpstreamError } from "@tollgate/contract/relay/error";
import { classifyError, type ErrorRule } from "../shared/errors/classify-error";
import { readErrorDetails } from "../shared/errors/error-details";
import { type ResponseHeaders, readRetryAfterSeconds } from "../shared/errors/retry-after";
import { readRecord, readString } from "../shared/json/json-values";

/** https://docs.anthropic.com/en/api/errors, in order: errors that the type alone would misclassify come first. */
const RULES: readonly ErrorRule[] = [
  {
    kind: "dead-key",
    phrases: [
      "credit balance is too low",
      "organization has been disabled",
      "organization has been restricted",
    ],
  },
  // Codes of the account; their type is that of a wrong request.
  {
    kind: "dead-key",
    phrases: [
      "organization_on_hold",
      "spend_limit_reached",
      "linked_organization_billing_unavailable",
      "cmek_key_",
    ],
  },
  { kind: "dead-key", codes: ["authentication_error", "billing_error"] },
  {
    kind: "model-missing",
    codes: ["permission_error"],
    phrases: ["model", "region", "country", "feature", "beta"],
  },
  { kind: "dead-key", codes: ["permission_error"] },
  { kind: "model-missing", codes: ["not_found_error"] },
  // A spent budget does not recover in a minute: it lasts until it is raised.
  {
    kind: "dead-key",
    codes: ["rate_limit_error"],
    phrases: ["spend limit", "spending limit", "usage limits", "monthly limit"],
  },
  { kind: "rate-limited", codes: ["rate_limit_error"] },
  { kind: "overloaded", codes: ["overloaded_error", "api_error", "timeout_error"] },
  {
    kind: "caller",
    codes: ["conflict_error", "memory_precondition_failed_error", "memory_path_conflict_error"],
  },
  { kind: "caller", codes: ["invalid_request_error", "request_too_large"], statuses: [200, 400, 413] },
];

/** Reads a refusal of a Messages upstream. `status` is 200 for an error inside a success or a stream. */
export const readError = (status: number, headers: ResponseHeaders, body: unknown): UpstreamError => {
  const read = readErrorDetails(body);
  const cause = readString(readRecord(readRecord(readRecord(body).error).details).error_code);
  const details = cause === "" ? read : { ...read, phrases: `${read.phrases}\n${cause}` };
  const isTooLong = details.phrases.includes("prompt is too long");
  return {
    ...classifyError(RULES, status, details),
    status,
    message: details.message,
    fault: details.fault,
    code: isTooLong ? "context_length_exceeded" : details.type === "" ? details.code : details.type,
    retryAfterSeconds: readRetryAfterSeconds(headers),
  };
};
