import type { PlanTerms } from "@tollgate/contract/api/plans";
import type { AppliedPromotion } from "@tollgate/contract/payments/promotions";
import type { NewOrder, StepNote } from "@tollgate/contract/records/order-record";
import type { NewPromotion } from "@tollgate/contract/records/promotion-record";
import { MAX_QUOTA } from "@tollgate/contract/values/quota";
import { ROLE_ADMIN, ROLE_ROOT } from "@tollgate/contract/values/roles";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { moneyFaults } from "../testing/money-faults";
import { onEngine } from "../testing/on-engine";
import { MASTER_KEY, newUser } from "../testing/sample-records";
import type { AccountsUnderTest, StoreUnderTest } from "./testing/accounts-under-test";
import { newPostgresStore } from "./testing/postgres-store";
import { newSqliteStore } from "./testing/sqlite-store";

const newStore = onEngine({ sqlite: newSqliteStore, postgres: newPostgresStore });

const HAS_LEASES = onEngine({ sqlite: false, postgres: true });

let store: StoreUnderTest;
let accounts: AccountsUnderTest;
let rootId: number;
let userId: number;

const createUser = async (username: string, role = 1) =>
  (await accounts.changes.users.create(newUser({ username, affCode: username, role, quota: 0 }), 0, [])).user
    .id;

beforeEach(async () => {
  store = await newStore();
  accounts = await store.open(MASTER_KEY);
  rootId = await createUser("root", ROLE_ROOT);
  userId = await createUser("alice");
});

afterEach(async () => {
  expect(await moneyFaults(accounts.ask, HAS_LEASES)).toEqual([]);
  await accounts.close();
  await store.remove();
});

const NOTE: StepNote = { at: 2000, unit: { quotaPerUnit: 500_000, isCurrency: true } };

const RULE: Omit<NewPromotion, "makerId"> = {
  kind: "code",
  code: "SPRING",
  name: "Spring",
  isEnabled: true,
  effect: "bonus",
  unit: "quota",
  steps: [{ from: 0, value: 100 }],
  maxEffect: 0,
  products: ["top-up"],
  groups: ["vip", "default"],
  isFirstOnly: false,
  isCombinable: false,
  startsAt: 0,
  endsAt: 0,
  maxUses: 0,
  maxUsesPerUser: 0,
  maxTotal: 0,
  author: "root",
  createdTime: 900,
  updatedTime: 900,
};

const promote = async (more: Partial<NewPromotion> = {}) => {
  const [made] = await accounts.changes.promotions.create([{ ...RULE, makerId: rootId, ...more }], 99);
  if (!made) throw new Error("not made");
  return made;
};

const bonusOf = (id: number, quota = 100): AppliedPromotion => ({
  ...{ id, quota, name: "Spring", code: "SPRING", effect: "bonus", amount: 0 },
});

const order = (number: string, promotions: readonly AppliedPromotion[], more: Partial<NewOrder> = {}) => {
  const discount = promotions.reduce((sum, { amount }) => sum + amount, 0);
  const promotionBonus = promotions.reduce(
    (sum, { effect, quota }) => sum + (effect === "bonus" ? quota : 0),
    0,
  );
  return accounts.changes.orders.create(
    {
      ...{ number, userId, username: "alice", provider: "stripe", method: "", usd: "1", currency: "CNY" },
      ...{ amount: 1000 - discount, quota: 1000 + promotionBonus, bonus: promotionBonus, factor: "1" },
      ...{ discount, promotionBonus, promotions, createdAt: 1000, expiresAt: 3100 },
      ...more,
    },
    99,
  );
};

const pay = (number: string, amount = 1000) =>
  accounts.changes.orders.step(
    number,
    { kind: "paid", provider: "stripe", amount, currency: "CNY", payment: `pi_${number}` },
    NOTE,
  );

