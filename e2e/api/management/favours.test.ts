import type { ApiAnswer } from "@tollgate/demo/api-client";
import { addApiKey, addChannel } from "@tollgate/demo/build-world";
import type { FakeProvider } from "@tollgate/testkit/fake-payments/fake-provider";
import { startFakeStripe } from "@tollgate/testkit/fake-payments/fake-stripe";
import { type FakeUpstream, startFakeUpstream } from "@tollgate/testkit/fake-upstream/fake-upstream";
import { createRandom } from "@tollgate/testkit/random";
import { seeds } from "@tollgate/testkit/seeds";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callApi, saveOptions, signIn, succeed } from "./client";
import { type ManagementWorld, type Person, startManagementWorld } from "./management-world";
import { describedRoutes } from "./openapi-check";

/*
 * Money between people (docs/money.md#money-between-people): each call that moves money or a price towards a person, tried by an
 * administrator for themself, a fellow, root and a customer, and by a customer for themself.
 */

let world: ManagementWorld;
let stripe: FakeProvider;
let upstream: FakeUpstream;
let people: Record<Side, Person>;

const SIDES = ["self", "fellow", "root", "customer"] as const;
type Side = (typeof SIDES)[number];

const MODEL = "gpt-4";
const CHARGED_MODEL = "gpt-3.5-turbo";
const QUOTA = 1_000_000;
const PLAN = { title: "Plan", price: 0, duration_unit: "day", duration_count: 1, quota: QUOTA };

/** What an attempt found, made by root beforehand. */
type Found = Record<string, unknown>;

interface Attempt {
  /** Root's part, after which wealth is measured. */
  prepare?(target: Person): Promise<Found>;
  /** Everything that the actor, and the target as an accomplice, do. */
  act(actor: Person, target: Person, found: Found): Promise<ApiAnswer>;
  /** What a customer gets of it: the specification lets administrators manage customers. */
  forCustomer: "allowed" | "refused";
  /** Root does the last step for themself, with what root has made. */
  isRootsForRoot?: true;
}

const asRoot = <T>(method: string, path: string, body?: unknown): Promise<T> =>
  succeed<T>(world.root.api(method, path, body));

const idOf = (answer: ApiAnswer): number =>
  Number((answer.body.data as { id?: number } | undefined)?.id ?? 0);

const makeCode = async (maker: Pick<Person, "api">, more: object = {}): Promise<string> =>
  (
    await succeed<string[]>(
      maker.api("POST", "/api/redemption", { name: "code", quota: QUOTA, count: 1, ...more }),
    )
  )[0] ?? "";

const findCode = async (key: string): Promise<{ id: number }> => {
  const codes = await asRoot<{ id: number; key: string }[]>("GET", "/api/redemption/?p=0");
  const found = codes.find((each) => each.key === key);
  if (!found) throw new Error("the code is gone");
  return found;
};

const rootCode = async (): Promise<Found> => {
  const key = await makeCode(world.root);
  return { key, ...(await findCode(key)) };
};

const rootPlan = async (): Promise<Found> =>
  asRoot("POST", "/api/plan", { ...PLAN, price: QUOTA, is_enabled: true });

const order = async (buyer: Person, more: object = { usd: "2" }): Promise<{ number: string }> =>
  succeed(buyer.api("POST", "/api/order", { provider: "stripe", ...more }));

/** A promotion code that gives ten times what is bought. */
const makePromotion = async (maker: Pick<Person, "api">): Promise<{ id: number; code: string }> => {
  const steps = [{ from: 0, value: 100_000 }];
  const made = await succeed<{ id: number; code: string }[]>(
    maker.api("POST", "/api/promotion", { kind: "code", steps }),
  );
  if (!made[0]) throw new Error("no promotion was made");
  return made[0];
};

const rootPromotion = async (): Promise<Found> => ({ ...(await makePromotion(world.root)) });

const orderWith = (target: Person, { code }: Found): Promise<ApiAnswer> => {
  if (code === undefined) throw new Error("there is no code");
  return target.api("POST", "/api/order", { provider: "stripe", usd: "2", code });
};

