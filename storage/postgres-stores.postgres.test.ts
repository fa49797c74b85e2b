import { MAX_QUOTA } from "@tollgate/contract/values/quota";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { encodeCharges } from "./accounts/charges";
import { openBookings } from "./accounts/postgres/open-bookings";
import { takeOutboxRows } from "./accounts/postgres/outbox.repository";
import type { Tables } from "./accounts/sql/tables";
import { openPool } from "./postgres/connection-pool";
import { queryBuilder } from "./postgres/query-builder";
import { openPostgresLog } from "./postgres-log";
import { openPostgresStores, type PostgresStores } from "./postgres-stores";
import { askDatabase, newDatabase } from "./testing/new-database";
import { MASTER_KEY, newCharge, newToken, newUser } from "./testing/sample-records";

let address: string;
let nodes: [PostgresStores, PostgresStores];
const errors: string[] = [];

const open = (): Promise<PostgresStores> =>
  openPostgresStores({
    address,
    readAddress: undefined,
    masterKey: MASTER_KEY,
    nodeLifeMs: 10_000,
    reportError: ({ message }) => errors.push(message),
    openLog: openPostgresLog,
    openBookings,
  });

beforeEach(async () => {
  errors.length = 0;
  address = await newDatabase();
  nodes = await Promise.all([open(), open()]);
});
afterEach(async () => {
  for (const node of nodes) await node.close();
});

/** A promise that the test fulfils. */
const createGate = () => {
  let release = (): void => {};
  const passed = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { passed, release };
};

/** Cuts all connections to the database. */
const cutAll = () =>
  askDatabase(
    address,
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
  );

describe("a job of several nodes", () => {
  it("is done by one of them at a time, and each job for itself", async () => {
    const [one, other] = nodes;
    const gate = createGate();
    const done: string[] = [];
    const begun = createGate();
    const first = one.exclusively("log-retention", async () => {
      begun.release();
      await gate.passed;
      done.push("one");
    });
    await begun.passed;
    await other.exclusively("log-retention", async () => void done.push("other"));
    await other.exclusively("body-retention", async () => void done.push("another job"));
    expect(done).toEqual(["another job"]);
    gate.release();
    await first;
    await other.exclusively("log-retention", async () => void done.push("other"));
    expect(done).toEqual(["another job", "one", "other"]);
  });

  it("is taken over where the one that was at it is gone", async () => {
    const [one, other] = nodes;
    const gate = createGate();
    const begun = createGate();
    const first = one.exclusively("log-retention", async () => {
      begun.release();
      await gate.passed;
    });
    await begun.passed;
    await cutAll();
    let isDone = false;
    // A connection of the other node was cut as well, which the first question may find.
    await expect
      .poll(async () => {
        const attempt = other.exclusively("log-retention", async () => {
          isDone = true;
        });
        await attempt.catch(() => undefined);
        return isDone;
      })
      .toBe(true);
    gate.release();
    await expect(first).rejects.toThrow(/terminat|not queryable/);
  });

  it("forgets charges that no node sends again, and changes that every node has read, except the last", async () => {
    const [{ write, upkeep, exclusively }] = nodes;
    await write.users.create(newUser(), 0, []);
    await askDatabase(
      address,
      `INSERT INTO charges (request_id, user_id, charged, shortfall, taken_from_key, key_shortfall, created_at)
         SELECT 'old ' || n, 1, 1, 0, 0, 0, now() - interval '25 hours' FROM generate_series(1, 6000) n;
       INSERT INTO charges (request_id, user_id, charged, shortfall, taken_from_key, key_shortfall) VALUES ('new', 1, 1, 0, 0, 0);
       INSERT INTO charges (request_id, user_id, charged, shortfall, taken_from_key, key_shortfall, epoch, created_at)
         SELECT name, 1, 1, 0, 0, 0, epoch, now() - age FROM (VALUES
           ('before the newest of 7', 7, interval '49 hours'), ('newest of 7', 7, interval '48 hours'),
           ('of long ago', 8, interval '91 days')) charges (name, epoch, age);
       INSERT INTO booked_epochs VALUES (7, now() - interval '48 hours'), (8, now() - interval '91 days');
       INSERT INTO balance_edits (id, moved, created_at) VALUES ('old', 1, now() - interval '25 hours'), ('new', 1, now());
       UPDATE changes SET at = now() - interval '61 minutes'`,
    );
    const [last] = await askDatabase(address, "SELECT max(number) AS number FROM changes");
    for (const { name, run } of upkeep) await exclusively(name, run);
    // A node that was cut off for days may send the newest batch of its epoch once more.
    expect(await askDatabase(address, "SELECT request_id FROM charges ORDER BY created_at")).toEqual([
      { request_id: "newest of 7" },
      { request_id: "new" },
    ]);
    expect(await askDatabase(address, "SELECT epoch FROM booked_epochs")).toEqual([{ epoch: "7" }]);
    expect(await askDatabase(address, "SELECT id FROM balance_edits")).toEqual([{ id: "new" }]);
    expect(await askDatabase(address, "SELECT number FROM changes")).toEqual([last]);
  });
});

