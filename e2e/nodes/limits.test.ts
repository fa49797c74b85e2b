import { setTimeout as wait } from "node:timers/promises";
import { callApi } from "@tollgate/demo/api-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Account, addAccount, addChannel, addKey, readUsage, signIn } from "../api/relay/stage";
import { answerAsAsked, type Outcome, send } from "./client-book";
import {
  type BudgetUser,
  codesOf,
  countPrompt,
  earlyInMinute,
  expectSharedBudget,
  SOON,
  sendAll,
  type Timed,
  wholeOf,
} from "./many-requests";
import { DEAR_MODEL, MODEL, priceOf, ROOT_PASSWORD, type Site, startSite } from "./site";

/*
 * What bounds requests is what all nodes count together: a balance, a key's own quota, rates. And what an administrator changes on
 * one node holds on all.
 */

const REQUESTS = 600;
const AT_ONCE = 64;
const SERVED = 55;
const OUTPUT = 5;
const RICH = 100_000_000;

let site: Site;
let rich: Account;
/** What the gateway counts the requests' prompt as. */
let input: number;

beforeAll(async () => {
  site = await startSite({ nodes: 3 });
  // All that a key affords no more is refused by its quota: the limit on refusals would answer first.
  await site.root.data("PUT", "/api/option/", { key: "RefusalsPerMinute", value: "0" });
  rich = await addAccount(site.balancer.url, site.root, "rich", RICH, { unlimited_quota: true });
  input = await countPrompt(site, rich, OUTPUT);
  answerAsAsked(site.upstream, 10);
});

afterAll(() => site?.close());

/** @param at where the n-th request goes; to the balancer by default. */
const sendMany = (
  count: number,
  atOnce: number,
  key: string,
  at: (index: number) => string = () => site.balancer.url,
): Promise<Timed[]> => sendAll({ count, atOnce, at, ask: { key, input, output: OUTPUT } });

const turnOf = (index: number): string => site.nodes[index % 3]?.url ?? "";

describe("600 requests, 64 at once, over three nodes", () => {
  const priceOfOne = (): number => priceOf({ input, output: OUTPUT });

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
  const budget = (): number => TIMES * priceOf({ input, output: OUTPUT });
  const ofTen = (key: string): BudgetUser => ({ site, times: TIMES, ask: { key, input, output: OUTPUT } });

  it.each([
    ["of a day", () => ({ daily_quota: budget() })],
    ["of five hours", () => ({ five_hour_quota: budget() })],
  ])(
    "%s that one node has used up is used up on the others before they use it up themselves",
    async (name, limits) => {
      const key = await addKey(rich.owner, { name, unlimited_quota: true, ...limits() });
      await expectSharedBudget(ofTen(key.key), SOON);
    },
  );

  it("is heard of from the log while Redis is gone", async () => {
    const daily = { unlimited_quota: true, daily_quota: budget() };
    const key = await addKey(rich.owner, { name: "daily alone", ...daily });
    await site.stopRedis();
    try {
      await expectSharedBudget(ofTen(key.key), { timeout: 20_000, interval: 100 });
    } finally {
      await site.startRedis();
    }
  });
});

