import type { IncomingMessage } from "node:http";

const STATE_CHANGING = new Set(["POST", "PUT", "PATCH", "DELETE"]);

/**
 * Whether a call may act with the caller's cookie. A browser names the page's origin on every call that changes
 * something, and whether the page is another site's on every call; a foreign page's is refused. Programs send neither.
 * @param changesState for a GET that changes something.
 */
export const isOriginAllowed = (request: IncomingMessage, changesState: boolean): boolean => {
  const { origin, host } = request.headers;
  if (changesState && request.headers["sec-fetch-site"] === "cross-site") return false;
  if (!STATE_CHANGING.has(request.method ?? "") || origin === undefined) return true;
  try {
    return new URL(origin).host === host;
  } catch {
    return false;
  }
};