const openOrder = async (target: Person): Promise<Found> => ({ ...(await order(target)) });

const paidOrder = async (target: Person): Promise<Found> => {
  const { number } = await order(target);
  await asRoot("POST", `/api/payment/orders/${number}/complete`, { reason: "paid otherwise" });
  return { number };
};

const openRefund = async (target: Person): Promise<Found> => {
  const { number } = await paidOrder(target);
  await asRoot("POST", `/api/payment/orders/${number}/refund`, { reason: "asked for it" });
  const { refunds } = await asRoot<{ refunds: { id: number }[] }>("GET", `/api/payment/orders/${number}`);
  return { number, id: refunds[0]?.id };
};

/** A request that the target was charged for. */
const chargedRequest = async (target: Person): Promise<Found> => {
  await asRoot("PUT", "/api/user/", { id: target.id, group: "default" });
  const { key } = await addApiKey(target, { unlimited_quota: true });
  const response = await fetch(`${world.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer sk-${key}` },
    body: JSON.stringify({ model: CHARGED_MODEL, messages: [{ role: "user", content: "hello" }] }),
  });
  await response.text();
  expect(response.status).toBe(200);
  return { requestId: response.headers.get("x-oneapi-request-id") };
};

let serial = 0;

/** A customer invited by the target. */
const invitedBy = async (target: Person): Promise<Person> => {
  serial += 1;
  const username = `inv${serial}`;
  const affCode = await succeed<string>(target.api("GET", "/api/user/aff"));
  const body = { username, password: "password-1", password2: "password-1", aff_code: affCode };
  await succeed(callApi(world.url, "POST", "/api/user/register?turnstile=", body));
  const [found] = await asRoot<{ id: number; username: string }[]>(
    "GET",
    `/api/user/search?keyword=${username}`,
  );
  return { ...(await signIn(world.url, username, "password-1")), id: found?.id ?? 0, username };
};

const askedPayout = async (target: Person): Promise<Found> => {
  await paidOrder(await invitedBy(target));
  const body = { quota: 1000, note: "to me" };
  return { id: await succeed<number>(target.api("POST", "/api/invitation/self/payout", body)) };
};

/** An application of a person for an invoice. */
const invoiceOf = async (target: Person, isIssued: boolean): Promise<Found> => {
  await saveOptions(world.root, { InvoicesEnabled: "true" });
  const { number } = await paidOrder(target);
  const title = await succeed<{ id: number }>(
    target.api("POST", "/api/invoice/titles", { kind: "personal", name: "A person" }),
  );
  const { id, amount } = await succeed<{ id: number; amount: number }>(
    target.api("POST", "/api/invoice/self", { title_id: title.id, orders: [number] }),
  );
  if (isIssued) await asRoot("POST", `/api/invoice/${id}/issue`, { amount, number: "1" });
  await succeed(target.api("DELETE", `/api/invoice/titles/${title.id}`));
  return { id };
};

const priceVersion = async (): Promise<number> =>
  (await asRoot<{ price_version: number }>("GET", "/api/prices/rules")).price_version;

const putRule = async (by: Pick<Person, "api">, name: string, more: object): Promise<ApiAnswer> =>
  by.api("PUT", "/api/prices/rules", {
    name,
    rule: { models: MODEL, factor: 0 },
    price_version: await priceVersion(),
    ...more,
  });

const nextName = (): string => {
  serial += 1;
  return `name ${serial}`;
};

/** A rule by which the target pays more. */
const dearRule = async (target: Person): Promise<Found> => {
  const name = nextName();
  const rule = { models: MODEL, factor: 3 };
  await succeed(putRule(world.root, name, { username: target.username, rule }));
  return { name };
};

const redeem = (by: Person, key: unknown): Promise<ApiAnswer> => by.api("POST", "/api/user/topup", { key });

const buyPlan = (by: Person, planId: unknown): Promise<ApiAnswer> =>
  by.api("POST", "/api/subscription", { plan_id: planId });

const NO_MONEY = "moves no money between people";
const ROOT_ONLY = "root alone";
const OWN_MONEY = "moves what is the caller's already";

