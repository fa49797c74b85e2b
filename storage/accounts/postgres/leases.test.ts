import type {
  AccountId,
  BookedCharge,
  LeaseCharge,
  LeaseGrant,
  LeaseWish,
} from "@tollgate/contract/records/lease";
import { MAX_QUOTA } from "@tollgate/contract/values/quota";
import { TOKEN_ENABLED, TOKEN_EXHAUSTED } from "@tollgate/contract/values/statuses";
import { FIRST_BALANCES, type LeaseStep, LeaseSteps, REMIND_BELOW } from "@tollgate/testkit/lease-steps";
import { createRandom } from "@tollgate/testkit/random";
import { seeds } from "@tollgate/testkit/seeds";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSecrets } from "../../secrets";
import { askDatabase } from "../../testing/new-database";
import { MASTER_KEY } from "../../testing/sample-records";
import type { ChargeEntry } from "../node-ports";
import {
  type Balance,
  entryOf,
  type LeasesUnderTest,
  newLeaseDatabase,
} from "../testing/lease-database-under-test";
import { openAccounts } from "./open-accounts";
import { openLeases } from "./open-leases";

const BY_ADMINISTRATOR = { cause: "quota-changed", actorId: 1, at: 1 } as const;

const USER: AccountId = "user:1";
const OTHER: AccountId = "user:2";
const KEY: AccountId = "key:1";

const STEPS = 300;

const WAITING =
  "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

let db: LeasesUnderTest;

beforeEach(async () => {
  db = await newLeaseDatabase(FIRST_BALANCES);
});
afterEach(() => db.close());

const wish = (epoch: number, most: number, more: Partial<LeaseWish> = {}): LeaseWish => ({
  epoch,
  account: USER,
  number: 1,
  least: 1,
  most,
  total: most,
  ahead: 0,
  isLast: true,
  ...more,
});

const charge = (requestId: string, quota: number, more: Partial<LeaseCharge> = {}): LeaseCharge => ({
  requestId,
  user: USER,
  quota,
  shortfall: 0,
  key: undefined,
  keyQuota: 0,
  ...more,
});

const join = async (): Promise<number> => (await db.leases.join({})).epoch;

const leasedOf = ({ leases }: Balance): number => leases.reduce((sum, { quota }) => sum + quota, 0);

const balanceOf = async (account: AccountId): Promise<Balance> => {
  const balance = (await db.balances()).get(account);
  if (!balance) throw new Error(`there is no ${account}`);
  return balance;
};

