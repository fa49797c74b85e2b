import { lookup as dnsLookup, type LookupAddress, type LookupOptions } from "node:dns";
import { Resolver } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import { networkInterfaces } from "node:os";

/*
 * An administrator may point a channel at a private or loopback address (Ollama, vLLM), but not at a cloud's metadata
 * service, which reveals the machine's own credentials: link-local addresses (AWS, Google, Azure, Oracle, Tencent and
 * most others), and those of Alibaba, Azure's wire server, Volcengine, UCloud, Oracle's first generation, and of AWS,
 * Google and Scaleway over IPv6.
 */
const metadata = new BlockList();
metadata.addSubnet("169.254.0.0", 16, "ipv4");
for (const address of ["100.100.100.200", "168.63.129.16", "100.96.0.96", "100.80.80.80", "192.0.0.192"])
  metadata.addAddress(address, "ipv4");
metadata.addSubnet("fe80::", 10, "ipv6");
metadata.addSubnet("fd00:ec2::", 32, "ipv6");
metadata.addAddress("fd20:ce::254", "ipv6");
metadata.addAddress("fd00:42::42", "ipv6");

/** The sixteen bytes of an IPv6 address, undefined for an invalid address or one with a zone. */
export const bytesOf = (address: string): number[] | undefined => {
  if (isIP(address) !== 6 || address.includes("%")) return undefined;
  // The normal form of `URL` has no dotted ends.
  const [head = "", tail = ""] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const read = (text: string): number[] =>
    text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));
  const [before, after] = [read(head), read(tail)];
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => 0);
  return [...before, ...zeros, ...after].flatMap((group) => [group >> 8, group & 255]);
};

const MAPPED = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];
const COMPATIBLE = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
const TRANSLATED = [0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0];
const NAT64 = [0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0];
const LOCAL_NAT64 = [0, 0x64, 0xff, 0x9b, 0, 1];
const SIX_TO_FOUR = [0x20, 0x02];
const TEREDO = [0x20, 0x01, 0, 0];

/**
 * The IPv4 addresses that an IPv6 address may lead to, because a translator on the route extracts them: mapped,
 * compatible and translated ones (RFC 4291, RFC 2765), NAT64 (RFC 6052, RFC 8215), 6to4 (RFC 3056) and Teredo (RFC
 * 4380).
 */
const carriedBy = (address: string): string[] => {
  const bytes = bytesOf(address);
  if (!bytes) return [];
  const begins = (prefix: readonly number[]): boolean => prefix.every((byte, index) => bytes[index] === byte);
  const carried: number[][] = [];
  if ([MAPPED, COMPATIBLE, TRANSLATED, NAT64, LOCAL_NAT64].some(begins)) carried.push(bytes.slice(12));
  if (begins(LOCAL_NAT64)) {
    // Its operator chooses the length of its prefix: 48, 56 or 64 bits, and the ninth byte is left out.
    const others = bytes.toSpliced(8, 1);
    carried.push(others.slice(6, 10), others.slice(7, 11), others.slice(8, 12));
  }
  if (begins(SIX_TO_FOUR)) carried.push(bytes.slice(2, 6));
  // Its server, and its client with all bits turned over.
  if (begins(TEREDO))
    carried.push(
      bytes.slice(4, 8),
      bytes.slice(12).map((byte) => byte ^ 0xff),
    );
  return carried.map((four) => four.join("."));
};

/** A name that leads to an address that is not allowed. */
export class AddressBlocked extends Error {
  override readonly name = "AddressBlocked";
  constructor(readonly host: string) {
    super(host);
  }
}

/** Whether connections to an IP address, and to all addresses it may be translated to, are allowed. */
export const isAddressAllowed = (address: string): boolean => {
  const family = isIP(address);
  if (family === 4) return !metadata.check(address, "ipv4");
  // A zone names one of this machine's links, where all addresses are link-local.
  if (family === 0 || address.includes("%")) return false;
  return !metadata.check(address, "ipv6") && carriedBy(address).every(isAddressAllowed);
};

/*
 * Addresses named by a client of the gateway must be in the public internet: all special-purpose networks are refused
 * (https://www.iana.org/assignments/iana-ipv4-special-registry and …/iana-ipv6-special-registry).
 */
