import type { LogFilter } from "@tollgate/contract/api/logs";
import type { ApiKey } from "@tollgate/relay/ports/directory";
import { describe, expect, it } from "vitest";
import { createKeyReads, type KeyReadTools } from "./key-reads";

const NOW_MS = new Date(2026, 10, 28, 12, 30, 15).getTime();

const key = {
  id: 2,
  name: "phone",
  user: { id: 1, groups: ["default"] },
} as unknown as ApiKey;

const TOKEN = { unlimitedQuota: false, remainQuota: 250_000, usedQuota: 50_000, expiredTime: -1 };
const USER = { quota: 1_000_000, usedQuota: 500_000 };
const PLAN = {
  title: "Monthly",
  state: "active",
  endsAt: 9,
  granted: 10,
  spent: 4,
  left: 6,
  reset: "day",
  periodEndsAt: 8,
};

const TOMORROW_MS = new Date(2026, 10, 29).getTime();

const POINT = {
  ...{ time: 5, key: "gpt-4", name: "gpt-4", requests: 2, errors: 1, prompt_tokens: 7, completion_tokens: 8 },
  ...{ quota: 250_000, duration_ms: 9, first_byte_ms: 9, streams: 1 },
};

const setUp = ({ isOwnOnly = true, token = {}, user = {} } = {}) => {
  const asked: unknown[] = [];
  const standing = { id: 2, max: 100, used: 40 } as const;
  const tools = {
    read: {
      tokens: { find: async () => ({ ...TOKEN, ...token }) },
      users: { find: async () => ({ ...USER, ...user }) },
      plans: { ofUser: async () => [{ ...PLAN, state: "ended", title: "Old" }, PLAN] },
      receipts: {
        find: async (...of: unknown[]) => {
          asked.push(of);
          return undefined;
        },
      },
      logs: {
        page: async (filter: LogFilter, offset: number, limit: number) => {
          asked.push([filter, offset, limit]);
          return [];
        },
      },
      usage: {
        pointsJson: async (query: unknown, now: number) => {
          asked.push([query, now]);
          return JSON.stringify([POINT, { ...POINT, name: "", others: 3 }]);
        },
      },
    },
    options: { isOn: () => isOwnOnly, number: () => 500_000 },
    limiter: {
      look: async () => [
        { ...standing, scope: "key", limit: "rpm" },
        { ...standing, scope: "user", id: 1, limit: "dailyQuota", endMs: TOMORROW_MS },
        { ...standing, scope: "key", limit: "windowQuota", hours: 30, endMs: undefined, isSoft: true },
        { ...standing, scope: "group", id: "default", limit: "concurrency" },
      ],
    },
    groupsOf: () => ["default"],
    now: () => NOW_MS,
  };
  return { reads: createKeyReads(tools as unknown as KeyReadTools), asked };
};

