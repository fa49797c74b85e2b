import type { PlanTerms } from "@tollgate/contract/api/plans";
import type { NewOrder, StepNote } from "@tollgate/contract/records/order-record";
import type { NewPlan } from "@tollgate/contract/records/plan-record";
import { MAX_QUOTA } from "@tollgate/contract/values/quota";
import { USER_DISABLED } from "@tollgate/contract/values/statuses";
import { createRandom } from "@tollgate/testkit/random";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { moneyFaults } from "../testing/money-faults";
import { onEngine } from "../testing/on-engine";
import { MASTER_KEY, newUser } from "../testing/sample-records";
import { type AccountsUnderTest, readWaiting, type StoreUnderTest } from "./testing/accounts-under-test";
import { newPostgresStore } from "./testing/postgres-store";
import { newSqliteStore } from "./testing/sqlite-store";

const newStore = onEngine({ sqlite: newSqliteStore, postgres: newPostgresStore });
const HAS_LEASES = onEngine({ sqlite: false, postgres: true });

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

const note = (more: Partial<StepNote> = {}): StepNote => ({
  at: 2000,
  unit: { quotaPerUnit: 500_000, isCurrency: true },
  ...more,
});

const newOrder = (userId: number, number: string, more: Partial<NewOrder> = {}): NewOrder => ({
  number,
  userId,
  username: "alice",
  provider: "stripe",
  method: "",
  usd: "1",
  amount: 730,
  currency: "CNY",
  quota: 500_000,
  bonus: 0,
  factor: "1",
  createdAt: 1000,
  expiresAt: 3100,
  ...more,
});

const createUser = async (quota = 0, username = "alice") =>
  (await accounts.changes.users.create(newUser({ username, quota }), 0, [])).user;

const balance = async (id: number) => (await accounts.queries.users.find(id))?.quota;

const paid = (more: object = {}) => ({
  kind: "paid" as const,
  provider: "stripe",
  amount: 730,
  currency: "CNY",
  payment: "pi_1",
  ...more,
});

