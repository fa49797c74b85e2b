import type { FakeProvider } from "@tollgate/testkit/fake-payments/fake-provider";
import { startFakeStripe } from "@tollgate/testkit/fake-payments/fake-stripe";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callApi, saveOptions, succeed } from "./client";
import { type ManagementWorld, type Person, startManagementWorld } from "./management-world";

let world: ManagementWorld;
let stripe: FakeProvider;

beforeAll(async () => {
  stripe = await startFakeStripe();
  world = await startManagementWorld({ STRIPE_URL: stripe.url });
  await saveOptions(world.root, {
    ...{ ServerAddress: "https://gate.example.com", ...stripe.options, StripeEnabled: "true" },
    ...{ PaymentEnabled: "true", PlansEnabled: "true", RegistrationCodesEnabled: "true" },
  });
});

afterAll(async () => {
  await world?.stop();
  await stripe.close();
});

interface Shown {
  id: number;
  code: string;
  used_count: number;
}

interface Quoted {
  amount: number;
  quota: number;
  discount: number;
  promotions: { name: string; code: string; quota: number; amount: number }[];
  is_code_unused: boolean;
}

const create = (more: object, who: Pick<Person, "api"> = world.root) =>
  who.api("POST", "/api/promotion/", { kind: "code", steps: [{ from: 0, value: 1000 }], ...more });

const created = async (more: object): Promise<Shown> => {
  const [made] = await succeed<Shown[]>(create(more));
  if (!made) throw new Error("nothing was made");
  return made;
};

const quote = (person: Person, code: string, usd = "2") =>
  person.api("GET", `/api/order/quote?usd=${usd}&code=${encodeURIComponent(code)}`);

const order = (person: Person, more: object) =>
  person.api("POST", "/api/order", { provider: "stripe", usd: "2", ...more });

const quotaOf = async ({ api }: Person) =>
  (await succeed<{ quota: number }>(api("GET", "/api/user/self"))).quota;

const usedBy = async (id: number) =>
  (await succeed<Shown>(world.root.api("GET", `/api/promotion/${id}`))).used_count;

