import { setTimeout as wait } from "node:timers/promises";
import { callApi } from "@tollgate/demo/api-client";
import type { CallbackFields, FakeProvider } from "@tollgate/testkit/fake-payments/fake-provider";
import { startFakeStripe } from "@tollgate/testkit/fake-payments/fake-stripe";
import { createRandom } from "@tollgate/testkit/random";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Account, addAccount, addChannel, addKey, readUsage, signIn } from "../api/relay/stage";
import { answerAsAsked, type Outcome, send } from "./client-book";
import { MODEL, ROOT_PASSWORD, type Site, startSite } from "./site";

/*
 * What bounds requests is what all nodes count together: a balance, a key's own quota, rates. And what an administrator changes on
 * one node, or a provider of payments tells it, holds on all.
 */

const REQUESTS = 600;
const AT_ONCE = 64;
const SERVED = 55;
const OUTPUT = 5;
const RICH = 100_000_000;

let site: Site;
let stripe: FakeProvider;
let rich: Account;
/** What the gateway counts the requests' prompt as. */
let input: number;

beforeAll(async () => {
  stripe = await startFakeStripe();
  site = await startSite({ nodes: 3, env: { STRIPE_URL: stripe.url } });
  // All that a key affords no more is refused by its quota: the limit on refusals would answer first.
  await site.root.data("PUT", "/api/option/", { key: "RefusalsPerMinute", value: "0" });
  rich = await addAccount(site.balancer.url, site.root, "rich", RICH, { unlimited_quota: true });
  site.upstream.script({ fault: "no-usage" });
  await send(site.balancer.url, { key: rich.key, input: 13, output: OUTPUT });
  input = (await readUsage(site.root, "username=rich"))[0]?.prompt_tokens ?? 0;
  answerAsAsked(site.upstream, 10);
});

afterAll(async () => {
  await site?.close();
  await stripe?.close();
});

/** A request, with when it was sent and when its answer was there. */
interface Timed {
  sentAt: number;
  answeredAt: number;
  outcome: Outcome;
}

/** A little more is held of a balance than a request costs: a client that is told that others hold the rest asks again. */
const HELD = new Set(["user_quota_held", "token_quota_held"]);

const sendUntilDecided = async (url: string, key: string): Promise<Timed> => {
  for (;;) {
    const sentAt = performance.now();
    const outcome = await send(url, { key, input, output: OUTPUT });
    if (outcome.kind !== "refused" || !HELD.has(outcome.code))
      return { sentAt, answeredAt: performance.now(), outcome };
    await wait(100);
  }
};

/** @param at where the n-th request goes; to the balancer by default. */
const sendMany = async (
  count: number,
  atOnce: number,
  key: string,
  at: (index: number) => string = () => site.balancer.url,
): Promise<Timed[]> => {
  const all: Timed[] = [];
  let index = 0;
  const client = async (): Promise<void> => {
    while (index < count) {
      const url = at(index);
      index += 1;
      all.push(await sendUntilDecided(url, key));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, client));
  return all;
};

const codesOf = (all: readonly Timed[]): Set<string> =>
  new Set(all.map(({ outcome }) => (outcome.kind === "refused" ? outcome.code : outcome.kind)));

const wholeOf = (all: readonly Timed[]): Timed[] => all.filter(({ outcome }) => outcome.kind === "whole");

