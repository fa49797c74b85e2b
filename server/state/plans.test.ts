import { createMemoryMoney } from "@tollgate/accounts/account-money";
import { type Accounts, createAccounts, loadAccounts } from "@tollgate/accounts/accounts";
import { type PlanEvent, Plans } from "@tollgate/accounts/plans";
import type { User } from "@tollgate/accounts/users";
import type { Plan } from "@tollgate/contract/api/plans";
import { MAX_QUOTA } from "@tollgate/contract/values/quota";
import { type Hold, hold, settle } from "@tollgate/metering/ledger";
import type {
  AccountsUnderTest,
  StoreUnderTest,
} from "@tollgate/storage/accounts/testing/accounts-under-test";
import { newSqliteStore } from "@tollgate/storage/accounts/testing/sqlite-store";
import { MASTER_KEY, newCharge, newToken, newUser } from "@tollgate/storage/testing/sample-records";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { accountStoreOf, planRefusalOf, planStoreOf, readStoredAccounts } from "./account-store";

const at = (text: string): number => new Date(`${text}:00`).getTime() / 1000;

let store: StoreUnderTest;
let stored: AccountsUnderTest;
let now: number;
let plans: Plans;
let accounts: Accounts;
let user: User;
let keyId: number;
let events: PlanEvent[];

const open = async (): Promise<{ plans: Plans; accounts: Accounts }> => {
  const storage = { read: stored.queries, write: stored.changes };
  const tools = {
    hash: (text: string) => text,
    now: () => now,
    amountUnit: () => ({ quotaPerUnit: 500_000, isCurrency: false }),
    reportError: (error: Error) => expect(error).toBeUndefined(),
  };
  const opened = createAccounts(
    accountStoreOf(storage),
    tools,
    createMemoryMoney(() => {}),
  );
  await loadAccounts(opened, await readStoredAccounts(stored.queries, now));
  const opening = new Plans(planStoreOf(storage), opened.users, opened.balances, {
    ...tools,
    refusalOf: planRefusalOf,
    onEvent: (event) => events.push(event),
  });
  return { plans: opening, accounts: opened };
};

/** As after a start of the process. */
const restart = async (): Promise<void> => {
  ({ plans, accounts } = await open());
  const found = accounts.users.find(1);
  if (!found) throw new Error("no user");
  user = found;
};

beforeEach(async () => {
  [now, events] = [at("2026-01-31T10:00"), []];
  store = await newSqliteStore();
  stored = await store.open(MASTER_KEY);
  await stored.changes.users.create(newUser({ quota: 1000, group: "default" }), 0, []);
  keyId = (await stored.changes.tokens.create(newToken(1, { unlimitedQuota: true }))).token.id;
  await restart();
});

afterEach(async () => {
  // Memory and storage agree whenever nothing is under way.
  const { quota = -1 } = (await stored.queries.users.find(1)) ?? {};
  expect(accounts.users.find(1)?.account.quota ?? -1).toBe(quota);
  await stored.close();
  await store.remove();
});

const planOf = async (more: Partial<Plan> = {}): Promise<Plan> =>
  stored.changes.plans.create({
    title: "Basic",
    description: "",
    price: 300,
    durationUnit: "month",
    durationCount: 1,
    quota: 500,
    reset: "day",
    group: "",
    beyond: "balance",
    maxPerUser: 0,
    isEnabled: true,
    sortOrder: 0,
    createdTime: 1,
    ...more,
  });

let references = 0;
const buy = (plan: Plan, more: Partial<Parameters<Plans["subscribe"]>[2]> = {}, by = { plans, user }) => {
  references += 1;
  return by.plans.subscribe(by.user, plan, {
    source: "balance",
    reference: `test:${references}`,
    actorId: 1,
    renews: false,
    ...more,
  });
};

const KEY = { id: 9, quota: 0, held: 0, isUnlimited: true };

const holdOf = (quota: number): Hold | string => hold(user.account, KEY, quota, false);

const holding = (quota: number): Hold => {
  const placed = holdOf(quota);
  if (typeof placed === "string") throw new Error(placed);
  return placed;
};

/** An answer is over. */
const charge = async (placed: Hold, quota: number): Promise<void> => {
  const { charged } = settle(placed, quota);
  await stored.commit(newCharge({ userId: 1, tokenId: keyId, quota: charged, tokenQuota: 0 }));
};

