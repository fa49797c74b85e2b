import { setTimeout as wait } from "node:timers/promises";
import { callApi } from "@tollgate/demo/api-client";
import type { CallbackFields, FakeProvider } from "@tollgate/testkit/fake-payments/fake-provider";
import { startFakeStripe } from "@tollgate/testkit/fake-payments/fake-stripe";
import { createRandom } from "@tollgate/testkit/random";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Account, addAccount, addKey } from "../api/relay/stage";
import { answerAsAsked, send } from "./client-book";
import {
  codesOf,
  countPrompt,
  earlyInMinute,
  expectSharedBudget,
  SOON,
  sendAll,
  wholeOf,
} from "./many-requests";
import { priceOf, type Site, startSite } from "./site";

/* What a provider of payments reports to one node, and what is bought on one node, holds on all. */

const OUTPUT = 5;
const SEED = 20_261_122;
/** What 2 USD cost, and give. */
const AMOUNT = 1460;
const QUOTA = 1_000_000;
const PLAN = { title: "Day", price: 1000, duration_unit: "month", duration_count: 1, reset: "never" };

let site: Site;
let stripe: FakeProvider;
/** The gateway's count of the requests' prompt. */
let input: number;

const [A, B] = [0, 1];
const urlOf = (index: number): string => site.nodes[index]?.url ?? "";

/** A person who buys at one node and asks at others. */
const newBuyer = (name: string): Promise<Account> =>
  addAccount(urlOf(A), site.root, name, 0, { unlimited_quota: true });

const callback = async (url: string, number: string, says: CallbackFields = {}): Promise<number> => {
  const sent = stripe.callback(stripe.order(number, { state: "paid" }), says);
  const { method, headers, body } = sent;
  return (await fetch(`${url}/api/payment/stripe`, { method, headers, body })).status;
};

const order = async ({ owner }: Account): Promise<string> =>
  (await owner.data<{ number: string }>("POST", "/api/order", { provider: "stripe", usd: "2" })).number;

/** What there is on each node, which must be the same. */
const balanceOf = async ({ userId }: Account): Promise<number> => {
  const cookie = site.root.cookie;
  const seen = await Promise.all(
    site.nodes.map(async ({ url }) => {
      const { body } = await callApi("GET", `${url}/api/user/${userId}`, undefined, { cookie });
      return (body.data as { quota: number }).quota;
    }),
  );
  expect(new Set(seen).size).toBe(1);
  return seen[0] ?? 0;
};

/** The balance is what the entries say less what was charged, and nothing was booked twice. */
const isExplained = async ({ userId }: Account): Promise<void> => {
  const [sums] = await site.ask<Record<string, number>>(
    `SELECT quota + (SELECT coalesce(sum(quota), 0) FROM user_leases WHERE user_id = users.id)::bigint + used_quota AS granted,
       (SELECT coalesce(sum(amount), 0)::bigint FROM ledger_entries WHERE user_id = users.id AND account = 'balance') AS entered,
       (SELECT coalesce(sum(quota), 0)::bigint FROM payer_hours JOIN payers ON payers.id = payer_id WHERE user_id = users.id)
         AS logged, used_quota AS used FROM users WHERE id = $1`,
    [userId],
  );
  expect(sums?.granted).toBe(sums?.entered);
  expect(sums?.used).toBeGreaterThanOrEqual(sums?.logged ?? 0);
  expect(
    await site.ask(
      `SELECT cause, reference FROM ledger_entries WHERE reference IS NOT NULL GROUP BY cause, reference, account HAVING count(*) > 1`,
    ),
  ).toEqual([]);
};

beforeAll(async () => {
  stripe = await startFakeStripe();
  site = await startSite({ nodes: 3, env: { STRIPE_URL: stripe.url } });
  const options: Record<string, string> = {
    ...stripe.options,
    RefusalsPerMinute: "0",
    ServerAddress: "https://gate.example.com",
    StripeEnabled: "true",
    PaymentEnabled: "true",
    PlansEnabled: "true",
  };
  for (const [key, value] of Object.entries(options))
    await site.root.data("PUT", "/api/option/", { key, value });
  const counted = await addAccount(urlOf(A), site.root, "counted", QUOTA);
  input = await countPrompt(site, counted, OUTPUT);
  answerAsAsked(site.upstream, 10);
  // A change holds on all nodes within a second.
  await wait(1000);
});

afterAll(async () => {
  await site?.close();
  await stripe?.close();
});

