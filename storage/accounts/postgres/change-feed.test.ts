import type { Change } from "@tollgate/contract/records/change";
import type { LeaseRecall } from "@tollgate/contract/records/lease";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openPool } from "../../postgres/connection-pool";
import { queryBuilder } from "../../postgres/query-builder";
import { createSecrets } from "../../secrets";
import { askDatabase, newDatabase } from "../../testing/new-database";
import { MASTER_KEY, moved, newChannel, newCharge, newToken, newUser } from "../../testing/sample-records";
import { encodeCharges } from "../charges";
import type { ChangeFeed, ChangeFollower } from "../node-ports";
import type { Tables } from "../sql/tables";
import { announceRecall, openChangeFeed } from "./change-feed";
import { type OpenAccounts, openAccounts } from "./open-accounts";

let address: string;
let accounts: OpenAccounts;
let feed: ChangeFeed;
let handed: Change[];
let everything: number;
let recalls: LeaseRecall[];
let errors: Error[];
let takeOver: ChangeFollower["onChanges"];

const LISTENERS = `FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%FROM changes%'
  AND pid <> pg_backend_pid()`;

const follower = (): ChangeFollower => ({
  onChanges: (changes) => takeOver(changes),
  onEverything: async () => {
    everything += 1;
  },
  onRecall: (recall) => recalls.push(recall),
  reportError: (error) => errors.push(error),
});

beforeEach(async () => {
  address = await newDatabase();
  accounts = await openAccounts(address, createSecrets(MASTER_KEY));
  [handed, everything, recalls, errors] = [[], 0, [], []];
  takeOver = async (changes) => {
    handed.push(...changes);
  };
  feed = await openChangeFeed(address);
  feed.follow(follower());
});
afterEach(async () => {
  await feed.close();
  await accounts.close();
});

const createUser = async (username: string) =>
  (await accounts.changes.users.create(newUser({ username, affCode: username }), 0, [])).user;

const session = (idHash: string, userId: number, expiresTime = 4_000_000_000) => ({
  idHash,
  userId,
  createdTime: 1,
  expiresTime,
  address: "",
  userAgent: "",
  lastUsedTime: 0,
});

/** What was handed over since it was asked the last time, as "of id what". */
const news = async (): Promise<string[]> => {
  await feed.catchUp(false);
  return handed.splice(0).map(({ of, id, what }) => `${of} ${id} ${what}`);
};

/** Changes that are told of by their row alone, as behind a pooler that swallows NOTIFY. */
const swallowNotify = async (): Promise<void> => {
  const [row] = await askDatabase(address, "SELECT pg_get_functiondef('note_change'::regproc) AS text");
  await askDatabase(address, String(row?.text).replace(/PERFORM pg_notify.*/, ""));
};

