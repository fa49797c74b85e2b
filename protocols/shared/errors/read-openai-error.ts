import type { UpstreamError } from "@tollgate/contract/relay/error";
import { classifyError, type ErrorRule } from "./classify-error";
import { readErrorDetails } from "./error-details";
import { type ResponseHeaders, readRetryAfterSeconds } from "./retry-after";

/**
 * https://platform.openai.com/docs/guides/error-codes/api-errors, in order: errors that the status alone would
 * misclassify come first.
 */
const RULES: readonly ErrorRule[] = [
  // The gateway's address or the account's region is refused, not the key.
  { kind: "unknown", codes: ["unsupported_country_region_territory", "data_residency_mismatch"] },
  // A restricted key is alive: it only lacks the right to this operation.
  { kind: "model-missing", phrases: ["insufficient permissions for this operation", "missing scopes"] },
  {
    kind: "model-missing",
    codes: ["model_not_found", "model_not_available", "unsupported_model", "DeploymentNotFound"],
  },
  { kind: "model-missing", phrases: ["does not have access to model", "do not have access to it"] },
  {
    kind: "dead-key",
    codes: [
      "invalid_api_key",
      "account_deactivated",
      "invalid_organization",
      "insufficient_quota",
      "billing_not_active",
      "billing_hard_limit_reached",
      "credit_balance_exhausted",
      "usage_limit_exceeded",
      "project_spend_limit_exceeded",
      "organization_spend_limit_exceeded",
      "organization_usage_limit_exceeded",
      "access_terminated",
      "authentication_error",
    ],
  },
  {
    kind: "model-missing",
    codes: ["permission_error", "forbidden"],
    phrases: ["model", "region", "country"],
  },
  { kind: "dead-key", codes: ["permission_error", "forbidden"] },
  { kind: "rate-limited", codes: ["rate_limit_exceeded", "rate_limit_error", "requests", "tokens"] },
  {
    kind: "overloaded",
    codes: [
      "server_error",
      "internal_error",
      "server_overloaded",
      "flex_unavailable",
      "vector_store_timeout",
      "request_timeout",
      "connection_failed",
      "overloaded_error",
      "engine_overloaded",
      "service_unavailable",
      "internal_server_error",
    ],
  },
  {
    kind: "caller",
    codes: [
      "context_length_exceeded",
      "unsupported_parameter",
      "unknown_parameter",
      "unsupported_value",
      "invalid_value",
      "invalid_type",
      "missing_required_parameter",
      "content_filter",
      "moderation_blocked",
      "image_generation_user_error",
      "string_above_max_length",
      "invalid_prompt",
      "content_policy_violation",
      "misalignment_policy_violation",
      "bio_policy",
      "cyber_policy",
      "invalid_image",
      "invalid_image_format",
      "invalid_base64_image",
      "invalid_image_url",
      "invalid_image_mode",
      "image_content_policy_violation",
      "image_too_large",
      "image_too_small",
      "image_parse_error",
      "image_file_too_large",
      "image_file_not_found",
      "empty_image_file",
      "failed_to_download_image",
      "unsupported_image_media_type",
      "unsupported_file",
      "invalid_file",
    ],
  },
  // Only without a specific status: relays use this type for all errors.
  { kind: "caller", codes: ["invalid_request_error", "invalid_request"], statuses: [200] },
];

/** Reads a refusal of an upstream with the error envelope of OpenAI. `status` is 200 for an error inside a success. */
export const readOpenaiError = (status: number, headers: ResponseHeaders, body: unknown): UpstreamError => {
  const details = readErrorDetails(body);
  return {
    ...classifyError(RULES, status, details),
    status,
    message: details.message,
    fault: details.fault,
    code: details.code === "" ? details.type : details.code,
    retryAfterSeconds: readRetryAfterSeconds(headers),
  };
};
