import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";

const FORWARDING_HEADERS = ["forwarded", "x-forwarded-for", "x-real-ip"] as const;

const plain = (address: string): string => address.replace(/^::ffff:/, "");

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
  const trusted = new BlockList();
  for (const entry of trustedProxies.split(",").map((each) => each.trim())) {
    if (entry === "") continue;
    const [address = "", bits] = entry.split("/");
    const family = isIP(address);
    if (family === 0 || (bits !== undefined && !/^\d{1,3}$/.test(bits))) {
      throw new Error(`TRUSTED_PROXIES: "${entry}" is no address or network`);
    }
    const kind = family === 6 ? "ipv6" : "ipv4";
    if (bits === undefined) trusted.addAddress(address, kind);
    else trusted.addSubnet(address, Number(bits), kind);
  }
  const isTrusted = (address: string): boolean => {
    const family = isIP(address);
    return family !== 0 && trusted.check(address, family === 6 ? "ipv6" : "ipv4");
  };
  const of = (request: IncomingMessage): string => {
    const direct = plain(request.socket.remoteAddress ?? "");
    const forwarded = request.headers["x-forwarded-for"];
    if (!isTrusted(direct) || forwarded === undefined) return direct;
    const hops = String(forwarded)
      .split(",")
      .map((hop) => plain(hop.trim()));
    return hops.findLast((hop) => isIP(hop) !== 0 && !isTrusted(hop)) ?? direct;
  };
  return {
    of,
    isHttps: (request) =>
      isTrusted(plain(request.socket.remoteAddress ?? "")) &&
      request.headers["x-forwarded-proto"] === "https",
    isLoopback: (request) =>
      isLoopbackAddress(plain(request.socket.remoteAddress ?? "")) &&
      FORWARDING_HEADERS.every((header) => request.headers[header] === undefined),
  };
};
