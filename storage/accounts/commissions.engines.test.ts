import type { PlanTerms } from "@tollgate/contract/api/plans";
import {
  type CommissionRule,
  type CommissionSource,
  commissionOf,
} from "@tollgate/contract/records/commission-record";
import type { NewOrder, StepNote } from "@tollgate/contract/records/order-record";
import { MAX_QUOTA } from "@tollgate/contract/values/quota";
import { createRandom } from "@tollgate/testkit/random";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { StorageConflict } from "../errors";
import { moneyFaults } from "../testing/money-faults";
import { onEngine } from "../testing/on-engine";
import { MASTER_KEY, newUser } from "../testing/sample-records";
import type { AccountsUnderTest, StoreUnderTest } from "./testing/accounts-under-test";
import { newPostgresStore } from "./testing/postgres-store";
import { newSqliteStore } from "./testing/sqlite-store";

const newStore = onEngine({ sqlite: newSqliteStore, postgres: newPostgresStore });

const hasLeases = onEngine({ sqlite: false, postgres: true });

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

const TENTH: CommissionRule = { basisPoints: 1000, isOfEach: true };
const SHORT = new StorageConflict("commission-short");

const note = (more: Partial<StepNote> = {}): StepNote => ({
  at: 2000,
  unit: { quotaPerUnit: 500_000, isCurrency: true },
  commission: TENTH,
  ...more,
});