describe("an order", () => {
  it("is found by its number and its payment, with its stored fields", async () => {
    const { id } = await createUser();
    const { orders } = accounts.changes;
    const order = await orders.create(newOrder(id, "n1", { method: "alipay", bonus: 7 }), 5);
    expect(order).toMatchObject({
      ...newOrder(id, "n1", { method: "alipay", bonus: 7 }),
      state: "pending",
      paidAt: 0,
    });
    await orders.begin(order?.id ?? 0, "cs_1", { kind: "qr", content: "weixin://x" });
    await orders.step("n1", paid(), note({ words: { event: "x" } }));
    const found = await accounts.queries.orders.findByPayment("stripe", "pi_1");
    expect(found).toMatchObject({
      state: "paid",
      checkout: "cs_1",
      pay: { kind: "qr", content: "weixin://x" },
      words: { event: "x" },
      paidAt: 2000,
    });
    expect(await accounts.queries.orders.find("n1")).toEqual(found);
    expect(await accounts.queries.orders.findByPayment("epay", "pi_1")).toBeUndefined();
    expect(await accounts.queries.orders.findByPayment("stripe", "")).toBeUndefined();
  });

  it("is one of at most so many that are open", async () => {
    const { id } = await createUser();
    for (const number of ["a", "b"]) await accounts.changes.orders.create(newOrder(id, number), 2);
    expect(await accounts.changes.orders.create(newOrder(id, "c"), 2)).toBeUndefined();
    await accounts.changes.orders.step("a", { kind: "cancelled" }, note());
    expect(await accounts.changes.orders.create(newOrder(id, "c"), 2)).toBeDefined();
  });

  it("is listed by user, state, provider and keyword, page by page", async () => {
    const { id } = await createUser();
    for (let count = 0; count < 5; count += 1)
      await accounts.changes.orders.create(
        newOrder(id, `n${count}`, { provider: count % 2 === 0 ? "stripe" : "epay" }),
        9,
      );
    await accounts.changes.orders.step("n2", paid(), note());
    const { orders } = accounts.queries;
    const numbers = async (filter: object) => (await orders.page(filter, 0, 9)).map(({ number }) => number);
    expect(await numbers({})).toEqual(["n4", "n3", "n2", "n1", "n0"]);
    expect(await numbers({ userId: id + 1 })).toEqual([]);
    expect(await numbers({ state: "paid" })).toEqual(["n2"]);
    expect(await numbers({ provider: "epay" })).toEqual(["n3", "n1"]);
    expect(await numbers({ keyword: "pi_1" })).toEqual(["n2"]);
    expect(await numbers({ keyword: "n4" })).toEqual(["n4"]);
    await accounts.changes.orders.create(newOrder(id, "0a1b2c3d4e"), 9);
    for (const keyword of ["0a1b2c3d4e", "0a1b2c"])
      expect(await numbers({ keyword })).toEqual(["0a1b2c3d4e"]);
    for (const keyword of ["0a1b2", "0a1b2f", "0a1b2c%"]) expect(await numbers({ keyword })).toEqual([]);
    expect((await orders.before({}, 3, 1)).map(({ number }) => number)).toEqual(["n1"]);
  });

  it("is counted and summed by state and currency, within a filter", async () => {
    const { id } = await createUser();
    const { orders } = accounts.changes;
    for (const number of ["n1", "n2", "n3"]) await orders.create(newOrder(id, number), 9);
    await orders.create(newOrder(id, "n4", { currency: "USD", provider: "epay", amount: 90 }), 9);
    await orders.step("n1", paid(), note());
    const { totals } = accounts.queries.orders;
    const CNY = { currency: "CNY", refunded: 0 };
    const USD = { state: "pending", currency: "USD", count: 1, amount: 90, refunded: 0 };
    expect(await totals({})).toEqual([
      { state: "paid", ...CNY, count: 1, amount: 730 },
      { state: "pending", ...CNY, count: 2, amount: 1460 },
      USD,
    ]);
    expect(await totals({ provider: "epay" })).toEqual([USD]);
    expect(await totals({ userId: id + 1 })).toEqual([]);
    for (const number of ["big1", "big2"])
      await orders.create(newOrder(id, number, { provider: "epay", amount: Number.MAX_SAFE_INTEGER }), 9);
    expect((await totals({ provider: "epay" }))[0]?.amount).toBe(Number.MAX_SAFE_INTEGER);
  });

  it("gives its quota with an entry in the ledger and a line of the log, once", async () => {
    const { id } = await createUser(10);
    const order = await accounts.changes.orders.create(newOrder(id, "n1"), 5);
    const steps = await Promise.all(
      Array.from({ length: 8 }, () => accounts.changes.orders.step("n1", paid(), note())),
    );
    expect(steps.map((step) => step?.kind).toSorted()).toEqual(["changed", ...Array(7).fill("same")]);
    expect(await balance(id)).toBe(500_010);
    const entries = await accounts.queries.ledger.page({ cause: "payment" }, 0, 9);
    expect(entries).toMatchObject([{ amount: 500_000, reference: String(order?.id) }]);
    expect(JSON.stringify(readWaiting(await accounts.waiting()))).toContain("bought");
  });

  it("of an account that is gone or full changes nothing", async () => {
    const full = await createUser(MAX_QUOTA - 10);
    await accounts.changes.orders.create(newOrder(full.id, "full"), 5);
    await accounts.changes.orders.create(newOrder(full.id + 7, "gone"), 5);
    const kinds = [];
    for (const number of ["full", "gone"])
      kinds.push(await accounts.changes.orders.step(number, paid(), note()));
    expect(kinds).toMatchObject([
      { kind: "refused", fault: "account-full" },
      { kind: "refused", fault: "account-gone" },
    ]);
    for (const number of ["full", "gone"])
      expect((await accounts.queries.orders.find(number))?.state).toBe("pending");
    expect(await balance(full.id)).toBe(MAX_QUOTA - 10);
  });

  it("is asked for by one at a time", async () => {
    const { id } = await createUser();
    for (const number of ["a", "b", "c"]) await accounts.changes.orders.create(newOrder(id, number), 5);
    const { orders } = accounts.changes;
    expect((await orders.claimOpen(1000, 2000, 2)).map(({ number }) => number).toSorted()).toEqual([
      "a",
      "b",
    ]);
    expect((await orders.claimOpen(1000, 2000, 2)).map(({ number }) => number)).toEqual(["c"]);
    expect(await orders.claimOpen(1000, 2000, 2)).toEqual([]);
  });
});

