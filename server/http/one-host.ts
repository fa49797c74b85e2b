import type { IncomingMessage, ServerResponse } from "node:http";

const isHost = (name: string): boolean => name.length === 4 && name.toLowerCase() === "host";

/**
 * Whether a request names exactly one host; HTTP/1.0 may omit it. Node keeps the first of several, while a proxy in
 * front may use another (https://www.rfc-editor.org/rfc/rfc9112#section-3.2).
 */
export const hasOneHost = ({
  rawHeaders,
  httpVersion,
}: Pick<IncomingMessage, "rawHeaders" | "httpVersion">): boolean => {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (isHost(rawHeaders[at] as string)) hosts += 1;
  return hosts === 1 || (hosts === 0 && httpVersion === "1.0");
};

/** Refuses a request with no host or several, and closes its connection: requests after it may be smuggled. */
export const refuseHosts = (response: ServerResponse): void => {
  response.writeHead(400, { connection: "close", "cache-control": "no-store" });
  response.end();
};
