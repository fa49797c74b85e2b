import type { NewRequestRefund } from "@tollgate/contract/records/request-refund-record";
import { createRandom } from "@tollgate/testkit/random";
import { seeds } from "@tollgate/testkit/seeds";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { moneyFaults } from "../testing/money-faults";
import { onEngine } from "../testing/on-engine";
import { MASTER_KEY, moved, newChannel, newCharge, newToken, newUser } from "../testing/sample-records";
import { type AccountsUnderTest, readWaiting, type StoreUnderTest } from "./testing/accounts-under-test";
import { newPostgresStore } from "./testing/postgres-store";
import { newSqliteStore } from "./testing/sqlite-store";

const newStore = onEngine({ sqlite: newSqliteStore, postgres: newPostgresStore });
const hasLeases = onEngine({ sqlite: false, postgres: true });

const ROOT = 1;
const ADMIN = 2;
const ALICE = 3;
const AT = 5000;
const UNIT = { quotaPerUnit: 500_000, isCurrency: false };

let store: StoreUnderTest;
let accounts: AccountsUnderTest;
let channelId: number;

beforeEach(async () => {
  store = await newStore();
  accounts = await store.open(MASTER_KEY);
  for (const [username, role] of [
    ["root", 100],
    ["admin", 10],
    ["alice", 1],
  ] as const)
    await accounts.changes.users.create(newUser({ username, affCode: username, role }), 0, []);
  await accounts.changes.tokens.create(newToken(ALICE));
  const [created] = await accounts.changes.channels.create([newChannel()]);
  channelId = created?.channel.id ?? 0;
});

afterEach(async () => {
  await accounts.close();
  await store.remove();
});

const KEY = 1;

const charge = (requestId: string, quota: number, more: object = {}): Promise<void> =>
  accounts.commit(newCharge({ requestId, userId: ALICE, tokenId: KEY, channelId, quota, ...more }));

const wantedOf = (more: Partial<NewRequestRefund> = {}): NewRequestRefund => {
  const { charged = 100 } = more;
  return {
    requestId: "r-1",
    userId: ALICE,
    charged,
    quota: charged,
    actorId: ADMIN,
    actorName: "admin",
    reason: "the answer was wrong",
    createdAt: AT,
    username: "alice",
    keyId: KEY,
    keyName: "laptop",
    channelId,
    modelName: "gpt-4",
    mostOfKey: charged,
    hasCost: true,
    chargedAt: 100,
    isLogged: true,
    ...more,
  };
};

const refund = (more: Partial<NewRequestRefund> = {}) =>
  accounts.changes.requestRefunds.refund(wantedOf(more));

const stand = async () => {
  const user = await accounts.queries.users.find(ALICE);
  const key = await accounts.queries.tokens.find(ALICE, KEY);
  const channel = await accounts.queries.channels.find(channelId);
  return {
    balance: user?.quota,
    used: user?.usedQuota,
    key: [key?.remainQuota, key?.usedQuota],
    channel: channel?.usedQuota,
  };
};

const entries = async () =>
  (await accounts.queries.ledger.page({ cause: "request-refund" }, 0, 100)).map(
    ({ userId, account, amount, reference, requestId, actorId, reason }) =>
      `${userId} ${account} ${amount} ${reference} ${requestId} ${actorId} ${reason}`,
  );

const expectInOrder = async (): Promise<void> => {
  expect(await moneyFaults(accounts.ask, hasLeases)).toEqual([]);
};