const counted = async (id: number) => {
  const found = await accounts.queries.promotions.find(id);
  return [found?.usedCount, found?.usedTotal];
};

const balance = async (id = userId) => (await accounts.queries.users.find(id))?.quota;

const outcomeOf = (made: Promise<unknown>) =>
  made.then(
    () => "made",
    (error: Error) => error.message,
  );

describe("a promotion", () => {
  it("is stored with all its settings, found by its code, listed and changed", async () => {
    const made = await promote({ endsAt: 3000, isFirstOnly: true });
    const { queries, changes } = accounts;
    expect(made).toMatchObject({ ...RULE, endsAt: 3000, isFirstOnly: true, usedCount: 0, usedTotal: 0 });
    expect(await queries.promotions.findCode("SPRING")).toEqual(made);
    expect(await queries.promotions.findCode("OTHER")).toBeUndefined();
    const activity = await promote({ kind: "activity", code: "", name: "Season", isCombinable: true });
    await promote({ kind: "activity", code: "", name: "Off", isEnabled: false });
    expect(await queries.promotions.enabledActivities(9)).toEqual([activity]);
    expect((await queries.promotions.page(0, 9, undefined, { kind: "code" })).map(({ id }) => id)).toEqual([
      made.id,
    ]);
    expect((await queries.promotions.page(0, 9, undefined, {}, "spr")).map(({ id }) => id)).toEqual([
      made.id,
    ]);
    const changed = await changes.promotions.change(made.id, {
      ...{
        name: "Summer",
        groups: [],
        steps: [{ from: 5, value: 7 }],
        isEnabled: false,
        makerId: 9,
        updatedTime: 950,
      },
    });
    expect(changed).toEqual({
      ...made,
      ...{
        name: "Summer",
        groups: [],
        steps: [{ from: 5, value: 7 }],
        isEnabled: false,
        makerId: 9,
        updatedTime: 950,
      },
    });
    expect(await outcomeOf(promote())).toBe("promotion-code-taken");
    expect(await outcomeOf(changes.promotions.create([{ ...RULE, code: "X", makerId: 1 }], 3))).toBe(
      "promotions-too-many",
    );
  });

  it("is deleted unless it was used", async () => {
    const { id } = await promote();
    const other = await promote({ code: "OTHER" });
    await order("n1", [bonusOf(id)]);
    expect(await accounts.changes.promotions.remove(id)).toBe("used");
    expect(await accounts.changes.promotions.remove(other.id)).toBe("removed");
    expect(await accounts.changes.promotions.remove(other.id)).toBe("not-found");
  });
});

