import type { IncomingMessage, ServerResponse } from "node:http";

const isHost = (name: string): boolean => name.length === 4 && name.toLowerCase() === "host";

/**
 * Whether a request names one host, which HTTP/1.0 may leave out. Of several Node keeps the first, while a proxy in front may
 * go by another (https://www.rfc-editor.org/rfc/rfc9112#section-3.2).
 */
export const hasOneHost = ({
  rawHeaders,
  httpVersion,
}: Pick<IncomingMessage, "rawHeaders" | "httpVersion">): boolean => {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (isHost(rawHeaders[at] as string)) hosts += 1;
  return hosts === 1 || (hosts === 0 && httpVersion === "1.0");
};

/** Refuses a request that names no host or several, and ends its connection: what follows on it may be smuggled. */
export const refuseHosts = (response: ServerResponse): void => {
  response.writeHead(400, { connection: "close", "cache-control": "no-store" });
  response.end();
};
