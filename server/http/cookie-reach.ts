import type { IncomingMessage } from "node:http";
import type { AllowedOrigins } from "./allowed-origins";

export interface CookieReach {
  sameSite: "lax" | "none";
  secure: boolean;
  /** Kept apart per console, so that browsers which refuse third-party cookies take it. */
  partitioned: boolean;
}

/**
 * Returns the scope of this caller's cookie: this site only, or, for the console of an allowed origin on another site,
 * that console. Browsers accept such a cookie only over HTTPS, or on this machine.
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
