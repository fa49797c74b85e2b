import { createServer, type Server } from "node:http";
import { entryOf } from "@tollgate/relay/testing/entry-of";
import { listenOnLoopback } from "@tollgate/testkit/loopback-server";
import { afterEach, describe, expect, it } from "vitest";
import { createUpstreamAccountReader } from "./upstream-account";

const servers: Server[] = [];
const serve = (server: Server): Promise<string> => {
  servers.push(server);
  return listenOnLoopback(server);
};

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

describe("the balance behind a channel with a proxy", () => {
  it("is asked for through the proxy, which hides this machine's address from the upstream", async () => {
    let direct = 0;
    const upstream = await serve(
      createServer((_, response) => {
        direct += 1;
        response.end("{}");
      }),
    );
    const asked: string[] = [];
    const proxy = createServer();
    proxy.on("connect", (request, socket) => {
      asked.push(`${request.url} ${request.headers["proxy-authorization"]}`);
      socket.end("HTTP/1.1 502 no\r\ncontent-length: 0\r\n\r\n");
    });
    const { host } = new URL(await serve(proxy));
    const entry = entryOf(
      { type: 8, baseUrl: upstream },
      { key: "sk-upstream", proxy: `http://me:secret@${host}` },
    );
    await expect(createUpstreamAccountReader().read(entry)).rejects.toMatchObject({
      key: "balance-unreachable",
    });
    const credentials = Buffer.from("me:secret").toString("base64");
    expect(asked).toEqual([`${new URL(upstream).host} Basic ${credentials}`]);
    expect(direct).toBe(0);
  });

  it("is not requested when the proxy's address is forbidden", async () => {
    const entry = entryOf(
      { type: 8, baseUrl: "http://127.0.0.1:9" },
      { key: "sk-upstream", proxy: "http://169.254.169.254" },
    );
    await expect(createUpstreamAccountReader().read(entry)).rejects.toMatchObject({
      key: "balance-unreachable",
    });
  });
});

/** An upstream that answers by path, and remembers what was asked of it. */
const upstreamOf = async (answers: Record<string, unknown>): Promise<{ url: string; asked: string[] }> => {
  const asked: string[] = [];
  const url = await serve(
    createServer((request, response) => {
      const path = request.url ?? "";
      asked.push(`${path} ${request.headers.authorization}`);
      const answer = answers[path];
      response.statusCode = answer === undefined ? 404 : 200;
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(answer ?? { error: { message: "no such path" } }));
    }),
  );
  return { url, asked };
};

const read = (type: number, baseUrl: string) =>
  createUpstreamAccountReader().read(entryOf({ type, baseUrl }, { key: "sk-upstream" }));

const DEEPSEEK = 36;
const MOONSHOT = 25;
const SILICONFLOW = 44;
const OPENROUTER = 20;
const CUSTOM = 8;

const infos = (...balances: [currency: string, total: unknown][]) => ({
  is_available: true,
  balance_infos: balances.map(([currency, total_balance]) => ({ currency, total_balance })),
});

describe("the balance that a vendor reports", () => {
  it.each([
    [DEEPSEEK, "/user/balance", infos(["USD", "3.00"], ["CNY", "110.50"]), { unit: "cny", balance: 110.5 }],
    [MOONSHOT, "/v1/users/me/balance", { data: { available_balance: 49.5 } }, { unit: "cny", balance: 49.5 }],
    [SILICONFLOW, "/v1/user/info", { data: { totalBalance: "88.88" } }, { unit: "usd", balance: 88.88 }],
    [
      OPENROUTER,
      "/v1/credits",
      { data: { total_credits: 25, total_usage: 10.5 } },
      { unit: "usd", balance: 14.5 },
    ],
    [OPENROUTER, "/v1/key", { data: { limit_remaining: 4.5 } }, { unit: "usd", balance: 4.5 }],
  ])("of type %i is read from %s", async (type, path, answer, account) => {
    const { url, asked } = await upstreamOf({ [path]: answer });
    expect(await read(type, url)).toEqual({ ...account, limits: [] });
    expect(asked.at(-1)).toBe(`${path} Bearer sk-upstream`);
  });

  it("is missing for a key that OpenRouter does not limit", async () => {
    const { url } = await upstreamOf({ "/v1/key": { data: { limit_remaining: null } } });
    expect(await read(OPENROUTER, url)).toEqual({ unit: "usd", balance: undefined, limits: [] });
  });

  it("in another currency is refused by name, and not taken for the channel's unit", async () => {
    const { url } = await upstreamOf({ "/user/balance": infos(["USD", "3.00"]) });
    await expect(read(DEEPSEEK, url)).rejects.toMatchObject({
      key: "balance-other-currency",
      params: { amount: 3, currency: "USD" },
    });
  });

  it.each([null, "", true, [], {}, "1e999", "NaN", " 1", "0x10"])(
    "is no balance if it is %j",
    async (value) => {
      const { url } = await upstreamOf({
        "/user/balance": infos(["CNY", value]),
        "/v1/users/me/balance": { data: { available_balance: value } },
      });
      for (const type of [DEEPSEEK, MOONSHOT])
        await expect(read(type, url)).rejects.toMatchObject({ key: "balance-unreadable" });
    },
  );

  it("is not asked for where the vendor's address reports none", async () => {
    await expect(read(SILICONFLOW, "")).rejects.toMatchObject({ key: "channel-balance-unsupported" });
    await expect(read(MOONSHOT, "https://api.kimi.com/coding/v1")).rejects.toMatchObject({
      key: "channel-balance-unsupported",
    });
  });
});

