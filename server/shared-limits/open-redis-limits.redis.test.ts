import type { GroupLimits } from "@tollgate/contract/management/limits";
import { Limiter } from "@tollgate/relay/limits/limiter";
import type { Refusal } from "@tollgate/relay/ports/client";
import type { ApiKey } from "@tollgate/relay/ports/directory";
import type { LimitPass } from "@tollgate/relay/ports/limits";
import { startRedis } from "@tollgate/testkit/redis-server";
import { describe, expect, inject, it, onTestFinished, vi } from "vitest";
import { connectRedis } from "./connect-redis";
import { openRedisLimits } from "./open-redis-limits";
import type { RedisAddress } from "./read-redis-address";
import type {} from "./testing/start-redis";

let installations = 0;

/** Two nodes of one installation on one server. */
const setUp = async (address: RedisAddress, count = 2) => {
  installations += 1;
  const hash = (text: string) => `${process.pid}-${installations}-${text.length}`.padEnd(40, "x");
  const onLost = vi.fn<(advice: string) => void>();
  const onBack = vi.fn<() => void>();
  const onWarning = vi.fn<(advice: string) => void>();
  const nodes = await Promise.all(
    Array.from({ length: count }, async (_, rank) => {
      const limits = await openRedisLimits({
        address,
        nodeRank: () => ({ nodes: count, rank }),
        hash,
        now: Date.now,
        onLost,
        onBack,
        onWarning,
      });
      onTestFinished(() => limits.close());
      const known = { hasKey: () => true, hasUser: () => true };
      return { ...limits, limiter: new Limiter(Date.now, known, limits.rates) };
    }),
  );
  return { nodes, onLost, onBack, onWarning };
};

/** A server of this test alone. */
const startOwn = async () => {
  const server = await startRedis();
  const admin = connectRedis({ path: server.address });
  await new Promise((resolve) => admin.once("ready", resolve));
  let isStopped = false;
  const stop = async (): Promise<void> => {
    if (isStopped) return;
    isStopped = true;
    admin.disconnect();
    await server.stop();
  };
  onTestFinished(stop);
  return { path: server.address, admin, stop };
};

const account = { id: 1, quota: 1000, held: 0, isUnlimited: false };
const user = { id: 1, username: "alice", role: 1, status: 1, groups: ["default"], account };
const keyOf = (limits: ApiKey["limits"], of: ApiKey["user"] = user): ApiKey => ({
  id: 2,
  user: of,
  name: "key",
  status: 1,
  expiredTime: -1,
  account,
  limits,
});

const ask = (limiter: Limiter, key: ApiKey, promptTokens = 1) =>
  limiter.enter(key, { promptTokens }, () => ({}));

const isPass = (answer: LimitPass | Refusal | undefined): boolean =>
  answer !== undefined && "leave" in answer;

/** Waits until enough of a minute is left for the next steps. */
const roomInMinute = async (ms: number): Promise<void> => {
  const left = 60_000 - (Date.now() % 60_000);
  if (left < ms) await new Promise((resolve) => setTimeout(resolve, left + 10));
};

const LOST = { timeout: 10_000, interval: 50 };