describe("600 requests, 64 at once, over three nodes", () => {
  const priceOfOne = (): number => Math.ceil((input + 2 * OUTPUT) * 0.75);

  const expectExactly = (all: readonly Timed[], exceeded: string): void => {
    const whole = wholeOf(all);
    expect(codesOf(all)).toEqual(new Set(["whole", exceeded]));
    expect(whole.length).toBe(SERVED);
    // No client is refused while the balance suffices: all served requests had been admitted by then.
    const lastServed = Math.max(...whole.map(({ sentAt }) => sentAt));
    const tooEarly = all.filter(
      ({ outcome, answeredAt }) => outcome.kind === "refused" && answeredAt < lastServed,
    );
    expect(tooEarly).toEqual([]);
  };

  it("serve 55 on an account that affords 55", async () => {
    const left = 3;
    const account = await addAccount(
      site.balancer.url,
      site.root,
      "affords-55",
      SERVED * priceOfOne() + left,
      { unlimited_quota: true },
    );
    const all = await sendMany(REQUESTS, AT_ONCE, account.key);
    expectExactly(all, "insufficient_user_quota");
    await expect.poll(async () => (await account.figures()).user.quota).toBe(left);
  });

  it("serve 55 on a key that affords 55, of a user who affords more", async () => {
    const left = 3;
    const key = await addKey(rich.owner, {
      name: "affords-55",
      remain_quota: SERVED * priceOfOne() + left,
    });
    const all = await sendMany(REQUESTS, AT_ONCE, key.key);
    expectExactly(all, "pre_consume_token_quota_failed");
    await expect
      .poll(async () => {
        const token = await rich.owner.data<{ remain_quota: number }>("GET", `/api/token/${key.id}`);
        return token.remain_quota;
      })
      .toBe(left);
  });
});

describe("a change on one node is valid on all within a second", () => {
  /** Asks each node again and again. @returns after how many milliseconds the last one answered as expected. */
  const untilAll = async (key: string, code: string, change: () => Promise<unknown>): Promise<number> => {
    let changedAt = 0;
    const nodes = site.nodes.map(async ({ url }) => {
      for (;;) {
        const outcome = await send(url, { key, input, output: OUTPUT });
        const isThere = outcome.kind === "refused" ? outcome.code === code : outcome.kind === code;
        if (changedAt > 0 && isThere) return performance.now();
        await wait(5);
      }
    });
    await change();
    changedAt = performance.now();
    return Math.max(...(await Promise.all(nodes))) - changedAt;
  };

  it("a ban, and its end", async () => {
    const account = await addAccount(site.balancer.url, site.root, "banned", RICH, { unlimited_quota: true });
    const manage = (action: string) => () =>
      site.root.data("POST", "/api/user/manage", { username: account.username, action });
    expect((await send(site.balancer.url, { key: account.key, input, output: OUTPUT })).kind).toBe("whole");
    expect(await untilAll(account.key, "user_disabled", manage("disable"))).toBeLessThan(1000);
    expect(await untilAll(account.key, "whole", manage("enable"))).toBeLessThan(1000);
  });

  it("a channel that is switched off, and on", async () => {
    const [channel] = await site.root.data<{ id: number }[]>("GET", "/api/channel/?p=0");
    const set = (status: number) => () => site.root.data("PUT", "/api/channel/", { id: channel?.id, status });
    expect(await untilAll(rich.key, "no_available_channel", set(2))).toBeLessThan(1000);
    expect(await untilAll(rich.key, "whole", set(1))).toBeLessThan(1000);
  });
});

describe("a record that one node made a moment ago", () => {
  const urls = (): [string, string] => {
    const [first, second] = site.nodes;
    if (!first || !second) throw new Error("there are no two nodes");
    return [first.url, second.url];
  };

  it("is taken by the others at once: a user, a session, a key, and the session's end", async () => {
    const [here, there] = urls();
    for (let round = 0; round < 3; round += 1) {
      const username = `roamer-${round}`;
      const root = await signIn(here, "root", ROOT_PASSWORD);
      const account = await addAccount(here, root, username, RICH);
      const session = await signIn(there, username, "password-1");
      const { cookie } = session;
      const self = await callApi("GET", `${here}/api/user/self`, undefined, { cookie });
      expect([self.status, self.body.success]).toEqual([200, true]);
      const { key } = await addKey(account.owner, { remain_quota: 1_000_000 });
      expect((await send(there, { key, input, output: OUTPUT })).kind).toBe("whole");
      await callApi("GET", `${there}/api/user/logout`, undefined, { cookie });
      await expect
        .poll(async () => (await callApi("GET", `${here}/api/user/self`, undefined, { cookie })).status, {
          interval: 20,
        })
        .toBe(401);
    }
  });

  it("is distinct from keys and cookies that no node issued", async () => {
    const [here] = urls();
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        send(here, { key: `sk-${"x".repeat(46)}${10 + index}`, input, output: OUTPUT }),
      ),
    );
    expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(["refused"]));
    const cookie = `session=${"x".repeat(43)}`;
    expect((await callApi("GET", `${here}/api/user/self`, undefined, { cookie })).status).toBe(401);
  });
});

