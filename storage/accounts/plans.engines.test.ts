import type { PlanTerms } from "@tollgate/contract/api/plans";
import type { NewSubscription } from "@tollgate/contract/records/plan-record";
import { MAX_QUOTA } from "@tollgate/contract/values/quota";
import { createRandom } from "@tollgate/testkit/random";
import { seeds } from "@tollgate/testkit/seeds";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { StorageConflict } from "../errors";
import { onEngine } from "../testing/on-engine";
import { MASTER_KEY, moved, newCharge, newToken, newUser } from "../testing/sample-records";
import type { AccountsUnderTest, StoreUnderTest } from "./testing/accounts-under-test";
import { newPostgresStore } from "./testing/postgres-store";
import { newSqliteStore } from "./testing/sqlite-store";

const UNIT = { quotaPerUnit: 500_000, isCurrency: false };
const ALL = MAX_QUOTA;

const newStore = onEngine({ sqlite: newSqliteStore, postgres: newPostgresStore });

let store: StoreUnderTest;
let accounts: AccountsUnderTest;
let userId: number;
let keyId: number;

beforeEach(async () => {
  store = await newStore();
  accounts = await store.open(MASTER_KEY);
  userId = (await accounts.changes.users.create(newUser({ quota: 1000 }), 0, [])).user.id;
  keyId = (await accounts.changes.tokens.create(newToken(userId, { unlimitedQuota: true }))).token.id;
});

afterEach(async () => {
  await accounts.close();
  await store.remove();
});

const TERMS: PlanTerms = {
  title: "Basic",
  price: 300,
  durationUnit: "month",
  durationCount: 1,
  quota: 500,
  reset: "day",
  group: "",
  beyond: "balance",
};

let references = 0;
const wantedOf = (terms: Partial<PlanTerms> = {}, more: Partial<NewSubscription> = {}): NewSubscription => {
  references += 1;
  const all = { ...TERMS, ...terms };
  return {
    userId,
    planId: 1,
    terms: all,
    startsAt: 0,
    endsAt: 1000,
    source: "balance",
    reference: `r${references}`,
    renews: false,
    actorId: userId,
    now: 0,
    price: all.price,
    mostPerUser: undefined,
    ...more,
  };
};

const plans = () => accounts.changes.plans;

const subscribe = async (terms: Partial<PlanTerms> = {}, more: Partial<NewSubscription> = {}) => {
  const done = await plans().subscribe(wantedOf(terms, more), ALL, UNIT);
  if (done === "held") throw new Error("held");
  return done.subscription.id;
};

const open = (subscriptionId: number, number: number, endsAt = number * 100, mostParked = ALL) =>
  plans().openPeriod(
    { subscriptionId, number, startsAt: endsAt - 100, endsAt, now: endsAt - 100, mostParked },
    UNIT,
  );

const close = (id: number, now: number, most = ALL) => plans().closePeriods(id, now, most, UNIT);

const charge = (quota: number) =>
  accounts.commit(newCharge({ userId, tokenId: keyId, quota, tokenQuota: 0 }));

const balance = async () => (await accounts.queries.users.find(userId))?.quota;

const entries = async () =>
  (await accounts.queries.ledger.page({ userId }, 0, 1000))
    .reverse()
    .filter(({ account }) => account !== "key")
    .map(({ account, amount, cause, reference }) => `${account} ${amount} ${cause} ${reference}`);

