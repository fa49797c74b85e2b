import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryMoney } from "@tollgate/accounts/account-money";
import { type Accounts, createAccounts, loadAccounts } from "@tollgate/accounts/accounts";
import { Plans } from "@tollgate/accounts/plans";
import type { Plan } from "@tollgate/contract/api/plans";
import type { Callback, CallbackAnswer } from "@tollgate/contract/payments/payment-port";
import { PAYMENT_ADDRESSES, PAYMENT_PORTS } from "@tollgate/contract/payments/ports";
import type { PaymentProviderName } from "@tollgate/contract/payments/providers";
import type { OrderRecord } from "@tollgate/contract/records/order-record";
import type { NewPlan } from "@tollgate/contract/records/plan-record";
import { hold, settle } from "@tollgate/metering/ledger";
import { encodeCharges } from "@tollgate/storage/accounts/charges";
import type { OrderChanges } from "@tollgate/storage/accounts/money-ports";
import { createSecrets } from "@tollgate/storage/secrets";
import { type SqliteStores, startSqliteStores } from "@tollgate/storage/sqlite-stores";
import { MASTER_KEY, newCharge, newUser } from "@tollgate/storage/testing/sample-records";
import type { StorageThread } from "@tollgate/storage/threads/connect-worker";
import { openThread } from "@tollgate/storage/threads/open-thread";
import type { WorkerSettings } from "@tollgate/storage/threads/worker-messages";
import { startFakeAlipay } from "@tollgate/testkit/fake-payments/fake-alipay";
import { startFakeEPay } from "@tollgate/testkit/fake-payments/fake-epay";
import type {
  CallbackFields,
  FakeProvider,
  SentCallback,
} from "@tollgate/testkit/fake-payments/fake-provider";
import { startFakeStripe } from "@tollgate/testkit/fake-payments/fake-stripe";
import { startFakeWeChatPay } from "@tollgate/testkit/fake-payments/fake-wechat-pay";
import { createRandom } from "@tollgate/testkit/random";
import { caseCount } from "@tollgate/testkit/seeds";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Notice } from "../notices/notices";
import { accountStoreOf, planRefusalOf, planStoreOf, readStoredAccounts } from "../state/account-store";
import { Options } from "../state/options";
import type { OrderTools } from "./order-steps";
import { Orders } from "./orders";

const NAMES = ["stripe", "epay", "alipay", "wechat-pay"] as const;
/** The price of 2 USD, and their quota. */
const AMOUNT = 1460;
const QUOTA = 1_000_000;
/** How many callbacks are sent of each of 20 orders. */
const OFTEN = caseCount(50);

/** Threads of storage on this one: calls are done in their order. */
const startHere = async (settings: WorkerSettings): Promise<StorageThread> => {
  const { run, close } = await openThread(settings);
  let last: Promise<unknown> = Promise.resolve();
  return {
    call: (group, method, parameters) => {
      const reply = last.then(() => run({ id: 1, group, method, parameters }));
      last = reply.catch(() => {});
      return reply.then(({ failure, conflict, ...rest }) => {
        if (failure !== undefined || conflict !== undefined) throw new Error(failure ?? conflict);
        return rest;
      });
    },
    async close() {
      await last;
      close();
    },
  };
};

const fakes = new Map<PaymentProviderName, FakeProvider>();
const fakeOf = (name: PaymentProviderName): FakeProvider => {
  const fake = fakes.get(name);
  if (!fake) throw new Error(name);
  return fake;
};

let folder: string;
let storage: SqliteStores;
let accounts: Accounts;
let options: Options;
let plans: Plans;
let orders: Orders;
let told: Notice[];
/** Unix milliseconds that are added to now. */
let later: number;
/** The plan's part of each balance. */
let ofPlans: number;

const UNIT = { quotaPerUnit: 500_000, isCurrency: true };

beforeAll(async () => {
  fakes.set("stripe", await startFakeStripe());
  fakes.set("epay", await startFakeEPay());
  fakes.set("alipay", await startFakeAlipay());
  fakes.set("wechat-pay", await startFakeWeChatPay());
  folder = mkdtempSync(join(tmpdir(), "tollgate-orders-"));
  storage = await startSqliteStores(startHere, join(folder, "tollgate.db"), MASTER_KEY, () => {});
  const tools = {
    hash: (text: string) => createSecrets(MASTER_KEY).hash(text),
    now: () => 1000,
    amountUnit: () => UNIT,
    reportError: () => {},
  };
  accounts = createAccounts(
    accountStoreOf(storage),
    tools,
    createMemoryMoney(() => {}),
  );
  await loadAccounts(accounts, await readStoredAccounts(storage.read, 1000));
  plans = new Plans(planStoreOf(storage), accounts.users, accounts.balances, {
    now: () => Math.floor((Date.now() + later) / 1000),
    amountUnit: () => UNIT,
    reportError: (error) => expect(error).toBeUndefined(),
    refusalOf: planRefusalOf,
    onEvent: () => {},
  });
  options = await Options.load(storage.read, storage.write);
  const site: Record<string, string> = { ServerAddress: "https://gate.example.com", PaymentEnabled: "true" };
  for (const fake of fakes.values()) Object.assign(site, fake.options);
  for (const name of ["Stripe", "EPay", "Alipay", "WeChatPay"]) site[`${name}Enabled`] = "true";
  for (const [key, value] of Object.entries(site)) await options.put(key, value);
});

afterAll(async () => {
  await Promise.all([...fakes.values()].map((fake) => fake.close()));
  await storage.close();
  rmSync(folder, { recursive: true });
});

const addressOf = (variable: string): string =>
  fakeOf(variable === "STRIPE_URL" ? "stripe" : variable === "WECHAT_PAY_URL" ? "wechat-pay" : "alipay").url;

const toolsOfOrders = (): OrderTools => ({
  read: storage.read.orders,
  write: storage.write.orders,
  users: accounts.users,
  plans,
  readPlans: storage.read.plans,
  readPromotions: storage.read.promotions,
  ownQuota: async (id) => Math.max(0, (await storage.read.plans.own(id)) - ofPlans),
  options,
  notices: { raise: (notice) => told.push(notice) },
  logger: { info: () => {}, warn: () => {} },
  amountUnit: () => UNIT,
  nowMs: () => Date.now() + later,
  addresses: Object.fromEntries(Object.keys(PAYMENT_ADDRESSES).map((name) => [name, addressOf(name)])),
});