// One list per family: an IPv4 address would also match the IPv6 network that maps it.
const specialIpv4 = new BlockList();
const specialIpv6 = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const) {
  specialIpv4.addSubnet(network, prefix, "ipv4");
}
for (const [network, prefix] of [
  // Everything outside of 2000::/3, which contains all public addresses, and the special-purpose networks within it.
  ["::", 3],
  ["4000::", 2],
  ["8000::", 1],
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const) {
  specialIpv6.addSubnet(network, prefix, "ipv6");
}

/**
 * Whether an address is this machine's own. A connection to it bypasses every firewall in front of the machine, and
 * reaches services that only those protect. Not cached, because addresses come and go; this is rare.
 */
const isOfThisMachine = (address: string): boolean => {
  const own = new BlockList();
  for (const one of Object.values(networkInterfaces()).flatMap((each) => each ?? []))
    own.addAddress(one.address, one.family === "IPv6" ? "ipv6" : "ipv4");
  return own.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
};

/** Whether an IP address is in the public internet, and not on this machine. */
export const isAddressPublic = (address: string): boolean => {
  if (!isAddressAllowed(address)) return false;
  const isSpecial =
    isIP(address) === 6 ? specialIpv6.check(address, "ipv6") : specialIpv4.check(address, "ipv4");
  return !isSpecial && !isOfThisMachine(address);
};

type LookupCallback = (
  error: NodeJS.ErrnoException | null,
  address: string | LookupAddress[],
  family?: number,
) => void;

/** Callbacks of the running lookups. */
const waiting = new Map<string, LookupCallback[]>();

/**
 * A name lookup for net.connect that refuses blocked addresses after the name is resolved. All concurrent requests for
 * a name share one lookup: two threads serve all names, and a channel with unreachable name servers would otherwise
 * block one of them per request for the system's timeout, long after the request was abandoned.
 */
export const guardedLookup = (hostname: string, options: LookupOptions, callback: LookupCallback): void => {
  const key = `${hostname} ${options.family} ${options.all} ${options.hints}`;
  const others = waiting.get(key);
  if (others) {
    others.push(callback);
    return;
  }
  const callbacks = [callback];
  waiting.set(key, callbacks);
  dnsLookup(hostname, options, (error, address, family) => {
    waiting.delete(key);
    const addresses = typeof address === "string" ? [address] : (address ?? []).map((each) => each.address);
    const refusal = error ?? (addresses.every(isAddressAllowed) ? null : new AddressBlocked(hostname));
    for (const each of callbacks) each(refusal, address, family);
  });
};

let resolver: Resolver | undefined;

/** Milliseconds that a name server has for each of two tries. */
const RESOLVE_TIMEOUT_MS = 2_000;

const resolveAll = async (hostname: string, family: LookupOptions["family"]): Promise<LookupAddress[]> => {
  resolver ??= new Resolver({ timeout: RESOLVE_TIMEOUT_MS, tries: 2 });
  const ask = async (kind: 4 | 6, resolving: Promise<string[]>): Promise<LookupAddress[]> =>
    (await resolving).map((address) => ({ address, family: kind }));
  const answers = await Promise.allSettled([
    ...(family === 6 || family === "IPv6" ? [] : [ask(4, resolver.resolve4(hostname))]),
    ...(family === 4 || family === "IPv4" ? [] : [ask(6, resolver.resolve6(hostname))]),
  ]);
  return answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
};

/**
 * The same for names that a guest may choose: only public addresses pass. Such a name may belong to a name server that
 * never answers. The system's lookup would then block one of two threads, on which the lookups of channels depend
 * (https://nodejs.org/api/dns.html#implementation-considerations), so these names are resolved over the network
 * directly.
 */
export const publicLookup = (hostname: string, options: LookupOptions, callback: LookupCallback): void => {
  resolveAll(hostname, options.family).then(
    (addresses) => {
      const [first] = addresses;
      if (!first) {
        callback(Object.assign(new Error(`${hostname} has no address`), { code: "ENOTFOUND" }), []);
      } else if (!addresses.every(({ address }) => isAddressPublic(address)))
        callback(new AddressBlocked(hostname), []);
      else if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    },
    (error: Error) => callback(error, []),
  );
};
