import type { ClientError } from "@tollgate/contract/relay/error";

/**
 * The error envelope of the OpenAI API (https://platform.openai.com/docs/guides/error-codes/api-errors). The request's
 * id stands in the message, where support can find it in any client's log.
 */
export const encodeOpenaiError = (error: ClientError, requestId: string): unknown => ({
  error: {
    message: requestId === "" ? error.message : `${error.message} (request id: ${requestId})`,
    type: errorType(error.status),
    // OpenAI says null here; the contract says "" (section 2.7), and typed clients take both.
    param: error.param ?? "",
    code: error.code,
  },
});

const errorType = (status: number): string => {
  switch (status) {
    // What a one-api gateway says by itself carries this type, and clients and scripts recognise it.
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