describe("a promotion code", () => {
  it("shows its effect in the quote, and the order reserves it and gives it with the payment", async () => {
    const buyer = await world.newUser({});
    const { id } = await created({ code: "spring-26", name: "Spring", max_uses: 1 });
    const quoted = await succeed<Quoted>(quote(buyer, " Spring-26 "));
    expect(quoted).toMatchObject({ amount: 1460, quota: 1_100_000, is_code_unused: false });
    expect(quoted.promotions).toMatchObject([
      { name: "Spring", code: "SPRING-26", quota: 100_000, amount: 0 },
    ]);
    expect(await usedBy(id)).toBe(0);
    const before = await quotaOf(buyer);
    const { number } = await succeed<{ number: string }>(
      order(buyer, { code: "spring-26", expected_amount: 1460, expected_quota: 1_100_000 }),
    );
    expect(await usedBy(id)).toBe(1);
    await succeed(world.root.api("POST", `/api/payment/orders/${number}/complete`, { reason: "paid" }));
    expect((await quotaOf(buyer)) - before).toBe(1_100_000);
    const entries = await succeed<{ cause: string; reason: string }[]>(
      buyer.api("GET", "/api/ledger/self?p=0"),
    );
    expect(entries).toContainEqual(
      expect.objectContaining({ cause: "promotion", reason: "Spring (SPRING-26)" }),
    );
    const uses = await succeed<object[]>(world.admin.api("GET", `/api/promotion/${id}/uses?p=0`));
    expect(uses).toMatchObject([{ username: buyer.username, order_number: number, state: "used" }]);
  });

  it("returns its use when the order is cancelled", async () => {
    const buyer = await world.newUser({});
    const { id } = await created({ code: "BACK" });
    const { number } = await succeed<{ number: string }>(order(buyer, { code: "BACK" }));
    await succeed(buyer.api("POST", `/api/order/${number}/cancel`));
    expect(await usedBy(id)).toBe(0);
    expect((await quote(buyer, "BACK")).body.success).toBe(true);
  });

  it("lowers the price of a plan", async () => {
    const buyer = await world.newUser({});
    await created({
      code: "PLAN20",
      effect: "discount",
      products: "plan",
      steps: [{ from: 0, value: 2000 }],
    });
    const { id } = await succeed<{ id: number }>(
      world.root.api("POST", "/api/plan/", {
        ...{ title: "Basic", price: 500_000, duration_unit: "month", duration_count: 1, quota: 900_000 },
        ...{ reset: "never", beyond: "balance", is_enabled: true },
      }),
    );
    const path = `/api/order/quote?plan_id=${id}`;
    expect(await succeed(buyer.api("GET", path))).toMatchObject({ amount: 730, discount: 0 });
    expect(await succeed(buyer.api("GET", `${path}&code=PLAN20`))).toMatchObject({
      amount: 584,
      discount: 146,
    });
  });

  it("answers the same for a code that does not exist, is over, or is for others", async () => {
    const buyer = await world.newUser({});
    await created({ code: "OVER", starts_at: 1, ends_at: 2 });
    await created({ code: "OTHERS", groups: "vip" });
    await created({ code: "DISABLED", is_enabled: false });
    const answers = await Promise.all(
      ["NOTHING", "OVER", "OTHERS", "DISABLED"].map(async (code) => (await quote(buyer, code)).body),
    );
    expect(new Set(answers.map((body) => JSON.stringify(body))).size).toBe(1);
    expect(answers[0]).toMatchObject({ success: false, field: "code" });
  });

  it("explains at the field what the buyer can change", async () => {
    const buyer = await world.newUser({});
    await created({ code: "FROM10", steps: [{ from: 5_000_000, value: 1000 }] });
    await created({ code: "ONLYPLAN", effect: "discount", products: "plan" });
    expect((await quote(buyer, "FROM10")).body).toMatchObject({
      field: "code",
      message: "该优惠码需购买满 $10 方可使用！",
    });
    expect((await quote(buyer, "ONLYPLAN")).body).toMatchObject({ success: false, field: "code" });
    expect((await quote(buyer, "FROM10", "10")).body.success).toBe(true);
  });

  it("refuses an order whose price or bonus is not the one that was seen", async () => {
    const buyer = await world.newUser({});
    const { body } = await order(buyer, { expected_amount: 1460, expected_quota: 1_000_001 });
    expect(body).toMatchObject({ success: false, message: "价格或赠送已变动，请重新核对后再支付！" });
  });

  it.each<[string, object, string]>([
    ["a short code", { code: "AB" }, "code"],
    ["a code that exists", { code: "SPRING-26" }, "code"],
    ["no steps", { steps: [] }, "steps"],
    ["a step of nothing", { steps: [{ from: 0, value: 0 }] }, "steps"],
    [
      "steps in descending order",
      {
        steps: [
          { from: 9, value: 1 },
          { from: 5, value: 2 },
        ],
      },
      "steps",
    ],
    ["the whole price", { effect: "discount", steps: [{ from: 0, value: 10_000 }] }, "steps"],
    ["a bonus for plans", { products: "top-up,plan" }, "products"],
    ["an unknown product", { products: "gift" }, "products"],
    ["a percentage at registration", { products: "registration" }, "products"],
    ["an end before its start", { starts_at: 9, ends_at: 9 }, "ends_at"],
    ["a long name", { name: "名".repeat(61) }, "name"],
    ["a group with a control character", { groups: "a\u0007" }, "groups"],
  ])("is not created with %s", async (_, more, field) => {
    const count = async () => (await succeed<Shown[]>(world.root.api("GET", "/api/promotion/?p=0"))).length;
    const before = await count();
    const { body } = await create(more);
    expect(body.success).toBe(false);
    if (field !== "groups") expect(body).toMatchObject({ field });
    expect(await count()).toBe(before);
  });

  it("is created many at once, with random ends", async () => {
    const made = await succeed<Shown[]>(create({ code: "MANY-", count: 25 }));
    expect(new Set(made.map(({ code }) => code)).size).toBe(25);
    expect(made.every(({ code }) => /^MANY-[0-9A-Z]{12}$/.test(code))).toBe(true);
    const headers = { cookie: world.root.cookie };
    const file = await fetch(`${world.url}/api/promotion/export?format=jsonl&keyword=MANY-`, { headers });
    expect((await file.text()).trim().split("\n")).toHaveLength(25);
  });

  it("gives a registration its bonus, and refuses a wrong code before the account exists", async () => {
    await created({
      code: "HELLO",
      unit: "quota",
      products: "registration",
      steps: [{ from: 0, value: 777 }],
    });
    const register = (more: object) =>
      callApi(world.url, "POST", "/api/user/register", { password: "newcomer-1", ...more });
    const refused = await register({ username: "newcomer", promotion_code: "WRONG" });
    expect(refused.body).toMatchObject({ success: false, field: "promotion_code" });
    const done = await register({ username: "newcomer", promotion_code: "hello" });
    expect(done.body).toMatchObject({ success: true, data: { bonus: 777 } });
    const found = await succeed<{ username: string; quota: number }[]>(
      world.root.api("GET", "/api/user/search?keyword=newcomer"),
    );
    expect(found).toMatchObject([{ username: "newcomer", quota: 777 }]);
  });
});

