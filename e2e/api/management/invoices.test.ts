import type { FakeProvider } from "@tollgate/testkit/fake-payments/fake-provider";
import { startFakeStripe } from "@tollgate/testkit/fake-payments/fake-stripe";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { saveOptions, succeed } from "./client";
import { type ManagementWorld, type Person, startManagementWorld } from "./management-world";

interface ShownInvoice {
  id: number;
  state: string;
  amount: number;
  needs_reversal: boolean;
  decided_name: string;
}

const COMPANY = { kind: "company", name: "腾讯科技（深圳）有限公司", tax_number: "9144 0300 7084 6113 6t" };
const PDF = Buffer.from("%PDF-1.7 an invoice").toString("base64");

let world: ManagementWorld;
let stripe: FakeProvider;
let buyer: Person;

beforeAll(async () => {
  stripe = await startFakeStripe();
  world = await startManagementWorld({ STRIPE_URL: stripe.url });
  await saveOptions(world.root, {
    ServerAddress: "https://gate.example.com",
    ...stripe.options,
    StripeEnabled: "true",
    PaymentEnabled: "true",
    InvoicesEnabled: "true",
  });
  buyer = await world.newUser();
});

afterAll(async () => {
  await world?.stop();
  await stripe?.close();
});

const buy = async (person = buyer): Promise<string> => {
  const { number } = await succeed<{ number: string }>(
    person.api("POST", "/api/order", { provider: "stripe", usd: "2" }),
  );
  await succeed(world.root.api("POST", `/api/payment/orders/${number}/complete`, { reason: "bank" }));
  return number;
};

const makeTitle = (person = buyer, body: object = COMPANY) => person.api("POST", "/api/invoice/titles", body);

const apply = async (orders: string[], person = buyer): Promise<ShownInvoice> => {
  const { id } = await succeed<{ id: number }>(makeTitle(person));
  const made = await succeed<ShownInvoice>(person.api("POST", "/api/invoice/self", { title_id: id, orders }));
  await succeed(person.api("DELETE", `/api/invoice/titles/${id}`));
  return made;
};

const decide = (id: number, step: string, body: object, by: Pick<Person, "api"> = world.admin) =>
  by.api("POST", `/api/invoice/${id}/${step}`, body);

const refused = async (call: ReturnType<Person["api"]>) => {
  const { body } = await call;
  return { ...body, isRefused: !body.success };
};

describe("titles", () => {
  it("are checked at their fields", async () => {
    for (const [body, field] of [
      [{ ...COMPANY, tax_number: "914403007084611362" }, "tax_number"],
      [{ ...COMPANY, tax_number: "" }, "tax_number"],
      [{ ...COMPANY, name: "  " }, "name"],
      [{ ...COMPANY, name: "a\nb" }, "name"],
      [{ ...COMPANY, email: "nobody" }, "email"],
      [{ ...COMPANY, bank: "x".repeat(101) }, "bank"],
      [{ ...COMPANY, kind: "state" }, "kind"],
    ] as const)
      expect([body, await refused(makeTitle(buyer, body))]).toMatchObject([body, { isRefused: true, field }]);
    expect(await succeed(buyer.api("GET", "/api/invoice/titles"))).toEqual([]);
    const title = await succeed(makeTitle());
    expect(title).toMatchObject({ tax_number: "91440300708461136T", is_default: true });
    const { id } = title as { id: number };
    const statement = await succeed(buyer.api("GET", "/api/statement/self?month=2026-10"));
    expect(statement).toMatchObject({ title: { name: COMPANY.name, tax_number: "91440300708461136T" } });
    expect(await refused(world.user.api("DELETE", `/api/invoice/titles/${id}`))).toMatchObject({
      isRefused: true,
    });
    await succeed(buyer.api("DELETE", `/api/invoice/titles/${id}`));
  });

  it("keep each field, from the beginning and after a change", async () => {
    const all = {
      ...COMPANY,
      email: "a@example.com",
      address: "路 1",
      phone: "010-1",
      bank: "行",
      account: "62",
    };
    const { id } = await succeed<{ id: number }>(makeTitle(buyer, all));
    const read = async () => (await succeed<object[]>(buyer.api("GET", "/api/invoice/titles")))[0];
    expect(await read()).toMatchObject({ ...all, tax_number: "91440300708461136T" });
    const then = { kind: "personal", name: "李雷", tax_number: "", email: "", address: "b", phone: "c" };
    const other = { ...then, bank: "", account: "" };
    await succeed(buyer.api("PUT", `/api/invoice/titles/${id}`, other));
    expect(await read()).toMatchObject(other);
    expect(await refused(world.user.api("PUT", `/api/invoice/titles/${id}`, all))).toMatchObject({
      isRefused: true,
    });
    await succeed(buyer.api("DELETE", `/api/invoice/titles/${id}`));
  });

  it("are those of companies alone where the site says so", async () => {
    const person = { kind: "personal", name: "Li Lei" };
    const { id } = await succeed<{ id: number }>(makeTitle(buyer, person));
    await saveOptions(world.root, { InvoiceTitles: "companies" });
    expect(await refused(makeTitle(buyer, person))).toMatchObject({ isRefused: true, field: "kind" });
    const body = { title_id: id, orders: [await buy()] };
    expect(await refused(buyer.api("POST", "/api/invoice/self", body))).toMatchObject({
      isRefused: true,
      field: "title_id",
    });
    await saveOptions(world.root, { InvoiceTitles: "all" });
  });
});