describe("limits of several nodes on one Redis", () => {
  it("let in exactly the limit of 600 requests that come to two nodes at once", async () => {
    const { nodes } = await setUp({ path: inject("redisAddress") });
    await roomInMinute(5000);
    const groups = new Map<string, GroupLimits>([
      ["default", { group: { tpm: 10_000 }, perUser: undefined }],
    ]);
    for (const { limiter } of nodes) limiter.setGroups(groups);
    const key = keyOf({ rpm: 55 }, { ...user, limits: { concurrency: 100 } });
    const answers = await Promise.all(
      Array.from({ length: 600 }, (_, index) => {
        const node = nodes[index % 2];
        return node && ask(node.limiter, key);
      }),
    );
    expect(answers.filter(isPass)).toHaveLength(55);
    const refused = answers.filter((answer): answer is Refusal => answer !== undefined && "code" in answer);
    expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(["requests-limited"]));
  });

  it("say nothing of a request that ends when the node has stopped", async () => {
    const { nodes, onLost } = await setUp({ path: inject("redisAddress") }, 1);
    const pass = await ask(nodes[0]!.limiter, keyOf({ rpm: 9 }));
    await nodes[0]!.close();
    if (!pass || !("leave" in pass)) throw new Error("not let in");
    pass.leave();
    // A synchronous answer is counted alone.
    await expect.poll(() => ask(nodes[0]!.limiter, keyOf({ rpm: 9 })) instanceof Promise, LOST).toBe(false);
    expect(onLost).not.toHaveBeenCalled();
  });

  it("are not asked for a request that nothing limits", async () => {
    const { nodes } = await setUp({ path: inject("redisAddress") }, 1);
    const enter = vi.spyOn(nodes[0]!.rates, "enter");
    for (let i = 0; i < 100; i += 1) expect(ask(nodes[0]!.limiter, keyOf(undefined))).toBeUndefined();
    expect(enter).not.toHaveBeenCalled();
  });

  it("are divided while the server is gone, said once, and counted together when it is back", async () => {
    const server = await startOwn();
    const { nodes, onLost, onBack } = await setUp({ path: server.path });
    const key = keyOf({ concurrency: 4 });
    await server.stop();
    await expect.poll(() => nodes.map(({ connections }) => connections()), LOST).toEqual([0, 0]);
    const passes = await Promise.all(
      nodes.flatMap(({ limiter }) => Array.from({ length: 4 }, () => ask(limiter, key))),
    );
    expect(passes.filter(isPass)).toHaveLength(4);
    expect(onLost.mock.calls.length).toBe(2);
    expect(onLost.mock.calls[0]?.[0]).toMatch(/start the Redis server|connection to the server has ended/);
    const again = await startRedis(server.path);
    onTestFinished(again.stop);
    await expect.poll(() => onBack.mock.calls.length, LOST).toBe(2);
    // Requests admitted meanwhile count as running for all.
    expect(await ask(nodes[0]!.limiter, key)).toMatchObject({ code: "concurrency-limited" });
    for (const pass of passes) if (pass && "leave" in pass) pass.leave();
    await expect.poll(async () => isPass(await ask(nodes[1]!.limiter, key)), LOST).toBe(true);
    expect([onLost.mock.calls.length, onBack.mock.calls.length]).toEqual([2, 2]);
  });

  it("delay a request no longer than a script may take when the server hangs", async () => {
    const { path, admin } = await startOwn();
    const { nodes, onLost, onBack } = await setUp({ path }, 1);
    const [{ limiter, conversations }] = nodes as [(typeof nodes)[0]];
    const key = keyOf({ rpm: 1000 });
    expect(isPass(await ask(limiter, key))).toBe(true);
    const pid = Number(/process_id:(\d+)/.exec(await admin.info("server"))?.[1]);
    process.kill(pid, "SIGSTOP");
    try {
      const begin = performance.now();
      const warm = conversations.find("s");
      const answers = await Promise.all(Array.from({ length: 50 }, () => ask(limiter, key)));
      expect(answers.every(isPass)).toBe(true);
      expect(await warm).toBeUndefined();
      expect(performance.now() - begin).toBeLessThan(5000);
      expect(onLost.mock.calls).toEqual([[expect.stringContaining("does not answer in time")]]);
      // From then on no caller waits.
      expect(ask(limiter, key)).not.toBeInstanceOf(Promise);
    } finally {
      process.kill(pid, "SIGCONT");
    }
    await expect.poll(() => onBack.mock.calls.length, LOST).toBe(1);
    expect(isPass(await ask(limiter, key))).toBe(true);
  });

  it("go on after all keys were deleted, with the running requests", async () => {
    const { path, admin } = await startOwn();
    const { nodes, onLost } = await setUp({ path });
    const key = keyOf({ concurrency: 1 });
    const pass = await ask(nodes[0]!.limiter, key);
    await admin.flushall();
    await admin.script("FLUSH");
    // The node that has it says so within five seconds.
    await expect
      .poll(async () => {
        const answer = await ask(nodes[1]!.limiter, key);
        if (answer && "leave" in answer) answer.leave();
        return isPass(answer);
      }, LOST)
      .toBe(false);
    if (pass && "leave" in pass) pass.leave();
    await expect.poll(async () => isPass(await ask(nodes[1]!.limiter, key)), LOST).toBe(true);
    expect(onLost).not.toHaveBeenCalled();
  });
});

