import type { IncomingMessage } from "node:http";
import { startCpuClock } from "@tollgate/testkit/cpu-clock";
import { createRandom } from "@tollgate/testkit/random";
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

describe("S10: an X-Forwarded-For with an invalid address", () => {
  const of = (forwarded: string, proxies = "10.0.0.0/8, ::1") =>
    createClientAddresses(proxies).of(request("10.1.1.1", { "x-forwarded-for": forwarded }));

  it.each([
    // The client's own header precedes the entry that the proxy could not name.
    ["1.2.3.4, unknown", "10.1.1.1"],
    ["1.2.3.4, ", "10.1.1.1"],
    ["1.2.3.4, _hidden, 10.2.2.2", "10.2.2.2"],
    ["1.2.3.4, 5.6.7.8:port", "10.1.1.1"],
    ["1.2.3.4, 5.6.7.8:99999999", "10.1.1.1"],
    ["1.2.3.4, fe80::1%eth0", "10.1.1.1"],
    ['1.2.3.4, "5.6.7.8', "10.1.1.1"],
    ["", "10.1.1.1"],
    // Every hop is a proxy: the first of them is who called.
    ["10.3.3.3, 10.2.2.2", "10.3.3.3"],
    ["9.9.9.9, 1.2.3.4:5678", "1.2.3.4"],
    ["9.9.9.9, [2001:db8::1]:80", "2001:db8::1"],
    ['9.9.9.9, "[2001:DB8:0::1]:47"', "2001:db8::1"],
    ["9.9.9.9, [2001:db8::1]", "2001:db8::1"],
    ["9.9.9.9, ::ffff:1.2.3.4", "1.2.3.4"],
    ["9.9.9.9, ::FFFF:0102:0304", "1.2.3.4"],
    ["9.9.9.9, 1.2.3.4, [::1]:80", "1.2.3.4"],
  ])("%j is %s", (forwarded, expected) => {
    expect(of(forwarded)).toBe(expected);
  });

  it("is read in no time, however many blanks stand in it", () => {
    const workedMs = startCpuClock();
    for (const forwarded of [`1.2.3.4,${" ".repeat(2000)}"`, `a${" ".repeat(2000)}a`, `"${" ".repeat(2000)}`])
      expect(of(forwarded)).toBe("10.1.1.1");
    expect(workedMs()).toBeLessThan(1000);
  });

  it("never gives the word of who is no proxy, whatever stands before and however the proxy spells it", () => {
    const random = createRandom(10);
    const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
    const junk = () =>
      Array.from({ length: Math.floor(random() * 8) }, () => pick([...'0123456789abcdef.:[]"%_ ,-'])).join(
        "",
      );
    const SPELLINGS = [
      ["198.51.100.7", "198.51.100.7:443", '"198.51.100.7:1"', "::ffff:198.51.100.7", "[::ffff:c633:6407]:9"],
      ["2001:db8::7", "[2001:db8::7]", '"[2001:0DB8:0::7]:65535"', " 2001:db8:0:0:0:0:0:7 "],
    ] as const;
    const PROXIES = ["10.0.0.1", "10.9.9.9:1234", "::1", "[::1]:80"];
    for (let round = 0; round < 5000; round += 1) {
      const spellings = pick(SPELLINGS);
      const forged = Array.from({ length: Math.floor(random() * 4) }, () =>
        pick([junk(), "203.0.113.5", "10.0.0.1", "unknown"]),
      );
      const proxies = Array.from({ length: Math.floor(random() * 3) }, () => pick(PROXIES));
      const header = [...forged, pick(spellings), ...proxies].join(",");
      expect(of(header), header).toBe(spellings[0]);
      // Where a trusted proxy could not name its caller, nothing before is believed either.
      const unnamed = [...forged, pick(["unknown", "", "_x"]), ...proxies].join(",");
      expect(["10.1.1.1", "10.0.0.1", "10.9.9.9", "::1"], unnamed).toContain(of(unnamed));
    }
  });
});