describe("a refund", () => {
  const bought = async (quota = 0) => {
    const { id } = await createUser(quota);
    await accounts.changes.orders.create(newOrder(id, "n1"), 5);
    await accounts.changes.orders.step("n1", paid(), note());
    return id;
  };
  const spend = (id: number, quota: number) =>
    accounts.changes.users.take(id, quota, { cause: "quota-changed", actorId: 1, at: 1 });

  it("takes the unspent quota, and sends back its value; a refused one returns the quota", async () => {
    const id = await bought();
    await spend(id, 200_000);
    const { orders } = accounts.changes;
    const begun = await orders.beginRefund("n1", "r1", false, note({ actorId: 1, reason: "why" }), MAX_QUOTA);
    expect(begun).toMatchObject({
      kind: "begun",
      order: { state: "partly-refunded", refunded: 438, taken: 300_000 },
      refund: { amount: 438, taken: 300_000, missing: 200_000, state: "asking", reason: "why" },
    });
    expect(await balance(id)).toBe(0);
    expect(await orders.beginRefund("n1", "r2", false, note(), MAX_QUOTA)).toEqual({ kind: "nothing" });
    const refundId = begun?.kind === "begun" ? begun.refund.id : 0;
    const ended = await Promise.all([1, 2, 3].map(() => orders.endRefund(refundId, false, "no", note())));
    expect(ended.toSorted()).toEqual([300_000, undefined, undefined]);
    expect(await balance(id)).toBe(300_000);
    expect(await accounts.queries.orders.find("n1")).toMatchObject({ state: "paid", refunded: 0, taken: 0 });
    expect(await accounts.queries.orders.refunds(1)).toMatchObject([{ state: "failed", detail: "no" }]);
  });

  it("selects its order until it is settled", async () => {
    await bought();
    await accounts.changes.orders.create(newOrder(1, "n2"), 5);
    const { orders } = accounts.changes;
    const open = async () =>
      (await accounts.queries.orders.page({ hasOpenRefund: true }, 0, 9)).map(({ number }) => number);
    expect(await open()).toEqual([]);
    for (const isByHand of [false, true]) {
      const begun = await orders.beginRefund("n1", `r${isByHand}`, isByHand, note(), MAX_QUOTA);
      expect(await open()).toEqual(["n1"]);
      await orders.endRefund(begun?.kind === "begun" ? begun.refund.id : 0, false, "", note(), isByHand);
      expect(await open()).toEqual([]);
    }
  });

  it("that a person has to send is listed until it is settled, beside those that the provider is asked for", async () => {
    await bought();
    const { orders } = accounts.changes;
    const begun = await orders.beginRefund("n1", "r1", true, note(), MAX_QUOTA);
    const listed = await accounts.queries.orders.byHand(9);
    expect(listed).toMatchObject([{ order: { number: "n1" }, refund: { state: "by-hand" } }]);
    expect(await accounts.queries.orders.asking(9)).toEqual([]);
    await orders.endRefund(begun?.kind === "begun" ? begun.refund.id : 0, true, "", note(), true);
    expect(await accounts.queries.orders.byHand(9)).toEqual([]);
  });

  it("is refused for an unpaid order, or for less than the smallest amount", async () => {
    const { id } = await createUser(1);
    await accounts.changes.orders.create(newOrder(id, "n1", { amount: 1 }), 5);
    const { orders } = accounts.changes;
    const begin = () => orders.beginRefund("n1", "r1", false, note(), MAX_QUOTA);
    expect(await begin()).toEqual({ kind: "refused", fault: "not-paid" });
    await orders.step("n1", paid({ amount: 1 }), note());
    await spend(id, 400_000);
    expect(await begin()).toEqual({ kind: "nothing" });
    expect([await balance(id), await accounts.queries.orders.refunds(1)]).toEqual([100_001, []]);
    expect(await orders.beginRefund("none", "r1", false, note(), MAX_QUOTA)).toBeUndefined();
  });

  it("at the provider takes the available quota, reports the missing part, and counts once", async () => {
    const id = await bought();
    await spend(id, 400_000);
    const { orders } = accounts.changes;
    const back = (total: number) =>
      orders.sendBack("n1", { kind: "refunded", total, reference: `total-${total}` }, note(), MAX_QUOTA);
    const results = await Promise.all([back(365), back(365), back(100), back(365)]);
    expect(results.filter((each) => each?.kind === "changed")).toHaveLength(1);
    expect(results.find((each) => each?.kind === "changed")).toMatchObject({
      taken: 100_000,
      missing: 150_000,
    });
    const dispute = { kind: "disputed", amount: 365, reference: "dp_1" } as const;
    expect(await orders.sendBack("n1", dispute, note(), MAX_QUOTA)).toMatchObject({
      taken: 0,
      missing: 250_000,
    });
    expect(await orders.sendBack("n1", dispute, note(), MAX_QUOTA)).toMatchObject({ kind: "same" });
    expect(await balance(id)).toBe(0);
    expect(await accounts.queries.orders.find("n1")).toMatchObject({
      state: "refunded",
      disputed: 365,
      refunded: 365,
    });
  });
});

