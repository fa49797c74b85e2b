import { fail, readObject, UNSAFE_NAMES } from "./channel-override-checks";

/** Placeholder of a header's hidden value; sent back, it leaves the stored one as it is. */
export const HIDDEN_VALUE = "***";

const MAX_HEADERS = 32;
const MAX_HEADER_LENGTH = 4096;

/** Headers of the connection and of the body's format, which the gateway sets. */
const RESERVED_HEADERS = new Set([
  "accept",
  "accept-encoding",
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "expect",
  "host",
  "keep-alive",
  "te",
  "trailer",
  "traceparent",
  "transfer-encoding",
  "upgrade",
]);

/** Headers with a client's credentials for this gateway. */
const CREDENTIAL_HEADERS = new Set([
  "authorization",
  "cookie",
  "set-cookie",
  "x-api-key",
  "api-key",
  "x-goog-api-key",
  "sec-websocket-protocol",
]);

const HEADER_NAME = /^[!#$%&'+.^_`|~0-9a-z-]+$/;
const HEADER_VALUE = /^[\x20-\x7e]*$/;

/** Whether a header may be set, because it does not frame the request. @param name in lower case. */
const isFree = (name: string): boolean =>
  !RESERVED_HEADERS.has(name) && !name.startsWith("proxy-") && !name.startsWith("sec-");

/** Whether a client's header may be passed on. @param name in lower case. */
const isPassable = (name: string): boolean => isFree(name) && !CREDENTIAL_HEADERS.has(name);

/** `{api_key}`, `{client:X-Name}`, and the same as new-api spells it. */
export const HEADER_PLACEHOLDER = /\{(api_key|client(?:_header)?:[^{}]*)\}/g;

const readHeaderValue = (name: string, value: string): string => {
  if (value.length > MAX_HEADER_LENGTH || !HEADER_VALUE.test(value) || value.trim() === "")
    fail("header-value", name);
  const written = value.trim().replace(HEADER_PLACEHOLDER, (place, inner: string) =>
    inner === "api_key"
      ? place
      : `{client:${inner
          .slice(inner.indexOf(":") + 1)
          .trim()
          .toLowerCase()}}`,
  );
  for (const [, place = ""] of written.matchAll(HEADER_PLACEHOLDER)) {
    const passed = place.startsWith("client:") ? place.slice("client:".length) : undefined;
    if (passed === undefined) continue;
    if (!HEADER_NAME.test(passed) || !isPassable(passed)) fail("header-of-client", passed);
  }
  return written;
};

export const readHeaders = (value: unknown): Record<string, string> | undefined => {
  const given = Object.entries(readObject(value, "headers"));
  if (given.length > MAX_HEADERS) fail("too-large", "headers");
  const headers = new Map<string, string>();
  for (const [written, text] of given) {
    const name = written.trim().toLowerCase();
    if (!HEADER_NAME.test(name) || UNSAFE_NAMES.has(name) || headers.has(name)) fail("header-name", written);
    if (!isFree(name)) fail("header-reserved", name);
    if (typeof text !== "string") return fail("wrong-type", `headers.${name}`);
    headers.set(name, readHeaderValue(name, text));
  }
  return headers.size === 0 ? undefined : Object.fromEntries(headers);
};

/** Whether a header's value says only where its text comes from: it holds no secret then. */
export const isOpenValue = (value: string): boolean => value.replace(HEADER_PLACEHOLDER, "").trim() === "";
