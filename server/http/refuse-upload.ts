import type { IncomingMessage, ServerResponse } from "node:http";

/** Maximum time for reading the rest of an unwanted body. */
const LINGER_MS = 5_000;

/**
 * Answers a request whose body may still be arriving. The rest is read and dropped: a client still sending would
 * otherwise see a broken connection instead of the answer. Node does this only on persistent connections; proxies often
 * use a new one for each request (https://www.rfc-editor.org/rfc/rfc9112#section-9.6).
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