describe("the usage of a key", () => {
  it("has the key's own figures, and nothing of its user's purse", async () => {
    const usage = await setUp().reads.usage(key);
    expect(usage).toMatchObject({
      status: "enabled",
      isValid: true,
      planName: "phone",
      remaining: 0.5,
      unit: "USD",
      key: { name: "phone", unlimited: false, used: 0.1, remaining: 0.5, remaining_quota: 250_000 },
    });
    expect(usage).not.toHaveProperty("account");
    expect(JSON.stringify(usage)).not.toMatch(/Monthly|1000000/);
  });

  it("has the user's balance and plan where the site shows these to keys", async () => {
    const usage = await setUp({ isOwnOnly: false, token: { unlimitedQuota: true } }).reads.usage(key);
    expect(usage).toMatchObject({
      planName: "Monthly",
      remaining: 2,
      account: {
        remaining: 2,
        used: 1,
        plans: [{ title: "Monthly", remaining_quota: 6, used_quota: 4, reset: "day", resets_at: 8 }],
      },
    });
    expect(usage?.account?.plans).toHaveLength(1);
  });

  it("has no rest where neither the key nor what it may see is limited", async () => {
    const usage = await setUp({ token: { unlimitedQuota: true, remainQuota: 7 } }).reads.usage(key);
    expect(usage).not.toHaveProperty("remaining");
    expect(usage?.key).not.toHaveProperty("remaining_quota");
  });

  it.each([
    ["expired", { token: { expiredTime: 1 } }],
    ["exhausted", { token: { remainQuota: 0 } }],
    ["account_exhausted", { user: { quota: 0 } }],
  ])("says that it is %s", async (status, state) => {
    expect(await setUp(state).reads.usage(key)).toMatchObject({ status, isValid: false });
  });

  it("has each limit with its end, and with its use where no other key's use is in it", async () => {
    const usage = await setUp().reads.usage(key);
    const minute = new Date(2026, 10, 28, 12, 31).getTime() / 1000;
    const day = new Date(2026, 10, 29).getTime() / 1000;
    expect(usage?.limits).toEqual([
      { scope: "key", limit: "rpm", max: 100, used: 40, remaining: 60, resets_at: minute },
      { scope: "user", limit: "daily_quota", max: 100, resets_at: day },
      { scope: "key", limit: "window_quota", max: 100, used: 40, remaining: 60, hours: 30, soft: true },
      { scope: "group", group: "default", limit: "concurrency", max: 100 },
    ]);
    const open = await setUp({ isOwnOnly: false }).reads.usage(key);
    expect(open?.limits.map(({ used }) => used)).toEqual([40, 40, 40, undefined]);
  });
});

describe("the requests of a key", () => {
  it.each(["", "x".repeat(10_000), "a' OR 1=1 --", "a\u0000b", "编号", "🙂", "%", "a b"])(
    "are not looked for by %j",
    async (id) => {
      const { reads, asked } = setUp();
      expect(await reads.generation(key, id, "en")).toBeUndefined();
      expect(asked).toEqual([]);
    },
  );

  it("are looked for among the key's own alone", async () => {
    const { reads, asked } = setUp();
    expect(await reads.generation(key, "20261128123015000000001abcdefgh", "en")).toBeUndefined();
    await reads.generations(key, "", "en");
    expect(asked).toEqual([
      ["20261128123015000000001abcdefgh", 1, 2],
      [{ userId: 1, keyId: 2 }, 0, 20],
    ]);
  });

  it.each([
    ["5", 5],
    ["0", 1],
    ["1000", 100],
    ["-1", 20],
    ["9".repeat(400), 20],
    ["many", 20],
  ])("are listed by the page, with limit=%s as %i", async (sent, count) => {
    const { reads, asked } = setUp();
    await reads.generations(key, sent, "en");
    expect(asked).toEqual([[{ userId: 1, keyId: 2 }, 0, count]]);
  });
});

describe("the days of a key", () => {
  it("are those of its own requests, by model, in USD and quota", async () => {
    const { reads } = setUp();
    const { data } = (await reads.days(key, "", "")) as { data: unknown[] };
    const day = { time: 5, requests: 2, errors: 1, tokens_prompt: 7, tokens_completion: 8 };
    expect(data).toEqual([
      { ...day, model: "gpt-4", usage: 0.5, quota: 250_000 },
      { ...day, model: "", others: 3, usage: 0.5, quota: 250_000 },
    ]);
  });

  it.each([
    ["", "", 30, 0],
    ["7", "480", 7, 480],
    ["0", "-99999", 1, -840],
    ["99999", "99999", 90, 840],
    ["7 days", "x", 30, 0],
    ["-3", "1e3", 30, 0],
  ])("begin at a midnight of the client's clock: %s %s", async (days, offset, count, minutes) => {
    const { reads, asked } = setUp();
    await reads.days(key, days, offset);
    const now = Math.floor(NOW_MS / 1000);
    const startTimestamp = now - ((now + minutes * 60) % 86_400) - (count - 1) * 86_400;
    expect(asked).toEqual([
      [
        {
          filter: { userId: 1, keyId: 2, startTimestamp },
          ...{ step: "day", by: "model", offsetMinutes: minutes, top: 50 },
        },
        now,
      ],
    ]);
  });
});