describe("the change feed", () => {
  it("reports each change of the data that nodes keep in memory", async () => {
    const { users, tokens, channels, options, sessions } = accounts.changes;
    const { id } = await createUser("ann");
    const { record } = await tokens.create(newToken(id));
    const [channel] = await channels.create([newChannel()]);
    const channelId = channel?.channel.id ?? 0;
    expect(await news()).toEqual([
      `user ${id} created`,
      `api-key ${record.id} created`,
      `channel ${channelId} created`,
    ]);
    await users.change(id, { status: 2 });
    await users.change(id, { group: "vip" });
    await users.change(id, { limits: { rpm: 3 } });
    await users.setAccessToken(id, "secret");
    expect(await news()).toEqual(Array(4).fill(`user ${id} changed`));
    await tokens.change(id, record.id, { status: 2, access: { models: ["gpt-4"] } });
    await tokens.change(id, record.id, { unlimitedQuota: true });
    await tokens.markStatus(record.id, { status: 2, expiredTime: record.expiredTime }, 3);
    await tokens.change(id, record.id, { access: { group: "vip" } });
    await tokens.change(id, record.id, { access: { group: "auto", autoGroups: ["a", "b"] } });
    await tokens.change(id, record.id, { access: { group: "auto", autoGroups: ["a", "b"] } });
    expect(await news()).toEqual(Array(5).fill(`api-key ${record.id} changed`));
    await tokens.rotate(id, record.id, { key: "second", formerUntil: 9_999_999_999 });
    expect(new Set(await news())).toEqual(new Set([`api-key ${record.id} changed`]));
    await tokens.endFormer(id, record.id);
    await tokens.endFormer(id, record.id);
    await tokens.rotate(id, record.id, { key: "third", formerUntil: 0 });
    expect(await news()).toEqual(Array(2).fill(`api-key ${record.id} changed`));
    await channels.change(channelId, { deadKeys: ["a"] });
    await channels.change(channelId, { status: 3 });
    await channels.removeDisabled();
    expect(await news()).toEqual([
      `channel ${channelId} changed`,
      `channel ${channelId} changed`,
      `channel ${channelId} removed`,
    ]);
    await options.put("SystemName", "a", false);
    await options.put("SystemName", "b", false);
    expect(await news()).toEqual(["option SystemName changed", "option SystemName changed"]);
    await sessions.create(session("one", id));
    await sessions.create(session("two", id));
    await sessions.removeOthers(id, "two");
    expect(await news()).toEqual(["session one created", "session two created", "session one removed"]);
    await tokens.remove(id, record.id);
    expect(await news()).toEqual([`api-key ${record.id} removed`]);
    await askDatabase(address, `UPDATE users SET status = 1 WHERE id = ${id}`);
    expect(await news()).toEqual([`user ${id} changed`]);
  });

  it("says of a removed user that it is gone, and of nothing that goes with it", async () => {
    const { id } = await createUser("ann");
    await accounts.changes.tokens.create(newToken(id));
    await accounts.changes.sessions.create(session("one", id));
    await news();
    await accounts.changes.users.remove(id);
    expect(await news()).toEqual([`user ${id} removed`]);
  });

  it("is not written by charges, edits of balances, tests of channels and saves without a change", async () => {
    const { users, tokens, channels, options, sessions } = accounts.changes;
    const { id } = await createUser("ann");
    const { record } = await tokens.create(newToken(id));
    const [channel] = await channels.create([newChannel()]);
    const channelId = channel?.channel.id ?? 0;
    await options.put("SystemName", "a", false);
    await sessions.create(session("one", id, 10));
    await news();
    const charges = Array.from({ length: 100 }, (_, index) =>
      newCharge({ requestId: `r-${index}`, userId: id, tokenId: record.id, channelId, quota: 1 }),
    );
    await accounts.charges.commit(...encodeCharges(charges));
    await users.change(id, { quotaMove: moved(5), status: 1 });
    await tokens.change(id, record.id, { remainQuotaMove: moved(5), status: 1 });
    await channels.saveTest(channelId, 5, 5);
    await channels.saveBalance(channelId, 5, 5);
    await options.put("SystemName", "a", false);
    await sessions.removeExpired(20);
    expect(await news()).toEqual([]);
    const [row] = await askDatabase(address, "SELECT quota::int FROM users");
    expect(row).toEqual({ quota: 1000 - 100 + 5 });
  });

  it("numbers changes in the order of their commits, not of their starts", async () => {
    const { id } = await createUser("ann");
    const { id: other } = await createUser("bob");
    await news();
    const client = new pg.Client({ connectionString: address });
    await client.connect();
    await client.query("BEGIN");
    await client.query(`UPDATE users SET status = 2 WHERE id = ${id}`);
    await accounts.changes.users.change(other, { status: 2 });
    expect(await news()).toEqual([`user ${other} changed`]);
    await client.query("COMMIT");
    await client.end();
    expect(await news()).toEqual([`user ${id} changed`]);
  });

  it("misses nothing and repeats nothing of many concurrent writes", async () => {
    const nodes = await Promise.all([1, 2, 3].map(() => openAccounts(address, createSecrets(MASTER_KEY))));
    const created = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        nodes[index % 3]?.changes.users.create(
          newUser({ username: `user ${index}`, affCode: `user ${index}` }),
          0,
          [],
        ),
      ),
    );
    expect((await news()).sort()).toEqual(created.map((one) => `user ${one?.user.id} created`).sort());
    for (const { close } of nodes) await close();
  });

  it("hears of a change at once, and within a second where NOTIFY is swallowed", async () => {
    const timed = async (): Promise<number> => {
      const startedMs = performance.now();
      await createUser(`user ${startedMs}`);
      await vi.waitFor(() => expect(handed.splice(0)).toHaveLength(1), { interval: 5, timeout: 30_000 });
      return performance.now() - startedMs;
    };
    const told = Math.min(await timed(), await timed(), await timed());
    await swallowNotify();
    const polled = Math.min(await timed(), await timed(), await timed());
    process.stdout.write(
      `a change is heard of after ${told.toFixed(0)} ms, by looking alone ${polled.toFixed(0)} ms\n`,
    );
    expect(told).toBeLessThan(500);
    expect(polled).toBeLessThan(1500);
    expect(feed.state().lagMs).toBeLessThan(30_000);
  });

  it("hands over changes that were committed while its connection was cut", async () => {
    for (let cut = 0; cut < 3; cut += 1) {
      const { id } = await createUser(`user ${cut}`);
      await news();
      await askDatabase(address, `SELECT pg_terminate_backend(pid) ${LISTENERS}`);
      await accounts.changes.users.change(id, { status: 2 });
      expect(await news()).toEqual([`user ${id} changed`]);
      // It listens again, too.
      await askDatabase(address, "SELECT pg_notify('tollgate_recalls', 'user:1 2')");
      await expect.poll(() => recalls).toHaveLength(cut + 1);
    }
    expect(everything).toBe(0);
    expect(feed.state().isConnected).toBe(true);
  });

  it("hands the same changes over again where they could not be taken over", async () => {
    let failures = 0;
    takeOver = async (changes) => {
      failures += 1;
      if (failures <= 2) throw new Error("not now");
      handed.push(...changes);
    };
    const { id } = await createUser("ann");
    await expect.poll(() => handed).toEqual([{ of: "user", id, what: "created" }]);
    expect(errors.map(({ message }) => message)).toEqual(["not now"]);
  });

  it("requests a full reload when it was away for longer than changes are kept", async () => {
    await createUser("ann");
    await news();
    await feed.close();
    // Away, while others change and forget.
    const away = await openChangeFeed(address);
    for (const name of ["bob", "cas", "dee"]) await createUser(name);
    await askDatabase(address, "UPDATE changes SET at = at - interval '2 hours'");
    await askDatabase(address, "DELETE FROM changes WHERE number < (SELECT max(number) FROM changes)");
    feed = away;
    feed.follow(follower());
    await feed.catchUp(false);
    expect(everything).toBe(1);
    const { id } = await createUser("eve");
    expect(await news()).toEqual([`user ${id} created`]);
    expect(everything).toBe(1);
  });

  it("requests it also when the database was replaced, and when the caller forces it", async () => {
    await createUser("ann");
    await news();
    // Of a copy that had not got the last changes: their numbers are given again.
    await askDatabase(
      address,
      "UPDATE changes SET at = at - interval '1 minute' WHERE number = (SELECT max(number) FROM changes)",
    );
    await feed.catchUp(false);
    expect(everything).toBe(1);
    await askDatabase(address, `INSERT INTO changes ("of", id, what) VALUES ('everything', '', 'changed')`);
    await feed.catchUp(false);
    expect(everything).toBe(2);
    expect(await news()).toEqual([]);
  });

  it("forgets changes of more than an hour ago, and never the last one before them", async () => {
    for (const name of ["ann", "bob", "cas"]) await createUser(name);
    await news();
    await askDatabase(address, "UPDATE changes SET at = at - interval '2 hours' WHERE number < 3");
    await accounts.forgetAppliedChanges();
    const rows = await askDatabase(address, "SELECT number::int FROM changes ORDER BY number");
    expect(rows.map(({ number }) => number)).toEqual([2, 3, 4]);
    const { id } = await createUser("dee");
    expect(await news()).toEqual([`user ${id} created`]);
    expect(everything).toBe(0);
  });

  it("says after a second that it could not catch up, and after ten that it hears nothing", async () => {
    const nobody = await openChangeFeed(address);
    expect(await nobody.catchUp(false)).toBe(false);
    expect(nobody.isDeaf()).toBe(false);
    const now = vi.spyOn(performance, "now");
    await askDatabase(
      address,
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
    );
    await expect.poll(() => nobody.state().isConnected).toBe(false);
    expect(nobody.isDeaf()).toBe(false);
    const lostMs = performance.now();
    now.mockImplementation(() => lostMs + 10_001);
    const isDeaf = nobody.isDeaf();
    now.mockRestore();
    expect(isDeaf).toBe(true);
    await nobody.close();
    // The one that follows is connected again.
    expect(await feed.catchUp(false)).toBe(true);
    expect(feed.isDeaf()).toBe(false);
  });

  it("hears nothing when it is connected and its changes cannot be applied", async () => {
    await news();
    let isBroken = true;
    takeOver = async () => {
      if (isBroken) throw new Error("not now");
    };
    await createUser("ann");
    await expect.poll(() => errors).toHaveLength(1);
    expect(feed.state().isConnected).toBe(true);
    expect(feed.isDeaf()).toBe(false);
    const now = vi.spyOn(performance, "now");
    const failedMs = performance.now();
    now.mockImplementation(() => failedMs + 10_001);
    const isDeaf = feed.isDeaf();
    now.mockRestore();
    expect(isDeaf).toBe(true);
    isBroken = false;
    await expect.poll(() => feed.state().behindMs).toBeLessThan(1000);
    expect(feed.isDeaf()).toBe(false);
  });

  it("hands over changes while a client keeps a row locked: the change of that row alone is refused", async () => {
    const [locked, other] = [await createUser("ann"), await createUser("bob")];
    const changed: number[] = [];
    takeOver = async (changes) => {
      const ids = changes.flatMap((change) => (change.of === "user" ? [change.id] : []));
      for (const { user } of await accounts.queriesInOrder.users.withIds(ids))
        if (user.group === "vip") changed.push(user.id);
    };
    const client = new pg.Client({ connectionString: address });
    await client.connect();
    try {
      await client.query(`BEGIN; UPDATE users SET display_name = 'by hand' WHERE id = ${locked.id}`);
      const refused = accounts.changes.users.change(locked.id, { quotaMove: moved(5) }).catch(String);
      const startedMs = performance.now();
      await accounts.changes.users.change(other.id, { group: "vip" });
      await vi.waitFor(() => expect(changed).toEqual([other.id]));
      expect(performance.now() - startedMs).toBeLessThan(2000);
      expect(await refused).toContain("database-locked");
    } finally {
      await client.end();
    }
    const { user } = await accounts.changes.users.change(locked.id, { quotaMove: moved(5) });
    expect(user.quota).toBe(1005);
  });

  it("ignores messages of a newer version", async () => {
    await askDatabase(address, `INSERT INTO changes ("of", id, what) VALUES ('colour', 'red', 'changed')`);
    const { id } = await createUser("ann");
    expect(await news()).toEqual([`user ${id} created`]);
  });

  it("tells all nodes of a recall when its transaction is committed, and of none that is taken back", async () => {
    const pool = openPool(address, 1);
    const db = queryBuilder<Tables>(pool);
    const recall: LeaseRecall = { account: "key:7", epoch: 3 };
    const edit: LeaseRecall = { account: "user:1", epoch: undefined };
    await db
      .transaction()
      .execute(async (transaction) => {
        await announceRecall(transaction, { account: "user:9", epoch: 1 });
        throw new Error("taken back");
      })
      .catch(() => {});
    await db.transaction().execute((transaction) => announceRecall(transaction, recall));
    await db.transaction().execute((transaction) => announceRecall(transaction, edit));
    await expect.poll(() => recalls).toEqual([recall, edit]);
    await pool.end();
  });

  it("asks the database ten times a second at most, however many strangers wait", async () => {
    await news();
    const client = vi.spyOn(pg.Client.prototype, "query");
    const startedMs = performance.now();
    const endMs = startedMs + 600;
    let waited = 0;
    while (performance.now() < endMs) {
      await Promise.race([
        Promise.all(Array.from({ length: 50 }, () => feed.catchUp(false))),
        new Promise((resolve) => setTimeout(resolve, 10)),
      ]);
      waited += 50;
    }
    const asked = client.mock.calls.length;
    const mayAsk = (performance.now() - startedMs) / 100 + 2;
    client.mockRestore();
    expect(waited).toBeGreaterThan(200);
    expect(asked).toBeLessThanOrEqual(mayAsk);
  });

  it("lets who is known wait a few milliseconds", async () => {
    const startedMs = performance.now();
    for (let call = 0; call < 20; call += 1) expect(await feed.catchUp(true)).toBe(true);
    // Of strangers, 20 calls one after another would take two seconds.
    expect(performance.now() - startedMs).toBeLessThan(1000);
  });
});
