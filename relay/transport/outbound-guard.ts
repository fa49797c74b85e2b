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

type LookupCallback = (
  error: NodeJS.ErrnoException | null,
  address: string | LookupAddress[],
  family?: number,
) => void;

/** A name look-up for net.connect that refuses blocked addresses after the name is resolved. */
export const guardedLookup = (hostname: string, options: LookupOptions, callback: LookupCallback): void => {
  dnsLookup(hostname, options, (error, address, family) => {
    const addresses = typeof address === "string" ? [address] : (address ?? []).map((each) => each.address);
    if (!error && !addresses.every(isAddressAllowed)) {
      callback(new AddressBlocked(`${hostname} resolves to a blocked address`), address, family);
      return;
    }
    callback(error, address, family);
  });
};