describe("an activity", () => {
  const steps = [
    { from: 1_000_000, value: 1000 },
    { from: 5_000_000, value: 2000 },
  ];

  it("applies without a code, is shown with the terms, and only root makes it", async () => {
    const buyer = await world.newUser({ group: "club" });
    const body = { kind: "activity", name: "Double Eleven", steps, groups: "club", is_first_only: true };
    expect((await create(body, world.admin)).body).toMatchObject({ success: false });
    const { id } = await created({ ...body, code: "ignored" });
    const terms = await succeed<{ activities: object[] }>(buyer.api("GET", "/api/order/terms"));
    expect(terms.activities).toMatchObject([{ id, name: "Double Eleven", steps, is_first_only: true }]);
    expect(await succeed(quote(buyer, "", "1"))).toMatchObject({ quota: 500_000, promotions: [] });
    expect(await succeed(quote(buyer, "", "10"))).toMatchObject({ quota: 6_000_000 });
    const { number } = await succeed<{ number: string }>(order(buyer, {}));
    // The one first purchase is reserved.
    expect(await succeed(quote(buyer, "", "10"))).toMatchObject({ quota: 5_000_000 });
    await succeed(world.root.api("POST", `/api/payment/orders/${number}/complete`, { reason: "paid" }));
    const { activities } = await succeed<{ activities: object[] }>(buyer.api("GET", "/api/order/terms"));
    expect(activities).toEqual([]);
  });

  it("leaves a code unused that gives less", async () => {
    const buyer = await world.newUser({ group: "pool" });
    await created({ kind: "activity", name: "Pool", steps: [{ from: 0, value: 3000 }], groups: "pool" });
    await created({ code: "LESS" });
    const quoted = await succeed<Quoted>(quote(buyer, "LESS"));
    expect(quoted).toMatchObject({ quota: 1_300_000, is_code_unused: true });
  });
});

describe("guesses of a code", () => {
  it("wait after some, and are then told nothing of a right code either", async () => {
    // Signing in counts as well.
    const guarded = await startManagementWorld({ STRIPE_URL: stripe.url, CRITICAL_RATE_LIMIT: "20" });
    try {
      await saveOptions(guarded.root, {
        ...{ ServerAddress: "https://gate.example.com", ...stripe.options, StripeEnabled: "true" },
        PaymentEnabled: "true",
      });
      const [made] = await succeed<Shown[]>(create({ name: "right" }, guarded.root));
      const statusOf = async (code: string) => (await quote(guarded.user, code)).status;
      // Right ones are no guesses.
      for (let time = 0; time < 21; time += 1) expect(await statusOf(made?.code ?? "")).toBe(200);
      const guesses: number[] = [];
      for (let time = 0; time < 21; time += 1) guesses.push(await statusOf(`wrong-${time}`));
      expect([guesses[0], guesses.at(-1)]).toEqual([200, 429]);
      expect([await statusOf(made?.code ?? ""), await statusOf("")]).toEqual([429, 200]);
    } finally {
      await guarded.stop();
    }
  });
});
