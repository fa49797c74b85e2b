import type { UpstreamError } from "@tollgate/contract/relay/error";
import { classifyError, type ErrorRule } from "../shared/errors/classify-error";
import { readErrorDetails } from "../shared/errors/error-details";
import { boundWait, type ResponseHeaders, readRetryAfterSeconds } from "../shared/errors/retry-after";
import { isRecord, type JsonRecord, readArray, readRecord, readString } from "../shared/json/json-values";

/** Reasons for an answer without a picture: https://ai.google.dev/api/generate-content#FinishReason and #BlockReason. */
const REFUSED_PICTURES = [
  "SAFETY",
  "RECITATION",
  "LANGUAGE",
  "BLOCKLIST",
  "PROHIBITED_CONTENT",
  "SPII",
  "IMAGE_SAFETY",
  "IMAGE_PROHIBITED_CONTENT",
  "IMAGE_RECITATION",
  "IMAGE_OTHER",
  "NO_IMAGE",
  "OTHER",
];

/**
 * Statuses of google.rpc.Code and reasons of google.rpc.ErrorInfo
 * (https://ai.google.dev/gemini-api/docs/troubleshooting), in order: errors that the status alone would misclassify
 * come first.
 */
const RULES: readonly ErrorRule[] = [
  { kind: "dead-key", codes: ["API_KEY_INVALID", "API_KEY_EXPIRED"] },
  { kind: "dead-key", phrases: ["api key not valid", "api key expired"] },
  // The gateway's address is refused, not the key.
  { kind: "unknown", phrases: ["user location is not supported"] },
  { kind: "dead-key", codes: ["FAILED_PRECONDITION"], phrases: ["billing", "free tier is not available"] },
  { kind: "dead-key", codes: ["UNAUTHENTICATED"] },
  {
    kind: "dead-key",
    codes: ["PERMISSION_DENIED"],
    phrases: [
      "suspended",
      "leaked",
      "service_disabled",
      "billing_disabled",
      "has not been used in project",
      "api key",
      "blocked",
    ],
  },
  { kind: "model-missing", codes: ["PERMISSION_DENIED", "NOT_FOUND"] },
  // A quota of zero: this model is not part of the account's plan.
  { kind: "model-missing", codes: ["RESOURCE_EXHAUSTED"], phrases: ["limit: 0,", "limit: 0\n"] },
  { kind: "dead-key", codes: ["RESOURCE_EXHAUSTED"], phrases: ["prepayment credits are depleted"] },
  { kind: "rate-limited", codes: ["RESOURCE_EXHAUSTED"] },
  {
    kind: "overloaded",
    codes: ["INTERNAL", "UNAVAILABLE", "DEADLINE_EXCEEDED", "ABORTED", "CANCELLED", "UNKNOWN", "DATA_LOSS"],
  },
  { kind: "model-missing", codes: ["UNIMPLEMENTED"] },
  // A request for pictures without any in its answer (images.ts): another upstream would not make it either.
  { kind: "caller", codes: REFUSED_PICTURES },
  { kind: "caller", codes: ["INVALID_ARGUMENT", "FAILED_PRECONDITION", "OUT_OF_RANGE", "ALREADY_EXISTS"] },
];

/**
 * Reads a refusal of a Gemini upstream: a google.rpc.Status, alone or in a list. `status` is 200 for an error inside a
 * stream.
 */
export const readError = (status: number, headers: ResponseHeaders, body: unknown): UpstreamError => {
  const read = readErrorDetails(body);
  const infos = readInfos(body);
  const reasons = infos.map(({ reason }) => readString(reason)).filter((text) => text !== "");
  const details = { ...read, reasons, phrases: [read.phrases, ...reasons].join("\n").toLowerCase() };
  const counted = details.phrases.indexOf("token count");
  const isTooLong = counted !== -1 && details.phrases.includes(" exceeds", counted);
  return {
    ...classifyError(RULES, status, details),
    status,
    message: details.message,
    fault: details.fault,
    code: isTooLong ? "context_length_exceeded" : details.type === "" ? details.code : details.type,
    retryAfterSeconds: readRetryAfterSeconds(headers) ?? readRetryDelay(infos),
  };
};

/** `details` of the status: ErrorInfo, RetryInfo, QuotaFailure … */
const readInfos = (body: unknown): JsonRecord[] => {
  const root: unknown = Array.isArray(body) ? body[0] : body;
  return readArray(readRecord(readRecord(root).error).details).filter(isRecord);
};

/** The format of RetryInfo is "34.07s". */
const readRetryDelay = (infos: readonly JsonRecord[]): number | undefined => {
  for (const { retryDelay } of infos) {
    const seconds = /^(\d+(?:\.\d+)?)s$/.exec(readString(retryDelay))?.[1];
    if (seconds !== undefined) return boundWait(Number(seconds));
  }
  return undefined;
};