/** Of the test that runs: each has users of its own. */
let serial = 0;

beforeEach(async () => {
  serial += 1;
  for (const name of ["ann", "bob", "cas"])
    await accounts.users.create(
      { ...newUser({ username: `${name}${serial}` }), affCode: `aff${name}${serial}` },
      { newUser: 0, invitee: 0, inviter: 0 },
      undefined,
    );
  told = [];
  later = 0;
  ofPlans = 0;
  orders = new Orders(toolsOfOrders());
  for (const fake of fakes.values()) {
    fake.behave("well");
    fake.beforeAnswer(undefined);
  }
});

const userOf = (name: string) => {
  const user = accounts.users.findByName(`${name}${serial}`);
  if (!user) throw new Error(name);
  return user;
};

const begin = async (provider: PaymentProviderName, username = "ann", usd = "2"): Promise<OrderRecord> => {
  const method = provider === "epay" ? "alipay" : "";
  const begun = await orders.begin(userOf(username), { provider, method, usd }, "192.0.2.7");
  if ("fault" in begun) throw new Error(begun.fault);
  // The buyer follows the link.
  if (provider === "epay") await fetch(begun.pay?.content ?? "");
  return begun;
};

const sent = (callback: SentCallback): Callback => ({
  method: callback.method,
  query: callback.query.slice(1),
  body: Buffer.from(callback.body),
  text: callback.body,
  header: (name) => callback.headers[name] ?? "",
});

const call = (
  provider: PaymentProviderName,
  order: { number: string },
  says: CallbackFields = {},
): Promise<CallbackAnswer> => {
  const fake = fakeOf(provider);
  const known = fake.orders.get(order.number) ?? fake.order(order.number);
  if (says.event === undefined) known.state = "paid";
  return orders.receive(provider, sent(fake.callback(known, { atMs: Date.now() + later, ...says })));
};

const found = async ({ number }: { number: string }) => await storage.read.orders.find(number);
/** In memory and in storage, which have to be the same. */
const balance = async (name = "ann"): Promise<number> => {
  const user = userOf(name);
  expect((await storage.read.users.find(user.id))?.quota).toBe(user.account.quota);
  return user.account.quota;
};
const faults = async (order?: OrderRecord) =>
  (await storage.read.orders.faults(order?.id ?? 0, 9)).map(({ fault }) => fault);

/** Uses quota up, as requests do. */
const spend = (name: string, quota: number): void => {
  const key = { id: 1, quota: 0, held: 0, isUnlimited: true };
  const { account } = userOf(name);
  const open = hold(account, key, quota, false, quota);
  if (typeof open === "string") throw new Error(open);
  settle(open, quota);
};

/** Stores that so much was used up, as the journal does. */
const storeCharge = async (quota: number): Promise<void> => {
  const { id } = userOf("ann");
  const encoded = encodeCharges([newCharge({ userId: id, tokenId: 0, quota, tokenQuota: 0 })]);
  await new Promise<void>((resolve, reject) =>
    storage.charges.append(...encoded, (error) => (error ? reject(error) : resolve())),
  );
};

