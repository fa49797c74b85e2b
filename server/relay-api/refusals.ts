import { passableStatus, textFor } from "@tollgate/contract/management/error-rules";
import type { ClientError, GatewayErrorCode, SentRefusal } from "@tollgate/contract/relay/error";
import type { Describe, Refusal } from "@tollgate/relay/ports/client";
import type { Catalogue } from "../locales/catalogue";
import { fillText } from "../locales/fill-text";
import { cutText, formatRequestFault } from "../locales/format-request-fault";
import { inEachLanguage, type Language } from "../locales/languages";
import { ADDRESSES } from "./address-book";

/**
 * HTTP status, the code on the wire (contract section 2.7 where it has one), and the seconds until a retry makes sense
 * where that is constant: a slot becomes free within one, a process starts and a disk is emptied in a few. The
 * sentences are in server/locales.
 */
const WIRE: Readonly<
  Record<GatewayErrorCode, readonly [status: number, code: string, retryAfterSeconds?: number]>
> = {
  "token-missing": [401, "invalid_api_key"],
  "token-invalid": [401, "invalid_api_key"],
  "token-exhausted": [401, "token_quota_exhausted"],
  "token-expired": [401, "token_expired"],
  "token-disabled": [401, "token_disabled"],
  "user-disabled": [403, "user_disabled"],
  "address-not-allowed": [403, "address_not_allowed"],
  "model-not-allowed": [403, "model_not_allowed"],
  "group-not-allowed": [403, "group_not_allowed"],
  "requests-limited": [429, "rate_limit_exceeded"],
  "tokens-limited": [429, "rate_limit_exceeded"],
  "concurrency-limited": [429, "concurrency_limit_exceeded"],
  // A retry is useless: the prompt has more tokens than a whole minute allows.
  "prompt-over-limit": [413, "request_too_large"],
  "daily-budget-exhausted": [429, "daily_budget_exhausted"],
  "monthly-budget-exhausted": [429, "monthly_budget_exhausted"],
  "weekly-budget-exhausted": [429, "weekly_budget_exhausted"],
  "window-budget-exhausted": [429, "window_budget_exhausted"],
  "daily-requests-exhausted": [429, "daily_requests_exhausted"],
  "channel-pin-forbidden": [403, "channel_not_allowed"],
  "channel-pin-invalid": [400, "invalid_channel"],
  "channel-disabled": [403, "channel_disabled"],
  "channel-unavailable": [503, "no_available_channel"],
  // An unknown name stays unknown: 404, because SDKs try a 503 again for a minute.
  "model-unknown": [404, "model_not_found"],
  "operation-unavailable": [400, "operation_not_supported"],
  // A retry is useless: the prompt has more tokens than the channels' minutes allow.
  "prompt-beyond-limits": [413, "request_too_large"],
  "model-price-missing": [403, "model_price_missing"],
  "output-price-missing": [403, "model_price_missing"],
  "user-quota-exceeded": [403, "insufficient_user_quota"],
  "user-quota-held": [429, "user_quota_held"],
  "token-quota-held": [429, "token_quota_held"],
  "node-not-admitting": [503, "node_not_admitting", 2],
  "database-silent": [503, "database_silent", 2],
  "token-quota-exceeded": [403, "pre_consume_token_quota_failed"],
  "body-not-json": [400, "invalid_json"],
  "body-too-large": [413, "request_too_large"],
  "body-aborted": [400, "request_aborted"],
  "body-encoded": [415, "unsupported_content_encoding"],
  "body-not-utf8": [400, "invalid_encoding"],
  "body-too-deep": [400, "body_too_deep"],
  "body-holds-too-much": [400, "body_too_complex"],
  "body-name-twice": [400, "ambiguous_field"],
  "body-name-misspelled": [400, "ambiguous_field"],
  "body-name-broken": [400, "ambiguous_field"],
  "bodies-limited": [429, "concurrency_limit_exceeded", 1],
  "bodies-full": [503, "overloaded", 1],
  "refusals-limited": [429, "rate_limit_exceeded"],
  "request-invalid": [400, "invalid_request"],
  "not-implemented": [501, "api_not_implemented"],
  // https://www.rfc-editor.org/rfc/rfc9110#name-426-upgrade-required
  "websocket-not-offered": [426, "websocket_not_supported"],
  "session-missing": [401, "not_signed_in"],
  "playground-off": [403, "playground_off"],
  "playground-foreign": [403, "playground_foreign"],
  "not-found": [404, "not_found"],
  "address-mistyped": [404, "not_found"],
  "model-not-listed": [404, "model_not_found"],
  "generation-not-listed": [404, "generation_not_found", 2],
  "responses-not-stored": [404, "response_not_found"],
  "upstream-failed": [502, "upstream_failed"],
  "upstream-rate-limited": [429, "rate_limit_exceeded"],
  "upstream-refused": [400, "upstream_refused"],
  "upstream-empty": [502, "upstream_empty"],
  "upstream-unusable": [503, "no_available_channel"],
  "upstream-timeout": [504, "upstream_timeout"],
  "upstream-interrupted": [502, "upstream_interrupted"],
  "shutting-down": [503, "shutting_down", 5],
  "data-moving": [503, "data_moving", 2],
  "storage-failing": [503, "storage_failing", 5],
  "storage-interrupted": [503, "storage_failing"],
  internal: [500, "internal_error"],
};