describe("a plan", () => {
  it("is paid for, granted for each period, and taken back at its end as far as it was not spent", async () => {
    const id = await subscribe();
    expect(await open(id, 1)).toEqual({ moved: 500, due: 0, access: undefined });
    await charge(120);
    expect(await close(id, 100)).toMatchObject({ moved: -380, due: 0 });
    await open(id, 2);
    // Its quota is spent first, then the user's own.
    await charge(560);
    expect((await accounts.queries.plans.subscription(id))?.left).toBe(0);
    expect(await close(id, 200)).toMatchObject({ moved: 0, due: 0 });
    expect(await balance()).toBe(1000 - 300 - 60);
    expect(await entries()).toEqual([
      "balance 1000 new-user-gift ",
      `balance -300 plan-purchase ${id}`,
      `balance 500 plan-grant ${id}/1`,
      `balance -380 plan-expiry ${id}/1`,
      `balance 500 plan-grant ${id}/2`,
    ]);
  });

  it("does each step once, also when several nodes request it repeatedly", async () => {
    const id = await subscribe();
    const opened = await Promise.all([1, 2, 3, 4].map(() => open(id, 1)));
    expect(opened.map((step) => step.moved).sort()).toEqual([0, 0, 0, 500]);
    // One that is open is not followed by another one.
    expect((await open(id, 2)).moved).toBe(0);
    const closed = await Promise.all([1, 2, 3].map(() => close(id, 100)));
    expect(closed.map((step) => step.moved).sort()).toEqual([-500, 0, 0]);
    // A clock that goes backwards begins nothing again.
    expect((await open(id, 1)).moved).toBe(0);
    const ended = await Promise.all([1, 2].map(() => plans().end(id, "expired", 1000, UNIT)));
    expect(ended.map((step) => step.moved)).toEqual([0, 0]);
    expect((await open(id, 3)).moved).toBe(0);
    expect(await balance()).toBe(700);
  });

  it("is not paid for with quota of plans, nor bought twice with money for one", async () => {
    await expect(subscribe({ price: 1001 })).rejects.toEqual(new StorageConflict("plan-unaffordable"));
    const id = await subscribe({ price: 600, quota: 5000 });
    await open(id, 1);
    const again = await Promise.allSettled([subscribe({ price: 300 }), subscribe({ price: 300 })]);
    expect(again.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await accounts.queries.plans.own(userId)).toBe(100);
  });

  it("is held back where requests under way have the money, and changes nothing then", async () => {
    const before = await entries();
    expect(await plans().subscribe(wantedOf(), 299, UNIT)).toBe("held");
    expect(await entries()).toEqual(before);
    expect(await accounts.queries.plans.ofUser(userId, 10)).toEqual([]);
  });

  it("is bought once for a reference, after one once, and as often as it may be", async () => {
    const wanted = wantedOf();
    const first = await plans().subscribe(wanted, ALL, UNIT);
    const again = await plans().subscribe(wanted, ALL, UNIT);
    if (first === "held" || again === "held") throw new Error("held");
    expect([again.isKnown, again.moved, again.subscription.id]).toEqual([true, 0, first.subscription.id]);
    await subscribe({ price: 0 }, { follows: first.subscription.id });
    await expect(subscribe({ price: 0 }, { follows: first.subscription.id })).rejects.toEqual(
      new StorageConflict("plan-followed"),
    );
    await expect(subscribe({ price: 0 }, { mostPerUser: 2 })).rejects.toEqual(
      new StorageConflict("plan-often-enough"),
    );
    await subscribe({ price: 0 }, { planId: 2, mostPerUser: 1 });
  });

  it("leaves the holds of requests under way until they are done, and takes them in parts", async () => {
    const id = await subscribe();
    await open(id, 1);
    expect(await close(id, 100, 200)).toMatchObject({ moved: -200, due: 300 });
    // What the request costs in the end counts against what it had set aside.
    await charge(100);
    expect(await close(id, 100, 50)).toMatchObject({ moved: -50, due: 150 });
    expect(await close(id, 100)).toMatchObject({ moved: -150, due: 0 });
    expect(await close(id, 100)).toMatchObject({ moved: 0, due: 0 });
    expect(await balance()).toBe(700);
    expect((await entries()).slice(-3)).toEqual([
      `balance -200 plan-expiry ${id}/1`,
      `balance -50 plan-expiry ${id}/1/200`,
      `balance -150 plan-expiry ${id}/1/250`,
    ]);
  });

  it("that stops at its end puts the user's own aside until the last of its kind is over", async () => {
    const first = await subscribe({ beyond: "stop" });
    expect((await open(first, 1)).moved).toBe(500 - 700);
    expect(await balance()).toBe(500);
    const second = await subscribe({ beyond: "stop", price: 100, quota: 40 });
    // What comes meanwhile can be spent, until the next plan that stops begins.
    await accounts.changes.users.change(userId, { quotaMove: moved(30) });
    expect((await open(second, 1, 500)).moved).toBe(40 - 30);
    expect(await accounts.queries.plans.parked(userId)).toBe(700 - 100 + 30);
    await close(first, 100);
    expect(await plans().end(first, "expired", 100, UNIT)).toMatchObject({ moved: 0 });
    await plans().end(second, "ended", 200, UNIT);
    await close(second, 200);
    expect([await balance(), await accounts.queries.plans.parked(userId)]).toEqual([630, 0]);
    expect((await entries()).filter((entry) => entry.includes("park"))).toEqual([
      `balance -700 plan-parked ${first}`,
      `parked 700 plan-parked ${first}`,
      `parked -100 plan-purchase ${second}`,
      `balance -30 plan-parked ${second}`,
      `parked 30 plan-parked ${second}`,
      `balance 630 plan-unparked ${second}`,
      `parked -630 plan-unparked ${second}`,
    ]);
  });

  it("puts its group before the user's own while it lasts, whatever becomes of these", async () => {
    const planGroups = async () => (await accounts.queries.users.withIds([userId]))[0]?.planGroups;
    const late = await subscribe({ group: "vip", price: 0 }, { endsAt: 900 });
    const soon = await subscribe({ group: "fast", price: 0 }, { endsAt: 500 });
    expect(await planGroups()).toBe("");
    expect((await open(late, 1)).access?.planGroups).toBe("vip");
    expect((await open(soon, 1)).access?.planGroups).toBe("fast,vip");
    await accounts.changes.users.change(userId, { group: "other" });
    expect(await planGroups()).toBe("fast,vip");
    expect((await plans().end(soon, "ended", 50, UNIT)).access?.planGroups).toBe("vip");
    expect((await plans().end(late, "ended", 50, UNIT)).access?.planGroups).toBe("");
  });

  it("limits its user while it lasts, with the most generous of several, on the terms of its purchase", async () => {
    const stored = async () => (await accounts.queries.users.withIds([userId]))[0]?.planLimits;
    const small = await subscribe({ price: 0, limits: { dailyQuota: 100, rpd: 9 } }, { endsAt: 500 });
    const large = await subscribe({ price: 0, limits: { dailyQuota: 300 } }, { endsAt: 900 });
    const free = await subscribe({ price: 0 }, { endsAt: 900 });
    expect((await accounts.queries.plans.subscription(small))?.limits).toMatchObject({
      dailyQuota: 100,
      rpd: 9,
    });
    expect(await stored()).toBeUndefined();
    expect((await open(small, 1)).access?.planLimits).toMatchObject({ dailyQuota: 100, rpd: 9 });
    expect((await open(large, 1)).access?.planLimits).toMatchObject({ dailyQuota: 300, rpd: 9 });
    expect(await stored()).toMatchObject({ dailyQuota: 300, rpd: 9 });
    expect((await open(free, 1)).access).toBeUndefined();
    await accounts.changes.users.change(userId, { limits: { rpd: 1 } });
    expect(await stored()).toMatchObject({ dailyQuota: 300, rpd: 9 });
    expect((await plans().end(small, "expired", 500, UNIT)).access?.planLimits).not.toHaveProperty("rpd", 9);
    expect(await stored()).toMatchObject({ dailyQuota: 300 });
    expect((await plans().end(large, "ended", 500, UNIT)).access).toEqual({
      planGroups: "",
      planLimits: undefined,
    });
    expect(await stored()).toBeUndefined();
    expect((await plans().end(free, "ended", 500, UNIT)).access).toBeUndefined();
  });

  it("keeps its limits when other settings of it change, and loses them with an empty set", async () => {
    const fields = {
      ...TERMS,
      description: "",
      maxPerUser: 0,
      isEnabled: true,
      sortOrder: 0,
      createdTime: 1,
    };
    const { id } = await plans().create({ ...fields, limits: { weeklyQuota: 700, softBudgets: 1 } });
    const limits = async () => (await accounts.queries.plans.find(id))?.limits;
    expect(await limits()).toMatchObject({ weeklyQuota: 700, softBudgets: 1 });
    await plans().change(id, { title: "Other" });
    expect(await limits()).toMatchObject({ weeklyQuota: 700, softBudgets: 1 });
    await plans().change(id, { limits: {} });
    expect(await limits()).toBeUndefined();
  });

  it("grants as much as an account can hold", async () => {
    await accounts.changes.users.change(userId, { quotaMove: moved(MAX_QUOTA - 1000 - 7) });
    const id = await subscribe({ price: 0, quota: MAX_QUOTA });
    expect((await open(id, 1)).moved).toBe(7);
    expect(await close(id, 100)).toMatchObject({ moved: -7, due: 0 });
    expect(await balance()).toBe(MAX_QUOTA - 7);
  });

  it("goes with its user, and stays with the terms on which it was bought when the plan is gone", async () => {
    const plan = { ...TERMS, description: "", maxPerUser: 0, isEnabled: true, sortOrder: 0, createdTime: 1 };
    const { id: planId } = await plans().create(plan);
    const id = await subscribe({}, { planId });
    await plans().change(planId, { price: 1, quota: 2, title: "Other" });
    expect(await accounts.queries.plans.find(planId)).toMatchObject({ price: 1, title: "Other" });
    expect(await plans().remove(planId)).toBe(true);
    expect(await accounts.queries.plans.subscription(id)).toMatchObject(TERMS);
    await open(id, 1);
    await accounts.changes.users.remove(userId);
    expect(await accounts.queries.plans.subscription(id)).toBeUndefined();
    expect(await accounts.queries.plans.due(10_000, 10)).toEqual([]);
    expect((await close(id, 100)).moved).toBe(0);
  });

  it("is due when a period ends, when it begins, and when it was left without a period", async () => {
    const due = async (now: number) =>
      (await accounts.queries.plans.due(now, 10)).map(({ subscription, period }) => [
        subscription.id,
        period,
      ]);
    const id = await subscribe({}, { startsAt: 50 });
    expect([await due(49), await due(50)]).toEqual([[], [[id, "none"]]]);
    await open(id, 1);
    expect([await due(99), await due(100)]).toEqual([[], [[id, "open"]]]);
    await close(id, 100, 10);
    expect(await due(100)).toEqual([[id, "over"]]);
    await close(id, 100);
    expect(await due(100)).toEqual([[id, "closed"]]);
    await open(id, 2);
    expect(await due(150)).toEqual([]);
    await plans().end(id, "ended", 150, UNIT);
    expect(await due(150)).toEqual([[id, "open"]]);
    await close(id, 150);
    expect(await due(10_000)).toEqual([]);
  });
});

