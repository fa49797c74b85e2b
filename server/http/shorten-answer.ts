import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

/** Below this a compressed answer saves no packet. */
const LEAST_BYTES = 1024;

const TAG_LENGTH = 22;

const zip = promisify(gzip);

/** The entity tag of a content (RFC 9110, section 8.8.3), with its quotes. */
export const tagOf = (content: string): string =>
  `"${createHash("sha256").update(content).digest("base64url").slice(0, TAG_LENGTH)}"`;

/** Whether the caller already has the answer with this tag (RFC 9110, section 13.1.2: tags are compared weakly). */
export const hasAnswer = ({ "if-none-match": known = "" }: IncomingHttpHeaders, tag: string): boolean =>
  known.split(",").some((each) => [tag, "*"].includes(each.trim().replace(/^W\//, "")));

/** Whether a coding's part of Accept-Encoding rules it out: `gzip;q=0`. */
const RULED_OUT = /;\s*q=0(?:\.0*)?\s*$/i;

/**
 * Whether the caller accepts gzip (RFC 9110, section 12.5.3). Never for a page of another site: it could choose the
 * request, and the answer's length would leak secrets in it (https://www.breachattack.com).
 */
export const takesGzip = (headers: IncomingHttpHeaders): boolean => {
  if (headers["sec-fetch-site"] === "cross-site") return false;
  return String(headers["accept-encoding"] ?? "")
    .split(",")
    .some((each) => /^\s*(?:x-)?gzip\s*(?:;|$)/i.test(each) && !RULED_OUT.test(each));
};

/**
 * Compresses an answer, on another thread.
 * @returns undefined to send it as it is: it is short, or the caller does not accept gzip
 */
export const compressAnswer = async (
  headers: IncomingHttpHeaders,
  body: string,
): Promise<Buffer | undefined> => (body.length >= LEAST_BYTES && takesGzip(headers) ? zip(body) : undefined);