describe("money that is gone while requests hold its value", () => {
  /** As of a balance of which nodes lease all but 100,000. @returns the buyer and the refund. */
  const claimed = async () => {
    const { id } = await createUser();
    const { orders } = accounts.changes;
    const order = await orders.create(newOrder(id, "n1"), 5);
    await orders.step("n1", paid(), note());
    const dispute = { kind: "disputed", amount: 730, reference: "dp_1" } as const;
    const outcome = await orders.sendBack("n1", dispute, note(), 100_000);
    expect(outcome).toMatchObject({ taken: 100_000, missing: 400_000, ofBalance: 100_000 });
    const [held] = await accounts.queries.orders.taking(9);
    expect(held).toMatchObject({ order: { number: "n1" }, refund: { state: "taking", missing: 400_000 } });
    return { id, orderId: order?.id ?? 0, refundId: held?.refund.id ?? 0 };
  };
  const refundOf = async (orderId: number) => (await accounts.queries.orders.refunds(orderId))[0];

  it("is taken when they are done, once, less their cost", async () => {
    const { id, orderId, refundId } = await claimed();
    const { orders, users } = accounts.changes;
    expect(await orders.takeHeld(refundId, note(), 50_000)).toBe(50_000);
    expect(await refundOf(orderId)).toMatchObject({ state: "taking", taken: 150_000, missing: 350_000 });
    await users.take(id, 30_000, { cause: "quota-changed", actorId: 1, at: 1 });
    const again = await Promise.all([1, 2, 3].map(() => orders.takeHeld(refundId, note(), MAX_QUOTA)));
    expect(again.toSorted()).toEqual([0, 0, 320_000]);
    expect(await refundOf(orderId)).toMatchObject({ state: "done", taken: 470_000, missing: 30_000 });
    expect(await accounts.queries.orders.find("n1")).toMatchObject({ taken: 470_000, state: "refunded" });
    expect(await balance(id)).toBe(0);
    // What comes later is other money.
    await users.grant(id, 70_000, { cause: "quota-changed", actorId: 1, at: 1 });
    expect(await orders.takeHeld(refundId, note(), MAX_QUOTA)).toBe(0);
    expect(await accounts.queries.orders.taking(9)).toEqual([]);
    expect(await moneyFaults(accounts.ask, HAS_LEASES)).toEqual([]);
  });

  it("is not taken any more once it has come back, and the taken part is returned", async () => {
    const { id, refundId } = await claimed();
    const { orders } = accounts.changes;
    await orders.takeHeld(refundId, note(), 50_000);
    const won = { of: "dispute", own: "", reference: "dp_1", amount: 730 } as const;
    expect(await orders.takeReturned("n1", won, note())).toBe(150_000);
    expect(await orders.takeHeld(refundId, note(), MAX_QUOTA)).toBe(0);
    expect(await balance(id)).toBe(500_000);
    expect(await moneyFaults(accounts.ask, HAS_LEASES)).toEqual([]);
  });
});

