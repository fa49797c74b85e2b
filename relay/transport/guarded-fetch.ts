import { isIP } from "node:net";
import { BytePieces } from "@tollgate/protocols/shared/json/byte-pieces";
import { JSON_BOUNDS, type JsonBounds, scanJson } from "@tollgate/protocols/shared/json/scan-json";
import type { Agent, Dispatcher, Headers, Response } from "undici";
import { isOriginBlocked } from "./blocked-origin";
import { guardedLookup, isAddressPublic, publicLookup } from "./outbound-guard";
import { openProxyAgent } from "./proxy-agent";

let agent: Agent | undefined;
let publicAgent: Agent | undefined;

export interface JsonRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  /** Address of the proxy; absent or "" for a direct connection. */
  proxy?: string;
  /** Set when more than a megabyte is expected. */
  maxBytes?: number;
  /** Limits for the answer's JSON. */
  bounds?: JsonBounds;
}

/** Another service's answer, or the reason why there is no usable one. */
export type JsonAnswer =
  | { kind: "json"; value: unknown }
  /** An HTTP error. */
  | { kind: "status"; status: number }
  /** It cannot be reached in time, or may not be reached. */
  | { kind: "unreachable" }
  /** A success that is no JSON, or far too long. */
  | { kind: "unreadable" };

/** Reads a whole answer; undefined for one above the limit. */
const readBytes = async (response: Response, maxBytes: number): Promise<Buffer | undefined> => {
  const gathered = new BytePieces();
  for await (const piece of response.body ?? []) {
    const { buffer, byteOffset, byteLength } = piece as Uint8Array;
    if (gathered.length + byteLength > maxBytes) return undefined;
    gathered.push(Buffer.from(buffer, byteOffset, byteLength));
  }
  return gathered.take();
};

/** Far more than any expected answer, as a bound on memory. */
const MAX_ANSWER_BYTES = 1024 * 1024;

/**
 * Fetches JSON from another service, off the hot path and through the outbound guard. Redirects are not followed.
 * @param timeoutMs for the whole answer.
 */
export const askJson = async (
  url: string,
  { proxy = "", maxBytes = MAX_ANSWER_BYTES, bounds = JSON_BOUNDS, ...request }: JsonRequest,
  timeoutMs = 5_000,
): Promise<JsonAnswer> => {
  let proxyAgent: Dispatcher | undefined;
  try {
    // Literal addresses are never looked up, so they must be checked here. The verdicts are cached by origin, so that
    // no keys in a query are kept.
    if (isOriginBlocked(new URL(url).origin) || (proxy !== "" && isOriginBlocked(proxy)))
      return { kind: "unreachable" };
    const signal = AbortSignal.timeout(timeoutMs);
    // Loaded by the first call: it takes megabytes, and many gateways never need it.
    const { Agent, fetch } = await import("undici");
    if (proxy !== "") proxyAgent = await openProxyAgent(proxy, timeoutMs);
    agent ??= new Agent({ connect: { lookup: guardedLookup } });
    const response = await fetch(url, {
      ...request,
      redirect: "error",
      signal,
      dispatcher: proxyAgent ?? agent,
    });
    if (!response.ok) {
      await response.body?.cancel();
      return { kind: "status", status: response.status };
    }
    const bytes = await readBytes(response, maxBytes);
    return bytes ? parseJsonAnswer(bytes, bounds) : { kind: "unreadable" };
  } catch {
    return { kind: "unreachable" };
  } finally {
    // A proxy's connection is for this call alone.
    proxyAgent?.destroy().catch(() => {});
  }
};

/**
 * Permitted destinations: any address an administrator may use for a channel, or only the public internet for addresses
 * that a guest may type.
 */
export type Reach = "guarded" | "public";

/** An address's answer, whatever its status; undefined in place of a text that exceeds the limit. */
export interface TextAnswer {
  status: number;
  text: string | undefined;
  headers: Headers;
}

const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, "");

/** Literal addresses are never looked up. */
const isLiteralOutside = (url: string): boolean => {
  const host = hostOf(url);
  return isIP(host) !== 0 && !isAddressPublic(host);
};

/** A request for a text, with its limits. */
export interface TextRequest {
  method: "GET" | "POST";
  headers: Record<string, string>;
  body?: string;
  reach: Reach;
  /** For the whole answer. */
  timeoutMs: number;
  /** Of the decompressed answer. */
  maxBytes: number;
}

/**
 * Fetches a text from an address that a person has typed, through the outbound guard. Redirects are not followed: their
 * status is the answer.
 * @returns undefined when the service does not answer in time, or the address is blocked.
 */
export const askText = async (
  url: string,
  { reach, timeoutMs, maxBytes, ...asked }: TextRequest,
): Promise<TextAnswer | undefined> => {
  try {
    if (isOriginBlocked(new URL(url).origin) || (reach === "public" && isLiteralOutside(url)))
      return undefined;
    const signal = AbortSignal.timeout(timeoutMs);
    const { Agent, fetch } = await import("undici");
    agent ??= new Agent({ connect: { lookup: guardedLookup } });
    publicAgent ??= new Agent({ connect: { lookup: publicLookup } });
    const dispatcher = reach === "public" ? publicAgent : agent;
    const response = await fetch(url, { ...asked, redirect: "manual", signal, dispatcher });
    const { status, headers } = response;
    return { status, headers, text: (await readBytes(response, maxBytes))?.toString("utf8") };
  } catch {
    return undefined;
  }
};

/** Sends a text with POST (`askText`). */
export const postText = (
  url: string,
  { headers, body }: { headers: Record<string, string>; body: string },
  bounds: Pick<TextRequest, "reach" | "timeoutMs" | "maxBytes">,
): Promise<Omit<TextAnswer, "headers"> | undefined> =>
  askText(url, { method: "POST", headers, body, ...bounds });

/** Parses JSON from an untrusted source: rejects content that would cost more than its size suggests. */
export const parseJsonAnswer = (bytes: Uint8Array, bounds: JsonBounds): JsonAnswer => {
  if (scanJson(bytes, bounds)) return { kind: "unreadable" };
  try {
    return { kind: "json", value: JSON.parse(Buffer.from(bytes).toString("utf8")) };
  } catch {
    return { kind: "unreadable" };
  }
};

/** The same, accepting only a success. @returns undefined otherwise. */
export const fetchJson = async (url: string, request: JsonRequest, timeoutMs?: number): Promise<unknown> => {
  const answer = await askJson(url, request, timeoutMs);
  return answer.kind === "json" ? answer.value : undefined;
};