/** Every call that changes something. A call that is not here fails the first test. */
const CALLS: Readonly<Record<string, string | readonly Attempt[]>> = {
  "PUT /api/user": [
    {
      forCustomer: "allowed",
      act: (actor, { id }) => actor.api("PUT", "/api/user/", { id, quota: 9 * QUOTA }),
    },
    { forCustomer: "allowed", act: (actor, { id }) => actor.api("PUT", "/api/user/", { id, group: "free" }) },
  ],
  "POST /api/user/topup": [
    { forCustomer: "allowed", act: async (actor, target) => redeem(target, await makeCode(actor)) },
    {
      forCustomer: "allowed",
      isRootsForRoot: true,
      prepare: rootCode,
      act: (_, target, { key }) => redeem(target, key),
    },
  ],
  "POST /api/redemption": [
    {
      forCustomer: "allowed",
      act: async (actor, target) => redeem(target, await makeCode(actor, { max_uses: 5 })),
    },
  ],
  "PUT /api/redemption": [
    {
      forCustomer: "allowed",
      prepare: rootCode,
      async act(actor, target, { id, key }) {
        await actor.api("PUT", "/api/redemption", { id, name: "code", quota: 7 * QUOTA });
        return redeem(target, key);
      },
    },
    {
      forCustomer: "allowed",
      prepare: rootCode,
      async act(actor, target, { id, key }) {
        for (const status of [2, 1])
          await actor.api("PUT", "/api/redemption?status_only=true", { id, status });
        return redeem(target, key);
      },
    },
  ],
  "POST /api/promotion": [
    {
      forCustomer: "allowed",
      act: async (actor, target) => orderWith(target, await makePromotion(actor)),
    },
  ],
  "PUT /api/promotion/{id}": [
    {
      forCustomer: "allowed",
      prepare: rootPromotion,
      async act(actor, target, { id, code }) {
        await actor.api("PUT", `/api/promotion/${id}`, { steps: [{ from: 0, value: 5000 }] });
        return orderWith(target, { code });
      },
    },
  ],
  "POST /api/plan": [
    {
      forCustomer: "allowed",
      act: async (actor, target) => buyPlan(target, idOf(await actor.api("POST", "/api/plan", PLAN))),
    },
  ],
  "PUT /api/plan/{id}": [
    {
      forCustomer: "allowed",
      prepare: rootPlan,
      async act(actor, target, { id }) {
        await actor.api("PUT", `/api/plan/${id}`, { price: 0, quota: 9 * QUOTA });
        return buyPlan(target, id);
      },
    },
  ],
  "POST /api/subscription": [
    {
      forCustomer: "allowed",
      act: async (actor, target) =>
        buyPlan(target, idOf(await actor.api("POST", "/api/plan", { ...PLAN, group: "free" }))),
    },
  ],
  "POST /api/subscription/given": [
    {
      forCustomer: "allowed",
      prepare: rootPlan,
      act: (actor, target, { id }) =>
        actor.api("POST", "/api/subscription/given", { plan_id: id, user_id: target.id }),
    },
  ],
  "POST /api/subscription/{id}/end": [
    {
      forCustomer: "allowed",
      async prepare(target) {
        const plan = await asRoot<{ id: number }>("POST", "/api/plan", { ...PLAN, beyond: "stop" });
        return asRoot("POST", "/api/subscription/given", { plan_id: plan.id, user_id: target.id });
      },
      act: (actor, _, { id }) => actor.api("POST", `/api/subscription/${id}/end`),
    },
  ],
  "PUT /api/subscription/{id}/renews": OWN_MONEY,
  "POST /api/order": [
    {
      forCustomer: "allowed",
      async act(actor, target) {
        const plan = await actor.api("POST", "/api/plan", { ...PLAN, price: 100_000 });
        return target.api("POST", "/api/order", { provider: "stripe", plan_id: idOf(plan) });
      },
    },
  ],
  "POST /api/order/{number}/cancel": OWN_MONEY,
  "POST /api/payment/orders/{number}/ask": "does what the provider says",
  "POST /api/payment/orders/{number}/complete": [
    {
      forCustomer: "allowed",
      prepare: openOrder,
      act: (actor, _, { number }) =>
        actor.api("POST", `/api/payment/orders/${number}/complete`, { reason: "paid otherwise" }),
    },
    // The commission of a customer's order is the inviter's.
    {
      forCustomer: "allowed",
      prepare: async (target) => openOrder(await invitedBy(target)),
      act: (actor, _, { number }) =>
        actor.api("POST", `/api/payment/orders/${number}/complete`, { reason: "paid otherwise" }),
    },
  ],
  "POST /api/payment/orders/{number}/refund": [
    {
      forCustomer: "allowed",
      prepare: paidOrder,
      act: (actor, _, { number }) =>
        actor.api("POST", `/api/payment/orders/${number}/refund`, { reason: "asked for it" }),
    },
    // An inviter who has spent the commission of the payment keeps it.
    {
      forCustomer: "allowed",
      prepare: async (target) => paidOrder(await invitedBy(target)),
      act: (actor, _, { number }) =>
        actor.api("POST", `/api/payment/orders/${number}/refund`, { reason: "asked for it" }),
    },
  ],
  "POST /api/log/receipt/refund": [
    {
      forCustomer: "allowed",
      prepare: chargedRequest,
      act: (actor, _, { requestId }) =>
        actor.api("POST", "/api/log/receipt/refund", { request_id: requestId, reason: "it was wrong" }),
    },
  ],
  "POST /api/payment/orders/{number}/refunds/{id}/settle": (["sent", "not-sent"] as const).flatMap(
    (outcome): Attempt[] => {
      const act: Attempt["act"] = (actor, _, { number, id }) =>
        actor.api("POST", `/api/payment/orders/${number}/refunds/${id}/settle`, { outcome, reason: "known" });
      const ofInvited = async (target: Person) => openRefund(await invitedBy(target));
      const own: Attempt = { forCustomer: "allowed", prepare: openRefund, act };
      return outcome === "sent" ? [own] : [own, { forCustomer: "allowed", prepare: ofInvited, act }];
    },
  ),
  "POST /api/invitation/payouts/{id}/paid": [
    {
      forCustomer: "allowed",
      prepare: askedPayout,
      act: (actor, _, { id }) => actor.api("POST", `/api/invitation/payouts/${id}/paid`, { reason: "" }),
    },
  ],
  "POST /api/invitation/payouts/{id}/decline": [
    {
      forCustomer: "allowed",
      prepare: askedPayout,
      act: (actor, _, { id }) => actor.api("POST", `/api/invitation/payouts/${id}/decline`, { reason: "no" }),
    },
  ],
  "POST /api/invitation/self/transfer": OWN_MONEY,
  "POST /api/invitation/self/payout": OWN_MONEY,
  "POST /api/ticket/self": NO_MONEY,
  "POST /api/ticket/self/{id}/messages": NO_MONEY,
  "POST /api/ticket/self/{id}/close": NO_MONEY,
  "POST /api/ticket/{id}/messages": NO_MONEY,
  "POST /api/ticket/{id}/close": NO_MONEY,
  "POST /api/ticket/{id}/assign": NO_MONEY,
  "POST /api/invoice/titles": NO_MONEY,
  "PUT /api/invoice/titles/{id}": NO_MONEY,
  "DELETE /api/invoice/titles/{id}": NO_MONEY,
  "POST /api/invoice/self": NO_MONEY,
  "POST /api/invoice/self/{id}/withdraw": NO_MONEY,
  ...Object.fromEntries(
    (["issue", "decline", "reverse"] as const).map((step) => [
      `POST /api/invoice/{id}/${step}`,
      [
        {
          forCustomer: "allowed",
          prepare: (target) => invoiceOf(target, step === "reverse"),
          act: (actor, _, { id }) =>
            actor.api("POST", `/api/invoice/${id}/${step}`, { amount: 1460, number: "1", reason: "no" }),
        } satisfies Attempt,
      ],
    ]),
  ),
  "PUT /api/prices/rules": [
    {
      forCustomer: "allowed",
      act: (actor, { username }) => putRule(actor, nextName(), { username }),
    },
    {
      forCustomer: "allowed",
      act: (actor, { id }) => putRule(actor, nextName(), { rule: { models: "*", factor: 0, user: id } }),
    },
    // An account that does not exist yet may become an administrator's.
    {
      forCustomer: "refused",
      act: (actor) => putRule(actor, nextName(), { rule: { models: "*", factor: 0, user: 900_000 } }),
    },
    {
      forCustomer: "refused",
      act: (actor) => putRule(actor, nextName(), { rule: { models: MODEL, group: "default", ratio: 0 } }),
    },
    { forCustomer: "refused", act: (actor) => putRule(actor, nextName(), {}) },
    {
      forCustomer: "allowed",
      prepare: dearRule,
      act: (actor, { username }, { name }) =>
        putRule(actor, nextName(), { before: name, username, rule: { models: "other-model", factor: 1 } }),
    },
    // The rule becomes a customer's, and so no longer the target's.
    {
      forCustomer: "allowed",
      prepare: dearRule,
      act: (actor, _, { name }) =>
        putRule(actor, nextName(), { before: name, username: people.customer.username }),
    },
  ],
  "DELETE /api/prices/rules": [
    {
      forCustomer: "allowed",
      prepare: dearRule,
      act: (actor, _, { name }) =>
        actor.api("DELETE", `/api/prices/rules?name=${encodeURIComponent(String(name))}`),
    },
  ],
  "PUT /api/option": [
    ["GroupRatio", '{"default":0,"vip":0,"svip":0,"free":0}'],
    ["ModelRatio", `{"${MODEL}":0}`],
    ["PriceRules", `{"all":{"models":"*","factor":0}}`],
    ["QuotaPerUnit", "1000000000000"],
    ["UserUsableGroups", '{"free":"Free"}'],
    ["CommissionPercent", "100"],
  ].map(([key, value]) => ({
    forCustomer: "refused",
    act: (actor) => actor.api("PUT", "/api/option/", { key, value }),
  })),
  "POST /api/price-drafts/{id}/publish": [
    {
      forCustomer: "refused",
      async act(actor) {
        const changes = { ModelRatio: { [MODEL]: 0 } };
        const draft = await actor.api("POST", "/api/price-drafts", { name: nextName(), changes });
        return actor.api("POST", `/api/price-drafts/${idOf(draft)}/publish`, { revision: 1 });
      },
    },
  ],
  "POST /api/prices/accept": [
    {
      forCustomer: "refused",
      act: async (actor) =>
        actor.api("POST", "/api/prices/accept", {
          source: "litellm",
          price_version: await priceVersion(),
          prices: { [MODEL]: { input: 0, output: 0 } },
        }),
    },
  ],
  "POST /api/user/batch": [
    { action: "add-quota", quota: QUOTA },
    { action: "set-quota", quota: 9 * QUOTA },
    { action: "edit", change: { group: "free" } },
  ].map((body, index) => ({
    forCustomer: "allowed" as const,
    async act(actor: Person, { id }: Person): Promise<ApiAnswer> {
      const operation = `operation-${id}-${index}-of-a-favour`;
      const answer = await actor.api("POST", "/api/user/batch", {
        ...{ ...body, ids: [id], reason: "a favour", operation },
      });
      // A call that refuses each of its users succeeds.
      const { done = 0 } = (answer.body.data ?? {}) as { done?: number };
      return { ...answer, body: { ...answer.body, success: answer.body.success === true && done > 0 } };
    },
  })),
  "POST /api/user/manage": [
    {
      forCustomer: "refused",
      act: (actor, { username }) => actor.api("POST", "/api/user/manage", { username, action: "promote" }),
    },
  ],
  "PUT /api/prices/lock": ROOT_ONLY,
  "POST /api/price-drafts/{id}/unschedule": ROOT_ONLY,
  "POST /api/setup": ROOT_ONLY,
  "POST /api/setup/check": ROOT_ONLY,
  "GET /api/configuration/secrets": ROOT_ONLY,
  "POST /api/configuration/open": ROOT_ONLY,
  "DELETE /api/log/body": ROOT_ONLY,
  "POST /api/user": "adds a customer, with the gifts that root has set",
  "POST /api/user/register": "adds a customer, with the gifts that root has set",
  "POST /api/user/login": NO_MONEY,
  "POST /api/user/reset": NO_MONEY,
  "PUT /api/user/self": NO_MONEY,
  "DELETE /api/user/self": NO_MONEY,
  "DELETE /api/user/sessions": NO_MONEY,
  "DELETE /api/user/sessions/{session}": NO_MONEY,
  "DELETE /api/user/{id}/sessions": NO_MONEY,
  "POST /api/user/2fa/setup": NO_MONEY,
  "POST /api/user/2fa/enable": NO_MONEY,
  "POST /api/user/2fa/disable": NO_MONEY,
  "POST /api/user/2fa/backup_codes": NO_MONEY,
  "POST /api/user/login/2fa": NO_MONEY,
  "POST /api/user/login/2fa/setup": NO_MONEY,
  "DELETE /api/user/{id}/2fa": NO_MONEY,
  "POST /api/terms": NO_MONEY,
  "POST /api/user/terms": NO_MONEY,
  "POST /api/user/confirm": NO_MONEY,
  "POST /api/permission-set": NO_MONEY,
  "PUT /api/permission-set/{set}": NO_MONEY,
  "DELETE /api/permission-set/{set}": NO_MONEY,
  "POST /api/user/management-key": NO_MONEY,
  "DELETE /api/user/management-key/{id}": NO_MONEY,
  "POST /api/user/passkey/register/begin": NO_MONEY,
  "POST /api/user/passkey/register/finish": NO_MONEY,
  "PUT /api/user/passkey/{id}": NO_MONEY,
  "DELETE /api/user/passkey/{id}": NO_MONEY,
  "DELETE /api/user/passkey": NO_MONEY,
  "POST /api/user/passkey/login/begin": NO_MONEY,
  "POST /api/user/passkey/login/finish": NO_MONEY,
  "POST /api/user/login/2fa/passkey/begin": NO_MONEY,
  "POST /api/user/login/2fa/passkey/finish": NO_MONEY,
  "POST /api/user/login/2fa/passkey/register/begin": NO_MONEY,
  "POST /api/user/login/2fa/passkey/register/finish": NO_MONEY,
  "DELETE /api/user/{id}/reset_passkey": NO_MONEY,
  "POST /api/sign-in-provider": NO_MONEY,
  "PUT /api/sign-in-provider/{id}": NO_MONEY,
  "DELETE /api/sign-in-provider/{id}": NO_MONEY,
  "POST /api/oauth/provider/{slug}": NO_MONEY,
  "POST /api/oauth/provider/{slug}/finish": NO_MONEY,
  "POST /api/user/identities/{name}/unbind": NO_MONEY,
  "DELETE /api/user/{id}": NO_MONEY,
  "DELETE /api/plan/{id}": NO_MONEY,
  "DELETE /api/promotion/{id}": NO_MONEY,
  "DELETE /api/redemption/{id}": NO_MONEY,
  "DELETE /api/redemption/invalid": NO_MONEY,
  "POST /api/token": OWN_MONEY,
  "POST /api/token/batch": OWN_MONEY,
  "POST /api/token/many": OWN_MONEY,
  "PUT /api/token": OWN_MONEY,
  "DELETE /api/token/{id}": OWN_MONEY,
  "POST /api/token/{id}/rotate": OWN_MONEY,
  "DELETE /api/token/{id}/former": OWN_MONEY,
  "POST /api/price-drafts": "changes nothing until root publishes it",
  "PUT /api/price-drafts/{id}": "changes nothing until root publishes it",
  "DELETE /api/price-drafts/{id}": "changes nothing until root publishes it",
  "POST /api/price-drafts/{id}/rehearsal": NO_MONEY,
  "DELETE /api/price-drafts/{id}/rehearsal": NO_MONEY,
  "POST /api/prices/preview": NO_MONEY,
  "POST /api/prices/rules/preview": NO_MONEY,
  "DELETE /api/log": NO_MONEY,
};

