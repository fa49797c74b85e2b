import type { AddressInfo } from "node:net";
import type { networkInterfaces } from "node:os";

/** What a node is called, and where it listens: host and port. */
export interface NodePlace {
  readonly name: string;
  readonly address: string;
}

const ALL_INTERFACES: readonly string[] = ["0.0.0.0", "::"];

/** The first address by which other machines may reach this one. */
const outerAddress = (interfaces: ReturnType<typeof networkInterfaces>) =>
  Object.values(interfaces)
    .flatMap((addresses) => addresses ?? [])
    .sort((one, other) => one.family.localeCompare(other.family))
    .find(({ internal }) => !internal);

/**
 * Says where a node is found: a node that listens on all interfaces by one that other machines may reach.
 * @param hostname of the machine, by which a node is called that was given no name.
 */
export const nodePlace = (
  listening: AddressInfo,
  interfaces: ReturnType<typeof networkInterfaces>,
  hostname: string,
): NodePlace => {
  const outer = ALL_INTERFACES.includes(listening.address) ? outerAddress(interfaces) : undefined;
  const { address, family } = outer ?? listening;
  return {
    name: `${hostname}:${listening.port}`,
    address: `${family === "IPv6" ? `[${address}]` : address}:${listening.port}`,
  };
};
