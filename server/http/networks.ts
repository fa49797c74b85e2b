import { BlockList, isIP } from "node:net";

/** Addresses and networks that one may ask about. */
export interface Networks {
  has(address: string): boolean;
}

/** An IPv4 address that came over an IPv6 socket (RFC 4291, section 2.5.5.2), in the spelling of `URL`. */
const MAPPED = /^\[::ffff:([\da-f]{1,4}):([\da-f]{1,4})\]$/;

/**
 * Reads an address: IPv4 as it is (also where IPv6 carries it), IPv6 in its one short spelling (RFC 5952).
 * @returns undefined for what is no address, or one of a zone of the other end.
 */
export const readAddress = (text: string): string | undefined => {
  const family = isIP(text);
  // Joined anew: a piece of a header would keep all of the header in memory, wherever it is remembered.
  if (family === 4) return text.split(".").map(Number).join(".");
  if (family === 0 || text.includes("%")) return undefined;
  const { hostname } = new URL(`http://[${text}]`);
  const [, high, low] = MAPPED.exec(hostname) ?? [];
  if (high === undefined || low === undefined) return hostname.slice(1, -1);
  const value = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return value.flatMap((each) => [each >> 8, each & 255]).join(".");
};

/**
 * Whom an address belongs to, as far as it tells: IPv4 is given out by the address, IPv6 by networks of 64 bits (RFC 6177),
 * in which whoever has one has 2^64 addresses.
 * @param address as `readAddress` has it.
 */
export const subscriberNetwork = (address: string): string => {
  if (!address.includes(":")) return address;
  const [before = "", after] = address.split("::");
  const head = before === "" ? [] : before.split(":");
  const tail = after === undefined || after === "" ? [] : after.split(":");
  const zeros = after === undefined ? 0 : 8 - head.length - tail.length;
  const groups = [...head, ...Array.from({ length: zeros }, () => "0"), ...tail];
  return `${groups.slice(0, 4).join(":")}::/64`;
};

/**
 * Reads addresses and networks ("10.0.0.0/8, 127.0.0.1"), separated by commas or lines.
 * @returns the first entry that is neither as the fault.
 */
export const parseNetworks = (text: string): Networks | { fault: string } => {
  const list = new BlockList();
  for (const entry of text.split(/[,\n]/).map((each) => each.trim())) {
    if (entry === "") continue;
    const [address = "", bits, ...more] = entry.split("/");
    const family = isIP(address);
    const most = family === 6 ? 128 : 32;
    const isBad = bits !== undefined && (!/^\d{1,3}$/.test(bits) || Number(bits) > most);
    if (family === 0 || isBad || more.length > 0) return { fault: entry };
    const kind = family === 6 ? "ipv6" : "ipv4";
    if (bits === undefined) list.addAddress(address, kind);
    else list.addSubnet(address, Number(bits), kind);
  }
  return {
    has(address) {
      const family = isIP(address);
      return family !== 0 && list.check(address, family === 6 ? "ipv6" : "ipv4");
    },
  };
};
