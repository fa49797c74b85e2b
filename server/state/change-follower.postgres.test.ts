import { performance } from "node:perf_hooks";
import { type Accounts, createAccounts, loadAccounts } from "@tollgate/accounts/accounts";
import type { Pricing } from "@tollgate/relay/ports/charges";
import { Channels } from "@tollgate/relay/routing/channels";
import { openBookings } from "@tollgate/storage/accounts/postgres/open-bookings";
import { openPostgresLog } from "@tollgate/storage/postgres-log";
import { openPostgresStores, type PostgresStores } from "@tollgate/storage/postgres-stores";
import { createSecrets } from "@tollgate/storage/secrets";
import { askDatabase, newDatabase } from "@tollgate/storage/testing/new-database";
import { MASTER_KEY, newChannel } from "@tollgate/storage/testing/sample-records";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { accountStoreOf, readStoredAccounts, readStoredChannels } from "./account-store";
import { createChangeFollower } from "./change-follower";
import { Options } from "./options";
import { createPricing } from "./pricing";

const NOW = 1000;
/** Maximum delay until a change on one node holds on the others. */
const BOUND_MS = 1000;
/** Of a promise in seconds a busy machine may break one by itself, hardly three in a row. */
const TIMED = { retry: 2 };

/** One process's memory, over a shared database. */
interface Node {
  stores: PostgresStores;
  accounts: Accounts;
  channels: Channels;
  options: Options;
  pricing: Pricing;
  close(): Promise<void>;
}

const openNode = async (address: string): Promise<Node> => {
  const stores = await openPostgresStores({
    address,
    readAddress: undefined,
    masterKey: MASTER_KEY,
    nodeLifeMs: 10_000,
    reportError: () => {},
    openLog: openPostgresLog,
    openBookings,
  });
  const secrets = createSecrets(MASTER_KEY);
  const options = await Options.load(stores.read, stores.write);
  const accounts = createAccounts(accountStoreOf(stores), {
    hash: (text) => secrets.hash(text),
    now: () => NOW,
    amountUnit: () => ({ quotaPerUnit: 500_000, isCurrency: false }),
    reportError: () => {},
  });
  await loadAccounts(accounts, await readStoredAccounts(stores.read, NOW));
  const channels = new Channels(stores.write.channels, {
    incidents: { channelDisabled: () => {}, keyDisabled: () => {}, channelEnabled: () => {} },
    isDisablingOn: () => true,
    nowMs: () => 0,
    announce: accounts.changes.announce,
    reportError: () => {},
  });
  await channels.load(readStoredChannels(stores.read));
  const quiet = { now: () => NOW, onRecall: () => {}, reportError: () => {} };
  stores.feed.follow(createChangeFollower(stores.readInOrder, { accounts, channels, options }, quiet));
  const pricing = createPricing(options, () => 0);
  return { stores, accounts, channels, options, pricing, close: () => stores.close() };
};

let address: string;
let one: Node;
let other: Node;

beforeEach(async () => {
  address = await newDatabase();
  one = await openNode(address);
  other = await openNode(address);
});
afterEach(async () => {
  await one.close();
  await other.close();
});

const newUser = (username: string) =>
  one.accounts.users.create(
    {
      username,
      passwordHash: "hash",
      displayName: "",
      role: 1,
      group: "default",
      email: "",
      affCode: username,
      accessToken: undefined,
      createdTime: 1,
    },
    { newUser: 1000, invitee: 0, inviter: 0 },
    undefined,
  );

const newKey = { name: "key", createdTime: 1, expiredTime: -1, remainQuota: 100, unlimitedQuota: false };

const newSession = (userId: number) => ({
  userId,
  createdTime: 1,
  expiresTime: 4_000_000_000,
  address: "",
  userAgent: "",
});

/** Does something on one node. @returns after how many milliseconds it held on the other. */
const timed = async (change: () => Promise<unknown>, holds: () => boolean): Promise<number> => {
  expect(holds(), String(holds)).toBe(false);
  await change();
  const startedMs = performance.now();
  await vi.waitFor(() => expect(holds(), String(holds)).toBe(true), { interval: 2, timeout: 30_000 });
  return performance.now() - startedMs;
};

