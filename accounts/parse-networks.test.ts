import { describe, expect, it } from "vitest";
import { parseNetworks } from "./parse-networks";

describe("parseNetworks", () => {
  it.each([
    ["10.0.0.0/8", "10.200.3.4", true],
    ["10.0.0.0/8", "11.0.0.1", false],
    ["203.0.113.7, 2001:db8::/32", "2001:db8::5", true],
    ["203.0.113.7\n2001:db8::/32", "203.0.113.7", true],
    ["0.0.0.0/0", "8.8.8.8", true],
    ["0.0.0.0/0", "::1", false],
    ["203.0.113.7", "not an address", false],
    ["", "8.8.8.8", false],
  ])("%s has %s: %s", (text, address, expected) => {
    const networks = parseNetworks(text);
    if ("fault" in networks) throw new Error(networks.fault);
    expect(networks.has(address)).toBe(expected);
  });

  it.each([
    ["10.0.0.0/33", "10.0.0.0/33"],
    ["10.0.0.1, home", "home"],
    ["10.0.0", "10.0.0"],
    ["::1/129", "::1/129"],
    ["10.0.0.0/8/8", "10.0.0.0/8/8"],
    ["10.0.0.0/-1", "10.0.0.0/-1"],
  ])("names the fault in %s", (text, fault) => {
    expect(parseNetworks(text)).toEqual({ fault });
  });
});