/** Folders of calls about upstreams and messages, which hold no money of users. */
const WITHOUT_MONEY = [
  "/api/announcement",
  "/api/channel",
  "/api/reconciliation",
  "/api/notice",
  "/api/user/notice",
];

const isWithoutMoney = (call: string): boolean =>
  WITHOUT_MONEY.some((folder) => call.split(" ")[1]?.startsWith(folder));

interface Wealth {
  money: number;
  price: number;
  plans: number;
  decided: number;
}

/** Money, price and plans of a person. */
const wealthOf = async ({ id, username, api }: Person): Promise<Wealth> => {
  const { quota, group } = await asRoot<{ quota: number; group: string }>("GET", `/api/user/${id}`);
  const invitation = await succeed<{ commission: number; payout: number }>(
    api("GET", "/api/invitation/self"),
  );
  const prices = await Promise.all(
    [...group.split(","), "default"].map(async (each) => {
      const asked = { username, group: each, model: MODEL };
      const { price } = await asRoot<{ price?: { input?: number } }>(
        "POST",
        "/api/prices/rules/preview",
        asked,
      );
      return Number(price?.input ?? 0);
    }),
  );
  const payouts = await succeed<{ state: string }[]>(api("GET", "/api/invitation/self/payouts"));
  const invoices = await succeed<{ decided_time: number; reversed_time: number }[]>(
    api("GET", "/api/invoice/self"),
  );
  return {
    money: quota + invitation.commission + invitation.payout,
    price: Math.min(...prices),
    plans: (await succeed<unknown[]>(api("GET", "/api/subscription/self"))).length,
    decided:
      payouts.filter(({ state }) => state !== "asked").length +
      invoices.reduce(
        (sum, { decided_time: decided, reversed_time: reversed }) => sum + decided + reversed,
        0,
      ),
  };
};