describe("a request of nodes to the database", () => {
  /** Has a step done. @returns its answer. */
  const take = (step: LeaseStep): Promise<unknown> => {
    const { leases } = db;
    switch (step.kind) {
      case "join":
        return leases.join({});
      case "renew":
        return leases.renew(step.epoch, {});
      case "silence":
        return db.silence(step.epoch);
      case "expire":
        return leases.expire();
      case "leave":
        return leases.leave(step.epoch);
      case "acquire":
        return leases.acquire(step.wish);
      case "give back":
        return leases.giveBack(step.change);
      case "book":
        return leases.book(step.batch, entryOf, REMIND_BELOW);
      case "refund":
        return leases.refund(step.requestId, entryOf);
      case "edit":
        return leases.edit(step.edit, () => [], BY_ADMINISTRATOR);
    }
  };

  /** Without the sign of a zero. */
  const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));

  const referenceBalances = (steps: LeaseSteps) =>
    [...steps.reference.accounts].map(([account, { leases, ...balance }]) => [
      account,
      {
        ...balance,
        leases: leases.filter(({ quota }) => quota > 0).map(({ epoch, quota }) => ({ epoch, quota })),
      },
    ]);

  it.each(seeds(3))("is answered as the reference does, step by step (seed %i)", async (seed) => {
    const steps = new LeaseSteps(seed);
    for (let count = 0; count < STEPS; count += 1) {
      const step = steps.next();
      const where = `step ${count}: ${JSON.stringify(step)}`;
      const answer = await take(step);
      expect(plain(answer), where).toEqual(plain("answer" in step ? step.answer : undefined));
      const balances = new Map<AccountId, unknown>(await db.balances());
      for (const [account, expected] of referenceBalances(steps)) {
        const leasesByEpoch = plain(expected) as Balance;
        leasesByEpoch.leases.sort((one, other) => one.epoch - other.epoch);
        expect(balances.get(account as AccountId), where).toEqual(leasesByEpoch);
      }
    }
    const lines = (await db.lines()).map(({ requestId, quota }) => ({ requestId, charged: quota }));
    const expected = steps.reference.lines.map(({ requestId, charged }) => ({ requestId, charged }));
    expect(plain(lines)).toEqual(plain(expected));
  });

  it("is told to all with the change: a recall for a wish, and for an edit", async () => {
    const [first, second] = [await join(), await join()];
    await db.leases.acquire(wish(first, 4900));
    await db.leases.acquire(wish(second, 200, { isLast: false }));
    const edit = { id: "e1", account: USER, wanted: 4850, isLast: false };
    expect(await db.leases.edit(edit, () => [], BY_ADMINISTRATOR)).toEqual({
      moved: undefined,
      balance: 5000,
    });
    expect(db.recalls).toEqual([
      { account: USER, epoch: second },
      { account: USER, epoch: undefined },
    ]);
  });

  it("leaves a balance that would be too large as it is", async () => {
    // With what was settled it would be more than a number can be.
    await db.leases.book({ epoch: await join(), charges: [charge("r1", 0, { shortfall: 100 })] }, entryOf);
    const edit = { id: "e1", account: USER, wanted: MAX_QUOTA, isLast: true };
    await expect(db.leases.edit(edit, () => [], BY_ADMINISTRATOR)).rejects.toMatchObject({
      kind: "balance-too-large",
    });
    expect(await balanceOf(USER)).toMatchObject({ quota: 4900, granted: 5000 });
  });

  it("reaches the wanted balance, also concurrently, and the log says how much was moved", async () => {
    const said: number[][] = [];
    const edits = [1, 2, 3].map((number) =>
      db.leases.edit(
        { id: `e${number}`, account: USER, wanted: 7000, isLast: false },
        (...range) => {
          said.push(range);
          return [];
        },
        BY_ADMINISTRATOR,
      ),
    );
    const moved = (await Promise.all(edits)).map((done) => done.moved);
    expect(moved.sort()).toEqual([0, 0, 2000]);
    expect(said).toEqual([[5000, 7000]]);
    expect(await balanceOf(USER)).toMatchObject({ quota: 7000, granted: 7000 });
  });
});

describe("balances that people see", () => {
  it("are sums of unleased and leased quota, also right after a change", async () => {
    for (const epoch of [await join(), await join()]) {
      await db.leases.acquire(wish(epoch, 700, { isLast: true }));
      await db.leases.acquire(wish(epoch, 300, { account: KEY, isLast: true }));
    }
    const { queries, changes, close } = await openAccounts(db.address, createSecrets(MASTER_KEY));
    try {
      expect(await balanceOf(USER)).toMatchObject({ quota: 3600 });
      const users = [
        await queries.users.find(1),
        ...(await queries.users.page(0, 5, undefined, {}, "user:1")),
      ];
      expect(users.map((user) => user?.quota)).toEqual([5000, 5000]);
      expect((await queries.users.page(0, 5)).map(({ quota }) => quota)).toEqual([300, 5000]);
      const keys = [await queries.tokens.find(1, 1), ...(await queries.tokens.page(1, 0, 5))];
      expect(keys.map((key) => key?.remainQuota)).toEqual([1000, 1000]);
      expect((await changes.users.change(1, { displayName: "Alice" })).user.quota).toBe(5000);
      expect((await changes.tokens.change(1, 1, { name: "k" }))?.remainQuota).toBe(1000);
    } finally {
      await close();
    }
  });
});

