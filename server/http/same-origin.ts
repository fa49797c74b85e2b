import type { IncomingMessage } from "node:http";
import type { AllowedOrigins } from "./allowed-origins";

const HAS_PORT = /:\d*$/;

const STATE_CHANGING = new Set(["POST", "PUT", "PATCH", "DELETE"]);

/**
 * Whether a call may act with the caller's cookie. A browser names the page's origin on every call that changes
 * something, and whether the page is another site's on every call; a foreign page's is refused, unless its origin is
 * among the allowed ones. Programs send neither.
 * @param changesState for a GET that changes something.
 */
export const isOriginAllowed = (
  request: IncomingMessage,
  changesState: boolean,
  allowed: AllowedOrigins,
): boolean => {
  const { origin, host = "" } = request.headers;
  if (origin !== undefined && allowed.has(origin)) return true;
  if (changesState && request.headers["sec-fetch-site"] === "cross-site") return false;
  if (!STATE_CHANGING.has(request.method ?? "") || origin === undefined) return true;
  // The browser itself knows that the page is this site's, whatever a proxy made of the Host.
  if (request.headers["sec-fetch-site"] === "same-origin") return true;
  try {
    const page = new URL(origin);
    // Many proxies pass the Host on without its port. A page of another port of the same host gains nothing by that:
    // cookies know no ports (https://www.rfc-editor.org/rfc/rfc6265#section-8.5).
    return page.host === host || (!HAS_PORT.test(host) && page.hostname === host);
  } catch {
    return false;
  }
};
