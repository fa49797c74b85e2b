import type {
  InvoiceLimits,
  InvoiceRecord,
  InvoiceTitle,
  IssuedInvoice,
  NewInvoice,
} from "@tollgate/contract/records/invoice-record";
import type { NewOrder, StepNote } from "@tollgate/contract/records/order-record";
import { ROLE_ADMIN, ROLE_ROOT } from "@tollgate/contract/values/roles";
import { createRandom } from "@tollgate/testkit/random";
import { seeds } from "@tollgate/testkit/seeds";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { moneyFaults } from "../testing/money-faults";
import { onEngine } from "../testing/on-engine";
import { MASTER_KEY, newUser } from "../testing/sample-records";
import type { AccountsUnderTest, StoreUnderTest } from "./testing/accounts-under-test";
import { newPostgresStore } from "./testing/postgres-store";
import { newSqliteStore } from "./testing/sqlite-store";

const newStore = onEngine({ sqlite: newSqliteStore, postgres: newPostgresStore });
const HAS_LEASES = onEngine({ sqlite: false, postgres: true });

const WAITING =
  "SELECT 1 AS waits FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

let store: StoreUnderTest;
let accounts: AccountsUnderTest;
let root: number;
let alice: number;

const TITLE: InvoiceTitle = {
  kind: "company",
  name: "腾讯科技（深圳）有限公司",
  taxNumber: "91440300708461136T",
  email: "a@b.cn",
  address: "",
  phone: "",
  bank: "",
  account: "",
};
const LIMITS: InvoiceLimits = { minimum: 0, maxOpen: 9, maxDaily: 99 };

const note = (more: Partial<StepNote> = {}): StepNote => ({
  at: 2000,
  unit: { quotaPerUnit: 500_000, isCurrency: true },
  actorId: root,
  ...more,
});

const createUser = async (username: string, role?: typeof ROLE_ADMIN | typeof ROLE_ROOT) =>
  (
    await accounts.changes.users.create(
      newUser({ username, affCode: username, ...(role === undefined ? {} : { role }) }),
      0,
      [],
    )
  ).user.id;

beforeEach(async () => {
  store = await newStore();
  accounts = await store.open(MASTER_KEY);
  root = await createUser("root", ROLE_ROOT);
  alice = await createUser("alice");
});

afterEach(async () => {
  expect(await moneyFaults(accounts.ask, HAS_LEASES)).toEqual([]);
  await accounts.close();
  await store.remove();
});

const order = async (number: string, more: Partial<NewOrder> = {}, isPaid = true) => {
  const made: NewOrder = {
    number,
    userId: alice,
    username: "alice",
    provider: "stripe",
    method: "",
    usd: "1",
    amount: 730,
    currency: "CNY",
    quota: 730,
    bonus: 0,
    factor: "1",
    createdAt: 1000,
    expiresAt: 3100,
    ...more,
  };
  await accounts.changes.orders.create(made, 99);
  const { amount, currency } = made;
  const step = { kind: "paid", provider: "stripe", amount, currency, payment: `pi_${number}` } as const;
  if (isPaid) await accounts.changes.orders.step(number, step, note());
};

const wanted = (orders: string[], more: Partial<NewInvoice> = {}): NewInvoice => ({
  userId: alice,
  username: "alice",
  isSpecial: false,
  title: TITLE,
  orders,
  note: "",
  createdAt: 3000,
  ...more,
});

const apply = (orders: string[], more: Partial<NewInvoice> = {}, limits = LIMITS) =>
  accounts.changes.invoices.apply(wanted(orders, more), limits);

const applied = async (orders: string[]): Promise<InvoiceRecord> => {
  const outcome = await apply(orders);
  if (outcome.kind !== "made") throw new Error(outcome.fault);
  return outcome.invoice;
};

const by = () => ({ actorId: root, actorName: "root", at: 4000 });
const issue = ({ id, amount }: InvoiceRecord, more: Partial<IssuedInvoice> = {}) =>
  accounts.changes.invoices.issue(id, {
    ...by(),
    amount,
    number: "No. 1",
    link: "",
    file: undefined,
    ...more,
  });