const PRIVILEGED = ["self", "fellow", "root"] as const;

const measure = async (): Promise<Wealth[]> => Promise.all(PRIVILEGED.map((side) => wealthOf(people[side])));

const attempts = Object.entries(CALLS).flatMap(([call, tried]) =>
  typeof tried === "string" ? [] : tried.map((attempt, at) => ({ call, at, attempt })),
);

/** Tries one call, and compares. @returns whether it was taken. */
const attack = async (attempt: Attempt, target: Person): Promise<boolean> => {
  const found = (await attempt.prepare?.(target)) ?? {};
  const before = await measure();
  const answer = await attempt.act(people.self, target, found);
  const after = await measure();
  for (const [at, now] of after.entries()) {
    const was = before[at];
    if (!was) throw new Error("nothing was measured");
    expect(now.money, "money").toBeLessThanOrEqual(was.money);
    expect(now.price, "price").toBeGreaterThanOrEqual(was.price);
    expect([now.plans, now.decided], "plans and payouts").toEqual([was.plans, was.decided]);
  }
  return answer.body.success === true;
};

beforeAll(async () => {
  stripe = await startFakeStripe();
  upstream = await startFakeUpstream();
  world = await startManagementWorld({ STRIPE_URL: stripe.url });
  await saveOptions(world.root, {
    ServerAddress: "https://gate.example.com",
    ...stripe.options,
    StripeEnabled: "true",
    PaymentEnabled: "true",
    PlansEnabled: "true",
    CommissionPercent: "10",
    CommissionOfEachPayment: "true",
    GroupRatio: '{"default":1,"vip":1,"svip":1,"free":0}',
  });
  await addChannel(world.root, { type: 1, base_url: upstream.url, models: CHARGED_MODEL });
  const root: Person = { ...world.root, id: 1, username: "root" };
  people = { self: world.admin, fellow: await world.newAdmin(), root, customer: await world.newUser() };
  for (const { id } of Object.values(people)) await asRoot("PUT", "/api/user/", { id, quota: 5 * QUOTA });
});

