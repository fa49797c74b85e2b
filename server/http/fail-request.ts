import type { IncomingMessage, ServerResponse } from "node:http";

/** Body for internal errors, used where no code is left to answer in the client's own format. */
const BODY = JSON.stringify({
  error: { message: "The gateway failed inside", type: "internal_error", param: "", code: "internal_error" },
});

/** Ends a request after an unexpected error: with status 500, or by cutting off an answer that has begun. */
export const failRequest = (response: ServerResponse): void => {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(500, { "content-type": "application/json; charset=utf-8" });
  response.end(BODY);
};

/**
 * Catches every exception: an error ends only the request that caused it.
 * @param reportError receives the error, with its stack.
 */
export const guardRequests =
  (
    answer: (request: IncomingMessage, response: ServerResponse) => void,
    reportError: (error: Error) => void,
  ) =>
  (request: IncomingMessage, response: ServerResponse): void => {
    try {
      answer(request, response);
    } catch (error) {
      reportError(error as Error);
      failRequest(response);
    }
  };
