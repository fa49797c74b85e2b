import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Status lines for bytes that are no HTTP request; every other error is a 400. */
const STATUS: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
};

const HEAD = ["cache-control: no-store", "connection: close", "content-length: 0"].join("\r\n");

/** The unfinished answer of a connection, from Node's internal field. */
const answerOf = (socket: Socket & { _httpMessage?: ServerResponse | null }): ServerResponse | undefined =>
  socket._httpMessage ?? undefined;

/** Answers bytes that are no request, so that no proxy keeps the answer, and ends the connection. */
export const answerMalformed = (error: Error & { code?: string }, socket: Socket): void => {
  // An answer that has begun would be spoilt by another one.
  if (error.code === "ECONNRESET" || !socket.writable || answerOf(socket)?.headersSent) {
    socket.destroy();
    return;
  }
  socket.end(`HTTP/1.1 ${STATUS[error.code ?? ""] ?? "400 Bad Request"}\r\n${HEAD}\r\n\r\n`);
};