const refundPart = (number: string, amount: number, reference: string) =>
  accounts.changes.orders.sendBack(number, { kind: "refunded-part", amount, reference }, note(), 0);

const refund = (number: string, reference: string, most = 730) =>
  accounts.changes.orders.beginRefund(number, reference, false, note(), most);

const find = async (id: number) => accounts.queries.invoices.find(id);

describe("titles", () => {
  it("are kept for their user, with one default", async () => {
    const { invoices } = accounts.changes;
    const first = await invoices.addTitle(alice, { ...TITLE, isDefault: false }, 3);
    expect(first).toEqual({ ...TITLE, id: first?.id, isDefault: true });
    const second = await invoices.addTitle(alice, { ...TITLE, name: "two", isDefault: true }, 3);
    const names = async () =>
      (await accounts.queries.invoices.titles(alice)).map(({ name, isDefault }) => [name, isDefault]);
    expect(await names()).toEqual([
      ["two", true],
      [TITLE.name, false],
    ]);
    await invoices.changeTitle(alice, first?.id ?? 0, { ...TITLE, name: "one", isDefault: true });
    expect(await names()).toEqual([
      ["one", true],
      ["two", false],
    ]);
    expect(await invoices.changeTitle(root, first?.id ?? 0, { ...TITLE, isDefault: true })).toBeUndefined();
    expect(await invoices.removeTitle(root, first?.id ?? 0)).toBe(false);
    expect(await invoices.removeTitle(alice, first?.id ?? 0)).toBe(true);
    expect(await names()).toEqual([["two", true]]);
    await invoices.removeTitle(alice, second?.id ?? 0);
    for (const name of ["a", "b"]) await invoices.addTitle(alice, { ...TITLE, name, isDefault: false }, 2);
    expect(await invoices.addTitle(alice, { ...TITLE, isDefault: true }, 2)).toBeUndefined();
  });
});