afterAll(async () => {
  await world?.stop();
  await Promise.all([stripe?.close(), upstream?.close()]);
});

describe("calls that move money or a price towards a person", () => {
  it("are all listed here: a new call needs an answer", () => {
    const changing = describedRoutes(world.document).filter((call) => !call.startsWith("GET "));
    expect(changing.filter((call) => !(call in CALLS) && !isWithoutMoney(call))).toEqual([]);
    expect(attempts.length).toBeGreaterThan(20);
  });

  const attemptsFor = (side: Side) =>
    attempts.filter(({ attempt }) => side !== "root" || !attempt.isRootsForRoot);

  describe.each(SIDES)("tried by an administrator for %s", (side) => {
    it.each(attemptsFor(side).map((each) => [`${each.call} (${each.at})`, each.attempt] as const))(
      "%s favours no administrator",
      async (_, attempt) => {
        const isTaken = await attack(attempt, people[side]);
        const isAllowed = side === "customer" && attempt.forCustomer === "allowed";
        expect(isTaken).toBe(isAllowed);
      },
    );
  });

  it.each(attempts.map((each) => [`${each.call} (${each.at})`, each.attempt] as const))(
    "%s is refused to a customer who tries it for themself",
    async (name, attempt) => {
      const customer = await world.newUser();
      const before = await wealthOf(customer);
      // The first half of some attempts is an administrator's, and fails where the customer tries it.
      const answer = await attempt.act(customer, customer, {}).catch(() => undefined);
      expect([name, answer?.body.success ?? false]).toEqual([name, false]);
      expect(await wealthOf(customer)).toEqual(before);
    },
  );

  it.each(seeds(6))("favour no administrator in any order (seed %i)", async (seed) => {
    const random = createRandom(seed);
    const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
    for (let step = 0; step < 12; step += 1) {
      const side = pick(SIDES);
      const { attempt } = pick(attemptsFor(side));
      // A step before may have left nothing to prepare: a customer without money has nothing to refund.
      const found = await attempt.prepare?.(people[side]).catch(() => undefined);
      if (attempt.prepare === undefined || found !== undefined)
        await attack({ ...attempt, prepare: async () => found ?? {} }, people[side]);
    }
  });
});