const use = async (quota: number): Promise<void> => charge(holding(quota), quota);

const states = async () =>
  (await stored.queries.plans.ofUser(1, 10)).map(
    ({ state, source, period }) => `${state} ${source} ${period}`,
  );

describe("a plan that is bought", () => {
  it("begins at once, resets each day at the time of day at which it began, and ends", async () => {
    await buy(await planOf());
    expect(user.account.quota).toBe(1000 - 300 + 500);
    await use(100);
    now = at("2026-02-01T09:59");
    await plans.advanceAll();
    expect(user.account.quota).toBe(1100);
    now = at("2026-02-01T10:00");
    await plans.advanceAll();
    expect(user.account.quota).toBe(1200);
    await use(700);
    now = at("2026-02-28T10:00");
    await plans.advanceAll();
    expect(user.account.quota).toBe(500);
    expect(await states()).toEqual(["ended balance 2"]);
    expect(events.map(({ what }) => what)).toEqual(["expired"]);
  });

  it("gives nothing of the periods that passed while nothing ran, nor again when the clock goes back", async () => {
    await buy(await planOf());
    now = at("2026-02-03T11:00");
    await restart();
    await plans.advanceAll();
    expect(user.account.quota).toBe(1200);
    expect(await states()).toEqual(["active balance 4"]);
    for (const back of ["2026-02-01T11:00", "2026-01-01T00:00", "2026-02-03T12:00"]) {
      now = at(back);
      await plans.advanceAll();
    }
    expect([user.account.quota, await states()]).toEqual([1200, ["active balance 4"]]);
  });

  it("counts use between the end of a period and the look at it against that period", async () => {
    await buy(await planOf());
    now = at("2026-02-01T10:01");
    await use(600);
    await plans.advanceAll();
    expect(user.account.quota).toBe(600 + 500);
  });

  it("keeps the quota that running requests hold, and new requests cannot prolong it", async () => {
    await buy(await planOf({ price: 0, quota: 500 }));
    await use(900);
    const [long, short] = [holding(350), holding(200)];
    now = at("2026-02-28T10:00");
    await plans.advanceAll();
    // 600 are there, 550 of them set aside; nothing of the plan was spent but 500 of 900.
    expect(user.account.quota).toBe(600);
    await charge(short, 10);
    await charge(long, 20);
    await restart();
    await plans.advanceAll();
    expect(user.account.quota).toBe(570);
  });

  it("is taken back as soon as holds end, before any new hold counts on it", async () => {
    await buy(await planOf({ price: 1000, quota: 500 }));
    const [long, short] = [holding(300), holding(200)];
    now = at("2026-02-28T10:00");
    await plans.advanceAll();
    expect(user.account.quota).toBe(500);
    await charge(short, 50);
    // 150 are free, and due: a request that began now could keep them for ever.
    expect(holdOf(1)).toBe("user-quota-held");
    await plans.advanceAll();
    expect(user.account.quota).toBe(300);
    await charge(long, 300);
    await plans.advanceAll();
    expect(user.account.quota).toBe(0);
    expect(user.account.due).toBe(0);
  });

  it("takes a hold from the next period's quota immediately, so that a hold carries over no unused quota", async () => {
    await buy(await planOf({ price: 0, quota: 500 }));
    const placed = holding(1300);
    now = at("2026-02-01T10:00");
    await plans.advanceAll();
    // 200 were free of the first period, and the 300 that are held are taken of the second one.
    expect([user.account.quota, user.account.due]).toEqual([1000 + 500, 0]);
    await charge(placed, 40);
    expect(user.account.quota).toBe(1000 + 460);
    now = at("2026-02-02T10:00");
    await plans.advanceAll();
    expect(user.account.quota).toBe(1000 + 500);
  });

  it("is taken back of a period that is over although the next one has begun", async () => {
    // The account is full: the second period gets nothing of which the rest of the first one could be taken.
    await accounts.users.change(1, { quota: MAX_QUOTA - 500 });
    await buy(await planOf({ price: 0, quota: 500 }));
    const placed = holding(MAX_QUOTA);
    now = at("2026-02-01T10:00");
    await plans.advanceAll();
    expect([user.account.quota, user.account.due]).toEqual([MAX_QUOTA, 500]);
    await charge(placed, 0);
    now += 3;
    await plans.advanceAll();
    expect([user.account.quota, user.account.due]).toEqual([MAX_QUOTA - 500, 0]);
  });

  it("while a hundred requests are under way takes no own money, whenever they end", async () => {
    await buy(await planOf({ price: 0, quota: 5000 }));
    const holds = Array.from({ length: 100 }, () => holding(40));
    now = at("2026-02-28T10:00");
    await Promise.all(
      holds.flatMap((each, index) => [
        charge(each, index % 3 === 0 ? 0 : 20),
        ...(index % 10 === 0 ? [plans.advanceAll()] : []),
      ]),
    );
    await plans.advanceAll();
    await plans.advanceAll();
    expect(user.account.quota).toBe(1000);
  });

  it("cannot be bought twice with money for one, also on two processes", async () => {
    const plan = await planOf({ price: 600, quota: 0 });
    const other = await open();
    const otherUser = other.accounts.users.find(1);
    if (!otherUser) throw new Error("no user");
    const outcomes = await Promise.all([
      buy(plan),
      buy(plan, {}, { plans: other.plans, user: otherUser }),
      buy(plan),
    ]);
    expect(outcomes.filter((outcome) => typeof outcome === "string")).toEqual([
      "unaffordable",
      "unaffordable",
    ]);
    expect((await stored.queries.users.find(1))?.quota).toBe(400);
    await restart();
  });

  it("is not bought with money that requests under way hold", async () => {
    const open = holding(800);
    expect(await buy(await planOf())).toBe("held");
    await charge(open, 100);
    expect(await buy(await planOf())).toMatchObject({ state: "active" });
  });

  it("puts its group first while it lasts", async () => {
    const bought = await buy(await planOf({ group: "vip" }));
    expect(user.groups).toEqual(["vip", "default"]);
    await accounts.users.change(1, { group: "team,vip" });
    expect(user.groups).toEqual(["vip", "team"]);
    await restart();
    expect(user.groups).toEqual(["vip", "team"]);
    if (typeof bought === "string") throw new Error(bought);
    await plans.endNow(bought);
    expect(user.groups).toEqual(["team", "vip"]);
    expect(user.account.quota).toBe(700);
    expect(await states()).toEqual(["ended balance 1"]);
  });

  it("that stops at its end leaves nothing to spend but its included and added quota", async () => {
    await buy(await planOf({ beyond: "stop", quota: 50 }));
    expect(user.account.quota).toBe(50);
    await use(50);
    expect(holdOf(1)).toBe("user-quota-exceeded");
    await accounts.users.grant(1, 30, { cause: "payment", reference: "1", actorId: 0, at: now });
    await use(30);
    now = at("2026-02-28T10:00");
    await plans.advanceAll();
    expect(user.account.quota).toBe(700);
  });

  it("holds quota near 2^53, and no more than an account can", async () => {
    await accounts.users.change(1, { quota: MAX_QUOTA - 10 });
    await buy(await planOf({ price: 0, quota: MAX_QUOTA }));
    expect(user.account.quota).toBe(MAX_QUOTA);
    await use(1000);
    now = at("2026-02-01T10:00");
    await plans.advanceAll();
    // The room for the next period equals the quota taken back from the last one.
    expect(user.account.quota).toBe(MAX_QUOTA - 1000);
    now = at("2026-02-28T10:00");
    await plans.advanceAll();
    expect(user.account.quota).toBe(MAX_QUOTA - 1000);
  });

  it("goes with its user", async () => {
    await buy(await planOf());
    await accounts.users.remove(1);
    now = at("2026-03-28T10:00");
    await plans.advanceAll();
    expect(await stored.queries.plans.due(now, 10)).toEqual([]);
  });
});

