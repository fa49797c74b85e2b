import type { BudgetUse } from "@tollgate/relay/limits/budget-book";
import { MemoryRates } from "@tollgate/relay/limits/memory-rates";
import type { NodeRank } from "@tollgate/relay/limits/node-share";
import type { RateSubject } from "@tollgate/relay/limits/rates";
import type { OwnSpending } from "@tollgate/relay/limits/spending";
import { createRandom } from "@tollgate/testkit/random";
import { startRedis } from "@tollgate/testkit/redis-server";
import { seeds } from "@tollgate/testkit/seeds";
import type { Redis } from "ioredis";
import { afterEach, describe, expect, inject, it, type Mock, onTestFinished, vi } from "vitest";
import { connectRedis } from "./connect-redis";
import { budgetsInRedis } from "./redis-budgets";
import { loadScripts, type RunScript } from "./scripts";
import { KEPT_MS, SharedRates } from "./shared-rates";
import {
  describeRates,
  leaveOf,
  MINUTE,
  MINUTE_BEGAN,
  resultOf,
  SECOND,
  subject,
} from "./testing/describe-rates";
import type {} from "./testing/start-redis";

const connections: Redis[] = [];

afterEach(() => {
  for (const connection of connections.splice(0)) connection.disconnect();
});

const connect = async (address = inject("redisAddress")): Promise<Redis> => {
  const redis = connectRedis({ path: address });
  connections.push(redis);
  if (redis.status !== "ready") await new Promise((resolve) => redis.once("ready", resolve));
  return redis;
};

let prefixes = 0;

/** A test's access to a node. */
interface Watched {
  /** Whether it reaches the server. */
  way: { isOpen: boolean };
  onLost: Mock<() => void>;
  onBack: Mock<() => void>;
}

/** Nodes that count together, each by a connection of its own. */
const setUp = async ({ address, nodes = 1 }: { address?: string; nodes?: number } = {}) => {
  prefixes += 1;
  const prefix = `test-${process.pid}-${prefixes}`;
  const clockKey = `${prefix}:clock`;
  const admin = await connect(address);
  const clock = { nowMs: MINUTE_BEGAN };
  const setClock = async (nowMs: number): Promise<void> => {
    clock.nowMs = nowMs;
    await admin.set(clockKey, nowMs);
  };
  await setClock(MINUTE_BEGAN);
  const all: (Watched & { rates: SharedRates; redis: Redis })[] = [];
  for (let rank = 0; rank < nodes; rank += 1) {
    const redis = await connect(address);
    const run = loadScripts(
      redis,
      `local function now_ms() return tonumber(redis.call("GET", "${clockKey}")) end`,
    );
    const way = { isOpen: true };
    const runOnWay: RunScript = (name, keys, values) =>
      way.isOpen ? run(name, keys, values) : Promise.reject(new Error("cut"));
    const [onLost, onBack] = [vi.fn<() => void>(), vi.fn<() => void>()];
    const settings = { node: `node-${rank}`, prefix, onLost, onBack };
    const at: NodeRank = { nodes, rank };
    const rates = new SharedRates(runOnWay, { ...settings, now: () => clock.nowMs, rank: () => at });
    all.push({ rates, redis, way, onLost, onBack });
  }
  const [first] = all;
  if (!first) throw new Error("no node");
  const settle = async (): Promise<void> => {
    for (const { redis, rates } of all) {
      await redis.ping();
      await rates.renew();
    }
  };
  return { ...first, nodes: all, admin, prefix, clockKey, setClock, clock, settle };
};

describeRates("in Redis", setUp);

