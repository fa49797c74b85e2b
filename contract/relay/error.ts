import type { RequestFault } from "./request-fault";
import type { UpstreamFault } from "./upstream-fault";

/**
 * Kind of an upstream's failure, as read from its answer. It describes the failure; the routing decides the reaction.
 */
export type UpstreamErrorKind =
  /** The key or its account is invalid, revoked, unpaid or suspended. */
  | "dead-key"
  /** Too many requests or tokens for now. */
  | "rate-limited"
  /** The upstream has no capacity for now, or failed inside. */
  | "overloaded"
  /** This account cannot use this model or feature. */
  | "model-missing"
  /** The request itself is wrong; another upstream would refuse it too. */
  | "caller"
  /** No connection, a reset, a time-out. */
  | "network"
  /** A time limit of the channel or the group has passed: without an answer, without its first content, or within it. */
  | "late-answer"
  | "late-first-token"
  | "late-token"
  /** A success without content. */
  | "empty"
  /** Something that is not this protocol. */
  | "unknown";

export interface UpstreamError {
  kind: UpstreamErrorKind;
  /** HTTP status of the upstream's answer, 0 when there was none. */
  status: number;
  /** The upstream's own words, with secrets and addresses taken out; "" without any. */
  message: string;
  /** The upstream's own code or type, "" for none. */
  code: string;
  /** The gateway's finding where the upstream itself gave no reason. */
  fault?: UpstreamFault | undefined;
  /** Seconds after which the upstream asks to be tried again. */
  retryAfterSeconds?: number;
  /** Set where words of a refusal that may quote the request decide its kind. */
  worded?: WordedKind;
}

/** A phrase of an upstream's message that decides its kind. */
export interface WordedKind {
  /** In lower case. */
  phrase: string;
  /** The kind if the phrase is the client's: by codes and status alone. */
  otherwise: UpstreamErrorKind;
}

/**
 * Why the gateway itself refuses or ends a request. The text that a client reads belongs to the gateway's message
 * catalogue, the envelope to the client's protocol.
 */
export type GatewayErrorCode =
  | "token-missing"
  | "token-invalid"
  | "token-exhausted"
  | "token-expired"
  | "token-disabled"
  | "user-disabled"
  | "address-not-allowed"
  | "model-not-allowed"
  | "group-not-allowed"
  | "requests-limited"
  | "tokens-limited"
  | "concurrency-limited"
  | "prompt-over-limit"
  | "daily-budget-exhausted"
  | "monthly-budget-exhausted"
  | "weekly-budget-exhausted"
  | "window-budget-exhausted"
  | "daily-requests-exhausted"
  | "channel-pin-forbidden"
  | "channel-pin-invalid"
  | "channel-disabled"
  | "channel-unavailable"
  | "model-unknown"
  | "operation-unavailable"
  | "prompt-beyond-limits"
  | "model-price-missing"
  | "output-price-missing"
  | "user-quota-exceeded"
  | "user-quota-held"
  | "token-quota-exceeded"
  | "token-quota-held"
  | "node-not-admitting"
  | "database-silent"
  | "body-not-json"
  | "body-too-large"
  | "body-aborted"
  | "body-encoded"
  | "body-not-utf8"
  | "body-too-deep"
  | "body-holds-too-much"
  | "body-name-twice"
  | "body-name-misspelled"
  | "body-name-broken"
  | "bodies-limited"
  | "bodies-full"
  | "refusals-limited"
  | "request-invalid"
  | "not-implemented"
  | "websocket-not-offered"
  | "session-missing"
  | "playground-off"
  | "playground-foreign"
  | "not-found"
  | "address-mistyped"
  | "model-not-listed"
  | "generation-not-listed"
  | "responses-not-stored"
  | "upstream-failed"
  | "upstream-rate-limited"
  | "upstream-refused"
  | "upstream-empty"
  | "upstream-unusable"
  | "upstream-timeout"
  | "upstream-interrupted"
  | "shutting-down"
  | "data-moving"
  | "storage-failing"
  | "storage-interrupted"
  | "internal";

/** An upstream's error in its own words, with secrets and addresses taken out. */
export interface UpstreamSaying {
  channelId: number;
  channelType: number;
  /** HTTP status as sent; of an error inside a success the one that it names; 0 for none. */
  status: number;
  code: string;
  message: string;
}

/** What a rule of the site makes of an upstream's error (contract/management/error-rules.ts). */
export interface ErrorRewrite {
  /** The client is told the upstream's own status and words. */
  isOriginal?: boolean;
  /** HTTP status, always an error. */
  status?: number;
  code?: string;
  /** Texts by language. */
  text?: Readonly<Record<string, string>>;
}

/** Why a request ended without an answer, as sent to its client: the values of the sentence, in every language. */
export interface SentRefusal {
  code: GatewayErrorCode;
  /** Values of the sentence: a model, a group, a limit. */
  params?: Readonly<Record<string, string>>;
  /** Fault of the request, where the code only says that there is one. */
  fault?: RequestFault;
  /** The upstream's own status and words, where they concern the caller. */
  upstream?: { status: number; message: string; code: string };
  /** The wrong field of the request. */
  field?: string;
  /** Machine readable code of the mistake, in place of the refusal's general code. */
  wireCode?: string;
  /** The upstream's error behind it: for administrators, unless a rule passes it on. */
  original?: UpstreamSaying;
  /** The rule that held. */
  rewrite?: ErrorRewrite;
}

/** An error on its way to a client, before it takes the shape of the client's protocol. */
export interface ClientError {
  /** HTTP status; in the middle of a stream it only decides the error's type. */
  status: number;
  code: GatewayErrorCode | string;
  /** A sentence about the failure and the remedy. */
  message: string;
  /** The field of the request that is wrong. */
  param?: string;
  /** Whole seconds after which another try makes sense; also told as the header Retry-After. */
  retryAfterSeconds?: number;
}
