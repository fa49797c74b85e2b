import { expect, it } from "vitest";
import { KeyNetworks } from "./key-networks";

it("counts requests per key and network, and begins again after each report", () => {
  const networks = new KeyNetworks(() => true);
  for (const address of [
    "192.0.2.1",
    "192.0.2.200",
    "198.51.100.1",
    "2001:db8:1:2::3",
    "2001:db8:1:9::4",
    "",
  ])
    networks.note(1, address);
  networks.note(2, "192.0.2.1");
  expect(networks.take()).toEqual([
    { keyId: 1, network: "192.0.2.0/24", requests: 2 },
    { keyId: 1, network: "198.51.100.0/24", requests: 1 },
    { keyId: 1, network: "2001:db8:1::/48", requests: 2 },
    { keyId: 2, network: "192.0.2.0/24", requests: 1 },
  ]);
  expect(networks.take()).toEqual([]);
});

it("keeps nothing while networks are not watched, and no more than its bounds", () => {
  let isWatched = false;
  const networks = new KeyNetworks(() => isWatched);
  networks.note(1, "192.0.2.1");
  expect(networks.take()).toEqual([]);
  isWatched = true;
  for (let index = 0; index < 300; index += 1) networks.note(1, `10.${index >> 8}.${index & 255}.1`);
  expect(networks.take()).toHaveLength(100);
  for (let id = 0; id < 10_050; id += 1) networks.note(id, "192.0.2.1");
  expect(networks.take()).toHaveLength(10_000);
});