describe("stores of several nodes", () => {
  it("show in the log every charge from before the query, of any node", async () => {
    const [one, other] = nodes;
    const { user } = await one.write.users.create(newUser(), 0, []);
    await one.write.tokens.create(newToken(user.id));
    for (let count = 1; count <= 5; count += 1) {
      const charge = encodeCharges([newCharge({ requestId: `r-${count}` })]);
      await one.storeFailures(...charge);
      expect(await other.read.logs.page({}, 0, 10)).toHaveLength(count);
      expect(await one.read.usage.consumedQuota({}, 1000)).toBe(18 * count);
    }
    expect(errors).toEqual([]);
  });

  it("store every charge whatever its owner is called and asks for, and write its line", async () => {
    const [one] = nodes;
    const { user } = await one.write.users.create(newUser({ quota: MAX_QUOTA }), 0, []);
    await one.write.tokens.create(newToken(user.id, { remainQuota: 0, unlimitedQuota: true }));
    const { epoch } = await one.leases.join({});
    const wanted = { least: 1, most: 9000, total: 9000, ahead: 0, isLast: true };
    await one.leases.acquire({ epoch, account: "user:1", number: 1, ...wanted });
    const texts = [
      "\0",
      "a\0b",
      "\ud800",
      "x\udfff",
      "\n\r\u2028",
      "\u{1f600}".repeat(100),
      '"\\',
      "'; --",
      "$1",
      "{}",
    ];
    // Clocks may go back; counts are whole numbers, whatever an upstream says.
    const numbers = [0, -1, 2 ** 31, Number.MAX_SAFE_INTEGER];
    const hostile: Partial<ReturnType<typeof newCharge>>[] = [
      ...texts.flatMap((text) => [
        { tokenName: text },
        { username: text },
        { modelName: text },
        { content: text },
      ]),
      ...numbers.flatMap((number) => [{ durationMs: number }, { firstByteMs: number }]),
      { modelName: "m".repeat(10_000), tokenName: "n".repeat(10_000), content: "c".repeat(100_000) },
    ];
    const charges = hostile.map((_, index) => ({
      requestId: `r-${index}`,
      user: "user:1" as const,
      quota: 9,
      // More than any user has: the uncovered part is on the receipt.
      shortfall: index % 2 === 0 ? 0 : MAX_QUOTA - 9,
      key: undefined,
      keyQuota: 0,
    }));
    const entryOf = ({ requestId }: { requestId: string }) => {
      const more = hostile[Number(requestId.split("-")[1])];
      const { requestId: _, userId, quota, count, tokenQuota, ...entry } = newCharge(more);
      return entry;
    };
    for (let first = 0; first < charges.length; first += 10) {
      const batch = { epoch, charges: charges.slice(first, first + 10) };
      const answer = await one.leases.book(batch, entryOf);
      expect(answer).not.toHaveProperty("refused");
      expect(answer.booked).toHaveLength(batch.charges.length);
    }
    const page = await one.read.logs.page({}, 0, 1000);
    expect(errors).toEqual([]);
    expect(page).toHaveLength(charges.length);
    expect(errors).toEqual([]);
    const [row] = await askDatabase(
      address,
      "SELECT quota + used_quota + (SELECT sum(quota) FROM user_leases) = granted_quota AS adds FROM users",
    );
    expect(row).toEqual({ adds: true });
  });

  it("wait for the lines that another node is taking over, and for no others", async () => {
    const [one, other] = nodes;
    const { user } = await one.write.users.create(newUser(), 0, []);
    await one.write.tokens.create(newToken(user.id));
    await one.close();
    await askDatabase(
      address,
      `INSERT INTO outbox (batch) SELECT regexp_replace($batch$${encodeCharges([newCharge()])[1]}$batch$, 'r-1', 'r-' || n)
         FROM generate_series(1, 450) n`,
    );
    const pool = openPool(address, 1);
    let page: Promise<unknown[]> | undefined;
    // Another node has taken some, and fails at it while it is asked for the log.
    const taking = queryBuilder<Tables>(pool)
      .transaction()
      .execute(async (transaction) => {
        expect(await takeOutboxRows(transaction, 200)).toHaveLength(200);
        page = other.read.logs.page({}, 0, 1000);
        await expect
          .poll(() =>
            askDatabase(
              address,
              "SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
            ),
          )
          .toEqual([{ waiting: 1 }]);
        throw new Error("the node died");
      });
    await expect(taking).rejects.toThrow("the node died");
    expect(await page).toHaveLength(450);
    await pool.end();
    nodes[0] = await open();
  });

  it("go on by themselves when the connections were cut", async () => {
    const [{ read, write }] = nodes;
    await write.users.create(newUser(), 0, []);
    await read.logs.page({}, 0, 10);
    await cutAll();
    await expect.poll(() => read.users.count().catch(() => undefined)).toBe(1);
    await expect.poll(() => read.logs.page({}, 0, 10).catch(() => undefined)).toEqual([]);
    const change = () => write.options.put("Notice", "there", false).then(() => true);
    await expect.poll(() => change().catch(() => false)).toBe(true);
  });
});
