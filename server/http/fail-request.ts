import type { IncomingMessage, ServerResponse } from "node:http";

/** What the gateway itself is to blame for, where no code is left to say it in the client's own shape. */
const BODY = JSON.stringify({
  error: { message: "The gateway failed inside", type: "internal_error", param: "", code: "internal_error" },
});

/** Ends a request that something unexpected happened to: with status 500, or by breaking off what was begun. */
export const failRequest = (response: ServerResponse): void => {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(500, { "content-type": "application/json; charset=utf-8" });
  response.end(BODY);
};

/**
 * The border that no exception passes: whatever a request brings, it ends that request alone.
 * @param reportError told what happened, with the stack.
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
