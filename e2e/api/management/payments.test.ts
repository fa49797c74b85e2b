import { startFakeAlipay } from "@tollgate/testkit/fake-payments/fake-alipay";
import { startFakeEPay } from "@tollgate/testkit/fake-payments/fake-epay";
import type { CallbackFields, FakeProvider } from "@tollgate/testkit/fake-payments/fake-provider";
import { startFakeStripe } from "@tollgate/testkit/fake-payments/fake-stripe";
import { startFakeWeChatPay } from "@tollgate/testkit/fake-payments/fake-wechat-pay";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { saveOptions, succeed } from "./client";
import { type ManagementWorld, type Person, startManagementWorld } from "./management-world";

const NAMES = ["stripe", "epay", "alipay", "wechat-pay"] as const;
type Name = (typeof NAMES)[number];

interface ShownOrder {
  number: string;
  state: string;
  amount: number;
  currency: string;
  quota: number;
  pay?: { kind: string; content: string; seconds_left: number };
}

let world: ManagementWorld;
const fakes = new Map<Name, FakeProvider>();

const fakeOf = (name: Name): FakeProvider => {
  const fake = fakes.get(name);
  if (!fake) throw new Error(name);
  return fake;
};

beforeAll(async () => {
  fakes.set("stripe", await startFakeStripe());
  fakes.set("epay", await startFakeEPay());
  fakes.set("alipay", await startFakeAlipay());
  fakes.set("wechat-pay", await startFakeWeChatPay());
  world = await startManagementWorld({
    STRIPE_URL: fakeOf("stripe").url,
    WECHAT_PAY_URL: fakeOf("wechat-pay").url,
  });
  const site: Record<string, string> = { ServerAddress: "https://gate.example.com" };
  for (const fake of fakes.values()) Object.assign(site, fake.options);
  for (const name of ["Stripe", "EPay", "Alipay", "WeChatPay"]) site[`${name}Enabled`] = "true";
  site.PaymentOffers = '{"packages":[{"usd":2,"bonus":1}],"groups":{"vip":0.5}}';
  await saveOptions(world.root, { ...site, PaymentEnabled: "true" });
});

afterAll(async () => {
  await world?.stop();
  await Promise.all([...fakes.values()].map((fake) => fake.close()));
});

const buy = async (person: Person, provider: Name, usd = "2"): Promise<ShownOrder> => {
  const body = { provider, usd, ...(provider === "epay" ? { method: "alipay" } : {}) };
  const order = await succeed<ShownOrder>(person.api("POST", "/api/order", body));
  if (provider === "epay") await fetch(order.pay?.content ?? "");
  return order;
};

const call = async (
  provider: Name,
  number: string,
  says: CallbackFields = {},
  headers: Record<string, string> = {},
) => {
  const fake = fakeOf(provider);
  const sent = fake.callback(fake.order(number, { state: "paid" }), says);
  const response = await fetch(`${world.url}/api/payment/${provider}${sent.query}`, {
    method: sent.method,
    headers: { ...sent.headers, ...headers },
    ...(sent.method === "POST" ? { body: sent.body } : {}),
  });
  return { status: response.status, body: await response.text() };
};

const quotaOf = async (person: Person): Promise<number> =>
  (await succeed<{ quota: number }>(person.api("GET", "/api/user/self"))).quota;

const TAKEN: Readonly<Record<Name, string>> = {
  stripe: '{"received":true}',
  epay: "success",
  alipay: "success",
  "wechat-pay": '{"code":"SUCCESS","message":""}',
};