describe("a renewal", () => {
  const END = "2026-02-28T10:00";

  it("is paid for from the balance, goes on where the last one ended, and keeps the group", async () => {
    const groups: (readonly string[])[] = [];
    accounts.changes.subscribe(({ of }) => of === "user" && groups.push(user.groups));
    await buy(await planOf({ reset: "never", group: "vip" }), { renews: true });
    now = at(END) + 20;
    await plans.advanceAll();
    expect(user.account.quota).toBe(1000 - 600 + 500);
    expect(await states()).toEqual(["active renewal 1", "ended balance 1"]);
    const [renewed] = await stored.queries.plans.ofUser(1, 1);
    expect([renewed?.startsAt, renewed?.endsAt, renewed?.renews]).toEqual([
      at(END),
      at("2026-03-28T10:00"),
      true,
    ]);
    expect(events.map(({ what }) => what)).toEqual(["renewed"]);
    expect(groups.every(([first]) => first === "vip")).toBe(true);
    // The next one is not paid for: 100 are left of the user's own, which the plan does not add to.
    now = at("2026-03-28T10:00");
    await plans.advanceAll();
    expect(events.at(-1)).toMatchObject({ what: "renewed" });
    now = at("2026-04-28T10:00");
    await plans.advanceAll();
    expect(events.at(-1)).toMatchObject({ what: "renewal-failed", reason: "unaffordable" });
    expect(user.account.quota).toBe(100);
  });

  it("is done once by two processes", async () => {
    await buy(await planOf({ reset: "never" }), { renews: true });
    const other = await open();
    now = at(END);
    await Promise.all([plans.advanceAll(), other.plans.advanceAll()]);
    await plans.advanceAll();
    expect(await states()).toEqual(["active renewal 1", "ended balance 1"]);
    expect((await stored.queries.users.find(1))?.quota).toBe(900);
    await restart();
  });

  it.each([
    ["dearer", { price: 301 }],
    ["gone", { isEnabled: false }],
  ] as const)("is not done where the plan is %s", async (reason, change) => {
    const plan = await planOf();
    await buy(plan, { renews: true });
    await stored.changes.plans.change(plan.id, change);
    now = at(END);
    await plans.advanceAll();
    expect(events).toMatchObject([{ what: "renewal-failed", reason }]);
    expect([user.account.quota, await states()]).toEqual([700, ["ended balance 1"]]);
  });

  it("is not done for an administrator on terms that another administrator has saved since", async () => {
    await stored.changes.users.create(newUser({ username: "root", role: 100, affCode: "r" }), 0, []);
    const admin = newUser({ username: "admin", role: 10, affCode: "a", quota: 1000 });
    await stored.changes.users.create(admin, 0, []);
    await restart();
    const buyer = accounts.users.findByName("admin");
    const root = accounts.users.findByName("root");
    if (!buyer || !root) throw new Error("a user is missing");
    const plan = await planOf();
    const by = { plans, user: buyer };
    const actorId = buyer.id;
    expect(await buy(plan, { actorId }, by)).toBe("favour-refused");
    await stored.changes.plans.change(plan.id, {}, root.id);
    expect(await buy(plan, { actorId, renews: true }, by)).toMatchObject({ state: "active" });
    await stored.changes.plans.change(plan.id, { price: 0, quota: 9000 }, buyer.id);
    now = at(END);
    await plans.advanceAll();
    expect(events).toMatchObject([{ what: "renewal-failed", reason: "favour-refused" }]);
    expect(buyer.account.quota).toBe(700);
  });

  it("is paid with the money set aside for it", async () => {
    await buy(await planOf({ beyond: "stop" }), { renews: true });
    now = at(END);
    await plans.advanceAll();
    expect([user.account.quota, await stored.queries.plans.parked(1)]).toEqual([500, 400]);
    now = at("2026-03-28T10:00");
    await plans.advanceAll();
    now = at("2026-04-28T10:00");
    await plans.advanceAll();
    expect([user.account.quota, await stored.queries.plans.parked(1)]).toEqual([100, 0]);
  });

  it("by hand is paid for now and begins when the last one ends, once", async () => {
    const plan = await planOf({ group: "vip" });
    const first = await buy(plan);
    if (typeof first === "string") throw new Error(first);
    expect(await buy(plan, { follows: first })).toMatchObject({ state: "waiting", startsAt: at(END) });
    expect(await buy(plan, { follows: first })).toBe("followed");
    expect(user.account.quota).toBe(900);
    now = at(END);
    await plans.advanceAll();
    expect(user.account.quota).toBe(900);
    expect(user.groups).toEqual(["vip", "default"]);
    expect(await states()).toEqual(["active balance 1", "ended balance 1"]);
  });

  it("waits for money that requests under way hold, for a while", async () => {
    await buy(await planOf({ reset: "never", quota: 0 }), { renews: true });
    const placed = holding(500);
    now = at(END);
    await plans.advanceAll();
    expect(events).toEqual([]);
    await charge(placed, 0);
    now += 10;
    await plans.advanceAll();
    expect(events).toMatchObject([{ what: "renewed" }]);
    expect(user.account.quota).toBe(400);
  });
});