describe("charges of leases", () => {
  it("are added up for the user, the key and the channel, and stand in the log as they were booked", async () => {
    await askDatabase(db.address, "INSERT INTO channels (type, key_sealed, created_time) VALUES (1, '', 1)");
    const epoch = await join();
    await db.leases.acquire(wish(epoch, 200));
    await db.leases.acquire(wish(epoch, 30, { account: KEY }));
    const charges = [
      charge("r1", 150, { key: KEY, keyQuota: 30 }),
      charge("r2", 50, { shortfall: 5000 }),
      charge("r3", 0),
    ];
    const { booked } = await db.leases.book({ epoch, charges }, entryOf);
    // The account of 5000 has 4800 that no node leases.
    expect(booked.map(({ charged, shortfall }) => [charged, shortfall])).toEqual([
      [150, 0],
      [4850, 200],
      [0, 0],
    ]);
    const asked = `SELECT users.used_quota, users.request_count, tokens.used_quota AS of_token, tokens.taken_quota,
      tokens.untaken_quota, channels.used_quota AS of_channel FROM users, tokens, channels WHERE users.id = 1`;
    const counted = { request_count: "3", used_quota: "5000", of_token: "5000", of_channel: "5000" };
    expect(await askDatabase(db.address, asked)).toMatchObject([
      { ...counted, taken_quota: "150", untaken_quota: "4850" },
    ]);
    expect((await db.lines()).map(({ requestId, quota }) => [requestId, quota])).toEqual([
      ["r1", 150],
      ["r2", 4850],
      ["r3", 0],
    ]);
    await db.leases.refund("r1", entryOf);
    expect(await askDatabase(db.address, asked)).toMatchObject([
      { request_count: "4", used_quota: "4850", of_token: "4850", of_channel: "4850", taken_quota: "0" },
    ]);
  });

  it("are refused where they take from a lease that is not there, or has less", async () => {
    const epoch = await join();
    const batch = { epoch, charges: [charge("r1", 10)] };
    const refusedFor = (reason: RegExp) => ({
      booked: [],
      refused: [{ requestId: "r1", reason: expect.stringMatching(reason) }],
      isLate: false,
    });
    expect(await db.leases.book(batch, entryOf)).toEqual(refusedFor(/leases that it does not have/));
    await db.leases.acquire(wish(epoch, 9));
    expect(await db.leases.book(batch, entryOf)).toEqual(refusedFor(/violates check constraint/));
    expect(await balanceOf(USER)).toMatchObject({ quota: 4991, settled: 0 });
    expect(await db.lines()).toEqual([]);
  });

  it("that are sent again after more than a day, by a node that was cut off, are known", async () => {
    const accounts = await openAccounts(db.address, createSecrets(MASTER_KEY));
    const epoch = await join();
    await db.leases.acquire(wish(epoch, 100));
    const batch = { epoch, charges: [charge("r1", 10)] };
    await db.leases.book(batch, entryOf);
    await askDatabase(
      db.address,
      `UPDATE charges SET created_at = created_at - interval '3 days';
       UPDATE booked_epochs SET booked_at = booked_at - interval '3 days'`,
    );
    await db.silence(epoch);
    await db.leases.expire();
    await accounts.forgetSent();
    await accounts.close();
    expect(await db.leases.book(batch, entryOf)).toMatchObject({ booked: [{ charged: 10 }] });
    expect(await balanceOf(USER)).toMatchObject({ settled: 10 });
  });

  it("that cannot be stored take nothing from the others of their batch, nor from later ones", async () => {
    await askDatabase(db.address, `UPDATE tokens SET untaken_quota = ${MAX_QUOTA - 5} WHERE id = 1`);
    const epoch = await join();
    await db.leases.acquire(wish(epoch, 100));
    const unwritable = (booked: BookedCharge): ChargeEntry => {
      if (booked.requestId === "r3") throw new Error("nothing can be said of it");
      return entryOf(booked);
    };
    const charges = [charge("r1", 4), charge("r2", 2), charge("r3", 1), charge("r4", 0)];
    const { booked, refused, isLate } = await db.leases.book({ epoch, charges }, unwritable);
    expect([booked.map(({ requestId, charged }) => [requestId, charged]), isLate]).toEqual([
      [
        ["r1", 4],
        ["r4", 0],
      ],
      false,
    ]);
    expect(refused).toEqual([
      { requestId: "r2", reason: expect.stringMatching(/quota/) },
      { requestId: "r3", reason: "nothing can be said of it" },
    ]);
    expect(await balanceOf(USER)).toMatchObject({ settled: 4, leases: [{ quota: 96 }] });
    expect((await db.leases.book({ epoch, charges: [charge("r5", 1)] }, entryOf)).booked).toMatchObject([
      { charged: 1 },
    ]);
  });

  it("of a user who was removed cover nothing, and the lease went with the user", async () => {
    const epoch = await join();
    await db.leases.acquire(wish(epoch, 100, { account: OTHER }));
    await askDatabase(db.address, "DELETE FROM users WHERE id = 2");
    const batch = { epoch, charges: [charge("r1", 60, { user: OTHER })] };
    const once = await db.leases.book(batch, entryOf);
    expect(once.booked).toMatchObject([{ charged: 0, shortfall: 60 }]);
    expect(await db.leases.book(batch, entryOf)).toEqual(once);
    await db.leases.leave(epoch);
    expect(await db.leases.renew(epoch, {})).toBe("epoch-over");
  });
});

