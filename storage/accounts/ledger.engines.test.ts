import type { Movement } from "@tollgate/contract/records/ledger-entry";
import { MAX_QUOTA } from "@tollgate/contract/values/quota";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { StorageConflict } from "../errors";
import { onEngine } from "../testing/on-engine";
import { MASTER_KEY, moved, newCharge, newToken, newUser } from "../testing/sample-records";
import type { AccountsUnderTest, StoreUnderTest } from "./testing/accounts-under-test";
import { newPostgresStore } from "./testing/postgres-store";
import { newSqliteStore } from "./testing/sqlite-store";

const AMOUNT = { quotaPerUnit: 500_000, isCurrency: false };
const PAID: Movement = { cause: "payment", reference: "order-1", actorId: 0, at: 5 };

const newStore = onEngine({ sqlite: newSqliteStore, postgres: newPostgresStore });

let store: StoreUnderTest;
let accounts: AccountsUnderTest;

beforeEach(async () => {
  store = await newStore();
  accounts = await store.open(MASTER_KEY);
});

afterEach(async () => {
  await accounts.close();
  await store.remove();
});

const createUser = async (username = "alice", quota = 1000) =>
  (await accounts.changes.users.create(newUser({ username, affCode: username, quota }), 0, [])).user;

const balanceOf = async (id: number) => (await accounts.queries.users.find(id))?.quota;

/** What the ledger says, the oldest first. */
const entries = async () =>
  (await accounts.queries.ledger.page({}, 0, 1000))
    .reverse()
    .map(({ username, account, keyName, amount, cause, reference, actorName }) =>
      [username, account, keyName, amount, cause, reference, actorName].join(" ").replace(/ +/g, " ").trim(),
    );

describe("an administrator's operation", () => {
  const operation = (reference: string): Movement => ({
    ...{ cause: "quota-changed", reference, actorId: 0, at: 5 },
  });
  const move = (id: number, difference: number, reference: string) =>
    accounts.changes.users
      .change(id, { quotaMove: { difference, movement: operation(reference) } })
      .then(({ user }) => user.quota)
      .catch((error: Error) => error.message);

  it("that moves nothing is done once as well, and is no entry", async () => {
    const { id } = await createUser();
    expect(await move(id, 0, "one")).toBe(1000);
    expect(await Promise.all([move(id, 20, "one"), move(id, 0, "one")])).toEqual(
      Array(2).fill("booked-before"),
    );
    expect(await move(id, -20, "two")).toBe(980);
    expect(await move(id, 0, "two")).toBe("booked-before");
    expect(await balanceOf(id)).toBe(980);
    expect(await entries()).toHaveLength(2);
  });

  it("that takes of an empty balance is done once as well", async () => {
    const { id } = await createUser("alice", 0);
    const { users } = accounts.changes;
    const take = (most: number, reference: string) => users.take(id, most, operation(reference));
    expect([await take(20, "one"), await take(0, "two")]).toEqual([0, 0]);
    await users.grant(id, 100, operation("three"));
    expect([await take(20, "one"), await take(20, "two"), await take(20, "four")]).toEqual([0, 0, 20]);
    expect(await balanceOf(id)).toBe(80);
  });

  it("that moved nothing is forgotten after its time", async () => {
    const { id } = await createUser();
    await move(id, 0, "one");
    await accounts.changes.users.forgetDone(5);
    expect(await move(id, 7, "one")).toBe("booked-before");
    await accounts.changes.users.forgetDone(6);
    expect(await move(id, 7, "one")).toBe(1007);
  });
});

