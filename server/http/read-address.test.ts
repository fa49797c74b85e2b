import { createRandom } from "@tollgate/testkit/random";
import { describe, expect, it } from "vitest";
import { readAddress, subscriberNetwork } from "./read-address";

describe("readAddress", () => {
  it.each([
    ["203.0.113.7", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["::FFFF:CB00:7107", "203.0.113.7"],
    ["0:0:0:0:0:ffff:cb00:7107", "203.0.113.7"],
    ["2001:DB8:0:0:0:0:0:1", "2001:db8::1"],
    ["::1", "::1"],
    ["fe80::1%eth0", undefined],
    ["localhost", undefined],
    ["", undefined],
    ["203.0.113", undefined],
  ])("%j is %s", (text, expected) => {
    expect(readAddress(text)).toBe(expected);
  });
});

describe("S3: subscriberNetwork", () => {
  it.each([
    ["203.0.113.7", "203.0.113.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8:1:2::6", "2001:db8:1:2::/64"],
    ["2001:db8::", "2001:db8:0:0::/64"],
    ["2001:db8::1:2:3:4:5", "2001:db8:0:1::/64"],
    ["::1", "0:0:0:0::/64"],
    ["1::", "1:0:0:0::/64"],
  ])("of %s is %s", (address, expected) => {
    expect(subscriberNetwork(address)).toBe(expected);
  });

  it("is one for all addresses of a network of 64 bits, and another for its neighbours", () => {
    const random = createRandom(64);
    const group = () => (random() < 0.4 ? 0 : Math.floor(random() * 65_536)).toString(16);
    for (let round = 0; round < 2000; round += 1) {
      const network = ["2001", group(), group(), group()];
      const host = () => [group(), group(), group(), group()];
      const of = (groups: string[]) => subscriberNetwork(readAddress(groups.join(":")) ?? "");
      const expected = `${network.join(":")}::/64`;
      expect(of([...network, ...host()])).toBe(expected);
      expect(of([...network, "0", "0", "0", "0"])).toBe(expected);
      const neighbour = [...network.slice(0, 3), (Number.parseInt(network[3] ?? "", 16) ^ 1).toString(16)];
      expect(of([...neighbour, ...host()])).not.toBe(expected);
    }
  });
});
