import { BlockList, isIP } from "node:net";

/** A set of addresses and networks. */
export interface Networks {
  has(address: string): boolean;
}

/**
 * Parses addresses and networks ("10.0.0.0/8, 127.0.0.1"), separated by commas or lines.
 * @returns the first invalid entry as the fault.
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
