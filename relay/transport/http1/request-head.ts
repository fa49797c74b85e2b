import type { UpstreamFault } from "@tollgate/contract/relay/upstream-fault";
import type { UpstreamRequest } from "../../ports/transport";

/** A request that must not be sent as it is. */
export class UnsendableRequest extends Error {
  override readonly name = "UnsendableRequest";
  /** @param fault the reason, without the value. */
  constructor(readonly fault: UpstreamFault) {
    super(fault.code);
  }
}

/** https://www.rfc-editor.org/rfc/rfc9110#section-5.6.2 */
const TOKEN = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/;
/** Characters that would end a line, or are not a byte. */
const NO_VALUE = /[^\t\x20-\x7e\x80-\xff]/;
const PATH = /^\/[\x21-\xff]*$/;

/** The last one that was looked at and found in order: most requests have the same. */
let lastPath = "";

/** Headers about the connection and the length of the body, which this client sets itself. */
const OWN = new Set([
  "accept-encoding",
  "connection",
  "content-length",
  "expect",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Names that were looked at: they are always the same few. */
const names = new Map<string, string>();
const MAX_NAMES = 1000;

/** @returns the name in lower case. */
const checkName = (name: string): string => {
  const known = names.get(name);
  if (known !== undefined) return known;
  const lower = name.toLowerCase();
  if (!TOKEN.test(name) || OWN.has(lower)) {
    throw new UnsendableRequest({ code: "header-not-allowed", name });
  }
  if (names.size < MAX_NAMES) names.set(name, lower);
  return lower;
};

/** The lines of a request's headers. */
interface Lines {
  /** Replaces this client's own; undefined for none. */
  host: string | undefined;
  others: string;
}

/** Headers that are frozen are those of many requests. */
const frozenLines = new WeakMap<UpstreamRequest["headers"], Lines>();

/** @throws UnsendableRequest */
const linesOf = (headers: UpstreamRequest["headers"]): Lines => {
  const known = frozenLines.get(headers);
  if (known) return known;
  const lines: Lines = { host: undefined, others: "" };
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined) continue;
    const lower = checkName(name);
    if (NO_VALUE.test(value)) {
      throw new UnsendableRequest({ code: "header-unsendable", name });
    }
    if (lower === "host") lines.host = `${name}: ${value}`;
    else lines.others += `${name}: ${value}\r\n`;
  }
  if (Object.isFrozen(headers)) frozenLines.set(headers, lines);
  return lines;
};

/**
 * The head of a request, up to and including its blank line; each character is one byte. It does not ask for
 * compression: decompressing costs more than the bytes it saves.
 * @param host the destination; a header of that name in the request replaces it.
 * @param bodyBytes length of the body.
 * @throws UnsendableRequest when the path or a header contains characters that could smuggle other content
 * (https://www.rfc-editor.org/rfc/rfc9112#section-11.1).
 */
export const requestHead = (host: string, request: UpstreamRequest, bodyBytes: number): string => {
  const { path, headers, method = "POST" } = request;
  if (path !== lastPath) {
    if (!PATH.test(path)) throw new UnsendableRequest({ code: "path-unsendable" });
    lastPath = path;
  }
  const lines = linesOf(headers);
  const hostLine = lines.host ?? `host: ${host}`;
  return `${method} ${path} HTTP/1.1\r\n${hostLine}\r\nconnection: keep-alive\r\naccept-encoding: identity\r\n${lines.others}content-length: ${bodyBytes}\r\n\r\n`;
};
