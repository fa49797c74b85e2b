import type { IncomingMessage } from "node:http";
import type { AllowedOrigins } from "./allowed-origins";

const HAS_PORT = /:\d*$/;

const STATE_CHANGING = new Set(["POST", "PUT", "PATCH", "DELETE"]);

/**
 * Whether a call may act with the caller's cookie. A browser sends the page's origin with every call that changes
 * something, and with every call whether the page is another site's; calls from a foreign page are refused, unless its
 * origin is allowed. Programs send neither.
 * @param changesState for a GET that changes something.
 */
export const isOriginAllowed = (
  request: IncomingMessage,
  changesState: boolean,
  allowed: AllowedOrigins,
): boolean => {
  const { origin, host = "" } = request.headers;
  if (origin !== undefined && allowed.has(origin)) return true;
  const site = request.headers["sec-fetch-site"];
  if (changesState && site === "cross-site") return false;
  if (!STATE_CHANGING.has(request.method ?? ""))
    return !changesState || isCalledByScript(request, host, allowed);
  if (origin === undefined) return true;
  // The browser itself reports that the page is this site's, even if a proxy changed the Host.
  return site === "same-origin" || isPageOf(origin, host);
};

/** Types that browsers accept for a followed link, a picture, a style or a frame; scripts accept data. */
const LOADED = /text\/html|image\/|text\/css|video\/|audio\//;

/**
 * Whether a GET that changes something comes from this site's scripts or from a program: a picture in a text of this
 * site, or a link that a mail program opens, would act with the cookie as well. Browsers say for what they load
 * (https://www.w3.org/TR/fetch-metadata/#sec-fetch-dest-header); old ones, and all on a site opened over plain HTTP, do
 * not, and are recognized by Accept, Origin and Referer.
 */
const isCalledByScript = (request: IncomingMessage, host: string, allowed: AllowedOrigins): boolean => {
  const { accept = "", referer, origin } = request.headers;
  const destination = request.headers["sec-fetch-dest"] ?? "empty";
  if (destination !== "empty" || LOADED.test(accept)) return false;
  if (request.headers["sec-fetch-site"] !== undefined) return true;
  const page = origin ?? referer;
  if (page === undefined) return true;
  return isPageOf(page, host) || (URL.canParse(page) && allowed.has(new URL(page).origin));
};

/** Whether a page's address belongs to the requested host. */
const isPageOf = (address: string, host: string): boolean => {
  if (!URL.canParse(address)) return false;
  const page = new URL(address);
  // Many proxies pass the Host on without its port. A page of another port of the same host gains nothing by that:
  // cookies know no ports (https://www.rfc-editor.org/rfc/rfc6265#section-8.5).
  return page.host === host || (!HAS_PORT.test(host) && page.hostname === host);
};
