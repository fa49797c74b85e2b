import type { ClientApi } from "@tollgate/contract/relay/client-api";
import { CLIENT_APIS } from "@tollgate/protocols/client-apis";
import { createRouter, type Found } from "./router";

/** A target of a request, resolved. */
export interface Address {
  /** The declared path if it exists, else the path as sent, without trailing slashes and spaces. */
  readonly path: string;
  /** undefined where nothing is served. */
  readonly found: Found | undefined;
  /** Method and path that were probably meant, for an unknown address. */
  readonly meant?: string;
}

const METHODS = ["GET", "POST", "DELETE"];

/** Endpoint that lists the models of a key, for a path that is only a base. */
const FIRST_ADDRESS = "GET /v1/models";

/** Longer paths are no slips: no suggestion is sought for them. */
const MAX_PATH_LENGTH = 1000;
const MAX_SEGMENTS = 8;

/** Escaped letters, digits, "-", "_", "~" and ":", which mean the same unescaped in every declared address. */
const NEEDLESS_ESCAPE = /%(?:2D|3[0-9A]|[46][1-9A-F]|[57][0-9A]|5F|7E)/gi;
const ESCAPED_BLANK = /^%(?:20|09|0[AD])$/i;

/** Whether the gateway offers this endpoint. */
const isServed = ({ asked }: Found): boolean => asked.kind !== "refusal";

/** A path without slashes and escaped blanks at its end. */
const withoutEnd = (path: string): string => {
  let end = path.length;
  for (;;) {
    if (path[end - 1] === "/") end -= 1;
    else if (path[end - 3] === "%" && ESCAPED_BLANK.test(path.slice(end - 3, end))) end -= 3;
    else return path.slice(0, end);
  }
};

/** The segments of a path, without empty ones and needless escapes. */
const segmentsOf = (path: string): string[] =>
  path
    .replace(NEEDLESS_ESCAPE, decodeURIComponent)
    .split("/")
    .filter((segment) => segment !== "");

/**
 * Resolves a request's target. A declared address is found immediately. A mistyped one is corrected where its meaning
 * is clear: too many slashes, a base that is repeated, missing or another vendor's, needless escapes.
 */
export const createAddressBook = (apis: readonly ClientApi[]) => {
  const find = createRouter(apis);
  const aliases = new Map(apis.flatMap(({ aliases = {} }) => Object.entries(aliases)));
  /** Beginnings of declared paths. */
  const bases = [...new Set([...aliases.values()].flat()), ""];

  /** The paths that segments may stand for, the likeliest first; none where only aliases are left. */
  const candidatesOf = (segments: readonly string[]): string[] => {
    const start = segments.findIndex((segment) => !aliases.has(segment));
    if (start === -1) return [];
    const rest = segments.slice(start).join("/");
    const named = aliases.get(segments[start - 1] ?? "") ?? [];
    return [...new Set([...named, ...bases])].map((base) => `${base}/${rest}`);
  };

  const suggest = (method: string, segments: readonly string[], query: string): string | undefined => {
    if (segments.length > 0 && segments.every((segment) => aliases.has(segment))) return FIRST_ADDRESS;
    if (segments.length > MAX_SEGMENTS) return undefined;
    // Something may stand before an address, or behind it; paths are case-sensitive. The longest part means most.
    const parts = segments.flatMap((_, index) => {
      const both = [segments.slice(index), segments.slice(0, segments.length - index)];
      return [...both, ...both.map((part) => part.map((segment) => segment.toLowerCase()))];
    });
    for (const one of new Set([method, ...METHODS]))
      for (const part of parts)
        for (const path of candidatesOf(part)) {
          const found = find(one, path, query);
          if (found && isServed(found)) return `${one} ${path}`;
        }
    return undefined;
  };

  return {
    /** @param path of the target. @param query the part after its "?". */
    resolve(sentMethod: string, sentPath: string, query: string): Address {
      // An answer to HEAD is that to GET without its body (RFC 9110, section 9.3.2).
      const method = sentMethod === "HEAD" ? "GET" : sentMethod;
      const path = withoutEnd(sentPath);
      const declared = find(method, path, query);
      if (declared && isServed(declared)) return { path, found: declared };
      if (path.length > MAX_PATH_LENGTH) return { path, found: declared };
      const segments = segmentsOf(path);
      let refused = declared && { path, found: declared };
      for (const candidate of candidatesOf(segments)) {
        const found = find(method, candidate, query);
        if (found && isServed(found)) return { path: candidate, found };
        if (found) refused ??= { path: candidate, found };
      }
      if (refused) return refused;
      const meant = suggest(method, segments, query);
      return { path, found: undefined, ...(meant === undefined ? {} : { meant }) };
    },
  };
};

/** The addresses of all client APIs. */
export const ADDRESSES = createAddressBook(CLIENT_APIS);

/** Part before the path of an absolute target (RFC 9112, section 3.2.2), and repeated slashes. */
const BEFORE_PATH = /^(?:https?:\/\/[^/?]*)?\/+/i;

/** A target that begins with one slash, so that every rule about addresses sees the same one. */
export const plainTarget = (target: string): string =>
  target.startsWith("/") && target[1] !== "/" ? target : target.replace(BEFORE_PATH, "/");

/** Methods with which a browser reads pages, and asks whether it may read. */
const READING = new Set(["GET", "HEAD", "OPTIONS"]);

/** Whether a target with an unknown prefix is a mistyped client API instead of a page. Pages are only read. */
export const isMeantForClientApi = (method: string, target: string): boolean => {
  if (!READING.has(method)) return true;
  const [path = "", query = ""] = target.split("?", 2);
  const { found, meant } = ADDRESSES.resolve(method, path, query);
  return found !== undefined || meant !== undefined;
};