describe("an application", () => {
  it("has the paid amount of its orders less refunds, and keeps its title", async () => {
    await order("n1");
    await order("n2", { amount: 100, quota: 100 });
    await refundPart("n2", 30, "r1");
    expect(await accounts.queries.invoices.invoiceable(alice, 9)).toEqual([
      { number: "n2", amount: 70, currency: "CNY", paidAt: 2000 },
      { number: "n1", amount: 730, currency: "CNY", paidAt: 2000 },
    ]);
    const invoice = await applied(["n1", "n2"]);
    expect(invoice).toMatchObject({
      ...{ userId: alice, username: "alice", state: "open", title: TITLE, amount: 800, currency: "CNY" },
      orders: [
        { number: "n1", amount: 730 },
        { number: "n2", amount: 70 },
      ],
    });
    expect(await find(invoice.id)).toEqual(invoice);
    expect(await accounts.queries.invoices.invoiceable(alice, 9)).toEqual([]);
  });

  it("is refused over orders that it may not have, and then changes nothing", async () => {
    const bob = await createUser("bob");
    await order("n1");
    await order("open", {}, false);
    await order("usd", { currency: "USD" });
    await order("bobs", { userId: bob });
    await order("back");
    await refundPart("back", 730, "r1");
    for (const [orders, fault, about] of [
      [["n1", "open"], "order-not-paid", "open"],
      [["n1", "usd"], "currencies-differ", "usd"],
      [["n1", "bobs"], "order-unknown", "bobs"],
      [["n1", "none"], "order-unknown", "none"],
      [["n1", "back"], "order-refunded", "back"],
    ] as const)
      expect(await apply([...orders])).toEqual({ kind: "refused", fault, order: about });
    const below = { kind: "refused", fault: "below-minimum", order: "" };
    expect(await apply(["n1"], {}, { ...LIMITS, minimum: 7.31 })).toEqual(below);
    expect(await accounts.queries.invoices.page({}, 0, 9)).toEqual([]);
    expect((await apply(["n1"], {}, { ...LIMITS, minimum: 7.3 })).kind).toBe("made");
    expect(await apply(["n1"])).toEqual({ kind: "refused", fault: "order-invoiced", order: "n1" });
    await order("n2");
    const many = (limits: Partial<InvoiceLimits>, more = {}) => apply(["n2"], more, { ...LIMITS, ...limits });
    expect(await many({ maxOpen: 1 })).toMatchObject({ fault: "too-many-open" });
    expect(await many({ maxDaily: 1 })).toMatchObject({ fault: "too-many-today" });
    expect((await many({ maxDaily: 1 }, { createdAt: 3000 + 86_400 })).kind).toBe("made");
  });

  it("is one of several that are made over the same order at the same time", async () => {
    for (const number of ["n1", "n2", "n3"]) await order(number);
    const sets = [["n1", "n2"], ["n2", "n3"], ["n3", "n1"], ["n1"], ["n2", "n1", "n3"]];
    const outcomes = await Promise.all([...sets, ...sets].map((orders) => apply(orders)));
    const taken = outcomes.flatMap((outcome) =>
      outcome.kind === "made" ? outcome.invoice.orders.map(({ number }) => number) : [],
    );
    expect(taken.length).toBeGreaterThan(0);
    expect(new Set(taken).size).toBe(taken.length);
  });

  it("is withdrawn by its user while it is open, and then frees its orders", async () => {
    await order("n1");
    const { id } = await applied(["n1"]);
    const { invoices } = accounts.changes;
    expect(await invoices.withdraw(root, id, 5)).toBeUndefined();
    expect(await invoices.withdraw(alice, id, 5)).toMatchObject({ state: "withdrawn", decidedAt: 5 });
    expect(await invoices.withdraw(alice, id, 5)).toBeUndefined();
    const again = await applied(["n1"]);
    expect(await issue(again)).toMatchObject({ state: "issued" });
    expect(await invoices.withdraw(alice, again.id, 5)).toBeUndefined();
  });

  it("is issued once, with its file, for the amount that the administrator saw", async () => {
    await order("n1");
    const invoice = await applied(["n1"]);
    expect(await issue(invoice, { amount: 1 })).toBe("amount-changed");
    const file = { type: "pdf", content: Buffer.from("%PDF-1").toString("base64") } as const;
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, (_, index) => issue(invoice, { number: `No. ${index}`, file })),
    );
    expect(outcomes.filter((outcome) => outcome === "decided")).toHaveLength(4);
    expect(await find(invoice.id)).toMatchObject({
      ...{ state: "issued", fileType: "pdf", fileSize: 6, decidedAt: 4000, decidedName: "root" },
    });
    expect(await accounts.queries.invoices.file(invoice.id)).toEqual(file);
    const [row] = await accounts.ask("SELECT content_sealed AS sealed FROM invoice_files");
    expect(String(row?.sealed)).not.toContain(file.content);
    expect(await accounts.changes.invoices.decline(invoice.id, { ...by(), reason: "no" })).toBe("decided");
    expect(await issue({ ...invoice, id: 99 })).toBe("not-found");
  });

  it("is declined with a reason, and then frees its orders", async () => {
    await order("n1");
    const { id } = await applied(["n1"]);
    expect(await accounts.changes.invoices.reverse(id, { ...by(), reason: "no" })).toBe("decided");
    expect(await accounts.changes.invoices.decline(id, { ...by(), reason: "no" })).toMatchObject({
      ...{ state: "declined", reason: "no" },
    });
    await applied(["n1"]);
  });

  it("of an administrator is decided by root alone", async () => {
    const [eve, mallory] = [await createUser("eve", ROLE_ADMIN), await createUser("mallory", ROLE_ADMIN)];
    await order("n1", { userId: eve });
    const outcome = await apply(["n1"], { userId: eve });
    if (outcome.kind !== "made") throw new Error(outcome.fault);
    const { invoice } = outcome;
    for (const actorId of [eve, mallory]) {
      const actor = { ...by(), actorId };
      await expect(issue(invoice, actor)).rejects.toThrow("favour-refused");
      await expect(accounts.changes.invoices.decline(invoice.id, { ...actor, reason: "no" })).rejects.toThrow(
        "favour-refused",
      );
    }
    expect(await issue(invoice)).toMatchObject({ state: "issued" });
  });

  it("is listed by user, state, need of reversal and keyword", async () => {
    for (const number of ["n1", "n2", "n3"]) await order(number);
    const first = await applied(["n1"]);
    await applied(["n2"]);
    await issue(first, { number: "20260001" });
    await refundPart("n1", 1, "r1");
    const { invoices } = accounts.queries;
    const ids = async (filter: object) => (await invoices.page(filter, 0, 9)).map(({ id }) => id);
    const [one, two] = [first.id, first.id + 1];
    expect(await ids({})).toEqual([two, one]);
    expect(await ids({ userId: root })).toEqual([]);
    expect(await ids({ state: "issued" })).toEqual([one]);
    expect(await ids({ needsReversal: true })).toEqual([one]);
    for (const keyword of ["ALI", "腾讯", "91440300"]) expect(await ids({ keyword })).toEqual([two, one]);
    for (const keyword of ["2026", "n1"]) expect(await ids({ keyword })).toEqual([one]);
    for (const keyword of ["%", "n", "0001"]) expect(await ids({ keyword })).toEqual([]);
    const sorted = await invoices.page({}, 0, 9, { column: "title", isDescending: false });
    expect(sorted).toHaveLength(2);
    expect((await invoices.before({}, two, 9)).map(({ id }) => id)).toEqual([one]);
  });
});