describe("payments and plans over three nodes", () => {
  it("credit an order once, however often, in whatever order and on however many nodes at once it is told", async () => {
    const random = createRandom(SEED);
    const buyer = await newBuyer("doubled");
    const numbers = [await order(buyer), await order(buyer), await order(buyer)];
    const [, , expired = ""] = numbers;
    const calls = numbers.flatMap((number) =>
      site.nodes.flatMap(({ url }) => [
        ...(number === expired ? [] : [() => callback(url, number), () => callback(url, number)]),
        () => callback(url, number, { amount: AMOUNT + 1 }),
        () => callback(url, number, { isForged: true }),
        () => callback(url, number, { event: "expired" }),
      ]),
    );
    const shuffled = calls
      .map((call) => ({ call, at: random() }))
      .toSorted((one, other) => one.at - other.at)
      .map(({ call }) => call);
    await Promise.all(shuffled.map((call) => call()));
    expect(await balanceOf(buyer)).toBe(2 * QUOTA);
    const states = await buyer.owner.data<{ state: string }[]>("GET", "/api/order");
    expect(states.map(({ state }) => state).toSorted()).toEqual(["expired", "paid", "paid"]);
    // The bank claims both back and tells every node twice; the late message is the same claim.
    const claims = numbers
      .slice(0, 2)
      .flatMap((number) =>
        [...site.nodes, ...site.nodes].map(({ url }) => callback(url, number, { event: "disputed" })),
      );
    await Promise.all(claims);
    expect(await balanceOf(buyer)).toBe(0);
    await isExplained(buyer);
  });

  it("serve the included quota of a plan at once on another node than it was bought on, and take its rest once", async () => {
    const buyer = await newBuyer("planned");
    expect(await callback(urlOf(B), await order(buyer))).toBe(200);
    const { id } = await site.root.data<{ id: number }>("POST", "/api/plan/", {
      ...PLAN,
      quota: 500,
      beyond: "stop",
    });
    const bought = await buyer.owner.data<{ id: number }>("POST", "/api/subscription/", { plan_id: id });
    expect(await balanceOf(buyer)).toBe(500);
    const outcome = await send(urlOf(B), { key: buyer.key, input: 20, output: OUTPUT });
    expect(outcome.kind).toBe("whole");
    const price = outcome.kind === "whole" ? outcome.price : 0;
    await expect.poll(() => balanceOf(buyer)).toBe(500 - price);
    // More than is included is not served, though there is money: it is put aside.
    expect((await send(urlOf(B), { key: buyer.key, input: 2, output: 2000 })).kind).toBe("refused");
    const [shown] = await buyer.owner.data<{ left: number; spent: number }[]>(
      "GET",
      "/api/subscription/self",
    );
    expect(shown).toMatchObject({ left: 500 - price, spent: price });
    // It is ended on both nodes at once, while one of them is answering.
    const asking = send(urlOf(B), { key: buyer.key, input: 20, output: OUTPUT, isStream: true });
    const { cookie } = site.root;
    await Promise.all(
      site.nodes.map(({ url }) =>
        callApi("POST", `${url}/api/subscription/${bought.id}/end`, {}, { cookie }),
      ),
    );
    const last = await asking;
    const spent = last.kind === "whole" ? last.price : 0;
    // What was under way was the plan's, as far as it was held; the buyer's own comes back whole.
    const own = QUOTA - PLAN.price;
    await expect.poll(async () => [own, own - spent].includes(await balanceOf(buyer))).toBe(true);
    await isExplained(buyer);
  });

  it("refund on one node the quota that the other does not hold, while the other charges", async () => {
    const buyer = await newBuyer("refunded");
    const number = await order(buyer);
    expect(await callback(urlOf(A), number)).toBe(200);
    const load = sendAll({
      count: 40,
      atOnce: 8,
      ask: { key: buyer.key, input, output: OUTPUT },
      at: (index) => urlOf(index % 2),
    });
    await wait(50);
    const { cookie } = site.root;
    const refunds = await Promise.all(
      [A, B].map((index) =>
        callApi(
          "POST",
          `${urlOf(index)}/api/payment/orders/${number}/refund`,
          { reason: "asked" },
          { cookie },
        ),
      ),
    );
    expect(refunds.filter(({ body }) => body.success)).not.toEqual([]);
    const all = await load;
    const charged = all.reduce((sum, { outcome }) => sum + (outcome.kind === "whole" ? outcome.price : 0), 0);
    const detail = await site.root.data<{ order: { taken: number }; refunds: { taken: number }[] }>(
      "GET",
      `/api/payment/orders/${number}`,
    );
    const taken = detail.refunds.reduce((sum, refund) => sum + refund.taken, 0);
    expect(detail.order.taken).toBe(taken);
    expect(taken).toBeGreaterThan(QUOTA / 2);
    await expect.poll(() => balanceOf(buyer)).toBe(QUOTA - taken - charged);
    await isExplained(buyer);
  });
});