describe("the account at another gateway", () => {
  const usage = {
    ...{ object: "key_usage", status: "enabled", isValid: true, planName: "Pro", unit: "USD" },
    ...{ remaining: 12.5, quota_per_unit: 1000 },
    key: { name: "resale", group: "vip", expires_at: 99, unlimited: true, used: 1, used_quota: 1000 },
    limits: [
      { scope: "key", limit: "daily_quota", max: 5000, used: 2500, resets_at: 77 },
      { scope: "group", group: "vip", limit: "rpm", max: 60 },
    ],
  };

  it("is read whole from a Tollgate, with its limits in money", async () => {
    const { url } = await upstreamOf({ "/v1/usage": usage });
    expect(await read(CUSTOM, url)).toEqual({
      ...{ unit: "usd", balance: 12.5, plan: undefined, group: "vip", expires_at: 99 },
      limits: [
        { name: "daily_quota", scope: "key", max: 5, used: 2.5, is_money: true, resets_at: 77 },
        { name: "rpm", scope: "group", max: 60, is_money: false },
      ],
    });
  });

  it.each([0, -1000, 1e-320])("has no limits where a dollar is worth %s quota", async (perUnit) => {
    const { url } = await upstreamOf({ "/v1/usage": { ...usage, quota_per_unit: perUnit } });
    expect(await read(CUSTOM, url)).toEqual({ unit: "usd", balance: 12.5, plan: "Pro", limits: [] });
  });

  it("has a balance and a plan at a sub2api", async () => {
    const { url } = await upstreamOf({
      "/v1/usage": { isValid: true, remaining: 3.25, unit: "USD", planName: "月卡\u0000\n" },
    });
    expect(await read(CUSTOM, url)).toEqual({ unit: "usd", balance: 3.25, plan: "月卡", limits: [] });
  });

  it("is the rest of the key at a new-api, by the quota that it sells for a dollar", async () => {
    const token = { total_available: 1_000_000, unlimited_quota: false, expires_at: 0 };
    const { url } = await upstreamOf({ "/api/usage/token/": { code: true, data: token } });
    expect(await read(CUSTOM, `${url}/v1`)).toEqual({ unit: "usd", balance: 2, limits: [] });
    const other = await upstreamOf({
      "/api/usage/token/": { code: true, data: { ...token, expires_at: 88 } },
      "/api/status": { success: true, data: { quota_per_unit: 100_000 } },
    });
    expect(await read(CUSTOM, other.url)).toEqual({ unit: "usd", balance: 10, expires_at: 88, limits: [] });
  });

  it("is read from the old dashboard where neither call is offered, or the key is not limited", async () => {
    const { url, asked } = await upstreamOf({
      "/api/usage/token/": { data: { total_available: 0, unlimited_quota: true, expires_at: 0 } },
      "/v1/dashboard/billing/subscription": { hard_limit_usd: 20 },
    });
    await expect(read(CUSTOM, url)).rejects.toMatchObject({ key: "balance-status" });
    expect(asked.map((line) => line.split("?")[0]?.split(" ")[0])).toEqual([
      "/v1/usage",
      "/api/usage/token/",
      "/v1/dashboard/billing/subscription",
      "/v1/dashboard/billing/usage",
    ]);
  });

  it("is bounded and shows none of the channel's secrets, whatever the upstream names", async () => {
    const { url } = await upstreamOf({
      "/v1/usage": {
        ...usage,
        key: { ...usage.key, group: `sk-upstream ${"x".repeat(5000)}` },
        limits: Array.from({ length: 5000 }, () => usage.limits[0]),
      },
    });
    const { group = "", limits } = await read(CUSTOM, url);
    expect(group.length).toBeLessThanOrEqual(100);
    expect(group).not.toContain("sk-upstream");
    expect(limits).toHaveLength(50);
  });
});
