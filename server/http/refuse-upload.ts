import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";

/** Maximum time for reading the rest of an unwanted body. */
const LINGER_MS = 5_000;

/**
 * Reads and drops the rest of a body, for at most five seconds. A client still sending would otherwise see a broken
 * connection instead of the answer. Node does this only on persistent connections; proxies often use a new one for each
 * request (https://www.rfc-editor.org/rfc/rfc9112#section-9.6).
 */
const dropRest = (request: IncomingMessage): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(end, LINGER_MS);
    request.once("close", end);
    request.resume();
  });

/** An answer that ends when the rest of the request's body has been read and dropped. */
export const endAfterUpload = (request: IncomingMessage, answer: string | Buffer): Readable =>
  Readable.from(
    (async function* () {
      yield Buffer.from(answer);
      await dropRest(request);
    })(),
    { objectMode: false },
  );

/**
 * Answers a request whose body may still be arriving: the rest is read and dropped.
 * @param body JSON.
 */
export const refuseUpload = (
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string,
): void => {
  response.writeHead(status, {
    ...headers,
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(body),
  });
  if (request.complete || response.shouldKeepAlive) {
    request.resume();
    response.end(body);
    return;
  }
  response.write(body);
  void dropRest(request).then(() => response.end());
};