it("a refund whose provider does not answer any more is settled by hand, once, with a reason that stays and is audited", async () => {
  const person = await world.newUser();
  const before = await quotaOf(person);
  const { number } = await buy(person, "stripe");
  await call("stripe", number);
  const path = `/api/payment/orders/${number}`;
  fakeOf("stripe").behave("silent");
  try {
    const refund = world.admin.api("POST", `${path}/refund`, { reason: "asked for it" });
    expect(await succeed(refund)).toMatchObject({ result: "waiting", taken: 1_500_000 });
    const { refunds } = await succeed<{ refunds: { id: number }[] }>(world.admin.api("GET", path));
    const settle = (outcome: string, reason = "its keys are gone") =>
      world.admin.api("POST", `${path}/refunds/${refunds[0]?.id}/settle`, { outcome, reason });
    expect(await settle("not-sent", " ")).toMatchObject({ body: { success: false } });
    expect(await settle("perhaps")).toMatchObject({ body: { success: false } });
    const said = await Promise.all(Array.from({ length: 4 }, () => succeed(settle("not-sent"))));
    expect(said).toEqual(Array(4).fill(expect.objectContaining({ state: "failed", settled_name: "admin" })));
    expect(await quotaOf(person)).toBe(before + 1_500_000);
    expect(await settle("sent")).toMatchObject({
      body: { success: false, message: expect.stringMatching(/退款/) },
    });
    expect(await succeed(world.admin.api("GET", path))).toMatchObject({
      order: { state: "paid", refunded: 0, taken: 0 },
      refunds: [{ reason: "asked for it", state: "failed", settled_reason: "its keys are gone" }],
    });
    const audited = await succeed<{ action: string; target: string }[]>(
      world.root.api("GET", "/api/audit/?p=0"),
    );
    expect(
      audited.filter(({ action, target }) => action === "order.settle-refund" && target === number),
    ).toHaveLength(1);
  } finally {
    fakeOf("stripe").behave("well");
  }
});

describe.each(NAMES)("%s over HTTP", (provider) => {
  it("is bought, paid by a callback that comes from elsewhere, credited once, and refunded", async () => {
    const person = await world.newUser();
    const before = await quotaOf(person);
    const order = await buy(person, provider);
    expect(order).toMatchObject({ state: "pending", amount: 1460, currency: "CNY", quota: 1_500_000 });
    expect(order.pay?.seconds_left).toBeGreaterThan(60);
    // A browser's words say nothing here, in neither direction: the signature alone does.
    const strange = { origin: "https://evil.example", "sec-fetch-site": "cross-site", cookie: person.cookie };
    const forged = await call(provider, order.number, { isForged: true }, strange);
    expect([forged.status >= 400, forged.body === TAKEN[provider]]).toEqual([true, false]);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => call(provider, order.number, {}, strange)),
    );
    expect(answers).toEqual(Array(8).fill({ status: 200, body: TAKEN[provider] }));
    expect(await quotaOf(person)).toBe(before + 1_500_000);
    const own = await succeed<ShownOrder[]>(person.api("GET", "/api/order"));
    expect(own).toMatchObject([{ number: order.number, state: "paid" }]);
    expect(own[0]).not.toHaveProperty("pay");
    const path = `/api/payment/orders/${order.number}`;
    const refund = world.admin.api("POST", `${path}/refund`, { reason: "asked for it" });
    expect(await succeed(refund)).toMatchObject({
      result: provider === "epay" ? "by-hand" : "made",
      amount: 1460,
      taken: 1_500_000,
      missing: 0,
    });
    expect(await quotaOf(person)).toBe(before);
    const detail = await succeed<object>(world.admin.api("GET", path));
    expect(detail).toMatchObject({
      order: { state: "refunded", refunded: 1460 },
      refunds: [{ reason: "asked for it", actor_name: "admin" }],
    });
    for (const secret of Object.values(fakeOf(provider).options).filter((text) => text.length > 30))
      expect(JSON.stringify([own, detail])).not.toContain(secret);
  });
});

describe("an order of an administrator", () => {
  it("is completed and refunded by root only: an administrator may not grant quota to their own rank", async () => {
    const [one, other] = [await world.newAdmin(), await world.newAdmin()];
    const before = await quotaOf(one);
    const order = await buy(one, "stripe");
    const path = `/api/payment/orders/${order.number}`;
    const refused = async (person: Person, step: string): Promise<void> => {
      const { body } = await person.api("POST", `${path}/${step}`, { reason: "mine" });
      expect([body.success, body.message]).toEqual([
        false,
        "涉及管理员的资金或价格只能由超级管理员决定，请联系超级管理员",
      ]);
    };
    for (const person of [one, other]) await refused(person, "complete");
    expect(await quotaOf(one)).toBe(before);
    await succeed(world.root.api("POST", `${path}/complete`, { reason: "paid otherwise" }));
    for (const person of [one, other]) await refused(person, "refund");
    expect(await quotaOf(one)).toBe(before + order.quota);
    await succeed(world.root.api("POST", `${path}/refund`, { reason: "asked for it" }));
    expect(await quotaOf(one)).toBe(before);
  });
});