it("ends no plan for a refund that is refused because of its buyer's inviter", async () => {
  const buyer = await invitedBy(world.admin);
  const plan = await asRoot<{ id: number }>("POST", "/api/plan", { ...PLAN, price: 500_000 });
  const { number } = await order(buyer, { plan_id: plan.id });
  await asRoot("POST", `/api/payment/orders/${number}/complete`, { reason: "paid otherwise" });
  const path = `/api/payment/orders/${number}/refund`;
  expect((await world.admin.api("POST", path, { reason: "asked for it" })).body.success).toBe(false);
  const [owned] = await succeed<{ state: string }[]>(buyer.api("GET", "/api/subscription/self"));
  expect(owned?.state).toBe("active");
  await asRoot("POST", path, { reason: "asked for it" });
});

describe("the ledger and the audit", () => {
  interface Named {
    user_id: number;
    actor_id: number;
    cause: string;
  }
  interface Audited {
    action: string;
    user_id: number;
    beneficiary_id: number;
    beneficiary: string;
  }

  it("name the person who decided and the person whose money it is", async () => {
    const customer = await world.newUser({ quota: 5 });
    await succeed(world.admin.api("PUT", "/api/user/", { id: customer.id, quota: 50 }));
    await succeed(redeem(customer, await makeCode(world.admin)));
    await succeed(putRule(world.admin, nextName(), { username: customer.username }));
    const entries = await asRoot<Named[]>("GET", `/api/ledger?user_id=${customer.id}`);
    expect(entries.map((each) => [each.cause, each.user_id, each.actor_id])).toEqual([
      ["redeemed", customer.id, world.admin.id],
      ["quota-changed", customer.id, world.admin.id],
      ["quota-changed", customer.id, 1],
    ]);
    const audited = await asRoot<Audited[]>("GET", "/api/audit?p=0");
    const about = audited.filter((each) => each.beneficiary_id === customer.id);
    expect(about.map((each) => [each.action, each.user_id, each.beneficiary])).toEqual([
      ["price-rule.create", world.admin.id, customer.username],
      ["user.update", world.admin.id, customer.username],
      ["user.update", 1, customer.username],
      ["user.create", 1, customer.username],
    ]);
  });
});