describe("a refund of who has a plan", () => {
  const UNIT = { quotaPerUnit: 500_000, isCurrency: true };

  /** A buyer whose money of the order is put aside, or stays in the balance, beside 300,000 that a plan includes. */
  const withPlan = async (beyond: "stop" | "balance") => {
    const { id } = await createUser();
    await accounts.changes.orders.create(newOrder(id, "n1"), 5);
    await accounts.changes.orders.step("n1", paid(), note());
    const { plans } = accounts.changes;
    const terms = { title: "Plan", price: 100_000, durationUnit: "month", durationCount: 1 } as const;
    const bought = await plans.subscribe(
      {
        userId: id,
        planId: 1,
        terms: { ...terms, quota: 300_000, reset: "never", group: "", beyond },
        startsAt: 0,
        endsAt: 9000,
        source: "balance",
        reference: "bought",
        renews: false,
        actorId: id,
        now: 0,
        price: 100_000,
        mostPerUser: undefined,
      },
      MAX_QUOTA,
      UNIT,
    );
    if (bought === "held") throw new Error("held");
    const subscription = bought.subscription.id;
    const period = { number: 1, startsAt: 0, endsAt: 9000, now: 0, mostParked: MAX_QUOTA };
    await plans.openPeriod({ subscriptionId: subscription, ...period }, UNIT);
    return { id, subscription };
  };

  it.each([
    ["stop", 0],
    ["balance", 400_000],
  ] as const)(
    "takes all of the buyer's own money and nothing of the plan (%s)",
    async (beyond, ofBalance) => {
      const { id, subscription } = await withPlan(beyond);
      const { orders, plans } = accounts.changes;
      const dispute = { kind: "disputed", amount: 365, reference: "dp_1" } as const;
      expect(await orders.sendBack("n1", dispute, note(), MAX_QUOTA)).toMatchObject({
        taken: 250_000,
        ofBalance: Math.min(250_000, ofBalance),
        missing: 0,
      });
      const begun = await orders.beginRefund("n1", "r1", false, note(), MAX_QUOTA);
      expect(begun).toMatchObject({
        refund: { taken: 150_000, missing: 100_000, amount: 219 },
        ofBalance: Math.max(0, ofBalance - 250_000),
      });
      expect([await balance(id), await accounts.queries.plans.parked(id)]).toEqual([300_000, 0]);
      await plans.end(subscription, "ended", 100, UNIT);
      await plans.closePeriods(subscription, 100, MAX_QUOTA, UNIT);
      expect(await balance(id)).toBe(0);
      // What the provider refuses comes back whole.
      const refundId = begun?.kind === "begun" ? begun.refund.id : 0;
      expect(await orders.endRefund(refundId, false, "no", note())).toBe(150_000);
      expect(await balance(id)).toBe(150_000);
    },
  );
});

describe("a refund that the provider refuses", () => {
  const begun = async () => {
    const { id } = await createUser();
    const { orders } = accounts.changes;
    await orders.create(newOrder(id, "n1"), 5);
    await orders.step("n1", paid(), note());
    const refund = await orders.beginRefund("n1", "r1", false, note(), MAX_QUOTA);
    return { id, refundId: refund?.kind === "begun" ? refund.refund.id : 0 };
  };

  it("returns nothing that the buyer's bank has claimed meanwhile", async () => {
    const { id, refundId } = await begun();
    const { orders } = accounts.changes;
    const dispute = { kind: "disputed", amount: 365, reference: "dp_1" } as const;
    await orders.sendBack("n1", dispute, note(), MAX_QUOTA);
    expect(await orders.endRefund(refundId, false, "charge_disputed", note())).toBe(250_000);
    expect(await balance(id)).toBe(250_000);
    expect(await accounts.queries.orders.find("n1")).toMatchObject({
      state: "partly-refunded",
      refunded: 0,
      disputed: 365,
      taken: 250_000,
    });
  });

  it("ends also where the buyer is gone", async () => {
    const { id, refundId } = await begun();
    await accounts.changes.users.remove(id);
    expect(await accounts.changes.orders.endRefund(refundId, false, "no", note())).toBe(0);
    expect(await moneyFaults(accounts.ask, HAS_LEASES)).toEqual([]);
    expect(await accounts.queries.orders.asking(9)).toEqual([]);
    expect(await accounts.queries.orders.refunds(1)).toMatchObject([{ state: "failed" }]);
  });

  it("ends also where the buyer's account holds no more", async () => {
    const { id, refundId } = await begun();
    const movement = { cause: "quota-changed", actorId: 1, at: 1 } as const;
    await accounts.changes.users.grant(id, MAX_QUOTA - 10, movement);
    expect(await accounts.changes.orders.endRefund(refundId, false, "no", note())).toBe(10);
    expect(await moneyFaults(accounts.ask, HAS_LEASES)).toEqual([]);
    expect(await balance(id)).toBe(MAX_QUOTA);
  });
});

describe("a callback's fault", () => {
  it("is counted, by order and kind", async () => {
    const fault = { provider: "epay", orderId: 3, fault: "wrong-amount", words: {} } as const;
    const { orders } = accounts.changes;
    expect(await orders.noteFault({ ...fault, lastAt: 5 })).toBe(1);
    expect(await orders.noteFault({ ...fault, lastAt: 9, words: { money: "1" } })).toBe(2);
    await orders.noteFault({ ...fault, orderId: 0, fault: "signature-wrong", lastAt: 7 });
    expect(await accounts.queries.orders.faults(3, 9)).toEqual([
      { ...fault, count: 2, firstAt: 5, lastAt: 9, words: { money: "1" } },
    ]);
    expect((await accounts.queries.orders.faults(undefined, 9)).map(({ lastAt }) => lastAt)).toEqual([9, 7]);
  });
});

