import { isIP } from "node:net";

/** An IPv4 address that came over an IPv6 socket (RFC 4291, section 2.5.5.2), in the spelling of `URL`. */
const MAPPED = /^\[::ffff:([\da-f]{1,4}):([\da-f]{1,4})\]$/;

/**
 * Reads an address: IPv4 unchanged (also inside IPv6), IPv6 in its one short spelling (RFC 5952).
 * @returns undefined for an invalid address, or one with a zone of the other end.
 */
export const readAddress = (text: string): string | undefined => {
  const family = isIP(text);
  // Joined again: a piece of a header would keep all of the header in memory, wherever it is remembered.
  if (family === 4) return text.split(".").map(Number).join(".");
  if (family === 0 || text.includes("%")) return undefined;
  const { hostname } = new URL(`http://[${text}]`);
  const [, high, low] = MAPPED.exec(hostname) ?? [];
  if (high === undefined || low === undefined) return hostname.slice(1, -1);
  const value = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return value.flatMap((each) => [each >> 8, each & 255]).join(".");
};

/** The groups of an IPv6 address, all eight. */
const groupsOf = (address: string): string[] => {
  const [before = "", after] = address.split("::");
  const head = before === "" ? [] : before.split(":");
  const tail = after === undefined || after === "" ? [] : after.split(":");
  const zeros = after === undefined ? 0 : 8 - head.length - tail.length;
  return [...head, ...Array.from({ length: zeros }, () => "0"), ...tail];
};

/**
 * Returns the network that identifies an address's owner: IPv4 is assigned by address, IPv6 by networks of 64 bits (RFC
 * 6177), in which one owner has 2^64 addresses.
 * @param address as `readAddress` returns it.
 */
export const subscriberNetwork = (address: string): string =>
  address.includes(":") ? `${groupsOf(address).slice(0, 4).join(":")}::/64` : address;

/**
 * Returns the network in which a client usually stays although its address changes: 24 bits of IPv4, 48 of IPv6.
 * @param address as `readAddress` returns it.
 */
export const networkOf = (address: string): string =>
  address.includes(":")
    ? `${groupsOf(address).slice(0, 3).join(":")}::/48`
    : `${address.split(".").slice(0, 3).join(".")}.0/24`;
