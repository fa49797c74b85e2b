import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { parseNetworks, plainAddress } from "./networks";

const FORWARDING_HEADERS = ["forwarded", "x-forwarded-for", "x-real-ip"] as const;

const isLoopbackAddress = (address: string): boolean => address === "::1" || address.startsWith("127.");

/** Finds out who calls. */
export interface ClientAddresses {
  /**
   * The caller's address. What a request says of itself is believed only when it comes from a proxy that the operator
   * named; then the last address that is none of these proxies is the caller's.
   */
  of(request: IncomingMessage): string;
  /**
   * Whether the caller sits on this machine. A proxy on this machine that forwards somebody else's call does not count,
   * whether or not the operator named it.
   */
  isLoopback(request: IncomingMessage): boolean;
  /** Whether the caller's browser speaks HTTPS, as a named proxy says. */
  isHttps(request: IncomingMessage): boolean;
}

/**
 * @param trustedProxies comma-separated addresses and networks ("10.0.0.0/8, 127.0.0.1").
 * @throws Error naming an entry that is neither.
 */
export const createClientAddresses = (trustedProxies: string): ClientAddresses => {
  const trusted = parseNetworks(trustedProxies);
  if ("fault" in trusted) throw new Error(`TRUSTED_PROXIES: "${trusted.fault}" is no address or network`);
  const of = (request: IncomingMessage): string => {
    const direct = plainAddress(request.socket.remoteAddress ?? "");
    const forwarded = request.headers["x-forwarded-for"];
    if (!trusted.has(direct) || forwarded === undefined) return direct;
    const hops = String(forwarded)
      .split(",")
      .map((hop) => plainAddress(hop.trim()));
    return hops.findLast((hop) => isIP(hop) !== 0 && !trusted.has(hop)) ?? direct;
  };
  return {
    of,
    isHttps: (request) =>
      trusted.has(plainAddress(request.socket.remoteAddress ?? "")) &&
      request.headers["x-forwarded-proto"] === "https",
    isLoopback: (request) =>
      isLoopbackAddress(plainAddress(request.socket.remoteAddress ?? "")) &&
      FORWARDING_HEADERS.every((header) => request.headers[header] === undefined),
  };
};
