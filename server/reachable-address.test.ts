import type { NetworkInterfaceInfo } from "node:os";
import { expect, it } from "vitest";
import { reachableAddress } from "./reachable-address";

const at = (address: string, family: "IPv4" | "IPv6", internal: boolean) =>
  ({ address, family, internal }) as NetworkInterfaceInfo;

const INTERFACES = {
  lo: [at("127.0.0.1", "IPv4", true), at("::1", "IPv6", true)],
  eth0: [at("fe80::1", "IPv6", false), at("10.0.0.7", "IPv4", false)],
};

it.each([
  [{ address: "127.0.0.1", family: "IPv4" }, INTERFACES, "127.0.0.1:3000"],
  [{ address: "::1", family: "IPv6" }, INTERFACES, "[::1]:3000"],
  [{ address: "0.0.0.0", family: "IPv4" }, INTERFACES, "10.0.0.7:3000"],
  [{ address: "::", family: "IPv6" }, { eth0: [at("fe80::1", "IPv6", false)] }, "[fe80::1]:3000"],
  [{ address: "::", family: "IPv6" }, { lo: INTERFACES.lo }, "[::]:3000"],
  [{ address: "0.0.0.0", family: "IPv4" }, {}, "0.0.0.0:3000"],
])("a server that listens on %j is found at an address of the machine", (listening, interfaces, address) => {
  expect(reachableAddress({ ...listening, port: 3000 }, interfaces)).toBe(address);
});
