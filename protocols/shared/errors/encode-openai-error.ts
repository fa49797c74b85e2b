import type { ClientError } from "@tollgate/contract/relay/error";

/**
 * The error envelope of the OpenAI API (https://platform.openai.com/docs/guides/error-codes/api-errors). The message
 * contains the request's id, so that support can find it in any client's log.
 */
export const encodeOpenaiError = (error: ClientError, requestId: string): unknown => ({
  error: {
    message: requestId === "" ? error.message : `${error.message} (request id: ${requestId})`,
    type: errorType(error.status),
    // OpenAI sends null here; the contract requires "" (section 2.7), and typed clients accept both.
    param: error.param ?? "",
    code: error.code,
  },
});

const errorType = (status: number): string => {
  switch (status) {
    // A one-api gateway's own errors have this type, and clients and scripts recognize it.
    case 401:
    case 403:
    case 501:
    case 503:
      return "one_api_error";
    case 429:
      return "rate_limit_exceeded";
    default:
      return status >= 400 && status < 500 ? "invalid_request_error" : "server_error";
  }
};