describe("a plan over HTTP", () => {
  interface Owned {
    title: string;
    state: string;
    source: string;
    left: number;
  }

  const newPlan = (more: object = {}): Promise<{ id: number }> =>
    succeed(
      world.admin.api("POST", "/api/plan", {
        title: "Pro",
        price: 1_000_000,
        duration_unit: "day",
        duration_count: 10,
        quota: 2000,
        reset: "day",
        ...more,
      }),
    );

  const order = (person: Person, provider: Name, planId: number): Promise<ShownOrder> =>
    succeed(person.api("POST", "/api/order", { provider, plan_id: planId }));

  const owned = (person: Person): Promise<Owned[]> => succeed(person.api("GET", "/api/subscription/self"));

  it("is paid by an order of its own, begins once on its terms, and is named wherever the money is", async () => {
    await saveOptions(world.root, { PlansEnabled: "true" });
    const person = await world.newUser();
    const before = await quotaOf(person);
    const { id } = await newPlan();
    expect(await succeed(person.api("GET", `/api/order/quote?plan_id=${id}`))).toMatchObject({
      amount: 1460,
      quota: 1_000_000,
      bonus: 0,
    });
    const ordered = await order(person, "stripe", id);
    expect(ordered).toMatchObject({ plan_id: id, plan_title: "Pro", amount: 1460 });
    await succeed(world.admin.api("PUT", `/api/plan/${id}`, { title: "Dear", price: 9_000_000, quota: 1 }));
    const answers = await Promise.all(Array.from({ length: 8 }, () => call("stripe", ordered.number)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await owned(person)).toMatchObject([
      { title: "Pro", state: "active", source: "payment", left: 2000 },
    ]);
    expect(await quotaOf(person)).toBe(before + 2000);
    const path = `/api/payment/orders/${ordered.number}`;
    const refunded = world.admin.api("POST", `${path}/refund`, { reason: "asked for it" });
    expect(await succeed(refunded)).toMatchObject({ result: "made", amount: 1460, missing: 0 });
    expect(await owned(person)).toMatchObject([{ state: "ended" }]);
    expect(await quotaOf(person)).toBe(before);
    const entries = await succeed<{ cause: string; amount: number; order_number: string }[]>(
      person.api("GET", "/api/ledger/self"),
    );
    const { number } = ordered;
    expect(entries.slice(0, 6).map((each) => [each.cause, each.amount, each.order_number])).toEqual([
      ["payment-refund", -1_000_000, number],
      ["plan-refund", 1_000_000, number],
      ["plan-expiry", -2000, number],
      ["plan-grant", 2000, number],
      ["plan-purchase", -1_000_000, number],
      ["payment", 1_000_000, number],
    ]);
    const stranger = await world.newUser();
    const ofOrder = (who: Pick<Person, "api">, of: string) =>
      succeed<object[]>(who.api("GET", `/api/ledger${of}?order=${number}`));
    expect(await ofOrder(person, "/self")).toEqual(entries.slice(0, 6));
    expect(await ofOrder(world.admin, "")).toHaveLength(6);
    expect(await ofOrder(stranger, "/self")).toEqual([]);
    for (const path of [`/api/order/${number}`, `/api/payment/orders/${number}`])
      expect((await stranger.api("GET", path)).body.success).toBe(false);
    expect(await succeed(person.api("GET", `/api/order/${number}`))).toMatchObject({ reason: "" });
    for (const file of ["/api/ledger/self/export", "/api/payment/orders/export"]) {
      const response = await fetch(`${world.url}${file}`, {
        headers: { cookie: file.includes("self") ? person.cookie : world.admin.cookie },
      });
      const text = await response.text();
      expect(text).toContain(number);
      // What an administrator noted is the administrators'.
      expect(text.includes("asked for it")).toBe(false);
      expect(text).toMatch(/order_number|plan_title/);
    }
  });

  it("leaves its price in the balance when the plan is withdrawn, and only offered plans can be ordered", async () => {
    await saveOptions(world.root, { PlansEnabled: "true" });
    const person = await world.newUser();
    const before = await quotaOf(person);
    const { id } = await newPlan();
    const ordered = await order(person, "alipay", id);
    await succeed(world.admin.api("DELETE", `/api/plan/${id}`));
    await call("alipay", ordered.number);
    expect(await quotaOf(person)).toBe(before + 1_000_000);
    expect(await succeed(person.api("GET", `/api/order/${ordered.number}`))).toMatchObject({
      state: "paid",
      plan_fault: "withdrawn",
    });
    const { id: free } = await newPlan({ price: 0 });
    for (const wanted of [{ plan_id: id }, { plan_id: free }, { plan_id: free, usd: "2" }, {}])
      expect((await person.api("POST", "/api/order", { provider: "alipay", ...wanted })).body).toMatchObject({
        success: false,
      });
  });
});

describe("orders", () => {
  it("are seen by their buyer and by administrators alone", async () => {
    const order = await buy(world.user, "alipay");
    const mine = `/api/order/${order.number}`;
    expect((await world.user.api("GET", mine)).body).toMatchObject({ success: true });
    expect((await world.other.api("GET", mine)).body).toMatchObject({ success: false });
    expect((await world.other.api("POST", `${mine}/cancel`)).body).toMatchObject({ success: false });
    const all = await succeed<ShownOrder[]>(
      world.admin.api("GET", "/api/payment/orders?provider=alipay&state=pending"),
    );
    expect(all.map(({ number }) => number)).toContain(order.number);
    expect(await succeed(world.user.api("POST", `${mine}/cancel`))).toMatchObject({ state: "cancelled" });
  });

  it("cost the configured price for the buyer's groups", async () => {
    const terms = await succeed<object>(world.user.api("GET", "/api/order/terms"));
    expect(terms).toMatchObject({
      currency: "CNY",
      unit_price: "7.3",
      packages: [{ usd: "2", amount: 1460, quota: 1_500_000, bonus: 500_000, factor: "1" }],
      providers: NAMES.map((name) => ({ name })),
    });
    const vip = await world.newUser();
    await succeed(world.root.api("PUT", "/api/user/", { id: vip.id, username: vip.username, group: "vip" }));
    expect(await succeed(vip.api("GET", "/api/order/quote?usd=3"))).toMatchObject({
      amount: 1095,
      factor: "0.5",
    });
    expect((await vip.api("GET", "/api/order/quote?usd=0.5")).body).toMatchObject({ success: false });
  });

  it("are completed by hand with a reason, and exported without anything that pays them", async () => {
    const order = await buy(world.user, "wechat-pay");
    const path = `/api/payment/orders/${order.number}`;
    expect((await world.admin.api("POST", `${path}/complete`, { reason: " " })).body).toMatchObject({
      success: false,
    });
    const before = await quotaOf(world.user);
    await succeed(world.admin.api("POST", `${path}/complete`, { reason: "=paid at the desk" }));
    expect((await world.admin.api("POST", `${path}/complete`, { reason: "again" })).body).toMatchObject({
      success: false,
    });
    expect(await quotaOf(world.user)).toBe(before + 1_500_000);
    const file = await fetch(`${world.url}/api/payment/orders/export`, {
      headers: { cookie: world.admin.cookie },
    });
    const text = await file.text();
    const line = text.split("\r\n").find((each) => each.includes(order.number));
    expect(line).toContain(",14.60,CNY,1500000,");
    expect(line).toContain("'=paid at the desk");
    expect(text).not.toContain("weixin://");
  });
});

describe("the address of callbacks", () => {
  it("takes no more than a callback has, and names no provider that there is not", async () => {
    const post = (provider: string, body: string) =>
      fetch(`${world.url}/api/payment/${provider}`, { method: "POST", body });
    expect((await post("stripe", "x".repeat(65 * 1024))).status).toBe(413);
    expect((await post("other", "{}")).status).toBe(404);
    for (const body of ["", "{", `{"a":${"[".repeat(30_000)}`, '{"__proto__":1}', "\u0000"])
      for (const provider of NAMES) expect((await post(provider, body)).status).toBe(400);
    const faults = await succeed<{ provider: string; fault: string }[]>(
      world.admin.api("GET", "/api/payment/faults"),
    );
    expect(new Set(faults.map(({ fault }) => fault))).toContain("signature-wrong");
  });
});
