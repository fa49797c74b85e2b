import type { ServerResponse } from "node:http";

/**
 * Serves a request once its answer may be sent. A client may send the next request of a connection before the answer to
 * the one before (https://www.rfc-editor.org/rfc/rfc9112#name-pipelining). Node then keeps the second answer back and tells
 * no one when the client leaves: it would be charged for what never left.
 * @param serve called once, or never when the client leaves before its turn.
 */
export const inTurn = (response: ServerResponse, serve: () => void): void => {
  if (response.socket === null) response.once("socket", serve);
  else serve();
};