describe("the nodes that have a row", () => {
  const LIFE_MS = 1_000_000;

  it("describe themselves by their last report, and lease the amounts that the database has", async () => {
    const first = (await db.leases.join({ name: "one", version: "0.1.0" })).epoch;
    const second = (await db.leases.join({})).epoch;
    await db.leases.acquire(wish(first, 100));
    await db.leases.acquire(wish(first, 30, { account: OTHER }));
    await db.leases.acquire(wish(first, 7, { account: KEY }));
    await db.leases.acquire(wish(second, 5));
    await db.leases.giveBack({ epoch: second, account: USER, number: 2, quota: 5 });
    await db.leases.renew(first, { name: "one", recent_requests: 4, recent_ms: 10_000 });
    const [one, other] = await db.nodes.all();
    expect(one).toMatchObject({ epoch: first, leasedUsers: 2, leasedKeys: 1, leasedQuota: 130 });
    expect(one?.about).toEqual({ name: "one", recent_requests: 4, recent_ms: 10_000 });
    expect(other).toMatchObject({ epoch: second, about: {}, leasedUsers: 0, leasedKeys: 0, leasedQuota: 0 });
  });

  it("are silent for as long as nothing was heard of them, by the database's clock", async () => {
    const epoch = await join();
    await db.silence(epoch);
    const before = Date.now() / 1000;
    const [silent] = await db.nodes.all();
    expect(silent?.silentMs).toBeGreaterThan(LIFE_MS);
    expect(silent?.heardAt).toBeLessThan(before - LIFE_MS / 1000);
    await db.leases.renew(epoch, {});
    const [heard] = await db.nodes.all();
    expect(heard?.silentMs).toBeLessThan(LIFE_MS / 2);
    expect(heard?.heardAt).toBeGreaterThan(before - LIFE_MS / 2000);
  });

  it("may be of another version, and lease more than a number can say", async () => {
    const epoch = await join();
    const told = JSON.stringify({ name: "new\u0000", version: 2, memory_bytes: 5, later: [1] });
    await askDatabase(db.address, `UPDATE nodes SET about = '${told}'`);
    await askDatabase(
      db.address,
      `INSERT INTO user_leases (user_id, epoch, quota, number, granted)
       SELECT id, ${epoch}, ${MAX_QUOTA}, 1, 0 FROM users WHERE id <= 2;
       UPDATE users SET quota = 0, granted_quota = ${MAX_QUOTA} WHERE id <= 2`,
    );
    const [node] = await db.nodes.all();
    expect(node?.about).toEqual({ name: "new\u0000", memory_bytes: 5 });
    expect(node?.leasedQuota).toBe(Number.MAX_SAFE_INTEGER);
  });
});