describe("a key with extra quota over three nodes", () => {
  /** Answers of the dear model that the budget affords, and of the cheap one beyond it. */
  const DEAR_ANSWERS = 10;
  const CHEAP_ANSWERS = 200;
  const CLIENTS = 12;
  const EXHAUSTED = "daily_budget_exhausted";

  it("gets the cheaper model on every node at its budget, and nothing beyond its extra quota", async () => {
    await addChannel(site.root, { base_url: site.upstream.url, models: DEAR_MODEL });
    const use = { input, output: OUTPUT };
    const cheap = priceOf(use);
    const budget = DEAR_ANSWERS * priceOf(use, DEAR_MODEL);
    const extra = CHEAP_ANSWERS * cheap;
    const { id, key } = await addKey(rich.owner, {
      ...{ name: "extended", unlimited_quota: true, daily_quota: budget },
      ...{ extra_quota: extra, budget_model: MODEL },
    });
    let charged = 0;
    const ask = async (url: string): Promise<Outcome> => {
      const outcome = await send(url, { key, ...use, model: DEAR_MODEL });
      if (outcome.kind === "whole") charged += outcome.price;
      return outcome;
    };
    const [first = "", ...others] = site.nodes.map(({ url }) => url);
    for (let i = 0; i < DEAR_ANSWERS; i += 1)
      expect(await ask(first)).toMatchObject({ kind: "whole", model: DEAR_MODEL });
    expect(await ask(first)).toMatchObject({ kind: "whole", model: MODEL });
    // A node learns what others have charged after its own first request.
    for (const url of others)
      await expect
        .poll(() => ask(url), { timeout: 4000, interval: 1000 })
        .toMatchObject({ kind: "whole", model: MODEL });

    // Slower than nodes learn from each other: each client has at most one request under way, and one that is admitted meanwhile.
    site.upstream.reply(() => ({ usage: use, fault: "slow-first-byte", delayMs: 300 }));
    const untilRefused = async (url: string): Promise<Set<string>> => {
      const seen = new Set<string>();
      for (let refused = 0; refused < 3; ) {
        const outcome = await ask(url);
        seen.add(outcome.kind === "whole" ? outcome.model : outcome.kind);
        if (outcome.kind !== "refused") continue;
        expect(outcome).toMatchObject({ status: 429, code: EXHAUSTED });
        refused += 1;
        await wait(100);
      }
      return seen;
    };
    const seen = await Promise.all(
      Array.from({ length: CLIENTS }, (_, index) => untilRefused(turnOf(index))),
    );
    answerAsAsked(site.upstream, 10);
    expect(seen).toEqual(seen.map(() => new Set([MODEL, "refused"])));
    expect(charged).toBeGreaterThanOrEqual(budget + extra);
    expect(charged).toBeLessThanOrEqual(budget + extra + 2 * CLIENTS * cheap);
    await expect
      .poll(() => rich.owner.data<{ used_quota: number }>("GET", `/api/token/${id}`))
      .toMatchObject({ used_quota: charged });
  });
});

describe("a channel's limit over three nodes", () => {
  it("is never exceeded by all of them together, and every waiting client gets an answer", async () => {
    // The newest is first: the channel of this model is the site's own.
    const channel = (await site.root.data<{ id: number }[]>("GET", "/api/channel/?p=0")).at(-1);
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
  /** By chance 3 of them would stay with one channel; 8 or more do in 3 of 1,000 runs. */
  const CONVERSATIONS = 12;
  const MOST = 8;
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
      const id = answer.headers.get("x-oneapi-request-id");
      // The line of another node comes a moment after its answer.
      const line = async () => (await readUsage(site.root, `request_id=${id}`))[0];
      await expect.poll(line, { timeout: 10_000 }).toBeDefined();
      return (await line())?.channel;
    };
    // Redis was gone before.
    const connections = async () => {
      const nodes = await site.root.data<{ redis_connections?: number }[]>("GET", "/api/node");
      return nodes.map(({ redis_connections: open }) => open);
    };
    await expect.poll(connections, { interval: 200 }).toEqual([1, 1, 1]);
    let stayed = 0;
    for (let at = 0; at < CONVERSATIONS; at += 1) {
      const text = `Conversation ${at}: ${"some words that stay the same ".repeat(300)} uses 2000 and ${OUTPUT}`;
      const channels: (number | undefined)[] = [];
      for (const { url } of site.nodes) channels.push(await say(url, text));
      if (new Set(channels).size === 1) stayed += 1;
    }
    // A node waits 30 ms for Redis and then takes any channel, as a busy machine sometimes makes it do.
    expect(stayed).toBeGreaterThanOrEqual(MOST);
  });
});
