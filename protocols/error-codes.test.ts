import type { UpstreamErrorKind } from "@tollgate/contract/relay/error";
import { errorTypes } from "@tollgate/testkit/anthropic-types";
import { literalsOf } from "@tollgate/testkit/openai-types";
import { describe, expect, it } from "vitest";
import { UPSTREAM_PROTOCOLS } from "./protocols";

type Decisions = Readonly<Record<string, UpstreamErrorKind>>;

/** Codes of a failed response: those of the SDK's type, and newer ones. */
const OPENAI: Decisions = {
  server_error: "overloaded",
  rate_limit_exceeded: "rate-limited",
  vector_store_timeout: "overloaded",
  // Another account may be allowed to serve the region.
  data_residency_mismatch: "unknown",
  invalid_prompt: "caller",
  bio_policy: "caller",
  cyber_policy: "caller",
  misalignment_policy_violation: "caller",
  invalid_image: "caller",
  invalid_image_format: "caller",
  invalid_base64_image: "caller",
  invalid_image_url: "caller",
  image_too_large: "caller",
  image_too_small: "caller",
  image_parse_error: "caller",
  image_content_policy_violation: "caller",
  invalid_image_mode: "caller",
  image_file_too_large: "caller",
  unsupported_image_media_type: "caller",
  empty_image_file: "caller",
  failed_to_download_image: "caller",
  image_file_not_found: "caller",
  // Codes of the account and of capacity.
  context_length_exceeded: "caller",
  insufficient_quota: "dead-key",
  billing_not_active: "dead-key",
  credit_balance_exhausted: "dead-key",
  usage_limit_exceeded: "dead-key",
  project_spend_limit_exceeded: "dead-key",
  organization_spend_limit_exceeded: "dead-key",
  organization_usage_limit_exceeded: "dead-key",
  server_overloaded: "overloaded",
  flex_unavailable: "overloaded",
};

/** Values of the SDK's `ErrorType`. */
const ANTHROPIC: Decisions = {
  invalid_request_error: "caller",
  request_too_large: "caller",
  authentication_error: "dead-key",
  billing_error: "dead-key",
  permission_error: "dead-key",
  not_found_error: "model-missing",
  rate_limit_error: "rate-limited",
  timeout_error: "overloaded",
  api_error: "overloaded",
  overloaded_error: "overloaded",
  conflict_error: "caller",
  memory_precondition_failed_error: "caller",
  memory_path_conflict_error: "caller",
};

/** https://github.com/googleapis/googleapis/blob/master/google/rpc/code.proto; the SDK has no type for it. */
const GOOGLE: Decisions = {
  CANCELLED: "overloaded",
  UNKNOWN: "overloaded",
  INVALID_ARGUMENT: "caller",
  DEADLINE_EXCEEDED: "overloaded",
  NOT_FOUND: "model-missing",
  ALREADY_EXISTS: "caller",
  PERMISSION_DENIED: "model-missing",
  UNAUTHENTICATED: "dead-key",
  RESOURCE_EXHAUSTED: "rate-limited",
  FAILED_PRECONDITION: "caller",
  ABORTED: "overloaded",
  OUT_OF_RANGE: "caller",
  UNIMPLEMENTED: "model-missing",
  INTERNAL: "overloaded",
  UNAVAILABLE: "overloaded",
  DATA_LOSS: "overloaded",
};

const kindOf = (protocol: keyof typeof UPSTREAM_PROTOCOLS, error: object): UpstreamErrorKind =>
  UPSTREAM_PROTOCOLS[protocol].readError(200, {}, { error }).kind;

describe("C16: an error code of an upstream's SDK", () => {
  it("has a decision", () => {
    expect(literalsOf("ResponseError", "code").length).toBeGreaterThan(15);
    expect(literalsOf("ResponseError", "code").filter((code) => OPENAI[code] === undefined)).toEqual([]);
    expect(errorTypes().length).toBeGreaterThan(8);
    expect(errorTypes().filter((type) => ANTHROPIC[type] === undefined)).toEqual([]);
  });

  it.each(Object.entries(OPENAI))("is read as decided: OpenAI's %s as %s", (code, kind) => {
    for (const protocol of ["openai-responses", "openai-chat"] as const)
      expect(kindOf(protocol, { code, message: "no" })).toBe(kind);
  });

  it.each(Object.entries(ANTHROPIC))("is read as decided: Anthropic's %s as %s", (type, kind) => {
    expect(kindOf("anthropic-messages", { type, message: "no" })).toBe(kind);
  });

  it.each(["organization_on_hold", "enforced_spend_limit_reached", "cmek_key_disabled"])(
    "takes the key out of use where Anthropic's details name the account: %s",
    (cause) => {
      const error = { type: "invalid_request_error", message: "no", details: { error_code: cause } };
      expect(kindOf("anthropic-messages", error)).toBe("dead-key");
    },
  );

  it.each(Object.entries(GOOGLE))("is read as decided: Google's %s as %s", (status, kind) => {
    expect(kindOf("gemini-generate", { status, message: "no" })).toBe(kind);
  });
});