describe("several nodes at once", () => {
  /** Which of them does what when is PostgreSQL's choice: tried a few times. */
  const TRIES = 8;

  const granted = (answer: LeaseGrant | "epoch-over"): number =>
    answer === "epoch-over" ? 0 : answer.granted;

  /** Until a transaction waits for another one. */
  const someoneWaits = () =>
    expect.poll(() => askDatabase(db.address, WAITING), { timeout: 10_000 }).toHaveLength(1);

  it("acquire no more than there is", async () => {
    const epochs = await Promise.all(Array.from({ length: 8 }, join));
    const answers = await Promise.all(epochs.map((epoch) => db.leases.acquire(wish(epoch, 900))));
    const amounts = answers.map(granted).sort((one, other) => one - other);
    expect(amounts).toEqual([0, 0, 500, 900, 900, 900, 900, 900]);
    expect(await balanceOf(USER)).toMatchObject({ quota: 0 });
  });

  it("are granted a wish once that comes on two connections", async () => {
    const epoch = await join();
    const answers = await Promise.all([1, 2, 3].map(() => db.leases.acquire(wish(epoch, 100))));
    expect(answers.map(granted)).toEqual([100, 100, 100]);
    expect(await balanceOf(USER)).toMatchObject({ quota: 4900, leases: [{ quota: 100 }] });
  });

  it("book a batch once that comes on several connections, also late, and of a user who was removed", async () => {
    const epoch = await join();
    await db.leases.acquire(wish(epoch, 100));
    const bookAtOnce = async (...charges: LeaseCharge[]): Promise<void> => {
      const batch = { epoch, charges };
      const [first, ...others] = await Promise.all([1, 2, 3].map(() => db.leases.book(batch, entryOf)));
      for (const other of others) expect(other).toEqual(first);
    };
    await bookAtOnce(charge("r1", 60));
    await db.leases.leave(epoch);
    await bookAtOnce(charge("r2", 60));
    await bookAtOnce(charge("r3", 60, { user: "user:9" }));
    expect(await balanceOf(USER)).toMatchObject({ quota: 4880, settled: 120 });
    expect((await db.lines()).map(({ requestId }) => requestId)).toEqual(["r1", "r2", "r3"]);
  });

  it("end an epoch while its batch comes: it is charged in time or late, in full and once", async () => {
    for (let count = 0; count < TRIES; count += 1) {
      const epoch = await join();
      await db.leases.acquire(wish(epoch, 100));
      await db.silence(epoch);
      const batch = { epoch, charges: [charge(`r${count}`, 60)] };
      const [booked, ...ended] = await Promise.all([
        db.leases.book(batch, entryOf),
        db.leases.expire(),
        db.leases.expire(),
      ]);
      expect(booked.booked).toMatchObject([{ charged: 60, shortfall: 0 }]);
      expect(ended.flat()).toEqual([epoch]);
      const settled = 60 * (count + 1);
      expect(await balanceOf(USER)).toEqual({ quota: 5000 - settled, granted: 5000, settled, leases: [] });
    }
  });

  it("leave the others with one place each among those that live", async () => {
    const [first, second, third] = [await join(), await join(), await join()];
    expect(await db.leases.renew(second, {})).toEqual({ liveNodes: 3, rank: 1 });
    expect(await db.leases.renew(third, {})).toEqual({ liveNodes: 3, rank: 2 });
    await db.leases.leave(first);
    expect(await db.leases.renew(second, {})).toEqual({ liveNodes: 2, rank: 0 });
    expect(await db.leases.renew(third, {})).toEqual({ liveNodes: 2, rank: 1 });
  });

  it("do not end the epoch of one who renews, which does not wait for a batch that is under way", async () => {
    const epoch = await join();
    const client = new pg.Client({ connectionString: db.address });
    await client.connect();
    await client.query("BEGIN; SELECT 1 FROM users WHERE id = 1 FOR UPDATE");
    const booked = db.leases.book({ epoch, charges: [charge("r1", 0)] }, entryOf);
    await someoneWaits();
    await db.silence(epoch);
    expect(await db.leases.renew(epoch, {})).toEqual({ liveNodes: 1, rank: 0 });
    await client.query("COMMIT");
    await client.end();
    expect(await booked).toMatchObject({ isLate: false });
    expect(await db.leases.expire()).toEqual([]);
  });

  describe("while a client keeps rows locked", () => {
    let client: pg.Client;
    beforeEach(async () => {
      client = new pg.Client({ connectionString: db.address });
      await client.connect();
    });
    afterEach(() => client.end());
    const lock = (table: string): Promise<unknown> =>
      client.query(`BEGIN; SELECT 1 FROM ${table} WHERE id = 1 FOR UPDATE`);

    const channelOf = (channelId: number) => (booked: BookedCharge) => ({ ...entryOf(booked), channelId });

    it.each([
      ["a user's", "users", charge("r1", 10)],
      ["a key's", "tokens", charge("r1", 10, { user: OTHER, key: KEY, keyQuota: 0 })],
    ])(
      "charges that change %s are held up, and no others; they are booked when it goes",
      async (_, table, held) => {
        const epoch = await join();
        await db.leases.acquire(wish(epoch, 100));
        await db.leases.acquire(wish(epoch, 100, { account: OTHER }));
        await lock(table);
        const free = charge("r2", 20, { user: table === "users" ? OTHER : USER });
        // A key without a limit counts what it uses as well.
        const tokenOf = (requestId: string): number => (requestId === "r2" ? 2 : 1);
        const entries = (booked: BookedCharge) => ({
          ...entryOf(booked),
          tokenId: tokenOf(booked.requestId),
        });
        const batch = { epoch, charges: [held, free] };
        const answer = { booked: [{ requestId: "r2", charged: 20 }], heldUp: ["r1"] };
        expect(await db.leases.book(batch, entries)).toMatchObject(answer);
        // It is known now: the next ones do not even wait.
        let shortestMs = Number.POSITIVE_INFINITY;
        for (let time = 0; time < 5; time += 1) {
          const before = performance.now();
          expect(await db.leases.book(batch, entries)).toMatchObject(answer);
          shortestMs = Math.min(shortestMs, performance.now() - before);
        }
        expect(shortestMs).toBeLessThan(450);
        await client.query("COMMIT");
        await expect
          .poll(() => db.leases.book({ epoch, charges: [held] }, entries), { interval: 50 })
          .toMatchObject({ booked: [{ requestId: "r1", charged: 10 }] });
        expect((await db.lines()).map(({ requestId }) => requestId).sort()).toEqual(["r1", "r2"]);
      },
    );

    it("charges that are counted for a channel are held up, and none of others", async () => {
      await askDatabase(
        db.address,
        "INSERT INTO channels (type, key_sealed, created_time) VALUES (1, '', 1), (1, '', 1)",
      );
      const epoch = await join();
      await db.leases.acquire(wish(epoch, 100));
      await lock("channels");
      const entries = (booked: BookedCharge) => channelOf(booked.requestId === "r1" ? 1 : 2)(booked);
      const batch = { epoch, charges: [charge("r1", 10), charge("r2", 20)] };
      expect(await db.leases.book(batch, entries)).toMatchObject({
        booked: [{ requestId: "r2" }],
        heldUp: ["r1"],
      });
      await client.query("COMMIT");
      await expect
        .poll(async () => (await db.leases.book(batch, entries)).booked.length, { interval: 50 })
        .toBe(2);
    });

    it("those who want of other accounts are answered, however many wishes wait for the locked ones", async () => {
      const epoch = await join();
      await client.query(
        "BEGIN; SELECT 1 FROM users WHERE id = 1 FOR UPDATE; SELECT 1 FROM tokens WHERE id = 1 FOR UPDATE",
      );
      const waiting = [USER, USER, KEY, KEY].map((account) =>
        db.leases.acquire(wish(epoch, 10, { account })).then(
          () => "granted",
          () => "gave up",
        ),
      );
      expect(await db.leases.acquire(wish(epoch, 10, { account: OTHER }))).toMatchObject({ granted: 10 });
      expect(await Promise.all(waiting)).toEqual(Array(4).fill("gave up"));
      await client.query("COMMIT");
    });
  });

  it("are not refused for good where the server's disk is full: they are booked when it has room", async () => {
    const epoch = await join();
    await db.leases.acquire(wish(epoch, 100));
    await askDatabase(
      db.address,
      `CREATE FUNCTION be_full() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100';
       END $$;
       CREATE TRIGGER be_full BEFORE INSERT ON outbox FOR EACH ROW EXECUTE FUNCTION be_full()`,
    );
    const batch = { epoch, charges: [charge("r1", 60), charge("r2", 10)] };
    await expect(db.leases.book(batch, entryOf)).rejects.toMatchObject({ code: "53100" });
    await askDatabase(db.address, "DROP TRIGGER be_full ON outbox");
    expect((await db.leases.book(batch, entryOf)).booked).toMatchObject([{ charged: 60 }, { charged: 10 }]);
    expect(await balanceOf(USER)).toMatchObject({ settled: 70 });
  });

  it("do a batch again that PostgreSQL took back for another's sake", async () => {
    const epoch = await join();
    await db.leases.acquire(wish(epoch, 100));
    // The last statement of a batch is the victim of a deadlock once: what a sequence counts is not taken back.
    await askDatabase(
      db.address,
      `CREATE SEQUENCE tries;
       CREATE FUNCTION give_way() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         IF nextval('tries') = 1 THEN RAISE EXCEPTION 'deadlock detected' USING ERRCODE = '40P01'; END IF;
         RETURN NEW;
       END $$;
       CREATE TRIGGER give_way BEFORE INSERT ON outbox FOR EACH ROW EXECUTE FUNCTION give_way()`,
    );
    const { booked } = await db.leases.book({ epoch, charges: [charge("r1", 60)] }, entryOf);
    expect(booked).toMatchObject([{ charged: 60 }]);
    expect(await askDatabase(db.address, "SELECT last_value FROM tries")).toEqual([{ last_value: "2" }]);
    expect(await balanceOf(USER)).toMatchObject({ settled: 60, leases: [{ quota: 40 }] });
    expect(await db.lines()).toHaveLength(1);
  });

  it("leave a key that another node has given quota since it was seen to have none", async () => {
    const accounts = await openAccounts(db.address, createSecrets(MASTER_KEY));
    const { tokens } = accounts.changes;
    const seen = { status: TOKEN_ENABLED, expiredTime: -1 };
    const epoch = await join();
    const setTo = (id: string, wanted: number) =>
      db.leases.edit({ id, account: KEY, wanted, isLast: true }, () => [], BY_ADMINISTRATOR);
    await setTo("given", 50);
    expect(await tokens.markStatus(1, seen, TOKEN_EXHAUSTED)).toBe(TOKEN_ENABLED);
    // Also where all of it is leased.
    await db.leases.acquire(wish(epoch, 50, { account: KEY }));
    expect(await tokens.markStatus(1, seen, TOKEN_EXHAUSTED)).toBe(TOKEN_ENABLED);
    await db.leases.giveBack({ epoch, account: KEY, number: 2, quota: 50 });
    await setTo("taken", 0);
    await tokens.change(1, 1, { unlimitedQuota: true });
    expect(await tokens.markStatus(1, seen, TOKEN_EXHAUSTED)).toBe(TOKEN_ENABLED);
    await tokens.change(1, 1, { unlimitedQuota: false });
    expect(await tokens.markStatus(1, seen, TOKEN_EXHAUSTED)).toBe(TOKEN_EXHAUSTED);
    await accounts.close();
  });

  it.each(seeds(2))("keep every sum, whatever they do at the same time (seed %i)", async (seed) => {
    const random = createRandom(seed);
    const below = (limit: number): number => Math.floor(random() * limit);
    let request = 0;
    let charged = 0;
    /** A node that acquires, charges of it, and leaves, is silent or goes on. */
    const live = async (): Promise<void> => {
      const epoch = await join();
      let isOver = false;
      for (let number = 1; number < 8 && !isOver; number += 1) {
        const accounts: AccountId[] = random() < 0.5 ? [USER, KEY] : [OTHER, KEY];
        const [user = USER] = accounts;
        const amounts = new Map<AccountId, number>();
        for (const account of accounts) {
          const answer = await db.leases.acquire(wish(epoch, below(120), { account, number, least: 0 }));
          if (answer === "epoch-over") isOver = true;
          else amounts.set(account, answer.granted);
        }
        const quota = below((amounts.get(user) ?? 0) + 1);
        const keyQuota = Math.min(quota, amounts.get(KEY) ?? 0);
        request += 1;
        const one = charge(`r${request}`, quota, { user, key: KEY, keyQuota, shortfall: below(20) });
        const batch = { epoch, charges: [one] };
        const [{ booked }] = await Promise.all([
          db.leases.book(batch, entryOf),
          ...(random() < 0.3 ? [db.leases.book(batch, entryOf)] : []),
          ...(random() < 0.2 ? [db.silence(epoch).then(() => db.leases.expire())] : []),
          ...(random() < 0.3
            ? [
                db.leases.edit(
                  { id: one.requestId, account: user, wanted: below(5000), isLast: true },
                  () => [],
                  BY_ADMINISTRATOR,
                ),
              ]
            : []),
        ]);
        for (const { charged: quotaOfOne } of booked) charged += quotaOfOne;
      }
      await db.leases.leave(epoch);
    };
    await Promise.all([live(), live(), live(), live()]);
    const balances = [...(await db.balances()).entries()];
    for (const [, balance] of balances) {
      expect(balance.quota).toBeGreaterThanOrEqual(0);
      expect(leasedOf(balance)).toBe(0);
      expect(balance.quota + balance.settled).toBe(balance.granted);
    }
    const settled = balances.flatMap(([id, balance]) => (id.startsWith("user") ? [balance.settled] : []));
    expect(settled.reduce((sum, quota) => sum + quota, 0)).toBe(charged);
    const lines = await db.lines();
    expect(lines.reduce((sum, { quota }) => sum + quota, 0)).toBe(charged);
    expect(lines).toHaveLength(request);
  });
});

