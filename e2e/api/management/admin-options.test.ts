import type { JsonFormat } from "@tollgate/contract/options/option-entry";
import { mayChangeOption } from "@tollgate/contract/options/option-rights";
import { defaultTextOf, entryOf, OPTION_KEYS, type OptionKey } from "@tollgate/contract/options/options";
import { ROLE_ADMIN } from "@tollgate/contract/values/roles";
import { addApiKey, addChannel } from "@tollgate/demo/build-world";
import type { FakeProvider } from "@tollgate/testkit/fake-payments/fake-provider";
import { startFakeStripe } from "@tollgate/testkit/fake-payments/fake-stripe";
import { type FakeUpstream, startFakeUpstream } from "@tollgate/testkit/fake-upstream/fake-upstream";
import type { UpstreamScript } from "@tollgate/testkit/fake-upstream/upstream-script";
import { someOf } from "@tollgate/testkit/seeds";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callApi, saveOptions, signIn, succeed } from "./client";
import { type ManagementWorld, type Person, startManagementWorld } from "./management-world";

/*
 * An option that moves a quote, a price, a charge or a grant is root's (docs/guides/add-an-option.md). So whatever administrators do with
 * theirs, everything that people pay and get stays as it is.
 */

let world: ManagementWorld;
let stripe: FakeProvider;
let upstream: FakeUpstream;
let customer: Person;
let planId: number;
let key: string;

/** Texts of each shape in which the groups and models of this world would cost nothing, or be limited by nothing. */
const JSON_VALUES: Readonly<Record<JsonFormat, string>> = {
  "model-prices": '{"gpt-4":{"input":0,"output":0},"gpt-4o":{"input":0,"output":0}}',
  "cache-ratios": '{"gpt-4":0,"gpt-4o":0}',
  "group-limits": '{"default":{"rpm":100000,"per_user":{"rpm":100000}}}',
  "group-routing": '{"default":"cheapest"}',
  "group-time-limits": '{"default":{"first_token_seconds":600}}',
  "usable-groups": '{"vip":"Free"}',
  "group-usable-groups": '{"default":{"+:svip":"Free"}}',
  "group-group-ratios": '{"default":{"default":0,"vip":0}}',
  "price-rules": '{"all":{"models":"*","factor":0}}',
  "model-fallbacks": '{"*":["gpt-4"],"not-offered":["gpt-4"]}',
  "payment-offers": '{"packages":[{"usd":2,"bonus":100}],"groups":{"default":0.01}}',
  "connect-templates": '{"a":{"text":"{key}"}}',
  "error-rules": '[{"statuses":["5xx"],"answer":"own","status":503,"text":{"en":"Busy"}}]',
  "display-rates": '[{"from":"2020-01-01","currency":"CNY","rate":1000000}]',
};

/** Values that an option may have, with its bounds. A new option needs nothing here. */
const valuesOf = (optionKey: OptionKey): string[] => {
  const entry = entryOf(optionKey);
  switch (entry.type) {
    case "switch":
      return ["true", "false"];
    case "decimal":
    case "whole":
    case "quota":
      return [entry.min, entry.max, entry.min + 1].map(String);
    case "choice":
      return [...entry.choices];
    case "ratios":
      return ['{"gpt-4":0.5,"gpt-4o":0.5,"default":0.5,"vip":0.5,"svip":0.5,"flex":0.5}'];
    case "json":
      return [JSON_VALUES[entry.format], "{}"];
    case "url":
      return ["https://example.com/other", ""];
    default:
      return ["gpt-4,default,vip", "1", ""];
  }
};

const asRoot = <T>(method: string, path: string, body?: unknown): Promise<T> =>
  succeed<T>(world.root.api(method, path, body));

const quotaOf = async ({ api }: Person): Promise<number> =>
  (await succeed<{ quota: number }>(api("GET", "/api/user/self"))).quota;

/** How much a step moves a person's balance. */
const moved = async (person: Person, step: () => Promise<unknown>): Promise<number> => {
  const before = await quotaOf(person);
  await step();
  return (await quotaOf(person)) - before;
};

const CACHED = { input: 1000, output: 10, cacheRead: 800 };
const REQUESTS: readonly [name: string, model: string, script: UpstreamScript, more?: object][] = [
  ["usage", "gpt-4", {}],
  ["cached tokens", "gpt-4o", { usage: CACHED }],
  ["counted here", "gpt-4", { fault: "no-usage", text: "word ".repeat(50) }],
  ["a cut stream", "gpt-4", { fault: "cut-mid-stream", text: "word ".repeat(50) }, { stream: true }],
  ["a tier", "gpt-4", {}, { service_tier: "flex" }],
  ["a model without a price", "no-price", {}],
  ["a model that is not offered", "not-offered", {}],
];

/** What a request costs, and how it is answered. */
const charge = async (model: string, script: UpstreamScript, more: object = {}): Promise<unknown> => {
  upstream.reset();
  upstream.script(script);
  let status = 0;
  const quota = await moved(customer, async () => {
    const body = {
      model,
      messages: [{ role: "user", content: "some words to count" }],
      max_tokens: 60,
      ...more,
    };
    status = (await callApi(world.url, "POST", "/v1/chat/completions", body, { token: `Bearer ${key}` }))
      .status;
  });
  return { status, quota };
};

let serial = 0;

const order = async (product: object): Promise<Record<string, unknown>> => {
  const made = await succeed<Record<string, unknown>>(
    customer.api("POST", "/api/order", { provider: "stripe", ...product }),
  );
  const { amount, currency, quota, bonus, factor, unit_price, quota_per_unit, number } = made;
  return { amount, currency, quota, bonus, factor, unit_price, quota_per_unit, number };
};