describe("a Redis server that does not count", () => {
  const cases: [string, string, (server: Awaited<ReturnType<typeof startOwn>>) => Promise<unknown>][] = [
    ["is full", "used up its maxmemory", ({ admin }) => admin.config("SET", "maxmemory", "1")],
    ["follows another one", "name the one that it follows", ({ admin }) => admin.replicaof("127.0.0.1", 1)],
    [
      "asks for a password",
      "asks for a password",
      ({ admin }) => admin.config("SET", "requirepass", "other"),
    ],
  ];

  it.each(cases)(
    "because it %s lets nodes start, and is reported once with advice",
    async (_, advice, spoil) => {
      const server = await startOwn();
      await spoil(server);
      const { nodes, onLost, onBack } = await setUp({ path: server.path });
      const passes = nodes.flatMap(({ limiter }) =>
        Array.from({ length: 9 }, () => ask(limiter, keyOf({ rpm: 9 }))),
      );
      expect((await Promise.all(passes)).filter(isPass)).toHaveLength(9);
      for (const { rates } of nodes) if ("renew" in rates) await (rates.renew as () => Promise<void>)();
      expect(onLost.mock.calls).toEqual([
        [expect.stringContaining(advice)],
        [expect.stringContaining(advice)],
      ]);
      expect(onBack).not.toHaveBeenCalled();
    },
  );

  it("is back as soon as it is mended", async () => {
    const { path, admin } = await startOwn();
    await admin.config("SET", "maxmemory", "1");
    const { onLost, onBack } = await setUp({ path }, 1);
    expect(onLost).toHaveBeenCalledTimes(1);
    await admin.config("SET", "maxmemory", "0");
    await expect.poll(() => onBack.mock.calls.length, LOST).toBe(1);
  });

  it("because the password is wrong says so, without it", async () => {
    const { path, admin } = await startOwn();
    await admin.config("SET", "requirepass", "right");
    const { onLost } = await setUp({ path, password: "my-wrong-one" }, 1);
    expect(onLost.mock.calls).toEqual([[expect.stringContaining("refuses the user or the password")]]);
    expect(String(onLost.mock.calls)).not.toContain("my-wrong-one");
  });

  it("because no server listens lets nodes start", async () => {
    const { nodes, onLost } = await setUp({ host: "127.0.0.1", port: 1 }, 1);
    expect(onLost.mock.calls).toEqual([[expect.stringContaining("nobody listens")]]);
    expect(isPass(await ask(nodes[0]!.limiter, keyOf({ rpm: 1 })))).toBe(true);
    expect(nodes[0]!.conversations.find("s")).toBeUndefined();
  });

  it("but may throw keys away is warned of", async () => {
    const { path, admin } = await startOwn();
    await admin.config("SET", "maxmemory", "100mb");
    await admin.config("SET", "maxmemory-policy", "allkeys-lru");
    const { onWarning, onLost } = await setUp({ path });
    await expect.poll(() => onWarning.mock.calls.length, LOST).toBe(2);
    expect(onWarning.mock.calls[0]?.[0]).toContain("maxmemory-policy to noeviction");
    expect(onLost).not.toHaveBeenCalled();
  });
});

describe("budgets of several nodes on one Redis", () => {
  const key = keyOf({ dailyQuota: 100, monthlyQuota: 1000 });

  const setUpBudgets = async (address: RedisAddress) => {
    const { nodes } = await setUp(address);
    for (const { limiter } of nodes) limiter.budgets.share();
    const exchange = async (): Promise<void> => {
      for (const { limiter, exchangeBudgets } of nodes) {
        await ask(limiter, key);
        const uses = limiter.budgets.takeMet();
        for (const [index, total] of (await exchangeBudgets(uses)).entries()) {
          const use = uses[index];
          if (use) limiter.budgets.learn(use, total);
        }
      }
    };
    const answers = async () => {
      const answered = await Promise.all(nodes.map(({ limiter }) => ask(limiter, key)));
      return answered.map((answer) => (answer && "code" in answer ? answer.code : undefined));
    };
    return { nodes, exchange, answers };
  };

  it("are used up on both by the spending of both", async () => {
    const { nodes, exchange, answers } = await setUpBudgets({ path: inject("redisAddress") });
    nodes[0]!.limiter.charge(key, 1, 60);
    nodes[1]!.limiter.charge(key, 1, 39);
    await exchange();
    await exchange();
    expect(await answers()).toEqual([undefined, undefined]);
    nodes[1]!.limiter.charge(key, 1, 1);
    await exchange();
    await exchange();
    expect(await answers()).toEqual(["daily-budget-exhausted", "daily-budget-exhausted"]);
  });

  it("hold after all keys were deleted, with amounts as large as there are", async () => {
    const { path, admin } = await startOwn();
    const { nodes, exchange, answers } = await setUpBudgets({ path });
    nodes[0]!.limiter.charge(key, 1, Number.MAX_SAFE_INTEGER - 7);
    await exchange();
    await admin.flushall();
    nodes[1]!.limiter.charge(key, 1, 7);
    await exchange();
    await exchange();
    expect(await answers()).toEqual(["monthly-budget-exhausted", "monthly-budget-exhausted"]);
    const names = (await admin.keys("*")).filter((name) => /:(day|month):/.test(name));
    expect(names).toHaveLength(2);
    for (const name of names) {
      expect((await admin.hvals(name)).map(Number).reduce((sum, one) => sum + one, 0)).toBe(
        Number.MAX_SAFE_INTEGER,
      );
      expect(await admin.pttl(name)).toBeGreaterThan(2 * 86_400_000);
    }
  });
});

describe("conversations of several nodes on one Redis", () => {
  it("are known to the other node, and not by their words", async () => {
    const { path, admin } = await startOwn();
    const { nodes } = await setUp({ path });
    nodes[0]!.conversations.remember("2\nm\nsecret words", "7/k");
    await expect.poll(() => nodes[1]!.conversations.find("2\nm\nsecret words"), LOST).toBe("7/k");
    const keys = (await admin.keys("*")).filter((key) => key.includes("conversation"));
    expect(keys).toHaveLength(1);
    expect(keys[0]).not.toContain("secret");
    expect(await admin.pttl(keys[0] ?? "")).toBeGreaterThan(500_000);
  });
});