describe("a refund", () => {
  it("lowers the amount of an open application, and ends one over nothing", async () => {
    await order("n1");
    await order("n2");
    const { id } = await applied(["n1", "n2"]);
    await refundPart("n1", 30, "r1");
    expect(await find(id)).toMatchObject({ amount: 1430, orders: [{ amount: 700 }, { amount: 730 }] });
    expect((await refund("n1", "r2"))?.kind).toBe("begun");
    expect(await find(id)).toMatchObject({ amount: 730, state: "open" });
    await refundPart("n2", 730, "r3");
    expect(await find(id)).toMatchObject({ amount: 0, state: "withdrawn" });
  });

  it("that was not made gives the amount back to an open application", async () => {
    await order("n1");
    await order("n2");
    const { id } = await applied(["n1", "n2"]);
    const begun = await refund("n1", "r1");
    if (begun?.kind !== "begun") throw new Error(begun?.kind);
    expect((await find(id))?.amount).toBe(730);
    await accounts.changes.orders.endRefund(begun.refund.id, false, "", note());
    expect((await find(id))?.amount).toBe(1460);
  });

  it("by an administrator waits until an issued invoice is reversed", async () => {
    await order("n1");
    const invoice = await applied(["n1"]);
    await issue(invoice);
    expect(await accounts.queries.invoices.issuedFor("n1")).toBe(invoice.id);
    expect(await refund("n1", "r1")).toEqual({ kind: "refused", fault: "invoice-issued" });
    expect(await accounts.queries.orders.refunds(1)).toEqual([]);
    const reversed = await accounts.changes.invoices.reverse(invoice.id, { ...by(), reason: "refund" });
    expect(reversed).toMatchObject({ state: "reversed", reversedReason: "refund", reversedAt: 4000 });
    expect(await accounts.queries.invoices.issuedFor("n1")).toBeUndefined();
    expect((await refund("n1", "r1"))?.kind).toBe("begun");
  });

  it("at the provider marks an issued invoice, once, until the money is back", async () => {
    await order("n1");
    const { id } = await applied(["n1"]);
    await issue((await find(id)) as InvoiceRecord);
    const { orders } = accounts.changes;
    const dispute = { kind: "disputed", amount: 730, reference: "dp_1" } as const;
    expect(await orders.sendBack("n1", dispute, note(), 0)).toMatchObject({ kind: "changed", toReverse: id });
    expect(await find(id)).toMatchObject({ state: "issued", needsReversal: true, amount: 730 });
    const won = { of: "dispute", own: "", reference: "dp_1", amount: 730 } as const;
    await orders.takeReturned("n1", won, note());
    expect(await find(id)).toMatchObject({ state: "issued", needsReversal: false });
  });

  it("at the moment of issuing is either in the amount, or blocked", async () => {
    for (let round = 0; round < 6; round += 1) {
      const number = `n${round}`;
      await order(number);
      const invoice = await applied([number]);
      const [issued, begun] = await Promise.all([issue(invoice), refund(number, `r${round}`, 100)]);
      const isIssued = typeof issued !== "string";
      expect([isIssued, begun?.kind]).toEqual([isIssued, isIssued ? "refused" : "begun"]);
    }
  });

  // SQLite has one writer.
  it.runIf(HAS_LEASES)("leaves an application alone that ends at that moment", async () => {
    const hand = await store.byHand();
    for (const [number, state] of [
      ["n1", "withdrawn"],
      ["n2", "reversed"],
    ] as const) {
      await order(number);
      const invoice = await applied([number]);
      if (state === "reversed") await issue(invoice);
      await hand.run("BEGIN");
      await hand.run(`UPDATE invoices SET state = '${state}' WHERE id = ${invoice.id}`);
      await hand.run(`UPDATE invoice_orders SET live_order_id = NULL WHERE invoice_id = ${invoice.id}`);
      const refunded = refundPart(number, 30, `r-${number}`);
      await vi.waitFor(async () => expect(await accounts.ask(WAITING)).not.toEqual([]), 10_000);
      await hand.run("COMMIT");
      expect(await refunded).toMatchObject({ kind: "changed", toReverse: undefined });
      expect(await find(invoice.id)).toMatchObject({ state, needsReversal: false, amount: 730 });
    }
    await hand.close();
  });

  it.each(seeds(12))("keeps invoices and orders in line after any history (seed %i)", async (seed) => {
    const random = createRandom(seed);
    const below = (limit: number) => Math.floor(random() * limit);
    const numbers = ["n1", "n2", "n3"];
    for (const number of numbers) await order(number);
    const refunds: number[] = [];
    const { invoices, orders } = accounts.changes;
    const steps: readonly ((at: number) => Promise<unknown>)[] = [
      () => apply(numbers.filter(() => random() < 0.5).concat("n1")),
      () => apply([numbers[below(3)] ?? "n1"]),
      async () => {
        const open = (await accounts.queries.invoices.page({ state: "open" }, 0, 1))[0];
        return open && issue(open);
      },
      () => invoices.decline(1 + below(6), { ...by(), reason: "no" }),
      () => invoices.reverse(1 + below(6), { ...by(), reason: "no" }),
      () => invoices.withdraw(alice, 1 + below(6), 5),
      async (at) => {
        const begun = await refund(numbers[below(3)] ?? "n1", `r${at}`, below(300));
        if (begun?.kind === "begun") refunds.push(begun.refund.id);
      },
      () => orders.endRefund(refunds.pop() ?? 0, random() < 0.5, "", note()),
      (at) => refundPart(numbers[below(3)] ?? "n1", 1 + below(400), `p${at}`),
      (at) =>
        orders.sendBack(
          numbers[below(3)] ?? "n1",
          { kind: "disputed", amount: 1 + below(400), reference: `d${at}` },
          note(),
          0,
        ),
    ];
    for (let at = 0; at < 40; at += 1) {
      await Promise.all([steps[below(steps.length)]?.(at), steps[below(steps.length)]?.(at + 1000)]);
      if (at % 8 === 7) expect(await moneyFaults(accounts.ask, HAS_LEASES)).toEqual([]);
    }
  });
});