describe("a thousand callbacks", () => {
  it("over many orders and users, doubled and shuffled, change every balance once", async () => {
    const random = createRandom(20_261_122);
    const users = [];
    for (const name of ["u0", "u1", "u2", "u3"]) users.push((await createUser(0, name)).id);
    const calls: (() => Promise<unknown>)[] = [];
    const expected = new Map(users.map((id) => [id, 0]));
    for (let count = 0; count < 20; count += 1) {
      const userId = users[count % users.length] ?? 0;
      const number = `n${count}`;
      const quota = 1 + Math.floor(random() * 1e6);
      await accounts.changes.orders.create(newOrder(userId, number, { quota }), 99);
      const isPaid = count % 5 !== 4;
      if (isPaid) expected.set(userId, (expected.get(userId) ?? 0) + quota);
      for (let again = 0; again < 50; again += 1) {
        const right = paid({ payment: `pi_${count}` });
        const lies = [paid({ amount: 731 }), paid({ provider: "epay" }), paid({ currency: "USD" })];
        const lie = lies[again % lies.length] ?? right;
        const step =
          isPaid && again % 2 === 0 ? right : again % 7 === 0 ? ({ kind: "expired" } as const) : lie;
        calls.push(() => accounts.changes.orders.step(number, step, note()));
      }
    }
    const shuffled = calls
      .map((call) => ({ call, at: random() }))
      .toSorted((one, other) => one.at - other.at);
    // A hundred at a time: on a slow machine a thousand would wait for their connection for longer than any call may.
    for (let at = 0; at < shuffled.length; at += 100)
      await Promise.all(shuffled.slice(at, at + 100).map(({ call }) => call()));
    expect(calls).toHaveLength(1000);
    for (const [id, quota] of expected) expect([id, await balance(id)]).toEqual([id, quota]);
    expect(await accounts.queries.ledger.page({ cause: "payment" }, 0, 99)).toHaveLength(16);
  });
});

