import type { ClientError } from "@tollgate/contract/relay/error";

/** https://github.com/googleapis/googleapis/blob/master/google/rpc/code.proto */
const STATUSES: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  402: "PERMISSION_DENIED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  409: "ABORTED",
  413: "INVALID_ARGUMENT",
  422: "INVALID_ARGUMENT",
  429: "RESOURCE_EXHAUSTED",
  499: "CANCELLED",
  501: "UNIMPLEMENTED",
  502: "UNAVAILABLE",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
};

const DETAIL = "type.googleapis.com/google.rpc.";

/** A google.rpc.Status: the reason, the wrong field and the request's id are in its details. */
export const encodeError = (error: ClientError, requestId: string): unknown => ({
  error: {
    code: error.status,
    message: error.message,
    status: STATUSES[error.status] ?? (error.status < 500 ? "FAILED_PRECONDITION" : "INTERNAL"),
    details: [
      { "@type": `${DETAIL}ErrorInfo`, reason: error.code.toUpperCase(), domain: "tollgate" },
      ...(error.param === undefined
        ? []
        : [
            {
              "@type": `${DETAIL}BadRequest`,
              fieldViolations: [{ field: error.param, description: error.message }],
            },
          ]),
      ...(error.retryAfterSeconds === undefined
        ? []
        : [{ "@type": `${DETAIL}RetryInfo`, retryDelay: `${error.retryAfterSeconds}s` }]),
      ...(requestId === "" ? [] : [{ "@type": `${DETAIL}RequestInfo`, requestId }]),
    ],
  },
});

/** The same error in a stream that has started; it is the last event. */
export const encodeStreamError = (error: ClientError, requestId: string): string =>
  `data: ${JSON.stringify(encodeError(error, requestId))}\r\n\r\n`;