describe("rates that several nodes count together", () => {
  it("let in exactly the limit, however many requests arrive at once", async () => {
    const { nodes } = await setUp({ nodes: 3 });
    const subjects = [subject({ rpm: 55 }), subject({ tpm: 6000 }, "user")];
    const answers = await Promise.all(
      Array.from({ length: 600 }, (_, index) => nodes[index % 3]?.rates.enter(subjects, 100)),
    );
    const results = answers.flatMap((answer) => (answer ? [resultOf(answer)] : []));
    expect(results.filter((result) => typeof result !== "string")).toHaveLength(55);
    expect(new Set(results.filter((result) => typeof result === "string"))).toEqual(
      new Set(["0: requests-limited"]),
    );
    const tokens = subject({ tpm: 6000 }, "user");
    const more = await Promise.all(
      Array.from({ length: 60 }, (_, index) => nodes[index % 3]?.rates.enter([tokens], 100)),
    );
    expect(more.filter((answer) => answer && "leave" in answer.outcome)).toHaveLength(5);
  });

  it("never have more under way than the limit says", async () => {
    const { nodes, settle } = await setUp({ nodes: 3 });
    const user = subject({ concurrency: 7 }, "user");
    let [active, most, served] = [0, 0, 0];
    const ask = async (client: number): Promise<void> => {
      for (let i = 0; i < 10; i += 1) {
        const answer = await nodes[(client + i) % 3]?.rates.enter([user], 1);
        if (!answer || !("leave" in answer.outcome)) continue;
        active += 1;
        served += 1;
        most = Math.max(most, active);
        await settle();
        active -= 1;
        answer.outcome.leave();
      }
    };
    await Promise.all(Array.from({ length: 32 }, (_, client) => ask(client)));
    expect(most).toBe(7);
    expect(served).toBeGreaterThan(7);
  });

  it.each(seeds(10))(
    "equal the counts in one node's memory, wherever a clock is set (seed %i)",
    async (seed) => {
      const { nodes, setClock, clock, settle } = await setUp({ nodes: 2 });
      const memory = new MemoryRates(() => clock.nowMs);
      const random = createRandom(seed);
      const below = (bound: number) => Math.floor(random() * bound);
      const pool: RateSubject[] = [
        subject({ rpm: 4, concurrency: 3 }),
        subject({ tpm: 200 }, "user"),
        subject({ rpm: 6 }, "group", "g"),
      ];
      const running: (() => void)[] = [];
      for (let step = 0; step < 120; step += 1) {
        const draw = random();
        if (draw < 0.6) {
          const subjects = pool.filter(() => random() < 0.7);
          const tokens = below(80);
          const expected = memory.enter(subjects, tokens);
          const answer = await nodes[below(2)]?.rates.enter(subjects, tokens);
          if (!answer) throw new Error("no node");
          const [one, other] = [resultOf(expected), resultOf(answer)];
          expect(answer.uses).toEqual(expected.uses);
          if (typeof one === "string" || typeof other === "string") expect(other).toBe(one);
          else
            running.push(() => {
              one();
              other();
            });
        } else if (draw < 0.85) {
          running.splice(below(running.length), 1)[0]?.();
        } else await setClock(clock.nowMs + below(3 * MINUTE) - MINUTE);
        // A request renewed in time is not dropped.
        await settle();
      }
    },
  );

  it("forget the running requests of a node that has gone, and none that a node renews", async () => {
    const { nodes, setClock } = await setUp({ nodes: 2 });
    const [gone, living] = nodes;
    const user = subject({ concurrency: 2 }, "user");
    await gone?.rates.enter([user], 1);
    await living?.rates.enter([user], 1);
    const ask = async () => {
      const answer = await living?.rates.enter([user], 1);
      return answer && resultOf(answer);
    };
    await setClock(MINUTE_BEGAN + KEPT_MS - SECOND);
    expect(await ask()).toBe("0: concurrency-limited");
    await living?.rates.renew();
    await setClock(MINUTE_BEGAN + KEPT_MS);
    expect(await ask()).toBeTypeOf("function");
    expect(await ask()).toBe("0: concurrency-limited");
  });

  it("count by the server's clock", async () => {
    const redis = await connect();
    const rates = new SharedRates(loadScripts(redis), {
      node: "a",
      prefix: `test-${process.pid}-time`,
      now: () => 0,
      rank: () => ({ nodes: 1, rank: 0 }),
      onLost: () => undefined,
      onBack: () => undefined,
    });
    const time = async () => Number((await redis.time())[0]) * SECOND;
    const before = await time();
    const { nowMs } = await rates.enter([subject({ rpm: 1 })], 1);
    expect(nowMs).toBeGreaterThanOrEqual(before);
    expect(nowMs).toBeLessThan((await time()) + SECOND);
  });

  it("name keys by numbers, and keep none for longer than it is of use", async () => {
    const { rates, admin, prefix, clockKey, settle } = await setUp();
    const subjects = [
      subject({ rpm: 9 }),
      subject({ tpm: 900 }, "user", 7),
      subject({ concurrency: 3 }, "group", "vip"),
    ];
    const leave = leaveOf(await rates.enter(subjects, 5));
    leaveOf(await rates.enter(subjects, 5));
    rates.add("key", 2, 7);
    rates.add("user", 99, 7);
    await rates.renew();
    leave();
    await settle();
    const keys = (await admin.keys(`${prefix}:*`)).filter((key) => key !== clockKey).sort();
    const names = ["group:vip", "key:2", "user:7"].flatMap((name) => [`${name}:minute`, `${name}:under-way`]);
    // The last one belongs to no key: with it a node checks whether the server accepts changes.
    expect(keys).toEqual([...names, "key:0:under-way"].map((name) => `${prefix}:{limits}:${name}`).sort());
    for (const key of keys) {
      const lastsMs = await admin.pttl(key);
      expect(lastsMs).toBeGreaterThan(0);
      expect(lastsMs).toBeLessThanOrEqual(2 * MINUTE);
    }
  });

  it("go on when the server has forgotten the scripts", async () => {
    const { rates, admin, onLost } = await setUp();
    await rates.enter([subject({ rpm: 9 })], 5);
    await admin.script("FLUSH");
    expect((await rates.enter([subject({ rpm: 9 })], 5)).uses).toEqual([{ requests: 2, tokens: 10 }]);
    expect(onLost).not.toHaveBeenCalled();
  });
});