describe("rates of a key over three nodes", () => {
  const LIMIT = 30;
  const MANY = 90;

  /** Late in a minute the next one would begin meanwhile. */
  const earlyInMinute = () => expect.poll(() => new Date().getSeconds(), { interval: 200 }).toBeLessThan(45);
  const turnOf = (index: number): string => site.nodes[index % 3]?.url ?? "";

  it("are the limit with Redis, to the request", async () => {
    const key = await addKey(rich.owner, { name: "rpm", unlimited_quota: true, rpm: LIMIT });
    await earlyInMinute();
    const all = await sendMany(MANY, 16, key.key, turnOf);
    expect(wholeOf(all).length).toBe(LIMIT);
    expect(codesOf(all)).toEqual(new Set(["whole", "rate_limit_exceeded"]));
  });

  it("let as many in at the same time as may be", async () => {
    const key = await addKey(rich.owner, { name: "concurrency", unlimited_quota: true, concurrency: 5 });
    site.upstream.reply(() => ({ fault: "slow-first-byte", delayMs: 3000 }));
    const all = await sendMany(30, 30, key.key, turnOf);
    answerAsAsked(site.upstream, 10);
    expect(wholeOf(all).length).toBe(5);
    expect(codesOf(all)).toEqual(new Set(["whole", "concurrency_limit_exceeded"]));
  });

  it("are at most the limit without Redis", async () => {
    const key = await addKey(rich.owner, { name: "rpm alone", unlimited_quota: true, rpm: LIMIT });
    await site.stopRedis();
    try {
      await earlyInMinute();
      const all = await sendMany(MANY, 16, key.key, turnOf);
      expect(wholeOf(all).length).toBeGreaterThan(0);
      expect(wholeOf(all).length).toBeLessThanOrEqual(LIMIT);
      expect(codesOf(all)).toEqual(new Set(["whole", "rate_limit_exceeded"]));
    } finally {
      await site.startRedis();
    }
  });
});

describe("a budget of a day over three nodes", () => {
  const TIMES = 10;
  const budget = (): number => TIMES * Math.ceil((input + 2 * OUTPUT) * 0.75);
  const askOf = (url: string, key: string): Promise<Outcome> => send(url, { key, input, output: OUTPUT });
  const isUsedUp = (outcome: Outcome): boolean =>
    outcome.kind === "refused" && /^(?:daily|window)_budget_exhausted$/.test(outcome.code);

  /** Uses up the budget on the first node. @returns the others. */
  const useUp = async (key: string): Promise<string[]> => {
    const [first = "", ...others] = site.nodes.map(({ url }) => url);
    for (let i = 0; i < TIMES; i += 1) expect((await askOf(first, key)).kind).toBe("whole");
    expect(isUsedUp(await askOf(first, key))).toBe(true);
    return others;
  };
  const untilUsedUp = (
    url: string,
    key: string,
    { timeout, interval = 100 }: { timeout: number; interval?: number },
  ) => expect.poll(async () => isUsedUp(await askOf(url, key)), { timeout, interval }).toBe(true);

  it.each([
    ["of a day", () => ({ daily_quota: budget() })],
    ["of five hours", () => ({ five_hour_quota: budget() })],
  ])(
    "%s that one node has used up is used up on the others before they use it up themselves",
    async (name, limits) => {
      const key = await addKey(rich.owner, { name, unlimited_quota: true, ...limits() });
      // So few requests fit into this time that they use up less than half of the budget.
      const soon = { timeout: 4000, interval: 1000 };
      for (const url of await useUp(key.key)) await untilUsedUp(url, key.key, soon);
    },
  );

  it("is heard of from the log while Redis is gone", async () => {
    const daily = { unlimited_quota: true, daily_quota: budget() };
    const key = await addKey(rich.owner, { name: "daily alone", ...daily });
    await site.stopRedis();
    try {
      for (const url of await useUp(key.key)) await untilUsedUp(url, key.key, { timeout: 20_000 });
    } finally {
      await site.startRedis();
    }
  });
});

