import { SIGN_IN_METHODS } from "@tollgate/contract/sign-in/methods";
import type { Dialect } from "./dialect";

/** Fields of every kind of object that some servers leave out. */
const OPTIONAL = new Set([
  "access_token",
  "accessed_time",
  "aff_code",
  "balance_updated_time",
  "base_url",
  "chat_link",
  "completion_tokens",
  "display_name",
  "email",
  "footer_html",
  "github_client_id",
  "inviter_id",
  "logo",
  "model_mapping",
  "other",
  "password",
  "priority",
  "redeemed_time",
  "request_count",
  "response_time",
  "server_address",
  "start_time",
  "test_time",
  "top_up_link",
  "turnstile_site_key",
  "used_quota",
  "verification_code",
  "weight",
  ...SIGN_IN_METHODS.map(({ userField }) => userField),
]);

/** Fields that newer servers add. */
const EXTRA = {
  config: "",
  lark_id: null,
  models_allowed: [],
  request_id: "r-1",
  elapsed_time: 12,
  is_stream: false,
  nested: { deep: true },
};

/** Values that some servers answer as null. */
const NULLABLE = new Set([
  "accessed_time",
  "balance",
  "balance_updated_time",
  "base_url",
  "completion_tokens",
  "model_mapping",
  "priority",
  "prompt_tokens",
  "redeemed_time",
  "request_count",
  "response_time",
  "test_time",
  "used_quota",
  "weight",
]);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** An answer's `data` as a server of another kind would send it; lists item by item, anything but objects as it is. */
export const bendData = (data: unknown, dialect: Dialect): unknown => {
  if (Array.isArray(data)) return data.map((item) => bendData(item, dialect));
  if (!isObject(data)) return data;
  const { optionalFields, hasNulls } = dialect;
  const kept = Object.entries(data)
    .filter(([name]) => optionalFields !== "missing" || !OPTIONAL.has(name))
    .map(([name, value]) => [name, hasNulls && NULLABLE.has(name) ? null : value]);
  return { ...Object.fromEntries(kept), ...(optionalFields === "extra" ? EXTRA : {}) };
};
