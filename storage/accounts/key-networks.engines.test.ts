import { afterEach, beforeEach, expect, it } from "vitest";
import { onEngine } from "../testing/on-engine";
import { MASTER_KEY, newToken, newUser } from "../testing/sample-records";
import type { AccountsUnderTest, StoreUnderTest } from "./testing/accounts-under-test";
import { newPostgresStore } from "./testing/postgres-store";
import { newSqliteStore } from "./testing/sqlite-store";

const newStore = onEngine({ sqlite: newSqliteStore, postgres: newPostgresStore });

const HOUR = 3600;
const DAY = 24 * HOUR;
const NOW = 100 * DAY;

let store: StoreUnderTest;
let accounts: AccountsUnderTest;

beforeEach(async () => {
  store = await newStore();
  accounts = await store.open(MASTER_KEY);
  await accounts.changes.users.create(newUser(), 0, []);
  for (let id = 1; id <= 2; id += 1)
    await accounts.changes.tokens.create(newToken(1, { key: String(id).repeat(48) }));
});

afterEach(async () => {
  await accounts.close();
  await store.remove();
});

const note = (keyId: number, network: string, requests: number, hour: number): Promise<void> =>
  accounts.changes.keyNetworks.note([{ keyId, network, requests }], hour);

const newUse = (least = 1) => accounts.queries.keyNetworks.newUse(NOW, NOW - DAY, least);

it("finds requests of an hour from networks that are new to a key with a past", async () => {
  await note(1, "192.0.2.0/24", 5, NOW - 2 * DAY);
  await note(1, "192.0.2.0/24", 50, NOW);
  expect(await newUse()).toEqual([]);
  await note(1, "198.51.100.0/24", 3, NOW);
  await note(1, "198.51.100.0/24", 4, NOW);
  // First used at the end of the hour before, whose requests do not count.
  await note(1, "203.0.113.0/24", 100, NOW - HOUR);
  await note(1, "203.0.113.0/24", 2, NOW);
  // A key without a past has no usual network.
  await note(2, "198.51.100.0/24", 900, NOW);
  expect(await newUse()).toEqual([{ keyId: 1, networks: 2, requests: 9 }]);
  expect(await newUse(10)).toEqual([]);
});

it("forgets networks that were not used for long, and those of a deleted key", async () => {
  await note(1, "192.0.2.0/24", 5, NOW - 2 * DAY);
  await note(1, "198.51.100.0/24", 5, NOW);
  await accounts.changes.tokens.remove(1, 1);
  expect(await newUse()).toEqual([]);
  await note(1, "198.51.100.0/24", 5, NOW);
  expect(await accounts.ask("SELECT * FROM key_networks")).toEqual([]);
  await note(2, "192.0.2.0/24", 5, NOW - 2 * DAY);
  await accounts.changes.keyNetworks.removeUnused(NOW - DAY);
  expect(await accounts.ask("SELECT * FROM key_networks")).toEqual([]);
});

it("keeps no address, and a bounded number of networks for each key", async () => {
  await accounts.changes.keyNetworks.note(
    Array.from({ length: 250 }, (_, index) => ({ keyId: 1, network: `10.0.${index}.0/24`, requests: 1 })),
    NOW - 2 * DAY,
  );
  const rows = await accounts.ask("SELECT * FROM key_networks");
  expect(rows).toHaveLength(200);
  expect(JSON.stringify(rows)).not.toContain("10.0");
  // Networks that are kept are still counted.
  await note(1, "10.0.0.0/24", 7, NOW);
  expect(await accounts.ask("SELECT requests FROM key_networks WHERE requests = 7")).toHaveLength(1);
});

it("has different hashes of one network for two keys", async () => {
  for (const keyId of [1, 2]) await note(keyId, "192.0.2.0/24", 1, NOW);
  const rows = await accounts.ask("SELECT DISTINCT network_hash FROM key_networks");
  expect(rows).toHaveLength(2);
});
