import type { IncomingMessage } from "node:http";
import { parseNetworks } from "@tollgate/accounts/parse-networks";
import { readAddress, subscriberNetwork } from "./read-address";

/**
 * Headers that mark a forwarded request, in the spellings of nginx, Apache, HAProxy, Envoy, Traefik, Squid and the
 * large networks. One of them is enough: a browser or a program on this machine sends none.
 */
const FORWARDING_HEADER =
  /(?:^|-)forwarded(?:-|$)|^via$|^cdn-loop$|^x-original-|(?:^|-)(?:client|connecting|connection|real|remote|user|proxyuser|originating|peer|socket)-?(?:ip|ipv6|addr|address)$|^cf-|^x-envoy-|^x-amz-cf-|^fastly-|^proxy-connection$/;

const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])\.?(?::\d{1,5})?$/i;

const isLoopbackAddress = (address: string): boolean => address === "::1" || address.startsWith("127.");

/** Identifies callers by address. */
export interface ClientAddresses {
  /**
   * The caller's address, in one spelling. Headers are trusted only from a proxy that the operator named. Then the
   * addresses of X-Forwarded-For are read from the end, as far as trusted proxies wrote them: the first that is no
   * proxy is the caller's; entries before an unreadable one are not trusted.
   */
  of(request: IncomingMessage): string;
  /** The unit for counting calls: the caller's address; for IPv6 the network of 64 bits that one subscriber owns. */
  subscriberOf(request: IncomingMessage): string;
  /**
   * Whether the caller is on this machine: the connection comes from it, the Host is a loopback name (not a foreign
   * name that resolves to this machine), and no proxy marks the request as forwarded. A caller behind a named proxy on
   * this machine is not local.
   */
  isLocal(request: IncomingMessage): boolean;
  /** Whether the caller's browser uses HTTPS, as a trusted proxy reports. */
  isHttps(request: IncomingMessage): boolean;
}

/** An entry of X-Forwarded-For: an address, perhaps quoted, in brackets or with a port. */
const readHop = (hop: string): string | undefined => {
  // The caller wrote it: blanks are cut off before any pattern, which would try all the ways to divide them.
  const entry = hop.trim();
  const text = /^"([^"]*)"$/.exec(entry)?.[1] ?? entry;
  const [, bracketed, dotted] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/.exec(text) ?? [];
  return readAddress(bracketed ?? dotted ?? text);
};

/** Networks of machines that proxies stand on, not of visitors from the internet. */
const NEARBY = parseNetworks("127.0.0.0/8, 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, ::1/128, fc00::/7");

/**
 * @param trustedProxies comma-separated addresses and networks ("10.0.0.0/8, 127.0.0.1").
 * @param reportUnnamedProxy called once, when requests come through a proxy nearby that was not named: all of its visitors
 * share one address, and so one limit.
 * @throws Error naming an entry that is neither.
 */
export const createClientAddresses = (
  trustedProxies: string,
  reportUnnamedProxy?: (address: string) => void,
): ClientAddresses => {
  let report = reportUnnamedProxy;
  const trusted = parseNetworks(trustedProxies);
  if ("fault" in trusted) throw new Error(`TRUSTED_PROXIES: "${trusted.fault}" is no address or network`);
  const peerOf = ({ socket }: IncomingMessage): string => readAddress(socket.remoteAddress ?? "") ?? "";
  const of = (request: IncomingMessage): string => {
    let caller = peerOf(request);
    const forwarded = request.headers["x-forwarded-for"];
    if (forwarded === undefined) return caller;
    if (report && !trusted.has(caller) && "has" in NEARBY && NEARBY.has(caller)) {
      report(caller);
      report = undefined;
    }
    const hops = String(forwarded).split(",");
    while (trusted.has(caller)) {
      const hop = readHop(hops.pop() ?? "");
      if (hop === undefined) return caller;
      caller = hop;
    }
    return caller;
  };
  return {
    of,
    subscriberOf: (request) => subscriberNetwork(of(request)),
    isHttps: (request) => trusted.has(peerOf(request)) && request.headers["x-forwarded-proto"] === "https",
    isLocal(request) {
      const peer = peerOf(request);
      return (
        isLoopbackAddress(peer) &&
        !trusted.has(peer) &&
        LOOPBACK_HOST.test(request.headers.host ?? "") &&
        !Object.keys(request.headers).some((name) => FORWARDING_HEADER.test(name))
      );
    },
  };
};
