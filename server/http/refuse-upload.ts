import type { IncomingMessage, ServerResponse } from "node:http";

/** How long the rest of an unwanted body is read. */
const LINGER_MS = 5_000;

/**
 * Answers a request whose body may still be arriving. The rest of it is read and dropped: a client that is still sending would
 * otherwise see a broken connection in place of the answer. Node does so only on connections that go on; proxies often ask
 * for another one for each request (https://www.rfc-editor.org/rfc/rfc9112#section-9.6).
 * @param body JSON.
 */
export const refuseUpload = (
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string,
): void => {
  request.resume();
  response.writeHead(status, {
    ...headers,
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(body),
  });
  if (request.complete || response.shouldKeepAlive) {
    response.end(body);
    return;
  }
  response.write(body);
  const end = (): void => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, LINGER_MS);
  request.once("close", end);
};