describe("an order of a plan", () => {
  const UNIT = { quotaPerUnit: 500_000, isCurrency: true };
  const TERMS: PlanTerms = {
    title: "Pro",
    price: 500_000,
    durationUnit: "day",
    durationCount: 10,
    quota: 1000,
    reset: "day",
    group: "vip",
    beyond: "balance",
  };
  const DAY = 86_400;

  const createPlan = (more: Partial<NewPlan> = {}) =>
    accounts.changes.plans.create({
      ...TERMS,
      description: "",
      maxPerUser: 0,
      isEnabled: true,
      sortOrder: 0,
      createdTime: 1,
      ...more,
    });

  const ordered = async (userId: number, planId: number, number = "n1", terms = TERMS) => {
    const order = newOrder(userId, number, { quota: terms.price, plan: { id: planId, terms } });
    return await accounts.changes.orders.create(order, 9);
  };

  const pay = (number = "n1", more: object = {}, step: object = {}) =>
    accounts.changes.orders.step(
      number,
      paid({ payment: `pi_${number}`, ...step }),
      note({ planEndsAt: 2000 + 10 * DAY, ...more }),
    );

  /** The entries of a user, of which those of each order are found by its number as well. */
  const booked = async (userId: number) => {
    const entries = await accounts.queries.ledger.page({ userId }, 0, 99);
    for (const number of ["n1", "n2", "none"])
      expect(await accounts.queries.ledger.page({ orderNumber: number }, 0, 99)).toEqual(
        entries.filter(({ orderNumber }) => orderNumber === number),
      );
    return entries.reverse().map(({ cause, amount, orderNumber }) => `${cause} ${amount} ${orderNumber}`);
  };

  const subscriptionOf = async (number = "n1") => {
    const order = await accounts.queries.orders.find(number);
    return accounts.queries.plans.subscription(order?.subscriptionId ?? 0);
  };

  const openFirst = (subscriptionId: number) =>
    accounts.changes.plans.openPeriod(
      { subscriptionId, number: 1, startsAt: 2000, endsAt: 2000 + DAY, now: 2000, mostParked: 0 },
      UNIT,
    );

  const endNow = async (id: number) => {
    await accounts.changes.plans.end(id, "ended", 3000, UNIT);
    await accounts.changes.plans.closePeriods(id, 3000, MAX_QUOTA, UNIT);
  };

  it("begins the plan on the terms of the order, once, and moves no balance", async () => {
    const { id } = await createUser(7);
    const plan = await createPlan();
    await ordered(id, plan.id);
    await accounts.changes.plans.change(plan.id, { price: 1, quota: 5, title: "Other", durationCount: 1 });
    const steps = await Promise.all(Array.from({ length: 8 }, () => pay()));
    expect(steps.map((step) => step?.kind).toSorted()).toEqual(["changed", ...Array(7).fill("same")]);
    expect(steps.find((step) => step?.kind === "changed")).toMatchObject({ granted: 0 });
    expect(await balance(id)).toBe(7);
    const order = await accounts.queries.orders.find("n1");
    expect(order).toMatchObject({ state: "paid", planFault: "", plan: { id: plan.id, terms: TERMS } });
    expect(await subscriptionOf()).toMatchObject({
      ...TERMS,
      state: "waiting",
      source: "payment",
      startsAt: 2000,
      endsAt: 2000 + 10 * DAY,
    });
    expect(await accounts.queries.plans.page(0, 9, {})).toHaveLength(1);
    expect(await booked(id)).toEqual(["new-user-gift 7 ", "payment 500000 n1", "plan-purchase -500000 n1"]);
    expect(JSON.stringify(readWaiting(await accounts.waiting()))).toContain("plan-bought");
  });

  it("of a plan that cannot begin any more stays in the balance, with the cause", async () => {
    const { id } = await createUser();
    const [one, gone] = [await createPlan({ maxPerUser: 1 }), await createPlan()];
    for (const number of ["a", "b", "d", "e"]) await ordered(id, one.id, number);
    await ordered(id, gone.id, "c");
    await pay("a");
    await pay("b");
    await accounts.changes.plans.remove(gone.id);
    await pay("c");
    await accounts.changes.plans.change(one.id, { maxPerUser: 0 });
    await accounts.changes.orders.step("d", { kind: "cancelled" }, note());
    await pay("d");
    await accounts.changes.users.change(id, { status: USER_DISABLED }, []);
    await pay("e");
    const faults = [];
    for (const number of ["a", "b", "c", "d", "e"])
      faults.push((await accounts.queries.orders.find(number))?.planFault);
    expect(faults).toEqual(["", "often-enough", "withdrawn", "cancelled", "user-disabled"]);
    expect(await balance(id)).toBe(2_000_000);
    const entries = await accounts.queries.ledger.page({ cause: "payment" }, 0, 9);
    expect(entries.map(({ planFault }) => planFault)).toEqual([...faults.toReversed()]);
    // Its refund is that of any quota.
    expect(await accounts.changes.orders.beginRefund("b", "r1", false, note(), MAX_QUOTA)).toMatchObject({
      kind: "begun",
      refund: { amount: 730, taken: 500_000, missing: 0 },
    });
  });

  it("begins where an administrator completes it, also one that was cancelled, and never of who is gone", async () => {
    const { id } = await createUser();
    const plan = await createPlan();
    await ordered(id, plan.id);
    await accounts.changes.orders.step("n1", { kind: "cancelled" }, note());
    const completed = { kind: "completed" } as const;
    await accounts.changes.orders.step("n1", completed, note({ planEndsAt: 9_000_000 }));
    expect(await subscriptionOf()).toMatchObject({ state: "waiting" });
    await ordered(id + 7, plan.id, "gone");
    expect(await pay("gone")).toMatchObject({ kind: "refused", fault: "account-gone" });
    expect(await accounts.queries.orders.find("gone")).toMatchObject({ state: "pending" });
  });

  it("sends back the unspent part of the plan and nothing of the buyer's own, once", async () => {
    const { id } = await createUser(300);
    await ordered(id, (await createPlan()).id);
    await pay();
    const { id: subscription = 0 } = (await subscriptionOf()) ?? {};
    await openFirst(subscription);
    await endNow(subscription);
    const { orders } = accounts.changes;
    const begin = (reference: string, unspent: number) =>
      orders.beginRefund("n1", reference, false, note(), MAX_QUOTA, unspent);
    const begun = await Promise.all(["r1", "r2", "r3"].map((each) => begin(each, 450_000)));
    expect(begun.filter((each) => each?.kind === "begun")).toHaveLength(1);
    const [made] = begun.filter((each) => each?.kind === "begun");
    expect(made).toMatchObject({
      order: { refunded: 657, taken: 450_000, planBack: 450_000, state: "partly-refunded" },
      refund: { amount: 657, taken: 450_000, missing: 50_000 },
      ofBalance: 0,
    });
    expect(await balance(id)).toBe(300);
    expect(await booked(id)).toEqual([
      "new-user-gift 300 ",
      "payment 500000 n1",
      "plan-purchase -500000 n1",
      "plan-grant 1000 n1",
      "plan-expiry -1000 n1",
      "plan-refund 450000 n1",
      "payment-refund -450000 n1",
    ]);
    // What the provider refuses is the buyer's own, and can be refunded again as far as it is there.
    const refundId = made?.kind === "begun" ? made.refund.id : 0;
    expect(await orders.endRefund(refundId, false, "no", note())).toBe(450_000);
    expect(await balance(id)).toBe(450_300);
    expect(await begin("r4", 450_000)).toMatchObject({ refund: { amount: 657, taken: 450_000 } });
    expect(await balance(id)).toBe(300);
    // More is taken back of it later, once requests let it go.
    expect(await begin("r5", 460_000)).toMatchObject({ refund: { amount: 14, taken: 10_000 } });
    expect(await balance(id)).toBe(300);
  });

  it("claimed by a bank takes the plan, then the buyer's own quota, and returns the excess", async () => {
    const { id } = await createUser(100_000);
    await ordered(id, (await createPlan()).id);
    await pay();
    const { id: subscription = 0 } = (await subscriptionOf()) ?? {};
    await openFirst(subscription);
    await endNow(subscription);
    const { orders } = accounts.changes;
    const claim = (amount: number, reference: string, unspent: number) =>
      orders.sendBack("n1", { kind: "disputed", amount, reference }, note(), MAX_QUOTA, unspent);
    expect(await claim(365, "dp_1", 300_000)).toMatchObject({ taken: 250_000, ofBalance: -50_000 });
    expect(await balance(id)).toBe(150_000);
    expect(await claim(365, "dp_2", 300_000)).toMatchObject({ taken: 150_000, missing: 100_000 });
    expect(await balance(id)).toBe(0);
    // Won: all that it took comes back, once, and a late word of its begin takes nothing.
    const won = { of: "dispute", own: "", reference: "dp_1", amount: 365 } as const;
    const given = await Promise.all([1, 2, 3].map(() => orders.takeReturned("n1", won, note())));
    expect(given.filter((each) => each !== undefined)).toHaveLength(1);
    expect(await claim(365, "dp_1", 300_000)).toMatchObject({ kind: "same" });
    expect(await accounts.queries.orders.find("n1")).toMatchObject({
      disputed: 365,
      state: "partly-refunded",
    });
    expect(await balance(id)).toBe(150_000);
  });
});