/** Everything that people pay and get, in fresh movements. */
const read = async (): Promise<Record<string, unknown>> => {
  serial += 1;
  const reading: Record<string, unknown> = {};
  for (const [name, model, script, more] of REQUESTS) reading[name] = await charge(model, script, more);
  for (const query of ["usd=2", `plan_id=${planId}`])
    reading[`quote of ${query}`] = await succeed(customer.api("GET", `/api/order/quote?${query}`));
  reading.groups = await succeed(customer.api("GET", "/api/user/groups"));

  // The customer's inviter earns by the payment.
  const { number, ...quoted } = await order({ usd: "2" });
  reading.order = quoted;
  const earned = async (): Promise<number> =>
    (await succeed<{ commission: number }>(world.other.api("GET", "/api/invitation/self"))).commission;
  const before = await earned();
  reading.paid = await moved(customer, () =>
    asRoot("POST", `/api/payment/orders/${number}/complete`, { reason: "paid otherwise" }),
  );
  reading.commission = (await earned()) - before;

  const [code] = await asRoot<string[]>("POST", "/api/redemption", { name: "code", quota: 777, count: 1 });
  reading.code = await moved(customer, () => succeed(customer.api("POST", "/api/user/topup", { key: code })));
  let bought: { price: number; granted: number } | undefined;
  reading.planPrice = await moved(customer, async () => {
    bought = await succeed(customer.api("POST", "/api/subscription", { plan_id: planId }));
  });
  reading.plan = [bought?.price, bought?.granted];
  const username = `new${serial}`;
  reading.inviterGift = await moved(world.other, () => register(username));
  const [newcomer] = await asRoot<{ quota: number }[]>("GET", `/api/user/search?keyword=${username}`);
  reading.gift = newcomer?.quota;
  return reading;
};

const register = async (username: string): Promise<void> => {
  const affCode = await succeed<string>(world.other.api("GET", "/api/user/aff"));
  const body = { username, password: "password-1", password2: "password-1", aff_code: affCode };
  await succeed(callApi(world.url, "POST", "/api/user/register?turnstile=", body));
};

let usual: Record<string, unknown>;

beforeAll(async () => {
  [stripe, upstream] = await Promise.all([startFakeStripe(), startFakeUpstream()]);
  world = await startManagementWorld({ STRIPE_URL: stripe.url });
  await saveOptions(world.root, {
    ServerAddress: "https://gate.example.com",
    ...stripe.options,
    StripeEnabled: "true",
    PaymentEnabled: "true",
    PlansEnabled: "true",
    CommissionPercent: "10",
    CommissionOfEachPayment: "true",
    QuotaForNewUser: "11",
    QuotaForInviter: "22",
    QuotaForInvitee: "33",
    UserUsableGroups: '{"vip":"Fast"}',
  });
  await addChannel(world.root, { base_url: upstream.url, models: "gpt-4,gpt-4o,no-price" });
  await register("customer");
  const [found] = await asRoot<{ id: number }[]>("GET", "/api/user/search?keyword=customer");
  customer = {
    ...(await signIn(world.url, "customer", "password-1")),
    id: found?.id ?? 0,
    username: "customer",
  };
  await asRoot("PUT", "/api/user/", { id: customer.id, quota: 1_000_000_000 });
  key = (await addApiKey(customer, { remain_quota: 0, unlimited_quota: true })).key;
  const plan = { title: "Plan", price: 5000, duration_unit: "day", duration_count: 1, quota: 4000 };
  planId = (await asRoot<{ id: number }>("POST", "/api/plan", plan)).id;
  usual = await read();
});

afterAll(async () => {
  await world?.stop();
  await Promise.all([stripe?.close(), upstream?.close()]);
});

const ADMINS_OPTIONS = OPTION_KEYS.filter((optionKey) => mayChangeOption(ROLE_ADMIN, optionKey));

describe("prices and receipts", () => {
  it("is read with every kind of charge and grant in it", async () => {
    expect(usual).toMatchObject({
      usage: { status: 200, quota: -(13 + 5 * 2) * 15 },
      "a model without a price": { quota: 0 },
      "a model that is not offered": { quota: 0 },
      order: { quota: 1_000_000, amount: 1460 },
      paid: 1_000_000,
      commission: 100_000,
      code: 777,
      plan: [5000, 4000],
      gift: 44,
      inviterGift: 22,
    });
    expect(await read()).toEqual(usual);
  });

  it.each(someOf(ADMINS_OPTIONS))(
    "stays the same whatever an administrator sets %s to",
    async (optionKey) => {
      const before = (await asRoot<{ key: string; value: string }[]>("GET", "/api/option/")).find(
        (each) => each.key === optionKey,
      )?.value;
      try {
        for (const value of valuesOf(optionKey)) {
          await succeed(world.admin.api("PUT", "/api/option/", { key: optionKey, value }));
          expect([optionKey, value, await read()]).toEqual([optionKey, value, usual]);
        }
      } finally {
        const value = before ?? defaultTextOf(optionKey) ?? "";
        await asRoot("PUT", "/api/option/", { key: optionKey, value });
      }
    },
  );

  it.each(OPTION_KEYS.filter((optionKey) => !mayChangeOption(ROLE_ADMIN, optionKey)))(
    "is moved by no administrator who sends %s",
    async (optionKey) => {
      const value = valuesOf(optionKey)[0] ?? "";
      const { body } = await world.admin.api("PUT", "/api/option/", { key: optionKey, value });
      expect([optionKey, body.success]).toEqual([optionKey, false]);
    },
  );
});