describe("S4: a caller on this machine", () => {
  const local = (remote: string, headers: Record<string, string>, proxies = "") =>
    createClientAddresses(proxies).isLocal(request(remote, headers));

  it.each(["127.0.0.1:3000", "127.0.0.1", "localhost:3000", "LOCALHOST", "[::1]:3000", "127.1.2.3:80"])(
    "asks for it as %s",
    (host) => {
      for (const remote of ["127.0.0.1", "::1", "::ffff:127.0.0.1"])
        expect(local(remote, { host })).toBe(true);
      expect(local("192.168.1.5", { host })).toBe(false);
    },
  );

  it.each([
    "evil.example",
    "localhost.evil.example",
    "127.0.0.1.evil.example:3000",
    "gateway.example.com",
    "192.168.1.2:3000",
    "0.0.0.0:3000",
    "",
  ])("is none who asks for %j: a foreign page's name may resolve to this machine", (host) => {
    expect(local("127.0.0.1", { host })).toBe(false);
  });

  it("is none without a Host", () => {
    expect(local("127.0.0.1", {})).toBe(false);
  });

  it("is none whose connection comes from a proxy that the operator named", () => {
    expect(local("127.0.0.1", { host: "127.0.0.1" }, "127.0.0.1")).toBe(false);
  });

  it.each([
    "forwarded",
    "x-forwarded",
    "forwarded-for",
    "x-forwarded-for",
    "x-forwarded-host",
    "x-forwarded-proto",
    "x-forwarded-port",
    "x-original-forwarded-for",
    "x-vercel-forwarded-for",
    "x-real-ip",
    "via",
    "cf-connecting-ip",
    "cf-ray",
    "true-client-ip",
    "x-client-ip",
    "x-cluster-client-ip",
    "x-azure-clientip",
    "x-azure-socketip",
    "fastly-client-ip",
    "fly-client-ip",
    "x-appengine-user-ip",
    "x-envoy-external-address",
    "x-originating-ip",
    "x-remote-addr",
    "x-original-url",
    "cdn-loop",
  ])("is none whose request has %s", (header) => {
    expect(local("127.0.0.1", { host: "127.0.0.1:3000", [header]: "127.0.0.1" })).toBe(false);
  });

  it("is told by its headers for a browser or a program", () => {
    const headers = {
      host: "127.0.0.1:3000",
      connection: "keep-alive",
      "user-agent": "Mozilla/5.0",
      "sec-fetch-site": "same-origin",
      "sec-fetch-user": "?1",
      origin: "http://127.0.0.1:3000",
      referer: "http://127.0.0.1:3000/login",
      "accept-language": "zh-CN",
      cookie: "session=x",
      "cache-control": "no-cache",
      "upgrade-insecure-requests": "1",
      "x-requested-with": "XMLHttpRequest",
    };
    expect(local("127.0.0.1", headers)).toBe(true);
  });
});

describe("O5: a proxy that the operator did not name", () => {
  const from = (remoteAddress: string, headers: Record<string, string>) =>
    ({ socket: { remoteAddress }, headers }) as unknown as IncomingMessage;
  const FORWARDED = { "x-forwarded-for": "203.0.113.9" };

  it("is reported once, and only where one can stand", () => {
    const reported: string[] = [];
    const addresses = createClientAddresses("10.0.0.1", (address) => reported.push(address));
    addresses.of(from("203.0.113.1", FORWARDED));
    addresses.of(from("10.0.0.1", FORWARDED));
    addresses.of(from("127.0.0.1", {}));
    expect(reported).toEqual([]);
    expect(addresses.of(from("::ffff:127.0.0.1", FORWARDED))).toBe("127.0.0.1");
    addresses.of(from("192.168.1.1", FORWARDED));
    expect(reported).toEqual(["127.0.0.1"]);
  });
});