describe("the refund of a request", () => {
  it("returns the charge to the balance, the key and the channel, with an entry that names the request", async () => {
    await charge("r-1", 100);
    await charge("r-2", 20);
    expect(await stand()).toEqual({ balance: 880, used: 120, key: [380, 120], channel: 120 });
    const { kind, refund: made } = await refund({ quota: 60 });
    expect([kind, made.quota, made.keyQuota, made.planQuota]).toEqual(["refunded", 60, 60, 0]);
    expect(await stand()).toEqual({ balance: 940, used: 60, key: [440, 60], channel: 60 });
    expect(await entries()).toEqual(["3 balance 60 r-1 r-1 2 the answer was wrong"]);
    expect(await accounts.queries.requestRefunds.find("r-1")).toEqual(made);
    expect(await accounts.queries.requestRefunds.find("r-2")).toBeUndefined();
    await expectInOrder();
  });

  it("is a line of the log that takes from the charges of its payer, model and channel", async () => {
    await charge("r-1", 100);
    await refund({ quota: 60, createdAt: AT });
    expect(readWaiting(await accounts.waiting()).at(-1)).toMatchObject({
      requestId: "r-1",
      createdAt: AT,
      userId: ALICE,
      tokenId: KEY,
      channelId,
      modelName: "gpt-4",
      quota: -60,
      cost: 0,
      promptTokens: 0,
      receipt: "",
      content: '[{"code":"request-refunded"}]',
    });
  });

  it("lowers no running window of its channel, whose requests the upstream has answered", async () => {
    const windows = [{ hours: 5, limit: 100, unit: "quota" }] as const;
    await accounts.changes.channels.change(channelId, { calendar: { windows: [...windows] } });
    await charge("r-1", 100);
    await refund({ quota: 60 });
    const [channel] = await accounts.queries.channels.windowed();
    expect(channel?.chargedQuota).toBe(100);
    await charge("r-2", 20);
    const [then] = await accounts.queries.channels.windowed();
    expect(then?.chargedQuota).toBe(120);
  });

  it("is made once when several administrators ask for it at the same time", async () => {
    await charge("r-1", 100);
    const made = await Promise.all([refund({ quota: 60 }), refund({ quota: 50, actorId: ROOT }), refund()]);
    expect(made.map(({ kind }) => kind).sort()).toEqual(["before", "before", "refunded"]);
    const [first] = made.filter(({ kind }) => kind === "refunded");
    for (const each of made) expect(each.refund).toEqual(first?.refund);
    expect(await entries()).toHaveLength(1);
    expect((await stand()).balance).toBe(900 + (first?.refund.quota ?? 0));
    await expectInOrder();
  });

  it("gives an unlimited key no limit, and one with too small a limit what it had paid", async () => {
    await charge("r-1", 100, { tokenQuota: 30 });
    await refund({ quota: 80, mostOfKey: 30 });
    expect((await stand()).key).toEqual([500, 20]);
    await accounts.changes.tokens.change(ALICE, KEY, { unlimitedQuota: true });
    await charge("r-2", 50, { tokenQuota: 0 });
    await refund({ requestId: "r-2", charged: 50 });
    expect((await stand()).key).toEqual([500, 20]);
    await expectInOrder();
  });

  it("goes to the balance alone when the key and the channel were deleted", async () => {
    await charge("r-1", 100);
    await accounts.changes.tokens.remove(ALICE, KEY);
    await accounts.changes.channels.remove(channelId);
    expect(await refund()).toMatchObject({ kind: "refunded", refund: { keyQuota: 0 } });
    expect((await accounts.queries.users.find(ALICE))?.quota).toBe(1000);
    await expectInOrder();
  });

  it("changes nothing where its user was deleted, or root alone decides", async () => {
    await charge("r-1", 100);
    await accounts.commit(newCharge({ requestId: "r-a", userId: ADMIN, tokenId: 99, channelId, quota: 5 }));
    const own = { requestId: "r-a", userId: ADMIN, keyId: 99, charged: 5 };
    await expect(refund({ ...own, actorId: ADMIN })).rejects.toMatchObject({ kind: "favour-refused" });
    await expect(refund({ actorId: ALICE, userId: ROOT })).rejects.toMatchObject({ kind: "favour-refused" });
    await accounts.changes.users.remove(ALICE);
    await expect(refund()).rejects.toMatchObject({ kind: "not-found" });
    expect(await accounts.queries.requestRefunds.find("r-a")).toBeUndefined();
    expect(await entries()).toEqual([]);
    expect(await refund({ ...own, actorId: ROOT })).toMatchObject({ kind: "refunded" });
    await expectInOrder();
  });

  it("leaves the balance as it was when the account can hold no more", async () => {
    await charge("r-1", 100);
    await accounts.changes.users.change(ALICE, { quotaMove: moved(Number.MAX_SAFE_INTEGER - 1000) });
    await expect(refund()).rejects.toMatchObject({ kind: "balance-too-large" });
    expect((await stand()).key).toEqual([400, 100]);
    await expectInOrder();
  });

  it("returns to the plan what the plan paid, and to the own money what that paid, as long as the period lasts", async () => {
    const { plans } = accounts.changes;
    const terms = {
      title: "Basic",
      price: 0,
      durationUnit: "day",
      durationCount: 9,
      quota: 100,
      reset: "day",
      group: "",
      beyond: "balance",
    } as const;
    const wanted = {
      ...{ userId: ALICE, planId: 1, terms, startsAt: 0, endsAt: 900, reference: "p" },
      source: "gift" as const,
      ...{ renews: false, actorId: ROOT, now: 0, price: 0, mostPerUser: undefined },
    } as const;
    const begun = await plans.subscribe(wanted, 1000, UNIT);
    if (begun === "held") throw new Error(begun);
    const { id } = begun.subscription;
    await plans.openPeriod(
      { subscriptionId: id, number: 1, startsAt: 0, endsAt: 100, now: 0, mostParked: 1000 },
      UNIT,
    );
    await charge("r-1", 130);
    // 100 of the plan, 30 of the own money, which comes back first.
    const first = { charged: 130, quota: 50, chargedAt: 50, createdAt: 60 };
    expect((await refund(first)).refund.planQuota).toBe(20);
    expect(await accounts.queries.plans.own(ALICE)).toBe(1000);
    expect((await accounts.queries.plans.subscription(id))?.left).toBe(20);
    // A request from before the period was not paid by it.
    await charge("r-2", 20);
    const early = { requestId: "r-2", charged: 20, chargedAt: -1, createdAt: 70 };
    expect((await refund(early)).refund.planQuota).toBe(0);
    // After the end it is ordinary credit.
    await charge("r-3", 7);
    expect(
      (await refund({ requestId: "r-3", charged: 7, chargedAt: 80, createdAt: 100 })).refund.planQuota,
    ).toBe(0);
    await expectInOrder();
    await plans.closePeriods(id, 100, 1000, UNIT);
    await expectInOrder();
  });

  it("sums up refunds by model and key for statements and budgets", async () => {
    await charge("r-1", 100);
    await charge("r-2", 50, { modelName: "other" });
    await charge("r-3", 10);
    await refund({ createdAt: 10 });
    await refund({ requestId: "r-2", charged: 50, quota: 40, modelName: "other", createdAt: 20 });
    await refund({ requestId: "r-3", charged: 10, keyId: 7, createdAt: 30 });
    const { requestRefunds } = accounts.queries;
    const found = await requestRefunds.ofUser(ALICE, 20, 31);
    expect(found.before).toBe(100);
    expect([...found.models].sort((a, b) => a.quota - b.quota)).toEqual([
      { key: "gpt-4", quota: 10 },
      { key: "other", quota: 40 },
    ]);
    expect([...found.tokens].sort((a, b) => a.quota - b.quota)).toEqual([
      { key: "7", quota: 10 },
      { key: "1", quota: 40 },
    ]);
    expect(await requestRefunds.ofUser(ADMIN, 0, 100)).toEqual({ before: 0, models: [], tokens: [] });
    await charge("r-4", 9);
    await refund({ requestId: "r-4", charged: 9, createdAt: 7300 });
    const since = (await requestRefunds.since(20)).sort((a, b) => a.from - b.from || a.tokenId - b.tokenId);
    expect(since).toEqual([
      { userId: ALICE, tokenId: KEY, from: 0, quota: 140 },
      { userId: ALICE, tokenId: 7, from: 0, quota: 10 },
      { userId: ALICE, tokenId: KEY, from: 7200, quota: 9 },
    ]);
    expect(await requestRefunds.since(7201)).toEqual([since[2]]);
  });

  it.each(seeds(6))("keeps all books in order after any history (seed %i)", async (seed) => {
    const random = createRandom(seed);
    const below = (limit: number): number => Math.floor(random() * limit);
    let serial = 0;
    let due = 1000;
    const charges = new Map<string, { charged: number; taken: number }>();
    for (let step = 0; step < 20; step += 1) {
      const draw = random();
      if (draw < 0.4) {
        serial += 1;
        const { balance = 0 } = await stand();
        const charged = 1 + below(60);
        const remain = (await accounts.queries.tokens.find(ALICE, KEY))?.remainQuota ?? 0;
        const taken = below(3) === 0 ? 0 : Math.min(remain, below(charged + 1));
        if (balance < charged) continue;
        await charge(`r-${serial}`, charged, { tokenQuota: taken });
        charges.set(`r-${serial}`, { charged, taken });
        due -= charged;
      } else if (draw < 0.55) {
        await accounts.changes.tokens.change(ALICE, KEY, { unlimitedQuota: random() < 0.5 });
      } else if (charges.size > 0) {
        const [requestId, { charged, taken }] = [...charges][below(charges.size)] ?? [
          "",
          { charged: 0, taken: 0 },
        ];
        const quota = 1 + below(charged);
        const wanted = { requestId, charged, quota, mostOfKey: taken, createdAt: step };
        const made = await Promise.all([refund(wanted), ...(random() < 0.5 ? [refund(wanted)] : [])]);
        due += made.reduce((sum, { kind, refund: one }) => sum + (kind === "refunded" ? one.quota : 0), 0);
      }
    }
    expect((await stand()).balance).toBe(due);
    await expectInOrder();
  });
});
