import type { ServerResponse } from "node:http";

/**
 * Serves a request once its answer may be sent. A client may send the next request of a connection before the previous
 * answer (https://www.rfc-editor.org/rfc/rfc9112#name-pipelining). Node then holds the second answer back and does not
 * report when the client leaves: it would be charged without being sent.
 * @param serve called once, or never when the client leaves first.
 */
export const inTurn = (response: ServerResponse, serve: () => void): void => {
  if (response.socket === null) response.once("socket", serve);
  else serve();
};