describe("an order with a promotion", () => {
  it("reserves a use, and the payment books its bonus as an entry that names it", async () => {
    const { id } = await promote();
    expect(await order("n1", [bonusOf(id)])).toMatchObject({
      promotionBonus: 100,
      promotions: [bonusOf(id)],
    });
    expect(await counted(id)).toEqual([1, 100]);
    expect(await accounts.queries.promotions.usesBy(userId)).toEqual([{ promotionId: id, uses: 1 }]);
    await pay("n1");
    await pay("n1");
    expect(await counted(id)).toEqual([1, 100]);
    expect(await balance()).toBe(1100);
    const entries = await accounts.queries.ledger.page({ userId }, 0, 9);
    expect(entries.map(({ cause, amount, reason }) => ({ cause, amount, reason }))).toEqual([
      { cause: "promotion", amount: 100, reason: "Spring (SPRING)" },
      { cause: "payment", amount: 1000, reason: "" },
    ]);
    expect(await accounts.queries.promotions.uses(id, 0, 9)).toMatchObject([
      { userId, username: "alice", orderNumber: "n1", quota: 100, state: "used" },
    ]);
  });

  it.each(["failed", "expired", "cancelled"] as const)("returns its use when it has %s", async (kind) => {
    const { id } = await promote({ maxUses: 1 });
    await order("n1", [bonusOf(id)]);
    expect(await outcomeOf(order("n2", [bonusOf(id)]))).toBe("promotion-over");
    await accounts.changes.orders.step("n1", { kind }, NOTE);
    await accounts.changes.orders.step("n1", { kind: "expired" }, NOTE);
    expect(await counted(id)).toEqual([0, 0]);
    expect(await order("n2", [bonusOf(id)])).toBeDefined();
  });

  it.each<[string, Partial<NewPromotion>, number]>([
    ["in total", { maxUses: 3 }, 3],
    ["per user", { maxUsesPerUser: 2 }, 2],
    ["of its money", { maxTotal: 450 }, 4],
    ["of a first purchase", { isFirstOnly: true }, 1],
    ["of its switch", { isEnabled: false }, 0],
    ["of its end", { endsAt: 1000 }, 0],
    ["of its start", { startsAt: 1001 }, 0],
  ])("keeps the bound %s, also of orders at the same time", async (_, bounds, uses) => {
    const { id } = await promote(bounds);
    const made = await Promise.all(
      Array.from({ length: 8 }, (_each, at) => outcomeOf(order(`n${at}`, [bonusOf(id)]))),
    );
    expect(made.filter((outcome) => outcome === "made")).toHaveLength(uses);
    expect(await counted(id)).toEqual([uses, uses * 100]);
    expect((await accounts.queries.orders.page({}, 0, 99)).length).toBe(uses);
  });

  it("grants one first purchase over several promotions, and none after a payment", async () => {
    const one = await promote({ isFirstOnly: true });
    const other = await promote({ code: "OTHER", isFirstOnly: true });
    await order("n1", [bonusOf(one.id)]);
    expect(await outcomeOf(order("n2", [bonusOf(other.id)]))).toBe("promotion-over");
    await accounts.changes.orders.step("n1", { kind: "cancelled" }, NOTE);
    expect(await accounts.queries.promotions.hasBought(userId)).toBe(false);
    await order("n3", []);
    await pay("n3");
    expect(await accounts.queries.promotions.hasBought(userId)).toBe(true);
    expect(await outcomeOf(order("n4", [bonusOf(other.id)]))).toBe("promotion-over");
  });

  it("uses its promotion when it is paid late, if the promotion still can be used", async () => {
    const { id } = await promote({ maxUses: 1 });
    await order("n1", [bonusOf(id)]);
    await accounts.changes.orders.step("n1", { kind: "expired" }, NOTE);
    await accounts.changes.promotions.change(id, { isEnabled: false, makerId: rootId, updatedTime: 1 });
    await pay("n1");
    expect(await balance()).toBe(1100);
    expect(await counted(id)).toEqual([1, 100]);
  });

  it("gives what was paid for when it is paid late, after others have used its promotions up", async () => {
    const { id } = await promote({ maxUsesPerUser: 1 });
    const price = await promote({ code: "CHEAP", effect: "discount", maxUsesPerUser: 1 });
    const discount = {
      ...{ id: price.id, name: "Cheap", code: "CHEAP" },
      effect: "discount",
      quota: 250,
      amount: 250,
    } as const;
    for (const number of ["n1", "n2"]) {
      await order(number, [bonusOf(id), discount]);
      await accounts.changes.orders.step(number, { kind: "cancelled" }, NOTE);
    }
    await pay("n1", 750);
    expect(await balance()).toBe(1100);
    expect(await pay("n2", 750)).toMatchObject({
      kind: "changed",
      granted: 750,
      order: { quota: 750, bonus: 0, promotionBonus: 0, discount: 0, promotions: [], amount: 750 },
    });
    expect(await balance()).toBe(1850);
    expect(await counted(id)).toEqual([1, 100]);
  });

  it("takes the bonus back with a refund, and the use stays", async () => {
    const { id } = await promote();
    await order("n1", [bonusOf(id)]);
    await pay("n1");
    const begun = await accounts.changes.orders.beginRefund(
      "n1",
      "re_1",
      true,
      { ...NOTE, actorId: rootId },
      1100,
    );
    expect(begun).toMatchObject({ kind: "begun", refund: { amount: 1000, taken: 1100 } });
    expect(await balance()).toBe(0);
    expect(await counted(id)).toEqual([1, 100]);
  });

  it("refunds the money of the unspent part, of which the bonus is a part", async () => {
    const { id } = await promote();
    await order("n1", [bonusOf(id)]);
    await pay("n1");
    const begun = await accounts.changes.orders.beginRefund(
      "n1",
      "re_1",
      true,
      { ...NOTE, actorId: rootId },
      550,
    );
    expect(begun).toMatchObject({ kind: "begun", refund: { amount: 500, taken: 550 } });
  });

  it("earns a commission of what was paid, and of the bonus only if the rule says so", async () => {
    const price = await promote({ code: "CHEAP", effect: "discount" });
    const bonus = await promote();
    const discount = {
      ...{ id: price.id, name: "Cheap", code: "CHEAP" },
      effect: "discount",
      quota: 250,
      amount: 250,
    } as const;
    const { user } = await accounts.changes.users.create(
      newUser({ username: "bob", affCode: "bob", inviterId: userId, quota: 0 }),
      0,
      [],
    );
    const buyer = { userId: user.id, username: "bob" };
    for (const [at, isOfBonus] of [false, true].entries()) {
      const commission = { basisPoints: 1000, isOfEach: true, isOfBonus };
      await order(`n${at}`, [discount, bonusOf(bonus.id)], buyer);
      const step = {
        kind: "paid",
        provider: "stripe",
        amount: 750,
        currency: "CNY",
        payment: `pi_${at}`,
      } as const;
      await accounts.changes.orders.step(`n${at}`, step, { ...NOTE, commission });
    }
    const earned = await accounts.queries.commissions.commissions(0, 9);
    expect(earned.map(({ base, amount }) => [base, amount])).toEqual([
      [850, 85],
      [750, 75],
    ]);
  });

  it("earns an inviter no commission of a bonus whose maker may not favour the inviter", async () => {
    const adminId = await createUser("admin", ROLE_ADMIN);
    const invited = newUser({ username: "bob", affCode: "bob", inviterId: adminId, quota: 0 });
    const { user } = await accounts.changes.users.create(invited, 0, []);
    const own = await promote({ makerId: adminId });
    const ofRoot = await promote({ code: "ROOT", kind: "activity", isCombinable: true });
    const commission = { basisPoints: 1000, isOfEach: true, isOfBonus: true };
    for (const [at, promotions] of [
      [bonusOf(own.id)],
      [bonusOf(ofRoot.id, 50)],
      [bonusOf(own.id), bonusOf(ofRoot.id, 50)],
    ].entries()) {
      await order(`n${at}`, promotions, { userId: user.id, username: "bob" });
      const paid = { kind: "paid", provider: "stripe", amount: 1000, currency: "CNY" } as const;
      await accounts.changes.orders.step(`n${at}`, { ...paid, payment: `pi_${at}` }, { ...NOTE, commission });
    }
    const earned = await accounts.queries.commissions.commissions(0, 9);
    expect(earned.map(({ base }) => base).reverse()).toEqual([1000, 1050, 1050]);
  });

  it("is refused where the maker of the code may not favour the buyer, and an administrator themself", async () => {
    const adminId = await createUser("admin", ROLE_ADMIN);
    const ofAdmin = await promote({ makerId: adminId });
    const ofRoot = await promote({ code: "ROOT" });
    const buyer = { userId: adminId, username: "admin" };
    for (const { id, code } of [ofAdmin, ofRoot])
      expect(await outcomeOf(order(`n${id}`, [{ ...bonusOf(id), code }], buyer))).toBe("favour-refused");
    const activity = await promote({ kind: "activity", code: "" });
    expect(await outcomeOf(order("n9", [{ ...bonusOf(activity.id), code: "" }], buyer))).toBe("made");
    expect(await outcomeOf(order("n8", [bonusOf(ofAdmin.id)]))).toBe("made");
  });
});

