import { isIP } from "node:net";
import { Agent, fetch } from "undici";
import { guardedLookup, isAddressAllowed } from "./outbound-guard";

const agent = new Agent({ connect: { lookup: guardedLookup } });

export interface JsonRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/**
 * Asks another service for JSON, off the hot path and through the outbound guard. Redirects are not followed.
 * @returns undefined when it cannot or may not be reached, answers with an error, or with something that is no JSON.
 */
export const fetchJson = async (url: string, request: JsonRequest, timeoutMs = 5_000): Promise<unknown> => {
  try {
    const host = new URL(url).hostname.replace(/^\[|\]$/g, "");
    // Literal addresses are never looked up, so the guard has to see them here.
    if (isIP(host) !== 0 && !isAddressAllowed(host)) return undefined;
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url, { ...request, redirect: "error", signal, dispatcher: agent });
    return response.ok ? await response.json() : undefined;
  } catch {
    return undefined;
  }
};