describe("the ledger", () => {
  it("has an entry of every movement that is no charge, with its cause", async () => {
    const { users, tokens, redemptions } = accounts.changes;
    const alice = await createUser();
    const invited = newUser({ username: "bob", quota: 30, inviteeQuota: 7, inviterId: alice.id });
    const { user: bob } = await users.create(invited, 25, []);
    const { token } = await tokens.create(newToken(bob.id));
    await tokens.create(newToken(bob.id, { key: "2", remainQuota: 0, unlimitedQuota: true }));
    await users.change(alice.id, { quotaMove: moved(-300), displayName: "Alice" });
    await users.change(alice.id, { displayName: "A." });
    await tokens.change(bob.id, token.id, { remainQuotaMove: moved(40) });
    await redemptions.create([{ userId: 1, key: "code", name: "gift", quota: 77, createdTime: 1 }]);
    await redemptions.redeem("code", bob.id, 2, "bob", AMOUNT);
    await accounts.commit(newCharge({ userId: bob.id, tokenId: token.id, quota: 18 }));
    expect(await entries()).toEqual([
      "alice balance 1000 new-user-gift",
      "bob balance 30 new-user-gift",
      "bob balance 7 invitee-gift",
      "alice balance 25 inviter-gift 2",
      "bob key laptop 500 key-created bob",
      "alice balance -300 quota-changed alice",
      "bob key laptop 40 quota-changed alice",
      "bob balance 77 redeemed 1/1 alice",
    ]);
    expect(await balanceOf(bob.id)).toBe(30 + 7 + 77 - 18);
    const ofKey = await accounts.queries.ledger.page({ keyId: token.id }, 0, 99);
    expect(ofKey.map(({ amount }) => amount)).toEqual([40, 500]);
  });

  it("has no entry for a refused or rolled-back change", async () => {
    const { users, tokens, redemptions } = accounts.changes;
    const alice = await createUser("alice", MAX_QUOTA - 5);
    await redemptions.create([{ userId: 1, key: "code", name: "gift", quota: 6, createdTime: 1 }]);
    const before = await entries();
    const refused = [
      users.create(newUser({ username: "alice" }), 5, []),
      users.change(alice.id, { quotaMove: moved(6) }),
      users.change(alice.id, { quotaMove: moved(-MAX_QUOTA) }),
      users.change(alice.id, { quotaMove: moved(1), onlyWithPasswordHash: "another" }),
      users.change(99, { quotaMove: moved(1) }),
      redemptions.redeem("code", alice.id, 2, "alice", AMOUNT),
      users.grant(alice.id, 6, PAID),
      users.grant(99, 6, PAID),
    ];
    for (const { status } of await Promise.allSettled(refused)) expect(status).toBe("rejected");
    expect(await tokens.change(alice.id, 9, { remainQuotaMove: moved(1) })).toBeUndefined();
    expect(await users.take(99, 5, PAID)).toBe(0);
    expect(await entries()).toEqual(before);
    expect(await balanceOf(alice.id)).toBe(MAX_QUOTA - 5);
  });

  it("books a payment once, however often and by however many at once it is told", async () => {
    const { users } = accounts.changes;
    const alice = await createUser();
    const given = await Promise.all(Array.from({ length: 20 }, () => users.grant(alice.id, 500, PAID)));
    expect(given.filter((quota) => quota === 500)).toHaveLength(1);
    expect(given.filter((quota) => quota === 0)).toHaveLength(19);
    expect(await users.grant(alice.id, 500, { ...PAID, reference: "order-2" })).toBe(500);
    // The same number of another cause is another movement.
    expect(await users.take(alice.id, 300, { ...PAID, cause: "payment-refund" })).toBe(300);
    expect(await users.take(alice.id, 300, { ...PAID, cause: "payment-refund" })).toBe(0);
    expect(await balanceOf(alice.id)).toBe(1700);
  });

  it("takes the available quota, and reports the amount", async () => {
    const { users } = accounts.changes;
    const alice = await createUser();
    expect(await users.take(alice.id, 1500, PAID)).toBe(1000);
    expect(await users.take(alice.id, 10, { ...PAID, reference: "order-2" })).toBe(0);
    expect(await balanceOf(alice.id)).toBe(0);
    expect(await entries()).toEqual([
      "alice balance 1000 new-user-gift",
      "alice balance -1000 payment order-1",
    ]);
  });

  it("is read by user, account, cause and time, page by page", async () => {
    const { users, tokens } = accounts.changes;
    const [alice, bob] = [await createUser("alice"), await createUser("bob")];
    await tokens.create(newToken(bob.id));
    for (const number of [1, 2, 3])
      await users.grant(alice.id, number, { ...PAID, reference: String(number), at: number * 10 });
    const { ledger } = accounts.queries;
    const amounts = async (...page: Parameters<typeof ledger.page>) =>
      (await ledger.page(...page)).map(({ amount }) => amount);
    expect(await amounts({ userId: alice.id }, 0, 2)).toEqual([3, 2]);
    expect(await amounts({ userId: alice.id }, 2, 2)).toEqual([1, 1000]);
    expect(await amounts({ cause: "payment", from: 10, to: 20 }, 0, 10)).toEqual([2, 1]);
    expect(await amounts({ account: "key" }, 0, 10)).toEqual([500]);
    const [newest] = await ledger.page({}, 0, 1);
    const older = await ledger.before({ userId: alice.id }, newest?.id ?? 0, 1);
    expect(older.map(({ amount }) => amount)).toEqual([2]);
  });

  it("names the cause of a movement also when its sum exceeds the largest safe number, and sums exactly", async () => {
    const { users } = accounts.changes;
    const alice = await createUser("alice", 0);
    const back = { ...PAID, cause: "payment-refund" } as const;
    for (const reference of ["1", "2", "3"]) {
      await users.grant(alice.id, MAX_QUOTA, { ...PAID, reference });
      await users.take(alice.id, MAX_QUOTA - 1, { ...back, reference });
      await users.take(alice.id, 1, { ...back, reference: `${reference}/rest` });
    }
    await users.grant(alice.id, 77, { ...PAID, reference: "4" });
    const { ledger } = accounts.queries;
    expect(await ledger.moved(alice.id, 0)).toEqual([
      { cause: "payment", entries: 4, quota: MAX_QUOTA },
      { cause: "payment-refund", entries: 6, quota: 0 - MAX_QUOTA },
    ]);
    expect(await ledger.total(alice.id, 0)).toBe(77);
    expect(await ledger.total(alice.id, PAID.at + 1)).toBe(0);
  });

  it("keeps the entries of a user that is deleted", async () => {
    const alice = await createUser();
    await accounts.changes.users.remove(alice.id);
    expect(await entries()).toEqual(["balance 1000 new-user-gift"]);
  });

  it("adds to a key's limit once for each reference", async () => {
    const { tokens } = accounts.changes;
    const alice = await createUser();
    const { token } = await tokens.create(newToken(alice.id));
    const added = { cause: "key-quota-changed", reference: "operation/1", actorId: alice.id, at: 9 } as const;
    const given = await Promise.all(
      Array.from({ length: 20 }, () => tokens.grant(alice.id, token.id, 40, added)),
    );
    expect(given.reduce((sum, quota) => sum + quota, 0)).toBe(40);
    expect((await accounts.queries.tokens.find(alice.id, token.id))?.remainQuota).toBe(540);
    await expect(tokens.grant(alice.id + 1, token.id, 40, added)).rejects.toThrow("not-found");
    await expect(
      tokens.grant(alice.id, token.id, MAX_QUOTA, { ...added, reference: "operation/2" }),
    ).rejects.toThrow("balance-too-large");
  });

  it("adds up to the granted quota after any sequence of movements and charges", async () => {
    let seed = 20_260_715;
    const below = (limit: number): number => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return Math.floor((seed / 2 ** 32) * limit);
    };
    const { users, tokens, redemptions } = accounts.changes;
    const people = [await createUser("alice"), await createUser("bob")];
    const keys = [];
    for (const { id } of people) keys.push((await tokens.create(newToken(id, { key: `key ${id}` }))).token);
    await redemptions.create(
      [1, 2, 3].map((n) => ({ userId: 1, key: `c${n}`, name: "gift", quota: 50, createdTime: 1 })),
    );
    const settled = [0, 0];
    for (let step = 0; step < 60; step += 1) {
      const which = below(2);
      const [user, key] = [people[which], keys[which]];
      if (!user || !key) throw new Error("nobody");
      const reference = String(below(12));
      const act: (() => Promise<unknown>)[] = [
        () => users.change(user.id, { quotaMove: moved(below(400) - 200) }),
        () => tokens.change(user.id, key.id, { remainQuotaMove: moved(below(200) - 100) }),
        () => users.grant(user.id, 1 + below(300), { ...PAID, reference }),
        () => users.take(user.id, 1 + below(500), { ...PAID, cause: "payment-refund", reference }),
        () => redemptions.redeem(`c${1 + below(4)}`, user.id, 2, user.username, AMOUNT),
        async () => {
          const quota = below(Math.min((await balanceOf(user.id)) ?? 0, 40) + 1);
          const tokenQuota = Math.min(quota, (await tokens.change(user.id, key.id, {}))?.remainQuota ?? 0);
          await accounts.commit(
            newCharge({ requestId: `r${step}`, userId: user.id, tokenId: key.id, quota, tokenQuota }),
          );
          settled[which] = (settled[which] ?? 0) + quota;
        },
      ];
      await act[below(act.length)]?.().catch((error: unknown) => {
        if (!(error instanceof StorageConflict) && !/check|constraint/i.test(String(error))) throw error;
      });
      const all = await accounts.queries.ledger.page({}, 0, 1000);
      for (const [index, { id }] of people.entries()) {
        const entered = all.filter((entry) => entry.userId === id && entry.account === "balance");
        const sum = entered.reduce((total, { amount }) => total + amount, 0);
        expect([step, await balanceOf(id)]).toEqual([step, sum - (settled[index] ?? 0)]);
      }
    }
  });
});