describe("a discounted order of a plan", () => {
  const UNIT = NOTE.unit;
  const TERMS: PlanTerms = {
    ...{
      title: "Pro",
      price: 1000,
      durationUnit: "day",
      durationCount: 10,
      quota: 50,
      reset: "day",
      group: "",
    },
    beyond: "balance",
  };
  let promotionId: number;
  let planId: number;

  beforeEach(async () => {
    const rule = { effect: "discount", unit: "percent", steps: [{ from: 0, value: 9000 }] } as const;
    promotionId = (await promote({ ...rule, code: "CHEAP", products: ["plan"] })).id;
    const more = { description: "", maxPerUser: 0, isEnabled: true, sortOrder: 0, createdTime: 1 };
    planId = (await accounts.changes.plans.create({ ...TERMS, ...more })).id;
  });

  /** 100 is paid for a plan of 1000. */
  const buy = async (number = "n1", cancels = false) => {
    const discount = {
      ...{ id: promotionId, name: "Cheap", code: "CHEAP" },
      ...({ effect: "discount", quota: 900, amount: 900 } as const),
    };
    await order(number, [discount], { plan: { id: planId, terms: TERMS } });
    if (cancels) await accounts.changes.orders.step(number, { kind: "cancelled" }, NOTE);
    const paid = { kind: "paid", provider: "stripe", amount: 100, currency: "CNY" } as const;
    return accounts.changes.orders.step(
      number,
      { ...paid, payment: `pi_${number}` },
      { ...NOTE, planEndsAt: 2000 + 10 * 86_400 },
    );
  };

  const endPlan = async () => {
    const { subscriptionId = 0 } = (await accounts.queries.orders.find("n1")) ?? {};
    await accounts.changes.plans.end(subscriptionId, "ended", 3000, UNIT);
    await accounts.changes.plans.closePeriods(subscriptionId, 3000, MAX_QUOTA, UNIT);
  };

  /** A claim of the buyer's bank, after which 1000 of the plan's price is unspent. */
  const claim = (amount: number, reference: string) =>
    accounts.changes.orders.sendBack("n1", { kind: "disputed", amount, reference }, NOTE, MAX_QUOTA, 1000);

  const win = (amount: number, reference: string) =>
    accounts.changes.orders.takeReturned("n1", { of: "dispute", own: "", reference, amount }, NOTE);

  const refund = (reference: string, most = MAX_QUOTA) =>
    accounts.changes.orders.beginRefund("n1", reference, false, { ...NOTE, actorId: rootId }, most, 1000);

  it.each([
    ["was cancelled before", true, 0],
    ["was bought as often as allowed", false, 1],
  ])("gives the paid part where it %s", async (_, cancels, maxPerUser) => {
    if (maxPerUser > 0) {
      await accounts.changes.plans.change(planId, { maxPerUser });
      await buy("n0");
    }
    expect(await buy("n1", cancels)).toMatchObject({
      kind: "changed",
      granted: 100,
      order: { quota: 100, discount: 0, promotions: [], amount: 100, planFault: expect.stringMatching(/./) },
    });
    expect(await balance()).toBe(100);
    expect(await counted(promotionId)).toEqual([maxPerUser, maxPerUser * 900]);
  });

  it("gives the paid part once a claim is won", async () => {
    await buy();
    await endPlan();
    expect(await claim(100, "dp_1")).toMatchObject({ taken: 1000, ofBalance: 0 });
    expect(await balance()).toBe(0);
    expect(await win(100, "dp_1")).toBe(100);
    expect(await balance()).toBe(100);
    expect(await claim(100, "dp_2")).toMatchObject({ taken: 1000, ofBalance: 100, missing: 0 });
    expect(await balance()).toBe(0);
    expect(await win(100, "dp_2")).toBe(100);
    expect(await balance()).toBe(100);
  });

  it("gives the paid part of what a claim leaves", async () => {
    await buy();
    await endPlan();
    expect(await claim(50, "dp_1")).toMatchObject({ taken: 500, ofBalance: -50 });
    expect(await balance()).toBe(50);
    expect(await claim(10, "dp_2")).toMatchObject({ taken: 100, ofBalance: 10 });
    expect(await balance()).toBe(40);
    expect(await win(50, "dp_1")).toBe(50);
    expect(await win(10, "dp_2")).toBe(10);
    expect(await balance()).toBe(100);
  });

  it("gives the buyer's own money back in full once a claim is won", async () => {
    await buy();
    await endPlan();
    await order("n2", []);
    await pay("n2");
    // Of the plan's price 200 is unspent.
    const step = { kind: "disputed", amount: 100, reference: "dp_1" } as const;
    expect(await accounts.changes.orders.sendBack("n1", step, NOTE, MAX_QUOTA, 200)).toMatchObject({
      taken: 1000,
      ofBalance: 800,
    });
    expect(await win(100, "dp_1")).toBe(820);
    expect(await balance()).toBe(1020);
  });

  it("gives the paid part of a refund that the provider refuses, and refunds it for the same money", async () => {
    await buy();
    await endPlan();
    const begun = await refund("re_1");
    expect(begun).toMatchObject({ kind: "begun", refund: { amount: 100, taken: 1000 } });
    const { id = 0 } = begun?.kind === "begun" ? begun.refund : {};
    expect(await accounts.changes.orders.endRefund(id, false, "no", NOTE)).toBe(100);
    expect(await balance()).toBe(100);
    expect(await refund("re_2", 50)).toMatchObject({ refund: { amount: 50, taken: 500 }, ofBalance: 50 });
    expect(await refund("re_3")).toMatchObject({ refund: { amount: 50, taken: 500 }, ofBalance: 50 });
    expect(await balance()).toBe(0);
    expect(await refund("re_4")).toMatchObject({ kind: "nothing" });
  });
});

