import type { IncomingMessage, ServerResponse } from "node:http";

const isHost = (name: string): boolean => name.length === 4 && name.toLowerCase() === "host";

/**
 * Whether a request names one host. Node keeps the first of several, a proxy in front may go by another
 * (https://www.rfc-editor.org/rfc/rfc9112#section-3.2). That HTTP/1.1 names any is checked by Node.
 */
export const hasOneHost = ({ rawHeaders }: Pick<IncomingMessage, "rawHeaders">): boolean => {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (isHost(rawHeaders[at] as string)) hosts += 1;
  return hosts <= 1;
};

/** Refuses a request that names several hosts, and ends its connection: what follows on it may be smuggled. */
export const refuseHosts = (_request: IncomingMessage, response: ServerResponse): void => {
  response.writeHead(400, { connection: "close", "cache-control": "no-store" });
  response.end();
};
