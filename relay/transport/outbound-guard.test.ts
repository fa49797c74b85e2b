import { createRandom } from "@tollgate/testkit/random";
import { describe, expect, it } from "vitest";
import { isOriginBlocked } from "./blocked-origin";
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

/** Ways to write an IPv4 address as the host of a URL. */
const HOSTS: Readonly<Record<string, (bytes: readonly number[]) => string>> = {
  "as always": (bytes) => bytes.join("."),
  "with a dot at its end": (bytes) => `${bytes.join(".")}.`,
  octal: (bytes) => bytes.map((byte) => `0${byte.toString(8)}`).join("."),
  hexadecimal: (bytes) => bytes.map((byte) => `0x${byte.toString(16)}`).join("."),
  "as one number": (bytes) => String(numberOf(bytes)),
  "as one hexadecimal number": (bytes) => `0x${numberOf(bytes).toString(16)}`,
  "in three parts": ([a, b, c = 0, d = 0]) => `${a}.${b}.${c * 256 + d}`,
  "in two parts": ([a, ...others]) => `${a}.${numberOf(others)}`,
  "in wide digits": (bytes) =>
    bytes
      .join(".")
      .replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit)))
      .replaceAll(".", "\u3002"),
  escaped: (bytes) => bytes.join(".").replace(/\d/g, (digit) => `%3${digit}`),
  "behind a user": (bytes) => `8.8.8.8@${bytes.join(".")}`,
  "with a port": (bytes) => `${bytes.join(".")}:8080`,
};

/** Ways in which an IPv6 address leads to an IPv4 one. */
const CARRIERS: Readonly<Record<string, (bytes: readonly number[]) => string>> = {
  mapped: (bytes) => `::ffff:${bytes.join(".")}`,
  "mapped, in groups": (bytes) => `0:0:0:0:0:ffff:${high(bytes)}:${low(bytes)}`,
  compatible: (bytes) => `::${high(bytes)}:${low(bytes)}`,
  translated: (bytes) => `::ffff:0:${high(bytes)}:${low(bytes)}`,
  NAT64: (bytes) => `64:ff9b::${high(bytes)}:${low(bytes)}`,
  "local NAT64 of 96 bits": (bytes) => `64:ff9b:1:1:2:3:${high(bytes)}:${low(bytes)}`,
  "local NAT64 of 48 bits": ([a = 0, b = 0, c = 0, d = 0]) =>
    `64:ff9b:1:${group(a, b)}:${group(0, c)}:${group(d, 0)}::`,
  "local NAT64 of 56 bits": ([a = 0, b = 0, c = 0, d = 0]) =>
    `64:ff9b:1:${group(9, a)}:${group(0, b)}:${group(c, d)}::`,
  "local NAT64 of 64 bits": ([a = 0, b = 0, c = 0, d = 0]) =>
    `64:ff9b:1:9:${group(0, a)}:${group(b, c)}:${group(d, 0)}:0`,
  "6to4": (bytes) => `2002:${high(bytes)}:${low(bytes)}::1`,
  "Teredo, as its server": (bytes) => `2001::${high(bytes)}:${low(bytes)}:0:0:0:1`.replace("::", ":0:"),
  "Teredo, as its client": (bytes) => {
    const turned = bytes.map((byte) => byte ^ 255);
    return `2001:0:4136:e378:8000:63bf:${high(turned)}:${low(turned)}`;
  },
};

const numberOf = (bytes: readonly number[]): number => bytes.reduce((sum, byte) => sum * 256 + byte, 0);
const group = (left: number, right: number): string => (left * 256 + right).toString(16);
const high = ([a = 0, b = 0]: readonly number[]): string => group(a, b);
const low = ([, , c = 0, d = 0]: readonly number[]): string => group(c, d);

const METADATA = [
  [169, 254, 169, 254],
  [169, 254, 170, 2],
  [169, 254, 0, 23],
  [100, 100, 100, 200],
  [168, 63, 129, 16],
  [100, 96, 0, 96],
  [100, 80, 80, 80],
  [192, 0, 0, 192],
];

describe("a metadata service", () => {
  it.each(Object.keys(HOSTS))("is refused with its IPv4 address written %s", (way) => {
    for (const bytes of METADATA) {
      const origin = `http://${HOSTS[way]?.(bytes)}`;
      expect(isOriginBlocked(origin), origin).toBe(true);
      expect(isOriginBlocked(origin.replace("http", "wss")), origin).toBe(true);
    }
  });

  it.each(Object.keys(CARRIERS))("is refused where IPv6 carries its address: %s", (way) => {
    const random = createRandom(64);
    const linkLocal = Array.from({ length: 100 }, () => [
      169,
      254,
      ...[0, 0].map(() => Math.floor(random() * 256)),
    ]);
    for (const bytes of [...METADATA, ...linkLocal]) {
      const address = CARRIERS[way]?.(bytes) ?? "";
      expect(isAddressAllowed(address), address).toBe(false);
      expect(isAddressPublic(address), address).toBe(false);
      expect(isOriginBlocked(`https://[${address}]:8443`), address).toBe(true);
    }
    // Others pass, where they did.
    const other = CARRIERS[way]?.([8, 8, 8, 8]) ?? "";
    expect(isAddressAllowed(other), other).toBe(true);
    expect(isAddressPublic(other), other).toBe(false);
  });

  it.each([
    "http://metadata.google.internal",
    "http://METADATA.google.internal.:80",
    "http://metadata.tencentyun.com",
    "http://instance-data.ec2.internal",
    "http://[fd00:ec2::254]",
    "http://[fd00:ec2::23]",
    "http://[fd20:ce::254]",
    "http://[fd00:42::42]",
    "http://[fe80::a9fe:a9fe]",
  ])("is refused as %s", (origin) => {
    expect(isOriginBlocked(origin)).toBe(true);
  });

  it("is refused on a link of this machine", () => {
    expect(isAddressAllowed("fe80::1%eth0")).toBe(false);
    expect(isAddressAllowed("2606:4700::1111%eth0")).toBe(false);
  });
});

describe("an address of an IPv4 network that is no part of the public internet", () => {
  it.each([
    [[0], 8],
    [[10], 8],
    [[100, 64], 10],
    [[127], 8],
    [[169, 254], 16],
    [[172, 16], 12],
    [[192, 0, 0], 24],
    [[192, 0, 2], 24],
    [[192, 168], 16],
    [[198, 18], 15],
    [[198, 51, 100], 24],
    [[203, 0, 113], 24],
    [[224], 4],
    [[240], 4],
  ] as const)("of %j/%i is refused, whatever carries it", (network, bits) => {
    const random = createRandom(bits);
    const first = numberOf([...network, 0, 0, 0, 0].slice(0, 4));
    const size = 2 ** (32 - bits);
    const offsets = [0, size - 1, ...Array.from({ length: 50 }, () => Math.floor(random() * size))];
    for (const offset of offsets) {
      const bytes = [24, 16, 8, 0].map((shift) => Math.floor((first + offset) / 2 ** shift) % 256);
      for (const way of ["as always", "in wide digits", "octal"]) {
        const { hostname } = new URL(`http://${HOSTS[way]?.(bytes)}`);
        expect(isAddressPublic(hostname), hostname).toBe(false);
      }
      for (const carry of Object.values(CARRIERS)) expect(isAddressPublic(carry(bytes))).toBe(false);
    }
  });
});
