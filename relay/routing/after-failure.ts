import type { UpstreamError } from "@tollgate/contract/relay/error";
import type { Refusal } from "../ports/client";

/** The caller's own mistakes would be refused by every other channel as well. */
export const mayRetry = (error: UpstreamError): boolean => error.kind !== "caller";

/** Whether another key of the same channel may succeed. */
export const isOfKey = ({ kind }: UpstreamError): boolean =>
  kind === "dead-key" || kind === "rate-limited" || kind === "model-missing";

/**
 * The refusal for the client when no further channel is tried. An upstream's 401 never becomes the client's, which
 * would suggest that the client's own key is wrong.
 */
export const refusalFor = (error: UpstreamError): Refusal => {
  switch (error.kind) {
    case "caller":
      return {
        code: "upstream-refused",
        upstream: { status: refusedStatus(error.status), message: error.message, code: error.code },
      };
    case "rate-limited":
      return { code: "upstream-rate-limited", ...waitOf(error) };
    case "overloaded":
      return { code: "upstream-failed", ...waitOf(error) };
    case "empty":
      return { code: "upstream-empty" };
    case "dead-key":
    case "model-missing":
      return { code: "upstream-unusable" };
    case "late-answer":
    case "late-first-token":
    case "late-token":
      return { code: "upstream-timeout" };
    case "network":
      return { code: error.code === "timeout" ? "upstream-timeout" : "upstream-failed" };
    default:
      return { code: "upstream-failed" };
  }
};

/** The upstream's requested pause, for clients that wait before a retry. */
const waitOf = ({ retryAfterSeconds }: UpstreamError): Pick<Refusal, "retryAfterSeconds"> =>
  retryAfterSeconds === undefined ? {} : { retryAfterSeconds: Math.max(1, Math.ceil(retryAfterSeconds)) };

/** Some vendors refuse with a success status, which must not reach the client. */
const refusedStatus = (status: number): number => (status >= 400 && status < 500 ? status : 400);