const newOrder = (userId: number, number: string, more: Partial<NewOrder> = {}): NewOrder => ({
  number,
  userId,
  username: "payer",
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

const createUser = async (username: string, inviterId = 0) =>
  (await accounts.changes.users.create(newUser({ username, affCode: username, quota: 0, inviterId }), 0, []))
    .user.id;

const pay = async (
  userId: number,
  number: string,
  of: Partial<NewOrder> = {},
  more: Partial<StepNote> = {},
) => {
  const { orders } = accounts.changes;
  const order = await orders.create(newOrder(userId, number, of), 50);
  const step = {
    kind: "paid" as const,
    provider: "stripe",
    amount: of.amount ?? 730,
    currency: "CNY",
    payment: `pi_${number}`,
  };
  const steps = await Promise.all([1, 2, 3].map(() => orders.step(number, step, note(more))));
  expect(steps.filter((each) => each?.kind === "changed")).toHaveLength(1);
  return order?.id ?? 0;
};

const summary = (id: number) => accounts.queries.commissions.summary(id);
const balance = async (id: number) => (await accounts.queries.users.find(id))?.quota;

describe("a commission", () => {
  it("is a share of the paid money, in whole quota, never more than the share", () => {
    const random = createRandom(5);
    for (let round = 0; round < 500; round += 1) {
      const quota = Math.floor(random() * (round % 2 === 0 ? 10_000 : MAX_QUOTA));
      const basisPoints = 1 + Math.floor(random() * 10_000);
      const amount = commissionOf(quota, { basisPoints, isOfEach: true });
      const exact = BigInt(quota) * BigInt(basisPoints);
      expect(BigInt(amount) * 10_000n <= exact && exact < BigInt(amount + 1) * 10_000n).toBe(true);
    }
    expect(commissionOf(MAX_QUOTA, { basisPoints: 10_000, isOfEach: true })).toBe(MAX_QUOTA);
  });

  it("of each payment goes to the inviter's own account, once, without the bonus of the payment", async () => {
    const inviter = await createUser("inviter");
    const payer = await createUser("payer", inviter);
    const first = await pay(payer, "n1", { quota: 510_005, bonus: 10_000 });
    await pay(payer, "n2", { quota: 9 });
    expect(await summary(inviter)).toEqual({
      invited: 1,
      earned: 50_000,
      gifts: 0,
      commission: 50_000,
      payout: 0,
      missing: 0,
    });
    expect([await balance(inviter), await balance(payer)]).toEqual([0, 510_014]);
    expect(await accounts.queries.commissions.commissions(0, 9)).toMatchObject([
      { inviter: "inviter", username: "payer", orderId: first, base: 500_005, amount: 50_000 },
    ]);
    expect(await accounts.queries.ledger.page({ account: "commission" }, 0, 9)).toMatchObject([
      { userId: inviter, cause: "commission", amount: 50_000, reference: String(first) },
    ]);
    expect(await accounts.queries.commissions.invited(inviter, 0, 9)).toMatchObject([
      { username: "payer", earned: 50_000 },
    ]);
  });

  it("comes of the payments that the rule names, and the first of these alone where it says so", async () => {
    const inviter = await createUser("inviter");
    const payer = await createUser("payer", inviter);
    const terms: PlanTerms = {
      title: "Basic",
      price: 1000,
      durationUnit: "day",
      durationCount: 1,
      quota: 10,
      reset: "day",
      group: "",
      beyond: "balance",
    };
    // The plan is withdrawn, so that its price goes to the balance; it is still the payment of a plan.
    const plan = { quota: 1000, plan: { id: 99, terms } };
    const of = (...sources: CommissionSource[]): Partial<StepNote> => ({
      commission: { basisPoints: 1000, isOfEach: false, sources },
    });
    await pay(payer, "plan 1", plan, of("top-up"));
    expect((await summary(inviter)).earned).toBe(0);
    await pay(payer, "quota 1", { quota: 2000 }, of("top-up"));
    expect((await summary(inviter)).earned).toBe(200);
    await pay(payer, "quota 2", { quota: 2000 }, of("top-up"));
    await pay(payer, "plan 2", plan, of("plan"));
    expect((await summary(inviter)).earned).toBe(200);
    const other = await createUser("other", inviter);
    await pay(other, "quota 3", { quota: 500 }, of("plan"));
    await pay(other, "plan 3", plan, of("plan"));
    expect((await summary(inviter)).earned).toBe(300);
    expect(await moneyFaults(accounts.ask, hasLeases)).toEqual([]);
  });

  it("comes of a redeemed code where the rule says so, unless its maker may not favour the inviter", async () => {
    const { users, redemptions } = accounts.changes;
    const admin = await createUser("admin");
    const inviter = await createUser("inviter");
    const invited = await createUser("invited", inviter);
    const ofAdmin = await createUser("ofAdmin", admin);
    await users.change(admin, { role: 10 });
    const code = (key: string) => ({
      userId: admin,
      key,
      name: "gift",
      quota: 700,
      createdTime: 1,
      mostUses: 9,
    });
    await redemptions.create(["a", "b", "c"].map(code));
    const unit = { quotaPerUnit: 500_000, isCurrency: true };
    const rule = (isOfEach: boolean, ...sources: CommissionSource[]) => ({
      basisPoints: 1000,
      isOfEach,
      sources,
    });
    await redemptions.redeem("a", invited, 5, "invited", unit, rule(true, "top-up", "plan"));
    await redemptions.redeem("b", invited, 6, "invited", unit, rule(false, "code"));
    expect((await summary(inviter)).earned).toBe(0);
    await redemptions.redeem("c", invited, 7, "invited", unit, rule(true, "code"));
    expect((await summary(inviter)).earned).toBe(70);
    expect(await redemptions.redeem("a", ofAdmin, 8, "ofAdmin", unit, rule(true, "code"))).toBe(700);
    expect((await summary(admin)).earned).toBe(0);
    await redemptions.removeDead(9);
    await redemptions.remove(1);
    expect(await accounts.queries.commissions.commissions(0, 9)).toMatchObject([
      { inviter: "inviter", username: "invited", base: 700, amount: 70 },
    ]);
    expect(await moneyFaults(accounts.ask, hasLeases)).toEqual([]);
  });

  it("of the first payment alone is of no second one, whatever the rule was before", async () => {
    const inviter = await createUser("inviter");
    const [early, late] = [await createUser("early", inviter), await createUser("late", inviter)];
    const once = { commission: { ...TENTH, isOfEach: false } };
    await pay(early, "e1", {}, { commission: undefined });
    await pay(early, "e2", {}, once);
    await pay(late, "l1", {}, once);
    await pay(late, "l2", {}, once);
    expect(await summary(inviter)).toMatchObject({ earned: 50_000 });
  });

  it("is not paid when the payer has no inviter, the inviter is deleted or banned, or it is the payer", async () => {
    const [gone, banned] = [await createUser("gone"), await createUser("banned")];
    const payers = [0, gone, banned].map((inviter, index) => createUser(`payer${index}`, inviter));
    await accounts.changes.users.remove(gone);
    await accounts.changes.users.change(banned, { status: 2 });
    const own = await createUser("own");
    await store.alter("users", "inviter_id", String(own), own);
    for (const payer of [...(await Promise.all(payers)), own]) await pay(payer, `n${payer}`);
    expect(await accounts.queries.commissions.commissions(0, 9)).toEqual([]);
  });

  it("goes round no circle: who invited each other earn of each other's payments once", async () => {
    const one = await createUser("one");
    const two = await createUser("two", one);
    await store.alter("users", "inviter_id", String(two), one);
    await Promise.all([pay(one, "n1"), pay(two, "n2")]);
    expect([await summary(one), await summary(two)]).toMatchObject([{ earned: 50_000 }, { earned: 50_000 }]);
  });

  it("is taken back with its payment as far as it is there, and given back where the refund was not made", async () => {
    const inviter = await createUser("inviter");
    const payer = await createUser("payer", inviter);
    const { orders, commissions } = accounts.changes;
    await pay(payer, "n1", { amount: 1000 });
    await pay(payer, "n2", { amount: 1000 });
    await orders.sendBack(
      "n1",
      {
        kind: "refunded-part",
        reference: "r1",
        amount: 250,
      },
      note(),
      MAX_QUOTA,
    );
    expect(await summary(inviter)).toMatchObject({ earned: 87_500, commission: 87_500 });
    await commissions.transfer(inviter, 77_500, 5);
    const begun = await orders.beginRefund("n2", "r2", false, note(), MAX_QUOTA);
    expect(await summary(inviter)).toMatchObject({ earned: 77_500, commission: 0 });
    expect((await accounts.queries.commissions.commissions(0, 1))[0]).toMatchObject({
      amount: 50_000,
      takenBack: 10_000,
      missing: 40_000,
    });
    const refundId = begun?.kind === "begun" ? begun.refund.id : 0;
    await Promise.all([1, 2].map(() => orders.endRefund(refundId, false, "no", note())));
    expect(await summary(inviter)).toMatchObject({ commission: 10_000 });
    expect((await accounts.queries.commissions.commissions(0, 1))[0]).toMatchObject({
      takenBack: 0,
      missing: 0,
    });
  });
});

describe("a commission that was spent when its payment went back", () => {
  const dispute = (number: string) =>
    accounts.changes.orders.sendBack(
      number,
      { kind: "disputed", reference: `dp_${number}`, amount: 730 },
      note(),
      MAX_QUOTA,
    );
  const missing = async () =>
    (await accounts.queries.commissions.commissions(0, 9)).map((each) => [each.takenBack, each.missing]);

  it("is taken of the next ones, so that who pays and claims it back again and again earns once", async () => {
    const inviter = await createUser("inviter");
    const payer = await createUser("payer", inviter);
    const { commissions } = accounts.changes;
    await pay(payer, "n1");
    await commissions.transfer(inviter, 50_000, 5);
    await dispute("n1");
    expect(await missing()).toEqual([[0, 50_000]]);
    for (const number of ["n2", "n3"]) {
      await pay(payer, number);
      await expect(commissions.transfer(inviter, 1, 5)).rejects.toEqual(SHORT);
      await dispute(number);
    }
    expect(await summary(inviter)).toMatchObject({ earned: 50_000, commission: 0 });
    expect(await missing()).toEqual([
      [0, 50_000],
      [50_000, 0],
      [50_000, 0],
    ]);
  });

  it("stays a debt when it was paid out, never below nothing, until later commission covers it", async () => {
    const inviter = await createUser("inviter");
    const payer = await createUser("payer", inviter);
    const { commissions } = accounts.changes;
    await pay(payer, "n1");
    const id = await commissions.ask(inviter, 50_000, "", 5);
    await dispute("n1");
    // The deciding administrator sees it; the gateway cannot take back a payment made by hand.
    expect(await accounts.queries.commissions.payouts({}, 0, 9)).toMatchObject([{ id, missing: 50_000 }]);
    await commissions.decide(id, "paid", { actorId: 1, reason: "", at: 6 });
    expect(await summary(inviter)).toMatchObject({
      earned: 50_000,
      commission: 0,
      payout: 0,
      missing: 50_000,
    });
    await pay(payer, "n2", { quota: 300_000 });
    expect(await summary(inviter)).toMatchObject({ commission: 0, missing: 20_000 });
    await pay(payer, "n3", { quota: 300_000 });
    expect(await summary(inviter)).toMatchObject({ commission: 10_000, missing: 0 });
    const back = await accounts.queries.ledger.page({ cause: "commission-taken-back" }, 0, 9);
    expect(back.map(({ amount, account }) => [account, amount])).toEqual([
      ["commission", -20_000],
      ["commission", -30_000],
    ]);
  });

  it("is taken of a request to be paid out that is declined", async () => {
    const inviter = await createUser("inviter");
    await pay(await createUser("payer", inviter), "n1");
    const { commissions } = accounts.changes;
    const id = await commissions.ask(inviter, 50_000, "", 5);
    await dispute("n1");
    await commissions.decide(id, "declined", { actorId: 1, reason: "claimed back", at: 6 });
    expect(await summary(inviter)).toMatchObject({ earned: 0, commission: 0, payout: 0 });
    expect(await missing()).toEqual([[50_000, 0]]);
  });

  it("is taken from another one that comes back", async () => {
    const inviter = await createUser("inviter");
    const payer = await createUser("payer", inviter);
    const { orders, commissions } = accounts.changes;
    await pay(payer, "n1");
    await pay(payer, "n2");
    await commissions.transfer(inviter, 50_000, 5);
    await dispute("n2");
    await dispute("n1");
    expect(await missing()).toEqual([
      [50_000, 0],
      [0, 50_000],
    ]);
    const won = { of: "dispute", own: "", reference: "dp_n2", amount: 730 } as const;
    await Promise.all([1, 2].map(() => orders.takeReturned("n2", won, note())));
    expect(await summary(inviter)).toMatchObject({ earned: 50_000, commission: 0, missing: 0 });
    expect(await missing()).toEqual([
      [0, 0],
      [50_000, 0],
    ]);
  });

  it("comes back whole where a refund is not made after all", async () => {
    const inviter = await createUser("inviter");
    const payer = await createUser("payer", inviter);
    const { orders, commissions } = accounts.changes;
    await pay(payer, "n1");
    await commissions.transfer(inviter, 50_000, 5);
    const begun = await orders.beginRefund("n1", "r1", false, note(), MAX_QUOTA);
    await pay(payer, "n2");
    expect(await summary(inviter)).toMatchObject({ earned: 50_000, commission: 0 });
    await orders.endRefund(begun?.kind === "begun" ? begun.refund.id : 0, false, "no", note());
    expect(await summary(inviter)).toMatchObject({ earned: 100_000, commission: 50_000 });
  });
});

describe("a commission of a payment that the buyer's bank claims while its refund is asked for", () => {
  it("stays taken back as far as the claim goes", async () => {
    const inviter = await createUser("inviter");
    const payer = await createUser("payer", inviter);
    const { orders } = accounts.changes;
    await pay(payer, "n1", { amount: 1000 });
    const begun = await orders.beginRefund("n1", "r1", false, note(), MAX_QUOTA);
    await orders.sendBack("n1", { kind: "disputed", reference: "dp", amount: 600 }, note(), MAX_QUOTA);
    await orders.endRefund(begun?.kind === "begun" ? begun.refund.id : 0, false, "no", note());
    expect(await summary(inviter)).toMatchObject({ earned: 20_000, commission: 20_000 });
    expect((await accounts.queries.commissions.commissions(0, 1))[0]).toMatchObject({
      takenBack: 30_000,
      missing: 0,
    });
  });
});

describe("the commission of an inviter", () => {
  const earned = async (): Promise<number> => {
    const inviter = await createUser("inviter");
    await pay(await createUser("payer", inviter), "n1");
    return inviter;
  };

  it("is turned into balance by an entry on each account, however many ask at once", async () => {
    const inviter = await earned();
    const { commissions } = accounts.changes;
    const done = await Promise.allSettled(
      Array.from({ length: 6 }, () => commissions.transfer(inviter, 50_000, 5)),
    );
    expect(done.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await expect(commissions.transfer(inviter, 1, 5)).rejects.toEqual(SHORT);
    expect([await balance(inviter), (await summary(inviter)).commission]).toEqual([50_000, 0]);
    const entries = await accounts.queries.ledger.page({ cause: "commission-transfer" }, 0, 9);
    expect(entries.map(({ account, amount }) => [account, amount]).toSorted()).toEqual([
      ["balance", 50_000],
      ["commission", -50_000],
    ]);
  });

  it("is not turned into balance where the balance would be too large: both or none", async () => {
    const inviter = await earned();
    await accounts.changes.users.grant(inviter, MAX_QUOTA - 10, {
      cause: "quota-changed",
      actorId: 1,
      at: 1,
    });
    await expect(accounts.changes.commissions.transfer(inviter, 11, 5)).rejects.toEqual(
      new StorageConflict("balance-too-large"),
    );
    expect(await summary(inviter)).toMatchObject({ commission: 50_000 });
  });

  it("is put aside when it is asked for, and paid or declined once", async () => {
    const inviter = await earned();
    const { commissions } = accounts.changes;
    const id = await commissions.ask(inviter, 30_000, "bank 12", 5);
    const other = await commissions.ask(inviter, 20_000, "", 6);
    await expect(commissions.transfer(inviter, 1, 7)).rejects.toEqual(SHORT);
    await expect(commissions.ask(inviter, 1, "", 7)).rejects.toEqual(SHORT);
    expect(await summary(inviter)).toMatchObject({ commission: 0, payout: 50_000, earned: 50_000 });
    const decided = await Promise.all(
      (["paid", "declined", "paid"] as const).map((state) =>
        commissions.decide(id, state, { actorId: inviter, reason: "so", at: 9 }),
      ),
    );
    expect(decided.filter(Boolean)).toHaveLength(1);
    await commissions.decide(other, "declined", { actorId: 1, reason: "no account", at: 9 });
    const isPaid = decided.some((payout) => payout?.state === "paid");
    expect(await summary(inviter)).toMatchObject({ commission: isPaid ? 20_000 : 50_000, payout: 0 });
    expect(
      await accounts.queries.commissions.payouts({ userId: inviter, state: "declined" }, 0, 9),
    ).toContainEqual(
      expect.objectContaining({ id: other, amount: 20_000, reason: "no account", state: "declined" }),
    );
  });

  it("is the sum of its entries after any sequence, and never below nothing", async () => {
    const random = createRandom(20_260_722);
    const below = (limit: number): number => Math.floor(random() * limit);
    const inviter = await createUser("inviter");
    const payers = [await createUser("p1", inviter), await createUser("p2", inviter)];
    const { orders, commissions } = accounts.changes;
    let paid = 0;
    for (let step = 0; step < 40; step += 1) {
      const number = String(below(paid + 1));
      const act: (() => Promise<unknown>)[] = [
        async () => {
          await pay(payers[below(2)] ?? 0, String(paid), { quota: below(90_000), amount: 1 + below(900) });
          paid += 1;
        },
        () => commissions.transfer(inviter, 1 + below(3000), step),
        () => commissions.ask(inviter, 1 + below(3000), "", step),
        () =>
          commissions.decide(1 + below(4), below(2) === 0 ? "paid" : "declined", {
            actorId: 1,
            reason: "",
            at: step,
          }),
        () => orders.beginRefund(number, `r${step}`, false, note(), MAX_QUOTA),
        () => orders.endRefund(1 + below(5), below(2) === 0, "", note()),
      ];
      await act[below(act.length)]?.().catch((error: unknown) => {
        if (!(error instanceof StorageConflict)) throw error;
      });
      const { commission, payout } = await summary(inviter);
      const all = await accounts.queries.ledger.page({ userId: inviter }, 0, 1000);
      const sumOf = (account: string) =>
        all.reduce((sum, entry) => (entry.account === account ? sum + entry.amount : sum), 0);
      expect([step, commission, payout]).toEqual([step, sumOf("commission"), sumOf("payout")]);
      expect(await balance(inviter)).toBe(sumOf("balance"));
      expect(Math.min(commission, payout)).toBeGreaterThanOrEqual(0);
    }
  });
});

describe("a code that may be used more than once", () => {
  const AMOUNT = { quotaPerUnit: 500_000, isCurrency: false };
  const code = { userId: 1, key: "code", name: "gift", quota: 50, createdTime: 1 };
  const redeem = (userId: number, now = 5, key = "code") =>
    accounts.changes.redemptions.redeem(key, userId, now, "x", AMOUNT);

  it("is used once by each user, up to its maximum, and lists its users and times", async () => {
    const users = [];
    for (const name of ["a", "b", "c", "d"]) users.push(await createUser(name));
    await accounts.changes.redemptions.create([{ ...code, mostUses: 3 }]);
    const [first = 0] = users;
    expect(await redeem(first)).toBe(50);
    await expect(redeem(first)).rejects.toEqual(new StorageConflict("redemption-used-before"));
    expect(await accounts.queries.redemptions.find(1)).toMatchObject({
      status: 1,
      usedCount: 1,
      usedBy: first,
    });
    const rest = await Promise.allSettled(users.slice(1).map((id) => redeem(id, 6)));
    expect(rest.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
    expect(await accounts.queries.redemptions.find(1)).toMatchObject({
      status: 3,
      usedCount: 3,
      mostUses: 3,
    });
    const uses = await accounts.queries.redemptions.uses(1, 0, 9);
    expect(uses).toHaveLength(3);
    expect(uses.at(-1)).toMatchObject({ userId: first, username: "a", usedAt: 5, quota: 50 });
    const sums = await Promise.all(users.map(balance));
    expect(sums.toSorted()).toEqual([0, 50, 50, 50]);
    expect(
      (await accounts.queries.ledger.page({ cause: "redeemed" }, 0, 9)).map(({ reference }) => reference),
    ).toEqual(["1/3", "1/2", "1/1"]);
    const fewer = accounts.changes.redemptions.change(1, { mostUses: 5 });
    await expect(fewer).rejects.toEqual(new StorageConflict("redemption-used"));
  });

  it("ends at its time, and dead ones are cleared away together", async () => {
    const id = await createUser("a");
    const { redemptions } = accounts.changes;
    await redemptions.create([
      { ...code, expiresTime: 10 },
      { ...code, key: "open", expiresTime: 11 },
      { ...code, key: "off" },
      { ...code, key: "ever" },
    ]);
    await redemptions.change(3, { status: 2 });
    await expect(redeem(id, 10)).rejects.toEqual(new StorageConflict("redemption-expired"));
    expect(await redeem(id, 10, "open")).toBe(50);
    expect(await redemptions.removeDead(10)).toBe(3);
    expect((await accounts.queries.redemptions.page(0, 9)).map(({ key }) => key)).toEqual(["ever"]);
    expect(await redemptions.removeDead(10)).toBe(0);
  });

  it("is not lowered below its uses", async () => {
    const { redemptions } = accounts.changes;
    await redemptions.create([{ ...code, mostUses: 3 }]);
    await redeem(await createUser("a"));
    await redeem(await createUser("b"));
    await expect(redemptions.change(1, { mostUses: 2 })).rejects.toThrow();
    expect(await redemptions.change(1, { mostUses: 4, expiresTime: 99 })).toMatchObject({
      mostUses: 4,
      expiresTime: 99,
    });
  });
});