describe("rates while the server is gone", () => {
  it("are the share of each node, together the limit, and it is said once", async () => {
    const { nodes } = await setUp({ nodes: 3 });
    const key = subject({ rpm: 10, concurrency: 8 });
    for (const { way } of nodes) way.isOpen = false;
    const passed = await Promise.all(
      nodes.map(async ({ rates }) => {
        const answers = await Promise.all(Array.from({ length: 10 }, () => rates.enter([key], 1)));
        return answers.filter(({ outcome }) => "leave" in outcome).length;
      }),
    );
    expect(passed).toEqual([3, 3, 2]);
    for (const { onLost } of nodes) expect(onLost).toHaveBeenCalledTimes(1);
    for (const { rates, onLost, onBack } of nodes) {
      await rates.renew();
      expect(onLost).toHaveBeenCalledTimes(1);
      expect(onBack).not.toHaveBeenCalled();
    }
  });

  it("take a server that answers something else for one that is gone", async () => {
    const onLost = vi.fn<() => void>();
    const rates = new SharedRates(async () => "OK", {
      node: "a",
      prefix: "p",
      now: () => MINUTE_BEGAN,
      rank: () => ({ nodes: 1, rank: 0 }),
      onLost,
      onBack: () => undefined,
    });
    leaveOf(await rates.enter([subject({ rpm: 1 })], 1));
    expect(onLost).toHaveBeenCalledTimes(1);
  });

  it("answer without waiting once it is known", async () => {
    const { rates, way } = await setUp();
    way.isOpen = false;
    expect(rates.enter([subject({ rpm: 10 })], 1)).toBeInstanceOf(Promise);
    await rates.enter([subject({ rpm: 10 })], 1);
    expect(rates.enter([subject({ rpm: 10 })], 1)).not.toBeInstanceOf(Promise);
  });

  it("go on from the server's last answer", async () => {
    const { nodes } = await setUp({ nodes: 2 });
    const key = subject({ rpm: 10 });
    for (let i = 0; i < 6; i += 1) await nodes[i % 2]?.rates.enter([key], 1);
    for (const { way, rates } of nodes) {
      way.isOpen = false;
      // 5 each would have been theirs, and 5 or 6 of the 10 are used.
      expect(resultOf(await rates.enter([key], 1))).toBe("0: requests-limited");
    }
  });

  it("count together again when it is back, with the counts and running requests from meanwhile", async () => {
    const { nodes, way, rates, onLost, onBack, settle } = await setUp({ nodes: 2 });
    const key = subject({ rpm: 10, concurrency: 4, tpm: 1000 });
    way.isOpen = false;
    const leave = leaveOf(await rates.enter([key], 100));
    leaveOf(await rates.enter([key], 100));
    rates.add("key", 2, 40);
    leave();
    way.isOpen = true;
    await rates.renew();
    expect([onLost.mock.calls.length, onBack.mock.calls.length]).toEqual([1, 1]);
    const other = nodes[1]?.rates;
    expect((await other?.enter([key], 1))?.uses).toEqual([{ requests: 3, tokens: 141 }]);
    leaveOf(await rates.enter([key], 1));
    leaveOf(await rates.enter([key], 1));
    await settle();
    expect(resultOf(await rates.enter([key], 1))).toBe("0: concurrency-limited");
  });

  it("tell nothing of minutes that are over", async () => {
    const { way, rates, setClock } = await setUp();
    way.isOpen = false;
    leaveOf(await rates.enter([subject({ rpm: 10 })], 100));
    await setClock(MINUTE_BEGAN + MINUTE);
    way.isOpen = true;
    await rates.renew();
    expect((await rates.enter([subject({ rpm: 10 })], 1)).uses).toEqual([{ requests: 1, tokens: 1 }]);
  });

  it("survive a server that ends and is there again", async () => {
    const server = await startRedis();
    const { rates, redis, admin, clockKey, onLost, onBack } = await setUp({ address: server.address });
    const key = subject({ rpm: 3, concurrency: 3 });
    leaveOf(await rates.enter([key], 1));
    await server.stop();
    for (const _ of [1, 2]) leaveOf(await rates.enter([key], 1));
    expect(resultOf(await rates.enter([key], 1))).toBe("0: requests-limited");
    expect(onLost).toHaveBeenCalledTimes(1);
    const again = await startRedis(server.address);
    onTestFinished(again.stop);
    await expect.poll(() => [redis.status, admin.status]).toEqual(["ready", "ready"]);
    await admin.set(clockKey, MINUTE_BEGAN + MINUTE);
    await rates.renew();
    expect(onBack).toHaveBeenCalledTimes(1);
    // All three are still under way.
    expect(resultOf(await rates.enter([key], 1))).toBe("0: concurrency-limited");
  });
});