const wordOf = (words: Readonly<Record<string, string>>, name: string): string => words[name] ?? name;

const paramsOf = (
  { params: sent = {}, fault, upstream }: SentRefusal,
  catalogue: Catalogue,
): Readonly<Record<string, string>> => {
  const { alias } = sent;
  const params =
    alias === undefined
      ? sent
      : { ...sent, model: fillText(catalogue.aliasedModel, { ...sent, alias: cutText(alias) }) };
  if (upstream) return { ...params, reason: upstream.message };
  if (fault) return { ...params, reason: formatRequestFault(catalogue, fault) };
  const { limitScopes, bodyParts } = catalogue;
  const { scope, what } = params;
  if (scope !== undefined) return { ...params, scope: wordOf(limitScopes, scope) };
  return what === undefined ? params : { ...params, what: wordOf(bodyParts, what) };
};

/** Code of an error with a text of the site: another one could reveal what the text hides. */
const REWRITTEN_CODE = "upstream_error";

/** Upstreams' codes that are passed on: words, as vendors document them. */
const PLAIN_CODE = /^[\w.:-]{1,64}$/;

/** An upstream's error as a rule of the site puts it. @param error without a rule. */
const rewrite = (error: ClientError, refusal: SentRefusal, language: string): ClientError => {
  const { original, rewrite: rule } = refusal;
  if (!rule) return error;
  const { retryAfterSeconds } = error;
  const wait = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  if (rule.isOriginal) {
    const { status = 0, code = "", message = "" } = original ?? {};
    return {
      status: rule.status ?? passableStatus(status) ?? error.status,
      code: rule.code ?? (PLAIN_CODE.test(code) ? code : error.code),
      message: message === "" ? error.message : message,
      ...wait,
    };
  }
  return {
    status: rule.status ?? error.status,
    code: rule.code ?? REWRITTEN_CODE,
    message: textFor(rule.text ?? {}, language) ?? error.message,
    ...wait,
  };
};

/** A refusal in one language: status, code and sentence. @param language its tag. */
export const describeIn =
  (catalogue: Catalogue, language: string) =>
  (refusal: SentRefusal & Pick<Refusal, "retryAfterSeconds">): ClientError => {
    const [status, code, wait] = WIRE[refusal.code];
    const { upstream, retryAfterSeconds = wait } = refusal;
    const described: ClientError = {
      status: upstream?.status ?? status,
      code: upstream && upstream.code !== "" ? upstream.code : (refusal.wireCode ?? code),
      message: fillText(catalogue.refusals[refusal.code], paramsOf(refusal, catalogue)),
      ...(refusal.field === undefined ? {} : { param: cutText(refusal.field) }),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    };
    return rewrite(described, refusal, language);
  };

export const isRefusalCode = (code: string): code is GatewayErrorCode => Object.hasOwn(WIRE, code);

/** One function per language, which also reports each refusal. */
export const describeAndReport = (
  onRefused: (code: GatewayErrorCode) => void,
): Readonly<Record<Language, Describe>> =>
  inEachLanguage((catalogue, language) => {
    const describe = describeIn(catalogue, language);
    return (refusal) => {
      onRefused(refusal.code);
      return describe(refusal);
    };
  });

/** The contract's answer to a path below /api that does not exist (section 0.3), with the client API's address if meant. */
export const unknownPathBody = (method: string, target: string) => {
  const [path = ""] = target.split("?");
  const { meant } = ADDRESSES.resolve(method, path, "");
  return {
    error: {
      message: `Invalid URL (${method} ${path})${meant === undefined ? "" : `: the right address is ${meant}`}`,
      type: "invalid_request_error",
      param: "",
      code: "",
    },
  };
};
