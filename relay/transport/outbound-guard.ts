import { lookup as dnsLookup, type LookupAddress, type LookupOptions } from "node:dns";
import { BlockList, isIP } from "node:net";

/*
 * An administrator may point a channel at a private or loopback address (Ollama, vLLM), but nobody at a cloud's
 * metadata service, which hands out the machine's own credentials.
 */
const metadata = new BlockList();
metadata.addSubnet("169.254.0.0", 16, "ipv4");
metadata.addAddress("100.100.100.200", "ipv4");
metadata.addAddress("168.63.129.16", "ipv4");
metadata.addAddress("fd00:ec2::254", "ipv6");
metadata.addSubnet("fe80::", 10, "ipv6");
metadata.addSubnet("::ffff:169.254.0.0", 112, "ipv6");
metadata.addAddress("::ffff:100.100.100.200", "ipv6");
metadata.addAddress("::ffff:168.63.129.16", "ipv6");

export class AddressBlocked extends Error {
  override readonly name = "AddressBlocked";
  readonly code = "ADDRESS_BLOCKED";
}

/** Whether an IP address may be connected to. */
export const isAddressAllowed = (address: string): boolean => {
  const family = isIP(address);
  return family !== 0 && !metadata.check(address, family === 6 ? "ipv6" : "ipv4");
};

/*
 * What a client of the gateway names itself must lie in the public internet: everything that is set aside for other uses
 * is refused (https://www.iana.org/assignments/iana-ipv4-special-registry and …/iana-ipv6-special-registry).
 */
// One list for each family: an IPv4 address would also match the IPv6 network that maps it.
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
  // Everything outside of 2000::/3, in which all public addresses lie, and what of that is set aside.
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

/** Whether an IP address lies in the public internet. */
export const isAddressPublic = (address: string): boolean => {
  if (!isAddressAllowed(address)) return false;
  return isIP(address) === 6 ? !specialIpv6.check(address, "ipv6") : !specialIpv4.check(address, "ipv4");
};

type LookupCallback = (
  error: NodeJS.ErrnoException | null,
  address: string | LookupAddress[],
  family?: number,
) => void;

const lookupGuardedBy =
  (isAllowed: (address: string) => boolean) =>
  (hostname: string, options: LookupOptions, callback: LookupCallback): void => {
    dnsLookup(hostname, options, (error, address, family) => {
      const addresses = typeof address === "string" ? [address] : (address ?? []).map((each) => each.address);
      if (!error && !addresses.every(isAllowed)) {
        callback(new AddressBlocked(`${hostname} resolves to a blocked address`), address, family);
        return;
      }
      callback(error, address, family);
    });
  };

/** A name look-up for net.connect that refuses blocked addresses after the name is resolved. */
export const guardedLookup = lookupGuardedBy(isAddressAllowed);

/** The same for addresses that anybody may name: only public ones pass. */
export const publicLookup = lookupGuardedBy(isAddressPublic);
