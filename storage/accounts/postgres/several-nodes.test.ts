import { MAX_QUOTA } from "@tollgate/contract/values/quota";
import { type Kysely, sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { encodeRecord } from "../../journal/journal-record";
import { type ConnectionPool, openPool } from "../../postgres/connection-pool";
import { queryBuilder } from "../../postgres/query-builder";
import { createSecrets } from "../../secrets";
import { newDatabase } from "../../testing/new-database";
import { MASTER_KEY, moved, newCharge, newToken, newUser } from "../../testing/sample-records";
import { encodeCharges } from "../charges";
import type { Tables } from "../sql/tables";
import { type OpenAccounts, openAccounts } from "./open-accounts";
import { takeOutboxRows } from "./outbox.repository";

let address: string;
let nodes: OpenAccounts[];
let pool: ConnectionPool;
let db: Kysely<Tables>;

const SECRETS = createSecrets(MASTER_KEY);

beforeEach(async () => {
  address = await newDatabase();
  // All at once: any of them may be the first.
  nodes = await Promise.all([1, 2, 3].map(() => openAccounts(address, SECRETS)));
  pool = openPool(address, 4);
  db = queryBuilder(pool);
});
afterEach(async () => {
  await pool.end();
  for (const { close } of nodes) await close();
});

/** Does something on each node at the same moment. */
const onEach = <T>(step: (node: OpenAccounts, index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(nodes.map(step));

const createUser = async (quota = 1000) => {
  const [node] = nodes as [OpenAccounts];
  return (await node.changes.users.create(newUser({ quota }), 0, [])).user;
};

const quotaOf = async (id: number) => (await nodes[0]?.queries.users.find(id))?.quota;

describe("several nodes on one database", () => {
  it("have one master key: another one is refused before anything is stored", async () => {
    await expect(openAccounts(address, createSecrets(new Uint8Array(32).fill(8)))).rejects.toMatchObject({
      fault: { code: "database-other-master-key" },
    });
  });

  it("give an inviter no more than fits, also for concurrent invitations", async () => {
    const inviter = await createUser(MAX_QUOTA - 10);
    const created = await onEach((node, index) =>
      node.changes.users.create(newUser({ username: `user ${index}`, inviterId: inviter.id }), 7, []),
    );
    expect(created.map(({ rewardedQuota }) => rewardedQuota).sort()).toEqual([0, 3, 7]);
    expect(await quotaOf(inviter.id)).toBe(MAX_QUOTA);
  });

  it("redeem a code once, and use a mailed one once", async () => {
    const user = await createUser();
    const [first] = nodes as [OpenAccounts];
    await first.changes.redemptions.create([
      { userId: 1, key: "code", name: "gift", quota: 50, createdTime: 1 },
    ]);
    await first.changes.verifications.put("email", "a@b.org", "right", 10);
    const amount = { quotaPerUnit: 500_000, isCurrency: false };
    const redeemed = await Promise.allSettled(
      nodes.map((node) => node.changes.redemptions.redeem("code", user.id, 5, "alice", amount)),
    );
    expect(redeemed.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await quotaOf(user.id)).toBe(1050);
    const used = await onEach((node) => node.changes.verifications.use("email", "a@b.org", "right", 5));
    expect(used.filter(Boolean)).toHaveLength(1);
  });

  it("add up their changes of one balance, and none of them takes it below zero", async () => {
    const user = await createUser(100);
    const changes = await Promise.allSettled(
      Array.from({ length: 30 }, (_, index) =>
        nodes[index % 3]?.changes.users.change(user.id, { quotaMove: moved(-9) }),
      ),
    );
    expect(changes.filter(({ status }) => status === "fulfilled")).toHaveLength(11);
    expect(await quotaOf(user.id)).toBe(1);
  });

  it("store a batch of the journal once, even when every node commits it", async () => {
    const user = await createUser();
    const { token } = (await nodes[0]?.changes.tokens.create(newToken(user.id))) ?? {};
    const [changes, entries] = encodeCharges([
      newCharge({ userId: user.id, tokenId: token?.id ?? 0, quota: 10 }),
    ]);
    const record = { id: 1, bytes: encodeRecord({ id: 1, changes, entries }) };
    await onEach((node) => node.charges.commitJournal([record]));
    expect(await quotaOf(user.id)).toBe(990);
    expect(await onEach((node) => node.charges.newestBatch())).toEqual([1, 1, 1]);
  });

  it("see a balance that is no exact number refused by the database itself", async () => {
    const user = await createUser(MAX_QUOTA);
    const beyond = sql`UPDATE users SET quota = quota + 1 WHERE id = ${user.id}`.execute(db);
    await expect(beyond).rejects.toMatchObject({ code: "23514" });
    expect(await quotaOf(user.id)).toBe(MAX_QUOTA);
  });
});

describe("the outbox of several nodes", () => {
  const take = (limit = 100) =>
    db.transaction().execute(async (transaction) => {
      const rows = await takeOutboxRows(transaction, limit);
      return rows.map(({ batch }) => batch);
    });

  it("gives each row to one of those who take, the oldest first", async () => {
    for (const batch of ["1", "2", "3", "4", "5"]) await db.insertInto("outbox").values({ batch }).execute();
    expect(await take(2)).toEqual(["1", "2"]);
    const taken = await Promise.all([take(2), take(2), take(2)]);
    expect([...taken.flat(), ...(await take())].sort()).toEqual(["3", "4", "5"]);
  });

  it("gives a row that was committed after one of a higher number", async () => {
    let insertLater = (): void => {};
    const inserted = new Promise<void>((resolve) => {
      insertLater = resolve;
    });
    const slow = db.transaction().execute(async (transaction) => {
      await transaction.insertInto("outbox").values({ batch: "slow" }).execute();
      await inserted;
    });
    // The row of the slow transaction has its number by now.
    await expect
      .poll(
        async () =>
          (await sql<{ last: number }>`SELECT last_value AS last FROM outbox_id_seq`.execute(db)).rows[0]
            ?.last,
      )
      .toBe(1);
    await db.insertInto("outbox").values({ batch: "fast" }).execute();
    expect(await take()).toEqual(["fast"]);
    insertLater();
    await slow;
    expect(await take()).toEqual(["slow"]);
  });

  it("keeps rows of a failed transaction", async () => {
    await db.insertInto("outbox").values({ batch: "1" }).execute();
    const failing = db.transaction().execute(async (transaction) => {
      await takeOutboxRows(transaction, 1);
      throw new Error("the log cannot be written");
    });
    await expect(failing).rejects.toThrow("the log cannot be written");
    expect(await take()).toEqual(["1"]);
  });
});