it("gives a registration no bonus for a person who had an account before", async () => {
  await promote({ products: ["registration"], maxUsesPerUser: 1 });
  const register = async (username: string) => {
    const identity = { method: "github", subject: "1" } as const;
    const made = newUser({ username, affCode: username, identity, quota: 0 });
    const { id } = (await accounts.changes.users.create(made, 0, [])).user;
    return { id, bonus: await accounts.changes.promotions.useForRegistration("SPRING", id, 1500) };
  };
  const first = await register("bob");
  await accounts.changes.users.remove(first.id);
  expect([first.bonus, (await register("bobby")).bonus]).toEqual([100, 0]);
});

it("gives a registration the bonus of its code once, within its bounds", async () => {
  const { id } = await promote({ products: ["registration"], maxUses: 2, maxUsesPerUser: 1 });
  const { promotions } = accounts.changes;
  const other = await createUser("carol");
  const third = await createUser("dave");
  expect(
    await Promise.all(
      [userId, userId, other].map((each) => promotions.useForRegistration("SPRING", each, 1500)),
    ),
  ).toEqual([100, 0, 100]);
  expect(await promotions.useForRegistration("SPRING", third, 1500)).toBe(0);
  expect(await promotions.useForRegistration("OTHER", third, 1500)).toBe(0);
  expect([await balance(), await balance(other), await balance(third)]).toEqual([100, 100, 0]);
  expect(await counted(id)).toEqual([2, 200]);
  const entries = await accounts.queries.ledger.page({ userId }, 0, 9);
  expect(entries).toMatchObject([{ cause: "promotion", amount: 100, reason: "Spring (SPRING)" }]);
});