describe("the spending of nodes", () => {
  const window = (before: number, own: number, startMs = MINUTE_BEGAN): OwnSpending => ({
    period: "day",
    startMs,
    endMs: startMs + 86_400_000,
    before,
    own,
  });
  const use = (day: OwnSpending, month = day, id: number | string = 1): BudgetUse => ({
    scope: "user",
    id,
    spent: [day, { ...month, period: "month", endMs: month.startMs + 31 * 86_400_000 }],
  });

  const setUpBudgets = async () => {
    const { redis, prefix, admin } = await setUp();
    const run = loadScripts(redis);
    const tellAs = (node: string) => budgetsInRedis(run, node, prefix);
    return { a: tellAs("a"), b: tellAs("b"), admin, prefix };
  };

  it("is the sum of all nodes with the least that storage said to one of them, told once or twice", async () => {
    const { a, b } = await setUpBudgets();
    expect(await a([use(window(100, 5), window(300, 5))])).toEqual([[105, 305]]);
    expect(await b([use(window(60, 30), window(290, 30))])).toEqual([[95, 325]]);
    expect(await b([use(window(60, 30), window(290, 30))])).toEqual([[95, 325]]);
    expect(await a([use(window(100, 9), window(300, 9))])).toEqual([[99, 329]]);
    // A charge could not be stored.
    expect(await b([use(window(60, 28), window(290, 28))])).toEqual([[97, 327]]);
  });

  it("is kept apart by day, by month and by whose it is, and not for longer than it is of use", async () => {
    const { a, admin, prefix } = await setUpBudgets();
    const tomorrow = window(0, 3, MINUTE_BEGAN + 86_400_000);
    expect(
      await a([use(window(1, 1)), use(tomorrow, window(1, 4)), use(window(0, 7), window(0, 8), 2)]),
    ).toEqual([
      [2, 2],
      [3, 5],
      [7, 8],
    ]);
    const names = await admin.keys(`${prefix}:{limits}:*`);
    expect(names).toHaveLength(5);
    for (const name of names) {
      const lastsMs = await admin.pttl(name);
      expect(lastsMs).toBeGreaterThan(2 * 86_400_000);
      expect(lastsMs).toBeLessThanOrEqual((name.includes(":day:") ? 3 : 33) * 86_400_000);
    }
  });

  it("is told by hundreds at once", async () => {
    const { a } = await setUpBudgets();
    const uses = Array.from({ length: 250 }, (_, index) => use(window(index, 1), window(index, 2), index));
    expect(await a(uses)).toEqual(uses.map((_, index) => [index + 1, index + 2]));
  });

  it("is not told where the server answers something else", async () => {
    const tell = budgetsInRedis(async () => "OK", "a", "p");
    await expect(tell([use(window(1, 1))])).rejects.toThrow();
  });
});
