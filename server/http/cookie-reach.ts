import type { IncomingMessage } from "node:http";
import type { AllowedOrigins } from "./allowed-origins";

export interface CookieReach {
  sameSite: "lax" | "none";
  secure: boolean;
  /** Kept apart per console, so that browsers which refuse third-party cookies take it. */
  partitioned: boolean;
}

/**
 * How far a cookie reaches that is set for this caller: to this site alone, or, for the console of an allowed origin
 * on another site, to that console. Browsers take such a cookie over HTTPS, or on this machine, only.
 */
export const cookieReach = (
  request: IncomingMessage,
  allowed: AllowedOrigins,
  isHttps: boolean,
): CookieReach => {
  const isCrossSite =
    request.headers["sec-fetch-site"] === "cross-site" && allowed.has(request.headers.origin ?? "");
  return isCrossSite
    ? { sameSite: "none", secure: true, partitioned: true }
    : { sameSite: "lax", secure: isHttps, partitioned: false };
};