describe("any history of a user with plans", () => {
  it.each(seeds(6))(
    "keeps own money, plans' money and the ledger apart to the unit (seed %i)",
    async (seed) => {
      const random = createRandom(seed);
      const upTo = (n: number): number => Math.floor(random() * (n + 1));
      const pick = <T>(all: readonly T[]): T | undefined => all[Math.floor(random() * all.length)];
      const ids: number[] = [];
      const numbers = new Map<number, number>();
      let now = 0;
      const steps: (() => Promise<unknown>)[] = [
        async () => charge(Math.min((await balance()) ?? 0, upTo(200))),
        async () => charge(Math.min((await balance()) ?? 0, upTo(200))),
        () => accounts.changes.users.change(userId, { quotaMove: moved(upTo(150)) }),
        async () =>
          accounts.changes.users.change(userId, {
            quotaMove: moved(-Math.min((await balance()) ?? 0, upTo(80))),
          }),
        async () => {
          const beyond = random() < 0.3 ? "stop" : "balance";
          const wanted = wantedOf({ price: upTo(100), quota: upTo(300), beyond }, { endsAt: now + upTo(50) });
          const done = await plans()
            .subscribe(wanted, upTo(2000), UNIT)
            .catch((error: unknown) => {
              expect(error).toEqual(new StorageConflict("plan-unaffordable"));
              return "held" as const;
            });
          if (done !== "held") ids.push(done.subscription.id);
        },
        async () => {
          const id = pick(ids);
          if (id === undefined) return;
          const number = (numbers.get(id) ?? 0) + 1;
          numbers.set(id, number);
          await open(id, number, now + upTo(20), upTo(500));
        },
        async () => {
          const id = pick(ids);
          if (id === undefined) return;
          const own = await accounts.queries.plans.own(userId);
          await close(id, now, upTo(400));
          expect(await accounts.queries.plans.own(userId)).toBe(own);
        },
        async () => {
          const id = pick(ids);
          if (id === undefined || random() < 0.7) return;
          const own = await accounts.queries.plans.own(userId);
          await plans().end(id, random() < 0.5 ? "ended" : "expired", now, UNIT);
          expect(await accounts.queries.plans.own(userId)).toBe(own);
        },
      ];
      for (let step = 0; step < 120; step += 1) {
        now += 1;
        await pick(steps)?.();
      }
      for (const id of ids) {
        await plans().end(id, "expired", now, UNIT);
        await close(id, now);
      }
      const user = await accounts.queries.users.find(userId);
      const sums = { balance: 0, parked: 0 };
      for (const { account, amount } of await accounts.queries.ledger.page({ userId }, 0, 100_000))
        if (account === "balance" || account === "parked") sums[account] += amount;
      expect(sums).toEqual({ balance: (user?.quota ?? 0) + (user?.usedQuota ?? 0), parked: 0 });
      // Nothing of a plan is left: all that there is is the user's own.
      expect(await accounts.queries.plans.own(userId)).toBe(user?.quota);
      for (const { left } of await accounts.queries.plans.ofUser(userId, 100)) expect(left).toBe(0);
    },
  );
});
