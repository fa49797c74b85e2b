import type { AddressInfo } from "node:net";
import type { networkInterfaces } from "node:os";

const ALL_INTERFACES: readonly string[] = ["0.0.0.0", "::"];

/** The first address by which other machines may reach this one. */
const outerAddress = (interfaces: ReturnType<typeof networkInterfaces>) =>
  Object.values(interfaces)
    .flatMap((addresses) => addresses ?? [])
    .sort((one, other) => one.family.localeCompare(other.family))
    .find(({ internal }) => !internal);

/** Host and port of a server; if it listens on all interfaces, of one that other machines may reach. */
export const reachableAddress = (
  listening: AddressInfo,
  interfaces: ReturnType<typeof networkInterfaces>,
): string => {
  const outer = ALL_INTERFACES.includes(listening.address) ? outerAddress(interfaces) : undefined;
  const { address, family } = outer ?? listening;
  return `${family === "IPv6" ? `[${address}]` : address}:${listening.port}`;
};