describe("money that is here again", () => {
  const bought = async () => {
    const { id } = await createUser();
    await accounts.changes.orders.create(newOrder(id, "n1"), 5);
    await accounts.changes.orders.step("n1", paid(), note());
    return id;
  };

  it("of a completed refund is credited once, whichever side started the refund", async () => {
    const id = await bought();
    const { orders } = accounts.changes;
    const begun = await orders.beginRefund("n1", "r1", false, note(), 300_000);
    await orders.endRefund(begun?.kind === "begun" ? begun.refund.id : 0, true, "", note());
    await orders.sendBack("n1", { kind: "refunded-part", amount: 73, reference: "there" }, note(), MAX_QUOTA);
    expect(await balance(id)).toBe(150_000);
    const failed = (own: string, reference: string, amount: number) =>
      orders.takeReturned("n1", { of: "refund", own, reference, amount }, note());
    const all = [
      ["r1", "re_1", 438],
      ["", "re_2", 73],
    ] as const;
    const given = await Promise.all(
      [...all, ...all, ...all].map(([own, reference, amount]) => failed(own, reference, amount)),
    );
    expect(given.filter((each) => each !== undefined).toSorted()).toEqual([300_000, 50_000]);
    expect(await balance(id)).toBe(500_000);
    expect(await accounts.queries.orders.find("n1")).toMatchObject({ state: "paid", refunded: 0, taken: 0 });
    // News of an unknown refund takes nothing, then or later.
    expect(await failed("", "re_3", 10)).toBe(0);
    expect(await failed("", "re_3", 10)).toBeUndefined();
    expect(await balance(id)).toBe(500_000);
  });

  it("of a claim that was decided before its notice arrived takes nothing", async () => {
    const id = await bought();
    const { orders } = accounts.changes;
    const won = { of: "dispute", own: "", reference: "dp_1", amount: 730 } as const;
    expect(await orders.takeReturned("n1", won, note())).toBe(0);
    const claim = { kind: "disputed", amount: 730, reference: "dp_1" } as const;
    expect(await orders.sendBack("n1", claim, note(), MAX_QUOTA)).toMatchObject({ kind: "same" });
    expect(await balance(id)).toBe(500_000);
  });
});