describe("a node whose wishes or charges find no connection", () => {
  // The sign of life, and what is asked for first beside it, have one.
  it.each([1, 2])("gets no time, nor more of it, with %i connections to the database", async (most) => {
    const narrow = `narrow_${most}`;
    await askDatabase(
      db.address,
      `CREATE ROLE ${narrow} LOGIN; GRANT ALL ON ALL TABLES IN SCHEMA public TO ${narrow}`,
    );
    const address = Object.assign(new URL(db.address), { username: narrow }).href;
    const node = openLeases(address, 10_000, async () => {});
    try {
      const { epoch } = await node.leases.join({});
      expect(await node.leases.renew(epoch, {})).toMatchObject({ liveNodes: 1 });
      await askDatabase(db.address, `ALTER ROLE ${narrow} CONNECTION LIMIT ${most}`);
      await askDatabase(
        db.address,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${narrow}'`,
      );
      const full = { fault: { code: "database-full" } };
      const failure = () =>
        node.leases.renew(epoch, {}).then(
          () => undefined,
          (error: unknown) => error,
        );
      // What was cut may be noticed by the next question only.
      await expect.poll(failure).toMatchObject(full);
      await expect(node.leases.join({})).rejects.toMatchObject(full);
    } finally {
      await node.close();
    }
  });
});
