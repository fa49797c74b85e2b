import { describe, expect, it } from "vitest";
import { isAddressAllowed, isAddressPublic } from "./outbound-guard";

describe("isAddressAllowed", () => {
  it.each(["127.0.0.1", "10.0.0.5", "192.168.1.1", "8.8.8.8", "::1", "2606:4700::1111"])(
    "lets %s pass",
    (address) => {
      expect(isAddressAllowed(address)).toBe(true);
    },
  );

  it.each([
    "169.254.169.254",
    "169.254.170.2",
    "100.100.100.200",
    "168.63.129.16",
    "fd00:ec2::254",
    "fe80::1",
    "::ffff:169.254.169.254",
    "not an address",
  ])("blocks %s", (address) => {
    expect(isAddressAllowed(address)).toBe(false);
  });
});

describe("isAddressPublic", () => {
  it.each(["8.8.8.8", "1.1.1.1", "2606:4700::1111", "2a00:1450:4001:800::200e"])(
    "lets %s pass",
    (address) => {
      expect(isAddressPublic(address)).toBe(true);
    },
  );

  it.each([
    "127.0.0.1",
    "0.0.0.0",
    "10.0.0.5",
    "172.31.255.255",
    "192.168.1.1",
    "100.64.0.1",
    "169.254.169.254",
    "168.63.129.16",
    "198.18.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:8.8.8.8",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "2001:db8::1",
    "fc00::1",
    "fd12:3456::1",
    "fe80::1",
    "ff02::1",
    "not an address",
  ])("blocks %s", (address) => {
    expect(isAddressPublic(address)).toBe(false);
  });
});
