import type { IncomingMessage, ServerResponse } from "node:http";
import type { AllowedOrigins } from "./allowed-origins";

/** Time a browser may cache a preflight response; Chromium's own limit. */
const PREFLIGHT_SECONDS = 7200;

/** Lists of names of headers, as they go on the wire. */
export interface CrossOriginHeaders {
  /** Continues a list. */
  readonly sent: string;
  readonly read: string;
}

const NO_MORE: CrossOriginHeaders = { sent: "", read: "" };

/**
 * Lets pages of the allowed origins read the answer (https://fetch.spec.whatwg.org/#http-cors-protocol). Pages of other
 * origins get no headers, so their browser withholds the answer.
 * @param headers names of further headers, which these pages may send and read.
 * @returns true when the call was a preflight: the answer is then complete except for its status.
 */
export const setCrossOriginHeaders = (
  request: IncomingMessage,
  response: ServerResponse,
  allowed: AllowedOrigins,
  headers: CrossOriginHeaders = NO_MORE,
): boolean => {
  if (allowed.size === 0) return false;
  response.setHeader("Vary", "Origin");
  const { origin } = request.headers;
  if (origin === undefined || !allowed.has(origin)) return false;
  response.setHeader("Access-Control-Allow-Origin", origin);
  response.setHeader("Access-Control-Allow-Credentials", "true");
  if (headers.read !== "") response.setHeader("Access-Control-Expose-Headers", headers.read);
  if (request.method !== "OPTIONS" || request.headers["access-control-request-method"] === undefined) {
    return false;
  }
  response.setHeader("Access-Control-Allow-Methods", "GET, POST, PUT, DELETE");
  response.setHeader("Access-Control-Allow-Headers", `Content-Type, Authorization${headers.sent}`);
  response.setHeader("Access-Control-Max-Age", PREFLIGHT_SECONDS);
  return true;
};
