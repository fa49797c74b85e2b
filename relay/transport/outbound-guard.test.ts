import { describe, expect, it } from "vitest";
import { isAddressAllowed } from "./outbound-guard";

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