describe.each(NAMES)("%s", (provider) => {
  it("is begun, paid by a callback, credited once and told", async () => {
    const order = await begin(provider);
    expect(order).toMatchObject({
      state: "pending",
      amount: AMOUNT,
      quota: QUOTA,
      currency: "CNY",
      usd: "2",
    });
    expect(order.pay?.content).toMatch(/^(https?|weixin):\/\//);
    for (let again = 0; again < 3; again += 1) expect((await call(provider, order)).status).toBe(200);
    expect(await balance()).toBe(QUOTA);
    expect(await found(order)).toMatchObject({
      state: "paid",
      isLate: false,
      payment: expect.stringMatching(/./),
    });
    expect(told.map(({ event, subject }) => [event, subject])).toEqual([["top-up", order.number]]);
  });

  it("refuses a callback that lies, logs it, reports it, and changes nothing", async () => {
    const order = await begin(provider);
    const lies: [CallbackFields, string | undefined][] = [
      [{ amount: AMOUNT - 1 }, "wrong-amount"],
      [{ amount: AMOUNT + 1 }, "wrong-amount"],
      [{ isForged: true }, undefined],
      [{ merchant: "other" }, undefined],
      [{ isTruncated: true }, undefined],
      [{ number: "f".repeat(32) }, undefined],
      ...(provider === "stripe" || provider === "wechat-pay"
        ? ([
            [{ currency: "USD" }, "wrong-currency"],
            [{ atMs: Date.now() - 3_600_000 }, undefined],
          ] as [CallbackFields, string | undefined][])
        : []),
    ];
    for (const [says, fault] of lies) {
      const { status, body } = await call(provider, order, says);
      expect([says, status >= 400, body]).toEqual([says, true, expect.not.stringMatching(/success"?$/i)]);
      if (fault !== undefined) expect(await faults(order)).toContain(fault);
    }
    expect(await faults()).toEqual(
      expect.arrayContaining(["unknown-order", "other-merchant", "signature-wrong"]),
    );
    expect([await balance(), (await found(order))?.state]).toEqual([0, "pending"]);
    expect(new Set(told.map(({ event }) => event))).toEqual(new Set(["payment-suspicious"]));
    // The truth comes after all of it.
    expect((await call(provider, order)).status).toBe(200);
    expect(await balance()).toBe(QUOTA);
  });

  it("credits a payment of an order that has ended, and says that it was late", async () => {
    const order = await begin(provider);
    later = 36 * 60_000;
    await orders.round(() => false);
    expect((await found(order))?.state).toBe("expired");
    expect((await call(provider, order)).status).toBe(200);
    expect(await found(order)).toMatchObject({ state: "paid", isLate: true });
    expect(await balance()).toBe(QUOTA);
  });

  it("is left to a person where quota costs more than twice as much as when it was quoted", async () => {
    // One dollar of quota for two million times its worth: the attack that options of root alone end.
    await options.put("QuotaPerUnit", "1000000000000");
    const order = await begin(provider, "ann", "1");
    expect(order).toMatchObject({ quota: 1e12, unitPrice: "7.3", quotaPerUnit: "1000000000000" });
    await options.put("QuotaPerUnit", "500000");
    expect((await call(provider, order)).status).toBeGreaterThanOrEqual(400);
    expect([await balance(), (await found(order))?.state]).toEqual([0, "pending"]);
    expect(await faults(order)).toEqual(["quote-out-of-line"]);
    expect(told.map(({ event }) => event)).toEqual(["payment-suspicious"]);
    // The provider reports it as paid. The order expires, so that queries end.
    later = 36 * 60_000;
    await orders.round(() => false);
    expect([await balance(), (await found(order))?.state]).toEqual([0, "expired"]);
    const root = { ...newUser({ username: `root${serial}`, role: 100 }), affCode: `affroot${serial}` };
    const { id } = await accounts.users.create(root, { newUser: 0, invitee: 0, inviter: 0 }, undefined);
    await orders.complete(order, { id, username: "root" }, "as it was quoted");
    expect(await balance()).toBe(1e12);
  });

  it("gives the quoted quota when the price changed meanwhile", async () => {
    const order = await begin(provider);
    await options.put("PaymentUnitPrice", "14");
    expect((await call(provider, order)).status).toBe(200);
    expect(await balance()).toBe(QUOTA);
    await options.put("PaymentUnitPrice", "7.3");
  });

  it("of long ago is paid only where the provider ends orders itself", async () => {
    const order = await begin(provider);
    later = 36 * 60_000;
    await orders.round(() => false);
    later = 26 * 3600 * 1000;
    const isTaken = (await call(provider, order)).status === 200;
    expect(isTaken).toBe(provider !== "epay");
    expect(await balance()).toBe(isTaken ? QUOTA : 0);
    expect(await faults(order)).toEqual(isTaken ? [] : ["paid-too-late"]);
    if (isTaken) return;
    // Its money is there: an administrator decides.
    await orders.complete(order, { id: userOf("bob").id, username: "root" }, "the old price");
    expect(await balance()).toBe(QUOTA);
    expect((await call(provider, order)).status).toBe(200);
  });

  it("is asked where no callback came", async () => {
    const order = await begin(provider);
    await orders.round(() => false);
    expect((await found(order))?.state).toBe("pending");
    fakeOf(provider).order(order.number, { state: "paid" });
    later = 31_000;
    await orders.round(() => false);
    expect([await balance(), (await found(order))?.state]).toEqual([QUOTA, "paid"]);
    expect((await call(provider, order)).status).toBe(200);
    expect(await balance()).toBe(QUOTA);
  });

  it("is asked until it answers, and the order is ended a day after its time", async () => {
    const order = await begin(provider);
    fakeOf(provider).behave("breaks");
    later = 3_600_000;
    await orders.round(() => false);
    expect((await found(order))?.state).toBe("pending");
    later = 26 * 3_600_000;
    await orders.round(() => false);
    expect((await found(order))?.state).toBe("expired");
  });

  it("takes a callback that comes before the answer of the checkout", async () => {
    fakeOf(provider).beforeAnswer(async (order) => {
      expect((await call(provider, order)).status).toBe(200);
    });
    const order = await begin(provider);
    expect((await found(order))?.state).toBe("paid");
    expect(await balance()).toBe(QUOTA);
  });

  it("refunds the unspent part, and reports the spent one", async () => {
    const order = await begin(provider);
    await call(provider, order);
    spend("ann", 400_000);
    const paid = await found(order);
    const result = paid && (await orders.refund(paid, { id: 1, username: "root" }, "asked for it"));
    expect(result).toMatchObject({
      kind: provider === "epay" ? "by-hand" : "made",
      refund: { amount: 876, taken: 600_000, missing: 400_000, reason: "asked for it" },
    });
    expect(userOf("ann").account.quota).toBe(0);
    expect(await found(order)).toMatchObject({ state: "partly-refunded", refunded: 876, taken: 600_000 });
    const sum = [...(fakeOf(provider).orders.get(order.number)?.refunds.values() ?? [])];
    expect(sum).toEqual(provider === "epay" ? [] : [876]);
    expect(told.at(-1)).toMatchObject({
      event: "order-refunded",
      params: { money: "¥8.76", missing: 400_000 },
    });
  });

  it("takes no included quota of a plan for a refund, here or at the provider", async () => {
    const order = await begin(provider);
    await call(provider, order);
    ofPlans = 700_000;
    const paid = await found(order);
    const result = paid && (await orders.refund(paid, { id: 1, username: "root" }, "asked for it"));
    expect(result).toMatchObject({ refund: { taken: 300_000, missing: 700_000, amount: 438 } });
    ofPlans = 700_000;
    if (provider === "stripe") {
      await call(provider, order, { event: "disputed", refund: { amount: 1000, reference: "dp_x" } });
      expect((await found(order))?.taken).toBe(300_000);
    }
    expect(await balance()).toBe(700_000);
  });

  it("returns the quota when the provider refuses a refund, and asks again when it does not answer", async () => {
    if (provider === "epay") return;
    const order = await begin(provider);
    await call(provider, order);
    const paid = await found(order);
    if (!paid) throw new Error("no order");
    fakeOf(provider).behave("refuses");
    expect(await orders.refund(paid, { id: 1, username: "root" }, "x")).toMatchObject({ kind: "undone" });
    expect([await balance(), (await found(order))?.state]).toEqual([QUOTA, "paid"]);
    fakeOf(provider).behave("silent");
    expect(await orders.refund(paid, { id: 1, username: "root" }, "x")).toMatchObject({ kind: "waiting" });
    expect([await balance(), (await found(order))?.state]).toEqual([0, "refunded"]);
    fakeOf(provider).behave("well");
    later = 60_000;
    for (let again = 0; again < 2; again += 1) await orders.round(() => false);
    expect((await storage.read.orders.refunds(paid.id)).map(({ state }) => state)).toEqual([
      "failed",
      "done",
    ]);
    expect([...(fakeOf(provider).orders.get(order.number)?.refunds.values() ?? [])]).toEqual([AMOUNT]);
  });
});

it("refunds that are asked for again do not wait for each other's provider", async () => {
  for (const name of ["ann", "bob", "cas"]) {
    const order = await begin("stripe", name);
    await call("stripe", order);
    fakeOf("stripe").behave("silent");
    const paid = await found(order);
    if (paid) await orders.refund(paid, { id: 1, username: "root" }, "x");
    fakeOf("stripe").behave("well");
  }
  const waiting = (await storage.read.orders.asking(99)).length;
  let asked = 0;
  let allAsked = (): void => {};
  const all = new Promise<void>((resolve) => {
    allAsked = resolve;
  });
  const refund = async (): Promise<"done"> => {
    asked += 1;
    if (asked === waiting) allAsked();
    await all;
    return "done";
  };
  const ports = { ...PAYMENT_PORTS, stripe: { ...PAYMENT_PORTS.stripe, refund } };
  orders = new Orders({ ...toolsOfOrders(), ports });
  later = 60_000;
  await orders.round(() => false);
  expect(await storage.read.orders.asking(99)).toEqual([]);
});

it("a refund that fails holds up no other", async () => {
  const [stuck, next] = [await begin("stripe"), await begin("stripe", "bob")];
  for (const order of [stuck, next]) {
    await call("stripe", order);
    const paid = await found(order);
    fakeOf("stripe").behave("silent");
    if (paid) await orders.refund(paid, { id: 1, username: "root" }, "x");
    fakeOf("stripe").behave("well");
  }
  const [first] = await storage.read.orders.asking(9);
  const stored = storage.write.orders;
  const write: OrderChanges = Object.create(stored);
  write.endRefund = (id, ...more) =>
    id === first?.refund.id ? Promise.reject(new Error("broken")) : stored.endRefund(id, ...more);
  orders = new Orders({ ...toolsOfOrders(), write });
  later = 60_000;
  await orders.round(() => false);
  expect((await storage.read.orders.asking(9)).map(({ order }) => order.number)).toEqual([stuck.number]);
});

describe("money that went back at the provider", () => {
  it.each(["stripe", "alipay", "wechat-pay"] as const)("of %s takes its value, once", async (provider) => {
    const order = await begin(provider);
    await call(provider, order);
    const says = { event: "refunded", refund: { amount: 730, reference: "there" } } as const;
    for (let again = 0; again < 3; again += 1) expect((await call(provider, order, says)).status).toBe(200);
    expect([await balance(), (await found(order))?.state]).toEqual([QUOTA / 2, "partly-refunded"]);
  });

  it.each(["stripe", "alipay", "wechat-pay"] as const)(
    "of %s before it was paid waits for the payment",
    async (provider) => {
      const order = await begin(provider);
      const says = { event: "refunded", refund: { amount: 730, reference: "there" } } as const;
      expect((await call(provider, order, says)).status).toBeGreaterThanOrEqual(400);
      expect([await balance(), await faults(order)]).toEqual([0, ["not-paid"]]);
      // It was paid, as the provider says when it is asked.
      fakeOf(provider).order(order.number, { state: "paid" });
      expect((await call(provider, order, says)).status).toBe(200);
      expect([await balance(), (await found(order))?.state]).toEqual([QUOTA / 2, "partly-refunded"]);
    },
  );

  it("is claimed back by a dispute, also when part of it was spent", async () => {
    const order = await begin("stripe");
    await call("stripe", order);
    spend("ann", 900_000);
    for (let again = 0; again < 2; again += 1)
      expect((await call("stripe", order, { event: "disputed" })).status).toBe(200);
    expect(await found(order)).toMatchObject({ state: "refunded", disputed: AMOUNT, taken: 100_000 });
    expect(told.at(-1)).toMatchObject({
      event: "order-refunded",
      params: { taken: 100_000, missing: 900_000 },
    });
  });

  it("with an issued invoice is refunded after its reversal alone; a dispute goes through and asks for it", async () => {
    const order = await begin("stripe");
    await call("stripe", order);
    const none = { taxNumber: "", email: "", address: "", phone: "", bank: "", account: "" };
    const { invoices } = storage.write;
    const { id: userId, username } = userOf("ann");
    const applied = await invoices.apply(
      {
        ...{ userId, username, isSpecial: false, orders: [order.number], note: "", createdAt: 1 },
        title: { kind: "personal", name: "Ann", ...none },
      },
      { minimum: 0, maxOpen: 9, maxDaily: 9 },
    );
    if (applied.kind !== "made") throw new Error(applied.fault);
    const { id, amount } = applied.invoice;
    const by = { actorId: 1, actorName: "root", at: 2 };
    await invoices.issue(id, { ...by, amount, number: "1", link: "", file: undefined });
    const paid = await found(order);
    expect(paid && (await orders.refund(paid, { id: 1, username: "root" }, "asked for it"))).toEqual({
      ...{ kind: "refused", fault: "invoice-issued" },
    });
    expect([await balance(), await storage.read.orders.refunds(order.id)]).toEqual([QUOTA, []]);
    for (let again = 0; again < 2; again += 1) await call("stripe", order, { event: "disputed" });
    const raised = told.filter(({ event }) => event === "invoice-to-reverse");
    expect(raised).toMatchObject([{ params: { id, number: order.number, money: "¥14.60" } }]);
    expect(await storage.read.invoices.find(id)).toMatchObject({ state: "issued", needsReversal: true });
  });

  it("is taken from requests' holds, too: they hold far more than they cost", async () => {
    const order = await begin("stripe");
    await call("stripe", order);
    const key = { id: 1, quota: 0, held: 0, isUnlimited: true };
    const open = hold(userOf("ann").account, key, QUOTA, false, QUOTA);
    await call("stripe", order, { event: "disputed" });
    expect(await found(order)).toMatchObject({ state: "refunded", disputed: AMOUNT, taken: QUOTA });
    expect(await balance()).toBe(0);
    if (typeof open === "string") throw new Error(open);
    expect(settle(open, 1000)).toMatchObject({ charged: 0, shortfall: 1000 });
    expect((await storage.read.orders.refunds(order.id)).map(({ state }) => state)).toEqual(["done"]);
  });

  it("of another payment, or more than was paid, changes nothing", async () => {
    const order = await begin("stripe");
    await call("stripe", order);
    const refund = { amount: 1, reference: "there" };
    await call("stripe", order, { event: "refunded", payment: "pi_other", refund });
    await call("stripe", order, { event: "refunded", refund: { ...refund, amount: AMOUNT + 1 } });
    expect((await faults(order)).toSorted()).toEqual(["other-payment", "refund-too-large"]);
    // A dispute about a payment that is none of ours is another person's.
    expect((await call("stripe", order, { event: "disputed", payment: "pi_other" })).status).toBe(200);
    expect(await balance()).toBe(QUOTA);
  });
});

describe("an order", () => {
  it("is not paid by another provider's callback", async () => {
    const order = await begin("stripe");
    fakeOf("epay").order(order.number, { amount: AMOUNT });
    expect((await call("epay", order)).status).toBeGreaterThanOrEqual(400);
    expect([await balance(), await faults(order)]).toEqual([0, ["other-provider"]]);
  });

  it("that is paid a second time with another payment says so", async () => {
    const order = await begin("epay");
    await call("epay", order);
    expect((await call("epay", order, { payment: "another" })).status).toBeGreaterThanOrEqual(400);
    expect([await balance(), await faults(order)]).toEqual([QUOTA, ["paid-twice"]]);
  });

  it("can be completed by hand once, and the callback that comes late gives nothing more", async () => {
    const order = await begin("stripe");
    const done = await Promise.all(
      [1, 2, 3].map(() => orders.complete(order, { id: 1, username: "root" }, "paid at the desk")),
    );
    expect(done.map((outcome) => outcome?.kind).toSorted()).toEqual(["changed", "refused", "refused"]);
    expect(await found(order)).toMatchObject({
      completedBy: 1,
      completedName: "root",
      reason: "paid at the desk",
    });
    await call("stripe", order);
    expect([await balance(), (await found(order))?.payment]).toEqual([QUOTA, `pi_${order.number}`]);
  });

  it("that its buyer has cancelled is credited when it is paid all the same", async () => {
    const order = await begin("alipay");
    expect((await orders.cancel(order))?.state).toBe("cancelled");
    expect(await orders.cancel(order)).toBeUndefined();
    await call("alipay", order);
    expect([await balance(), (await found(order))?.isLate]).toEqual([QUOTA, true]);
  });

  it("is rejected with an unknown provider, too small an amount, or when the provider refuses", async () => {
    const fault = async (wanted: object) =>
      await orders.begin(userOf("ann"), { provider: "stripe", method: "", usd: "2", ...wanted }, "192.0.2.7");
    expect(await fault({ provider: "other" })).toEqual({ fault: "provider-not-offered" });
    expect(await fault({ provider: "epay", method: "bitcoin" })).toEqual({ fault: "provider-not-offered" });
    expect(await fault({ usd: "0.5" })).toEqual({ fault: "below-minimum" });
    fakeOf("stripe").behave("refuses");
    expect(await fault({})).toEqual({ fault: "provider-refused" });
    fakeOf("stripe").behave("silent");
    expect(await fault({})).toEqual({ fault: "provider-unreachable" });
    const key = options.text("AlipayPrivateKey");
    await options.put("AlipayPrivateKey", "no key");
    expect(await fault({ provider: "alipay" })).toEqual({ fault: "provider-refused" });
    await options.put("AlipayPrivateKey", key);
    await options.put("PaymentCurrency", "USD");
    expect(await fault({ provider: "alipay" })).toEqual({ fault: "provider-not-offered" });
    await options.put("PaymentCurrency", "CNY");
    await options.put("ServerAddress", "");
    expect(await fault({})).toEqual({ fault: "no-server-address" });
    await options.put("ServerAddress", "https://gate.example.com");
    const mine = { userId: userOf("ann").id };
    expect((await storage.read.orders.page(mine, 0, 9)).map(({ state }) => state)).toEqual([
      "failed",
      "failed",
      "failed",
    ]);
    for (const { detail } of await storage.read.orders.page(mine, 0, 9))
      expect(detail).not.toContain("sk_test");
  });
});

describe("an order of a plan", () => {
  const DAY_MS = 86_400_000;

  const newPlan = (more: Partial<NewPlan> = {}): Promise<Plan> =>
    storage.write.plans.create({
      title: "Pro",
      description: "",
      price: QUOTA,
      durationUnit: "day",
      durationCount: 10,
      quota: 1000,
      reset: "day",
      group: "",
      beyond: "balance",
      maxPerUser: 0,
      isEnabled: true,
      sortOrder: 0,
      createdTime: 1,
      ...more,
    });

  const order = async (provider: PaymentProviderName, plan: Plan, username = "ann"): Promise<OrderRecord> => {
    const method = provider === "epay" ? "alipay" : "";
    const begun = await orders.begin(userOf(username), { provider, method, plan }, "192.0.2.7");
    if ("fault" in begun) throw new Error(begun.fault);
    if (provider === "epay") await fetch(begun.pay?.content ?? "");
    return begun;
  };

  const has = async (name = "ann") => await storage.read.plans.ofUser(userOf(name).id, 9);

  const refund = async (one: { number: string }) => {
    const now = await found(one);
    return now && (await orders.refund(now, { id: 1, username: "root" }, "asked for it"));
  };

  it.each(NAMES)("over %s costs the plan's price, and begins it once when it is paid", async (provider) => {
    const begun = await order(provider, await newPlan());
    // The lowest price of all that any person may have of quota changes nothing of it.
    expect(begun).toMatchObject({ amount: AMOUNT, quota: QUOTA, bonus: 0, factor: "1", usd: "2" });
    const answers = await Promise.all(Array.from({ length: 6 }, () => call(provider, begun)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await has()).toMatchObject([{ state: "active", source: "payment", left: 1000, period: 1 }]);
    expect(await balance()).toBe(1000);
    expect(told.map(({ event, subject }) => [event, subject])).toEqual([["top-up", begun.number]]);
  });

  it("starts when the provider is polled, or an administrator completes it, and not again by the callback", async () => {
    const plan = await newPlan();
    const [asked, completed] = [await order("stripe", plan), await order("alipay", plan, "bob")];
    fakeOf("stripe").order(asked.number, { state: "paid" });
    later = 31_000;
    await orders.round(() => false);
    await orders.complete(completed, { id: 1, username: "root" }, "paid at the desk");
    for (const name of ["ann", "bob"]) expect(await has(name)).toMatchObject([{ state: "active" }]);
    await call("stripe", asked);
    await call("alipay", completed);
    for (const name of ["ann", "bob"]) {
      expect(await has(name)).toHaveLength(1);
      expect(await balance(name)).toBe(1000);
    }
  });

  it("that cannot begin any more leaves its price in the balance, and says why", async () => {
    const plan = await newPlan();
    const begun = await order("stripe", plan);
    await storage.write.plans.change(plan.id, { isEnabled: false });
    for (let again = 0; again < 3; again += 1) await call("stripe", begun);
    expect(await found(begun)).toMatchObject({ state: "paid", planFault: "withdrawn", subscriptionId: 0 });
    expect([await balance(), await has()]).toEqual([QUOTA, []]);
    expect(await refund(begun)).toMatchObject({ kind: "made", refund: { amount: AMOUNT, taken: QUOTA } });
    expect(await balance()).toBe(0);
  });

  it("is refused when the plan is free, too dear or bought often enough", async () => {
    const fault = async (plan: Plan) =>
      await orders.begin(userOf("ann"), { provider: "stripe", method: "", plan }, "192.0.2.7");
    expect(await fault(await newPlan({ price: 0 }))).toEqual({ fault: "plan-free" });
    expect(await fault(await newPlan({ price: 9e14 }))).toEqual({ fault: "amount-too-large" });
    const once = await newPlan({ maxPerUser: 1 });
    await call("stripe", await order("stripe", once));
    expect(await fault(once)).toEqual({ fault: "plan-often-enough" });
  });

  it("sends back the unspent part of its periods, ends the plan, and takes nothing else", async () => {
    const topUp = await begin("stripe");
    await call("stripe", topUp);
    const begun = await order("stripe", await newPlan());
    await call("stripe", begun);
    spend("ann", 500);
    // The charge is stored, as by the engine that made it.
    await storeCharge(500);
    later = 3 * DAY_MS;
    await plans.advanceAll();
    spend("ann", 250);
    await storeCharge(250);
    // Of ten periods three are over, 750 of the fourth and six are unspent: 6750 of 10000.
    expect(await refund(begun)).toMatchObject({
      kind: "made",
      refund: { amount: 985, taken: 675_000, missing: 325_000 },
    });
    expect(await has()).toMatchObject([{ state: "ended" }]);
    expect(await balance()).toBe(QUOTA);
    expect(await refund(begun)).toEqual({ kind: "nothing" });
    expect([...(fakeOf("stripe").orders.get(begun.number)?.refunds.values() ?? [])]).toEqual([985]);
  });

  it("is not ended where nothing of it would be sent back", async () => {
    const begun = await order("stripe", await newPlan({ durationCount: 1 }));
    await call("stripe", begun);
    spend("ann", 1000);
    await storeCharge(1000);
    expect(await refund(begun)).toEqual({ kind: "nothing" });
    expect(await has()).toMatchObject([{ state: "active" }]);
  });

  it("is sent back as it was when an administrator ended the plan, also later", async () => {
    const begun = await order("stripe", await newPlan());
    await call("stripe", begun);
    const [bought] = await has();
    if (bought) await plans.endNow(bought);
    later = 5 * DAY_MS;
    expect(await refund(begun)).toMatchObject({ kind: "made", refund: { amount: AMOUNT, missing: 0 } });
    expect(await balance()).toBe(0);
  });

  it("that a bank claims back ends; a part that the site gave back does not end it", async () => {
    const begun = await order("stripe", await newPlan());
    await call("stripe", begun);
    await call("stripe", begun, { event: "refunded", refund: { amount: 146, reference: "re_there" } });
    expect(await has()).toMatchObject([{ state: "active" }]);
    for (let again = 0; again < 3; again += 1)
      await call("stripe", begun, { event: "disputed", refund: { amount: 730, reference: "dp_plan" } });
    expect(await has()).toMatchObject([{ state: "ended" }]);
    // Half of its price was disputed; the buyer keeps the rest of the unspent part.
    expect(await balance()).toBe(QUOTA / 2);
    for (let again = 0; again < 3; again += 1)
      await call("stripe", begun, { event: "dispute-lost", refund: { amount: 730, reference: "dp_plan" } });
    expect(await balance()).toBe(QUOTA / 2);
    for (let again = 0; again < 3; again += 1)
      await call("stripe", begun, { event: "dispute-won", refund: { amount: 730, reference: "dp_plan" } });
    // But for the part that the site gave back, which could not be taken before.
    expect(await balance()).toBe(0.9 * QUOTA);
  });
});

describe("a refund whose answer was lost", () => {
  const bought = async (provider: PaymentProviderName) => {
    const order = await begin(provider);
    await call(provider, order);
    spend("ann", 400_000);
    await storeCharge(400_000);
    const paid = await found(order);
    if (!paid) throw new Error("no order");
    return paid;
  };

  it.each(["stripe", "alipay", "wechat-pay"] as const)("is sent over %s once", async (provider) => {
    const order = await bought(provider);
    // Others of the same payment stand before it.
    const { refunds } = fakeOf(provider).order(order.number);
    refunds.set("re_other", 1);
    fakeOf(provider).behave("loses");
    expect(await orders.refund(order, { id: 1, username: "root" }, "x")).toMatchObject({ kind: "waiting" });
    fakeOf(provider).behave("forgets");
    later = 2 * 86_400_000;
    await orders.round(() => false);
    expect((await storage.read.orders.refunds(order.id)).map(({ state }) => state)).toEqual(["done"]);
    expect([...refunds.values()]).toEqual([1, 876]);
    expect(await balance()).toBe(0);
  });

  it.each(["stripe", "alipay", "wechat-pay"] as const)(
    "is not given up where %s has other keys meanwhile",
    async (provider) => {
      const order = await bought(provider);
      fakeOf(provider).behave("loses");
      await orders.refund(order, { id: 1, username: "root" }, "x");
      later = 60_000;
      fakeOf(provider).behave("refuses");
      await orders.round(() => false);
      const keys = {
        stripe: "StripeSecretKey",
        alipay: "AlipayPrivateKey",
        "wechat-pay": "WeChatPayPrivateKey",
      } as const;
      const key = keys[provider];
      const before = options.text(key);
      await options.put(key, "another");
      await orders.round(() => false);
      await options.put(key, before);
      expect((await storage.read.orders.refunds(order.id)).map(({ state }) => state)).toEqual(["asking"]);
      expect(await balance()).toBe(0);
      fakeOf(provider).behave("well");
      await orders.round(() => false);
      expect((await storage.read.orders.refunds(order.id)).map(({ state }) => state)).toEqual(["done"]);
      expect([...fakeOf(provider).order(order.number).refunds.values()]).toEqual([876]);
    },
  );
});

describe("a refund that an administrator settles by hand", () => {
  const ROOT = { id: 1, username: "root" };
  const open = async (provider: PaymentProviderName) => {
    const order = await begin(provider);
    await call(provider, order);
    fakeOf(provider).behave("silent");
    const paid = await found(order);
    const result = paid && (await orders.refund(paid, ROOT, "asked for"));
    if (result?.kind !== "waiting") throw new Error("not waiting");
    expect(await balance()).toBe(0);
    return { order: result.order, refund: result.refund };
  };
  const refundsOf = ({ id }: OrderRecord) => storage.read.orders.refunds(id);

  it("because it was not sent gives the quota back once, on whatever node and however often it is said", async () => {
    const { order, refund } = await open("stripe");
    const nodes = [orders, new Orders(toolsOfOrders())];
    const settled = await Promise.all(
      [0, 1, 0, 1, 0].map((node) =>
        nodes[node]?.settleRefund(order, refund.id, false, ROOT, "its keys are gone"),
      ),
    );
    expect(settled.map((each) => each?.isNew).toSorted()).toEqual([false, false, false, false, true]);
    expect(settled.map((each) => each?.givenBack).toSorted()).toEqual([0, 0, 0, 0, QUOTA]);
    expect(await orders.settleRefund(order, refund.id, true, ROOT, "it was")).toBeUndefined();
    expect(await refundsOf(order)).toMatchObject([
      {
        state: "failed",
        reason: "asked for",
        settledBy: 1,
        settledName: "root",
        settledReason: "its keys are gone",
        settledAt: expect.any(Number),
      },
    ]);
    later = 120_000;
    fakeOf("stripe").behave("well");
    await orders.round(() => false);
    expect([await balance(), (await found(order))?.state]).toEqual([QUOTA, "paid"]);
    expect(fakeOf("stripe").order(order.number).refunds.size).toBe(0);
  });

  it("as sent keeps the quota taken, whatever the provider reports later", async () => {
    const { order, refund } = await open("wechat-pay");
    expect(await orders.settleRefund(order, refund.id, true, ROOT, "by a transfer")).toMatchObject({
      refund: { state: "done" },
      givenBack: 0,
    });
    expect(await orders.settleRefund(order, refund.id, false, ROOT, "it was not")).toBeUndefined();
    const { reference } = refund;
    for (const event of ["refunded", "refund-failed", "refunded"] as const)
      await call("wechat-pay", order, { event, refund: { amount: AMOUNT, reference } });
    expect([await balance(), (await found(order))?.state]).toEqual([0, "refunded"]);
    expect(await refundsOf(order)).toMatchObject([{ state: "done", settledReason: "by a transfer" }]);
  });

  it("is none that is done, of another order, or that there is not", async () => {
    const { order, refund } = await open("stripe");
    const other = await begin("epay");
    expect(await orders.settleRefund(other, refund.id, false, ROOT, "x")).toBeUndefined();
    expect(await orders.settleRefund(order, refund.id + 99, false, ROOT, "x")).toBeUndefined();
    fakeOf("stripe").behave("well");
    later = 120_000;
    await orders.round(() => false);
    expect(await orders.settleRefund(order, refund.id, false, ROOT, "x")).toBeUndefined();
    expect(await orders.settleRefund(order, refund.id, true, ROOT, "x")).toBeUndefined();
    expect(await refundsOf(order)).toMatchObject([{ state: "done", settledAt: 0 }]);
  });

  it("may also be one that an administrator has to send", async () => {
    const order = await begin("epay");
    await call("epay", order);
    const paid = await found(order);
    const result = paid && (await orders.refund(paid, ROOT, "asked for"));
    if (result?.kind !== "by-hand") throw new Error("not by hand");
    await orders.settleRefund(order, result.refund.id, false, ROOT, "the buyer wants the quota");
    expect([await balance(), (await found(order))?.state]).toEqual([QUOTA, "paid"]);
  });

  it.each(["stripe", "alipay", "wechat-pay"] as const)(
    "as not sent, while %s sends it, takes the returned quota again, once",
    async (provider) => {
      const { order, refund } = await open(provider);
      fakeOf(provider).behave("well");
      later = 120_000;
      let isSettled = false;
      fakeOf(provider).beforeAnswer(async ({ refunds }) => {
        if (isSettled || refunds.size === 0) return;
        isSettled = true;
        await orders.settleRefund(order, refund.id, false, ROOT, "its keys are gone");
        expect((await storage.read.users.find(userOf("ann").id))?.quota).toBe(QUOTA);
      });
      await orders.round(() => false);
      fakeOf(provider).beforeAnswer(undefined);
      expect(isSettled).toBe(true);
      expect(await balance()).toBe(0);
      if (provider !== "alipay")
        for (let again = 0; again < 3; again += 1)
          await call(provider, order, {
            event: "refunded",
            refund: { amount: AMOUNT, reference: refund.reference },
          });
      expect(await balance()).toBe(0);
      expect(await found(order)).toMatchObject({ state: "refunded", refunded: AMOUNT, taken: QUOTA });
    },
  );
});

describe("a refund that fails after it was made", () => {
  const made = async (provider: PaymentProviderName) => {
    const order = await begin(provider);
    await call(provider, order);
    const paid = await found(order);
    const result = paid && (await orders.refund(paid, { id: 1, username: "root" }, "x"));
    if (result?.kind !== "made") throw new Error("not made");
    expect(await balance()).toBe(0);
    return { order, reference: result.refund.reference };
  };

  it.each(["stripe", "wechat-pay"] as const)(
    "over %s returns the taken quota, once, and tells the administrators",
    async (provider) => {
      const { order, reference } = await made(provider);
      const failed = { event: "refund-failed", refund: { amount: AMOUNT, reference } } as const;
      fakeOf(provider).order(order.number).failed.add(reference);
      const calls = await Promise.all(Array.from({ length: 6 }, () => call(provider, order, failed)));
      expect(new Set(calls.map(({ status }) => status))).toEqual(new Set([200]));
      expect(await balance()).toBe(QUOTA);
      expect(await found(order)).toMatchObject({ state: "paid", refunded: 0, taken: 0 });
      expect(await storage.read.orders.refunds(order.id)).toMatchObject([{ state: "failed" }]);
      expect(told.filter(({ event }) => event === "refund-failed")).toMatchObject([
        { params: { number: order.number, money: "¥14.60", given: QUOTA } },
      ]);
      const entries = await storage.read.ledger.page({ userId: userOf("ann").id }, 0, 9);
      expect(entries[0]).toMatchObject({ cause: "payment-refund", amount: QUOTA, orderNumber: order.number });
    },
  );

  it("returns nothing twice when Stripe's events come late: each is compared with the present state", async () => {
    const { order, reference } = await made("stripe");
    const fake = fakeOf("stripe").order(order.number);
    fake.failed.add(reference);
    await call("stripe", order, { event: "refund-failed", refund: { amount: AMOUNT, reference } });
    const sum = { event: "refunded", refund: { amount: AMOUNT, reference: "" } } as const;
    for (let again = 0; again < 3; again += 1) expect((await call("stripe", order, sum)).status).toBe(200);
    expect(await balance()).toBe(QUOTA);
    // While the truth is unknown, the callback must be repeated.
    fakeOf("stripe").behave("silent");
    expect((await call("stripe", order, sum)).status).toBe(400);
    fakeOf("stripe").behave("well");
    // A new refund of as much is another one.
    fake.refunds.set("re_new", AMOUNT);
    for (let again = 0; again < 3; again += 1) await call("stripe", order, sum);
    expect([await balance(), (await found(order))?.state]).toEqual([0, "refunded"]);
  });

  it("counts as failed when the failure comes before the success", async () => {
    const order = await begin("stripe");
    await call("stripe", order);
    fakeOf("stripe").order(order.number).refunds.set("re_there", 730);
    fakeOf("stripe").order(order.number).failed.add("re_there");
    await call("stripe", order, { event: "refund-failed", refund: { amount: 730, reference: "re_there" } });
    await call("stripe", order, { event: "refunded", refund: { amount: 730, reference: "" } });
    expect([await balance(), (await found(order))?.state]).toEqual([QUOTA, "paid"]);
  });

  it("and is made after all, by WeChat Pay's report, takes the returned quota again", async () => {
    const { order, reference } = await made("wechat-pay");
    await call("wechat-pay", order, { event: "refund-failed", refund: { amount: AMOUNT, reference } });
    expect(await balance()).toBe(QUOTA);
    for (let again = 0; again < 3; again += 1)
      await call("wechat-pay", order, { event: "refunded", refund: { amount: AMOUNT, reference } });
    expect([await balance(), (await found(order))?.state]).toEqual([0, "refunded"]);
  });
});

it("a claim that is won before it was told takes nothing", async () => {
  const order = await begin("stripe");
  await call("stripe", order);
  for (const event of ["dispute-won", "disputed", "dispute-won", "disputed"] as const)
    expect((await call("stripe", order, { event })).status).toBe(200);
  expect([await balance(), (await found(order))?.state]).toEqual([QUOTA, "paid"]);
});

describe("a thousand callbacks", () => {
  it("doubled, shuffled and mixed with lies, over orders, users and providers, change every balance once", async () => {
    const random = createRandom(20_261_122);
    const calls: { at: number; run: () => Promise<CallbackAnswer> }[] = [];
    const expected = new Map<string, number>();
    for (let count = 0; count < 20; count += 1) {
      const provider = NAMES[count % NAMES.length] ?? "stripe";
      const username = ["ann", "bob", "cas"][count % 3] ?? "ann";
      const usd = String(1 + Math.floor(random() * 40));
      const order = await begin(provider, username, usd);
      const isPaid = count % 5 !== 4;
      if (isPaid) expected.set(username, (expected.get(username) ?? 0) + order.quota);
      const others = order.number.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
      const lies: CallbackFields[] = [
        { amount: order.amount + 1 },
        { isForged: true },
        { merchant: "other" },
        { number: others },
        { isTruncated: true },
        { event: "failed" },
      ];
      for (let again = 0; again < OFTEN; again += 1) {
        const says = isPaid && again % 2 === 0 ? {} : (lies[again % lies.length] ?? {});
        calls.push({ at: random(), run: () => call(provider, order, says) });
      }
    }
    await Promise.all(calls.toSorted((one, other) => one.at - other.at).map(({ run }) => run()));
    expect(calls).toHaveLength(20 * OFTEN);
    for (const [name, quota] of expected) expect([name, await balance(name)]).toEqual([name, quota]);
    const ids = ["ann", "bob", "cas"].map((name) => userOf(name).id);
    const entries = (await storage.read.ledger.page({ cause: "payment" }, 0, 99)).filter(({ userId }) =>
      ids.includes(userId),
    );
    expect(entries).toHaveLength(16);
    expect(told.filter(({ event }) => event === "top-up")).toHaveLength(16);
  });
});