describe("a channel's limit over three nodes", () => {
  it("is never exceeded by all of them together, and every waiting client gets an answer", async () => {
    const [channel] = await site.root.data<{ id: number }[]>("GET", "/api/channel/?p=0");
    const limit = (concurrency: number) =>
      site.root.data("PUT", "/api/channel/", { id: channel?.id, concurrency });
    await limit(4);
    // A change holds on all nodes within a second.
    await wait(1500);
    site.upstream.reset();
    answerAsAsked(site.upstream, 10);
    const all = await sendMany(90, 30, rich.key);
    expect(codesOf(all)).toEqual(new Set(["whole"]));
    expect(site.upstream.mostAtOnce).toBeLessThanOrEqual(4);
    await limit(0);
  });
});

describe("a conversation over three nodes", () => {
  const CONVERSATIONS = 5;
  const NAME = "warm";

  it("goes to the channel that served it, whichever node answers", async () => {
    await addChannel(site.root, { base_url: site.upstream.url, models: MODEL });
    const key = await addKey(rich.owner, { name: NAME, unlimited_quota: true });
    const say = async (url: string, text: string): Promise<number | undefined> => {
      const answer = await fetch(`${url}/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${key.key}`, "content-type": "application/json" },
        body: JSON.stringify({
          model: MODEL,
          messages: [{ role: "user", content: text }],
          max_tokens: OUTPUT,
        }),
      });
      expect(answer.status).toBe(200);
      await answer.text();
      return (await readUsage(site.root, `token_name=${NAME}`))[0]?.channel;
    };
    // Redis was gone before.
    const connections = async () => {
      const nodes = await site.root.data<{ redis_connections?: number }[]>("GET", "/api/node");
      return nodes.map(({ redis_connections: open }) => open);
    };
    await expect.poll(connections, { interval: 200 }).toEqual([1, 1, 1]);
    for (let at = 0; at < CONVERSATIONS; at += 1) {
      const text = `Conversation ${at}: ${"some words that stay the same ".repeat(300)} uses 2000 and ${OUTPUT}`;
      const channels: (number | undefined)[] = [];
      for (const { url } of site.nodes) channels.push(await say(url, text));
      expect(new Set(channels).size).toBe(1);
    }
  });
});

describe("payments and plans over three nodes", () => {
  const SEED = 20_261_122;
  /** What 2 USD cost, and give. */
  const AMOUNT = 1460;
  const QUOTA = 1_000_000;
  const PLAN = { title: "Day", price: 1000, duration_unit: "month", duration_count: 1, reset: "never" };

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
    const options: Record<string, string> = {
      ...stripe.options,
      ServerAddress: "https://gate.example.com",
      StripeEnabled: "true",
      PaymentEnabled: "true",
      PlansEnabled: "true",
    };
    for (const [key, value] of Object.entries(options))
      await site.root.data("PUT", "/api/option/", { key, value });
    answerAsAsked(site.upstream, 10);
    // A change holds on all nodes within a second.
    await wait(1000);
  });

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
    const load = sendMany(40, 8, buyer.key, (index) => urlOf(index % 2));
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