/** Each kind of change, made on one node. @returns how long each took until it held on the other. */
const changeEverything = async (name: string): Promise<Record<string, number>> => {
  const { accounts, channels, options } = one;
  const took: Record<string, number> = {};
  const user = await newUser(name);
  const known = () => other.accounts.users.find(user.id);
  await expect.poll(known).toBeDefined();
  took.key = await timed(
    () => accounts.keys.create({ ...newKey, userId: user.id }),
    () => other.accounts.keys.ids().length > 0,
  );
  const keyId = other.accounts.keys.ids()[0] ?? 0;
  took["key disabled"] = await timed(
    () => accounts.keys.change(user.id, keyId, { status: 2 }),
    () => other.accounts.keys.findById(keyId)?.status === 2,
  );
  took.limit = await timed(
    () => accounts.users.change(user.id, { limits: { rpm: 7 } }),
    () => known()?.limits?.rpm === 7,
  );
  took["aliases of a user"] = await timed(
    () => accounts.users.change(user.id, { modelAliases: '{"a":"m"}' }),
    () => known()?.aliases?.find("a") === "m",
  );
  took["aliases of a key"] = await timed(
    () => accounts.keys.change(user.id, keyId, { access: { modelAliases: '{"b":"m"}' } }),
    () => other.accounts.keys.findById(keyId)?.aliases?.find("b") === "m",
  );
  took.ban = await timed(
    () => accounts.users.change(user.id, { status: 2 }),
    () => known()?.status === 2,
  );
  let cookie = "";
  took["session begun"] = await timed(
    async () => {
      cookie = await accounts.sessions.begin(newSession(user.id));
    },
    () => other.accounts.sessions.find(cookie, NOW) !== undefined,
  );
  took["session ended"] = await timed(
    () => accounts.sessions.end(cookie),
    () => other.accounts.sessions.find(cookie, NOW) === undefined,
  );
  const [channel] = await channels.create([newChannel({ models: [name] })]);
  took.channel = await timed(
    () => channels.create([newChannel({ models: [`${name} 2`] })]),
    () => other.channels.candidates("default", `${name} 2`).length > 0,
  );
  took["channel off"] = await timed(
    async () => channels.disable(channel?.id ?? 0, "dead"),
    () => other.channels.candidates("default", name).length === 0,
  );
  const version = one.options.priceVersion + 1;
  took.price = await timed(
    () => options.put("ModelRatio", JSON.stringify({ [name]: 3 })),
    () => other.pricing.find(name, "default")?.version === version,
  );
  took["user removed"] = await timed(
    () => accounts.users.remove(user.id),
    () => known() === undefined && other.accounts.keys.ids().length === 0,
  );
  return took;
};

const tell = (how: string, took: Record<string, number>): void => {
  const times = Object.entries(took).map(([what, ms]) => `${what} ${ms.toFixed(0)}`);
  process.stdout.write(`${how}, until it held on the other node (ms): ${times.join(", ")}\n`);
};

const longest = (took: Record<string, number>): number => Math.max(...Object.values(took));