describe("an application", () => {
  it("is issued by an administrator, and its owner alone gets the file, to save", async () => {
    const invoice = await apply([await buy(), await buy()]);
    expect(invoice).toMatchObject({ state: "open", amount: 2920 });
    const { id, amount } = invoice;
    for (const [body, field] of [
      [{ amount }, "number"],
      [{ amount, file: Buffer.from("<html>").toString("base64") }, "file"],
      [{ amount, link: "javascript:alert(1)" }, "link"],
    ] as const)
      expect(await refused(decide(id, "issue", body))).toMatchObject({ isRefused: true, field });
    expect(await refused(decide(id, "issue", { amount: 1, number: "1" }))).toMatchObject({ isRefused: true });
    const body = { amount, number: "2611", file: PDF };
    const issued = await Promise.all(Array.from({ length: 4 }, () => decide(id, "issue", body)));
    expect(issued.filter((answer) => answer.body.success)).toHaveLength(1);
    const [own] = await succeed<ShownInvoice[]>(buyer.api("GET", "/api/invoice/self"));
    expect(own).toMatchObject({ id, state: "issued", decided_name: "" });
    const path = `/api/invoice/self/${id}/file`;
    const file = await fetch(`${world.url}${path}`, { headers: { cookie: buyer.cookie } });
    expect(await file.text()).toBe("%PDF-1.7 an invoice");
    expect(file.headers.get("content-type")).toBe("application/pdf");
    expect(file.headers.get("content-disposition")).toBe(`attachment; filename="invoice-${id}.pdf"`);
    expect(file.headers.get("x-content-type-options")).toBe("nosniff");
    expect((await world.user.api("GET", path)).body.success).toBe(false);
    expect((await world.admin.api("GET", path)).body.success).toBe(false);
    expect((await buyer.api("GET", `/api/invoice/${id}/file`)).body.success).toBe(false);
    const [audited] = await succeed<{ action: string; target: string; beneficiary: string }[]>(
      world.root.api("GET", "/api/audit/?p=0"),
    );
    expect(audited).toMatchObject({ action: "invoice.issue", target: String(id) });
    expect(audited?.beneficiary).toContain(buyer.username);
    const csv = await fetch(`${world.url}/api/invoice/export?state=issued`, {
      headers: { cookie: world.admin.cookie },
    });
    expect(await csv.text()).toContain("91440300708461136T");
  });

  it("over orders of another user, or over the same twice, changes nothing", async () => {
    const [own, others] = [await buy(), await buy(world.user)];
    const { id } = await succeed<{ id: number }>(makeTitle());
    const body = (orders: string[]) => ({ title_id: id, orders });
    for (const orders of [[own, others], ["none"]])
      expect(await refused(buyer.api("POST", "/api/invoice/self", body(orders)))).toMatchObject({
        isRefused: true,
        field: "orders",
      });
    await saveOptions(world.root, { InvoiceMinimum: "14.61" });
    const below = await refused(buyer.api("POST", "/api/invoice/self", body([own])));
    expect(below).toMatchObject({
      isRefused: true,
      field: "orders",
      message: expect.stringContaining("14.61"),
    });
    await saveOptions(world.root, { InvoiceMinimum: "0" });
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => buyer.api("POST", "/api/invoice/self", body([own, own]))),
    );
    const made = answers.filter((answer) => answer.body.success);
    expect(made).toHaveLength(1);
    const [{ id: application } = { id: 0 }] = await succeed<ShownInvoice[]>(
      buyer.api("GET", "/api/invoice/self"),
    );
    expect((await world.user.api("POST", `/api/invoice/self/${application}/withdraw`)).body.success).toBe(
      false,
    );
    await succeed(buyer.api("POST", `/api/invoice/self/${application}/withdraw`));
    expect((await apply([own])).state).toBe("open");
  });

  it("is refused while invoices are off, and an open one is still decided", async () => {
    const open = await apply([await buy()]);
    const number = await buy();
    await saveOptions(world.root, { InvoicesEnabled: "false" });
    expect((await makeTitle()).body.success).toBe(false);
    const body = { title_id: 1, orders: [number] };
    expect((await buyer.api("POST", "/api/invoice/self", body)).body.success).toBe(false);
    await succeed(decide(open.id, "decline", { reason: "closed" }));
    await saveOptions(world.root, { InvoicesEnabled: "true" });
  });
});

describe("a refund", () => {
  it("waits until the issued invoice is reversed", async () => {
    const number = await buy();
    const { id, amount } = await apply([number]);
    await succeed(decide(id, "issue", { amount, link: "https://tax.example.cn/1" }));
    const refund = () =>
      world.admin.api("POST", `/api/payment/orders/${number}/refund`, { reason: "asked for it" });
    expect((await refund()).body).toMatchObject({
      success: false,
      message: expect.stringContaining("红冲"),
    });
    expect((await decide(id, "reverse", { reason: " " })).body.success).toBe(false);
    await succeed(decide(id, "reverse", { reason: "refund" }));
    expect(await succeed(refund())).toMatchObject({ amount });
  });
});