describe("the limits of a plan over three nodes", () => {
  const LIMIT = 30;
  const TIMES = 10;

  /** A subscriber, who bought a plan with these limits on one node. */
  const newSubscriber = async (name: string, limits: Record<string, number>): Promise<Account> => {
    const buyer = await newBuyer(name);
    expect(await callback(urlOf(B), await order(buyer))).toBe(200);
    const plan = { ...PLAN, title: name, quota: 500, beyond: "balance", ...limits };
    const { id } = await site.root.data<{ id: number }>("POST", "/api/plan/", plan);
    await buyer.owner.data("POST", "/api/subscription/", { plan_id: id });
    return buyer;
  };

  it("admit as many requests in a minute as it says, of all keys together", async () => {
    const { key, owner } = await newSubscriber("limited", { rpm: LIMIT });
    const other = await addKey(owner, { name: "other", unlimited_quota: true });
    await earlyInMinute();
    const askWith = (each: string) =>
      sendAll({
        ...{ count: LIMIT, atOnce: 8, ask: { key: each, input, output: OUTPUT } },
        at: (index) => urlOf(index % 3),
      });
    const all = (await Promise.all([askWith(key), askWith(other.key)])).flat();
    expect(wholeOf(all).length).toBe(LIMIT);
    expect(codesOf(all)).toEqual(new Set(["whole", "rate_limit_exceeded"]));
  });

  it("end the budget of a window on all nodes when it is used up on one", async () => {
    const budget = TIMES * priceOf({ input, output: OUTPUT });
    const { key } = await newSubscriber("windowed", { window_quota: budget, window_hours: 3 });
    await expectSharedBudget({ site, times: TIMES, ask: { key, input, output: OUTPUT } }, SOON);
  });
});

describe("a bounded promotion over three nodes", () => {
  const BUYERS = 12;
  const MOST = 3;
  const BONUS = QUOTA / 10;

  /** Each buyer has an address, because a used up code counts as a wrong guess. @returns undefined when it is refused. */
  const orderWith = async (code: string, { owner }: Account, index: number): Promise<string | undefined> => {
    const { body } = await callApi(
      "POST",
      `${urlOf(index % 3)}/api/order`,
      { provider: "stripe", usd: "2", code },
      { cookie: owner.cookie, headers: { "x-forwarded-for": `198.51.100.${index + 1}` } },
    );
    if (body.success) return (body.data as { number: string }).number;
    // Used up before the order was made, or while it was made.
    expect(body.field === "code" || body.message === "价格或赠送已变动，请重新核对后再支付！").toBe(true);
    return undefined;
  };

  const countsOf = async (code: string) => {
    const [counts] = await site.ask<{ count: number; total: number; uses: number; bonus: number }>(
      `SELECT used_count AS count, used_total AS total,
         (SELECT count(*) FROM promotion_uses WHERE promotion_id = promotions.id AND state <> 'returned') AS uses,
         (SELECT coalesce(sum(amount), 0)::bigint FROM ledger_entries WHERE cause = 'promotion' AND reason LIKE '%(' || promotions.code || ')')
           AS bonus
       FROM promotions WHERE code = $1`,
      [code],
    );
    return counts;
  };

  it.each([
    ["in number", "NUMBERED", { max_uses: MOST }],
    ["in money", "SUMMED", { max_total: MOST * BONUS + BONUS / 2 }],
  ])("is never used beyond its bound %s, also by late payments", async (_, code, bound) => {
    const promotion = {
      kind: "code",
      code,
      name: `Offer ${code}`,
      steps: [{ from: 0, value: 1000 }],
      ...bound,
    };
    await site.root.data("POST", "/api/promotion/", promotion);
    const buyers: Account[] = [];
    for (let index = 0; index < BUYERS; index += 1)
      buyers.push(await newBuyer(`${code.toLowerCase()}-${index}`));
    const orderAll = async (): Promise<string[]> =>
      (await Promise.all(buyers.map((buyer, index) => orderWith(code, buyer, index)))).flatMap(
        (number) => number ?? [],
      );
    const first = await orderAll();
    expect(first.length).toBe(MOST);
    expect(await countsOf(code)).toEqual({ count: MOST, total: MOST * BONUS, uses: MOST, bonus: 0 });

    // They expire while others order with the code, and all of them are paid at the same time, each on every node.
    const [second] = await Promise.all([
      orderAll(),
      ...first.map((number, index) => callback(urlOf(index % 3), number, { event: "expired" })),
    ]);
    expect(second.length).toBeLessThanOrEqual(MOST);
    const third = await orderAll();
    expect(second.length + third.length).toBe(MOST);
    const paid = [...first, ...second, ...third].flatMap((number) =>
      site.nodes.map(({ url }) => callback(url, number)),
    );
    expect(new Set(await Promise.all(paid))).toEqual(new Set([200]));

    expect(await countsOf(code)).toEqual({
      ...{ count: MOST, total: MOST * BONUS, uses: MOST, bonus: MOST * BONUS },
    });
    const balances = await Promise.all(buyers.map(balanceOf));
    // The money of all six orders gives its quota, and three of them their bonus.
    expect(balances.reduce((sum, balance) => sum + balance, 0)).toBe(2 * MOST * QUOTA + MOST * BONUS);
    for (const buyer of buyers) await isExplained(buyer);
  });
});