describe("a change on one node", () => {
  it("holds on the other within a second", TIMED, async () => {
    const took = await changeEverything("ann");
    tell("told by NOTIFY", took);
    expect(longest(took)).toBeLessThan(BOUND_MS);
    expect(other.stores.feed.state()).toMatchObject({ isConnected: true });
  });

  it("does so where a pooler swallows NOTIFY", TIMED, async () => {
    const [row] = await askDatabase(address, "SELECT pg_get_functiondef('note_change'::regproc) AS text");
    await askDatabase(address, String(row?.text).replace(/PERFORM pg_notify.*/, ""));
    const took = await changeEverything("ann");
    tell("found by looking", took);
    expect(longest(took)).toBeLessThan(BOUND_MS);
  });

  it("does so when all connections were cut a moment before", TIMED, async () => {
    const user = await newUser("ann");
    await expect.poll(() => other.accounts.users.find(user.id)).toBeDefined();
    await askDatabase(
      address,
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
    );
    const took = {
      ban: await timed(
        // The next call notices a connection that was cut while idle.
        () => vi.waitFor(() => one.accounts.users.change(user.id, { status: 2 }), { timeout: 30_000 }),
        () => other.accounts.users.find(user.id)?.status === 2,
      ),
    };
    tell("after a cut", took);
    expect(longest(took)).toBeLessThan(BOUND_MS);
  });

  it("is known to another node after it catches up", async () => {
    const user = await newUser("ann");
    for (let round = 0; round < 5; round += 1) {
      const cookie = await one.accounts.sessions.begin(newSession(user.id));
      await other.stores.feed.catchUp(false);
      expect(other.accounts.sessions.find(cookie, NOW)?.userId).toBe(user.id);
    }
  });

  it("is reloaded as a whole when rows are missing", async () => {
    const user = await newUser("ann");
    const cookie = await one.accounts.sessions.begin(newSession(user.id));
    await one.accounts.keys.create({ ...newKey, userId: user.id });
    const [channel] = await one.channels.create([newChannel({ models: ["m1"] })]);
    const gone = await newUser("bob");
    await other.stores.feed.catchUp(false);
    expect(other.accounts.users.find(gone.id)).toBeDefined();
    // Changed in a time of which no row is left.
    await askDatabase(
      address,
      `ALTER TABLE users DISABLE TRIGGER USER; ALTER TABLE channels DISABLE TRIGGER USER;
       ALTER TABLE sessions DISABLE TRIGGER USER; ALTER TABLE options DISABLE TRIGGER USER;
       UPDATE users SET status = 2 WHERE id = ${user.id}; DELETE FROM users WHERE id = ${gone.id};
       UPDATE channels SET status = 2 WHERE id = ${channel?.id}; DELETE FROM sessions;
       INSERT INTO options (key, value) VALUES ('SystemName', 'elsewhere');
       DELETE FROM changes; INSERT INTO changes ("of", id, what) VALUES ('user', '${user.id}', 'changed')`,
    );
    await expect.poll(() => other.accounts.users.find(user.id)?.status).toBe(2);
    await expect.poll(() => other.channels.candidates("default", "m1")).toHaveLength(0);
    expect(other.accounts.users.find(gone.id)).toBeUndefined();
    expect(other.accounts.sessions.find(cookie, NOW)).toBeUndefined();
    expect(other.accounts.keys.ids()).toHaveLength(1);
    expect(other.options.text("SystemName")).toBe("elsewhere");
  });

  it(
    "may be ten thousand users at once: they are read in lists, and no request waits for it",
    TIMED,
    async () => {
      const { users } = other.accounts;
      let longestMs = 0;
      const refresh = users.refresh.bind(users);
      vi.spyOn(users, "refresh").mockImplementation((ids, records) => {
        const startedMs = performance.now();
        refresh(ids, records);
        longestMs = Math.max(longestMs, performance.now() - startedMs);
      });
      const startedMs = performance.now();
      await askDatabase(
        address,
        `INSERT INTO users (username, password_hash, created_time) SELECT 'user ' || n, 'hash', 1 FROM generate_series(1, 10000) n`,
      );
      const insertedMs = performance.now();
      await vi.waitFor(() => expect(users.findByName("user 10000")).toBeDefined(), {
        interval: 20,
        timeout: 30_000,
      });
      process.stdout.write(
        `10,000 users: stored in ${(insertedMs - startedMs).toFixed(0)} ms, known ${(performance.now() - insertedMs).toFixed(0)} ms later; the longest step took ${longestMs.toFixed(0)} ms\n`,
      );
      expect(users.ids().length).toBeGreaterThanOrEqual(10_000);
      expect(performance.now() - insertedMs).toBeLessThan(20_000);
      expect(longestMs).toBeLessThan(200);
    },
  );

  it("gives each change of the prices a version of its own, whichever nodes save at the same time", async () => {
    await Promise.all([
      one.options.put("ModelRatio", '{"a":2}'),
      other.options.put("GroupRatio", '{"default":3}'),
      one.options.put("CompletionRatio", '{"a":4}'),
      other.options.put("ModelRatio", '{"a":5}'),
    ]);
    for (const { stores } of [one, other]) await stores.feed.catchUp(false);
    const [a, b] = [one, other].map(({ options }) => [
      options.priceVersion,
      ...(["ModelRatio", "GroupRatio", "CompletionRatio"] as const).map((key) => options.text(key)),
    ]);
    expect(a).toEqual(b);
    expect(a?.[0]).toBe(5);
  });

  it("refuses one of two who have read the same option and save it on two nodes at once", async () => {
    const seen = one.options.text("GroupRouting");
    const saved = await Promise.allSettled([
      one.options.put("GroupRouting", '{"default":"cheapest"}', seen),
      other.options.put("GroupRouting", '{"default":"fastest"}', seen),
    ]);
    expect(saved.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    for (const { stores } of [one, other]) await stores.feed.catchUp(false);
    const [a, b] = [one, other].map(({ options }) => options.text("GroupRouting"));
    expect(a).toBe(saved[0].status === "fulfilled" ? '{"default":"cheapest"}' : '{"default":"fastest"}');
    expect(b).toBe(a);
  });

  it("keeps both nodes' changes of one option at the same time", async () => {
    const lock = (model: string) => (text: string) => `${text}\n${model}`.trim();
    await Promise.all([
      one.options.change("LockedPrices", lock("a")),
      other.options.change("LockedPrices", lock("b")),
    ]);
    await one.stores.feed.catchUp(false);
    expect(one.options.text("LockedPrices").split("\n").toSorted()).toEqual(["a", "b"]);
  });
});
