import type { ClientError } from "@tollgate/contract/relay/error";

/** https://docs.anthropic.com/en/api/errors */
const TYPES: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  422: "invalid_request_error",
  429: "rate_limit_error",
  504: "timeout_error",
  529: "overloaded_error",
};

/**
 * The error envelope of the Messages API; its SDKs read the code from the details. The shape cannot carry a field's
 * name, so the message contains it.
 */
export const encodeError = (error: ClientError, requestId: string): unknown => ({
  type: "error",
  error: {
    type: TYPES[error.status] ?? "api_error",
    message: withParam(error),
    details: { error_code: error.code },
  },
  request_id: requestId,
});

/** The same error in a stream that has started; it is the last event. */
export const encodeStreamError = (error: ClientError, requestId: string): string =>
  `event: error\ndata: ${JSON.stringify(encodeError(error, requestId))}\n\n`;

const withParam = ({ message, param }: ClientError): string =>
  param === undefined || message.includes(param) ? message : `${param}: ${message}`;
