import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { createClientAddresses } from "./client-address";

const request = (remoteAddress: string, headers: Record<string, string> = {}) =>
  ({ socket: { remoteAddress }, headers }) as unknown as IncomingMessage;

describe("the caller's address", () => {
  it.each([
    ["", "203.0.113.9", "1.2.3.4", "203.0.113.9"],
    ["10.0.0.0/8", "10.1.1.1", "1.2.3.4", "1.2.3.4"],
    ["10.0.0.0/8", "10.1.1.1", "9.9.9.9, 1.2.3.4, 10.2.2.2", "1.2.3.4"],
    ["10.0.0.0/8", "203.0.113.9", "1.2.3.4", "203.0.113.9"],
    ["127.0.0.1, ::1", "::ffff:127.0.0.1", "1.2.3.4", "1.2.3.4"],
    ["10.0.0.0/8", "10.1.1.1", "not an address", "10.1.1.1"],
    ["2001:db8::/32", "2001:db8::1", "2001:db9::5", "2001:db9::5"],
  ])("with the proxies %j, from %s forwarding %j, is %s", (proxies, remote, forwarded, expected) => {
    expect(createClientAddresses(proxies).of(request(remote, { "x-forwarded-for": forwarded }))).toBe(
      expected,
    );
  });

  it("refuses a setting that names no address", () => {
    expect(() => createClientAddresses("10.0.0.0/8, proxy.example.com")).toThrow(/proxy\.example\.com/);
  });
});

describe("a caller on this machine", () => {
  it.each([
    ["127.0.0.1", {}, true],
    ["::1", {}, true],
    ["::ffff:127.0.0.1", {}, true],
    ["192.168.1.5", {}, false],
    ["127.0.0.1", { "x-forwarded-for": "8.8.8.8" }, false],
    ["127.0.0.1", { "x-real-ip": "127.0.0.1" }, false],
    ["127.0.0.1", { forwarded: "for=8.8.8.8" }, false],
  ])("from %s with %j: %s", (remote, headers, expected) => {
    expect(createClientAddresses("127.0.0.1").isLoopback(request(remote, headers))).toBe(expected);
  });
});
