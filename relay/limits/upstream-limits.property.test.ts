import { AUTO_GROUP } from "@tollgate/contract/values/auto-group";
import { hold } from "@tollgate/metering/ledger";
import { findPrice } from "@tollgate/metering/price";
import { parseRatioTable } from "@tollgate/metering/ratio-table";
import { CLIENT_PROTOCOLS } from "@tollgate/protocols/protocols";
import { channelOf } from "@tollgate/testkit/channel-of";
import { createRandom } from "@tollgate/testkit/random";
import { seeds } from "@tollgate/testkit/seeds";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { RequestRecord } from "../ports/charges";
import type { Refusal } from "../ports/client";
import type { ApiKey, UpstreamTarget } from "../ports/directory";
import type { RelayPorts } from "../ports/relay-ports";
import type { UpstreamReceiver } from "../ports/transport";
import { createRelay } from "../relay";
import { createUpstreamTargets } from "../routing/upstream-target";
import { RecordingResponse } from "../testing/recording-response";
import { MemoryRates } from "./memory-rates";
import type { RateAnswer, Rates } from "./rates";

const RATIOS = parseRatioTable('{"m":1,"default":1}')!;
const CLIENT = CLIENT_PROTOCOLS["openai-chat"];
const MINUTE = 60_000;
/** A moment within a minute of the clock. */
const BEGAN = Date.UTC(2026, 10, 22, 12, 0, 20);

interface Sent {
  readonly key: string;
  readonly receiver: UpstreamReceiver;
  isOpen: boolean;
}

interface Settings {
  readonly channels: readonly Parameters<typeof channelOf>[0][];
  readonly keys?: number;
  readonly queueLength?: number;
  readonly retryTimes?: number;
  /** Other nodes are asked: answers come later. */
  readonly isAsked?: boolean;
  /** The groups of keys that go from group to group. */
  readonly groups?: readonly string[];
  readonly strategy?: "cheapest" | "fastest";
  /** What channels ask, by their ids. */
  readonly costs?: Readonly<Record<number, number>>;
  readonly random?: () => number;
}

/** A relay whose upstream counts what is really open there, and what was really asked in each minute. */
const setUp = ({
  channels,
  keys = 1,
  queueLength = 200,
  retryTimes = 0,
  isAsked = false,
  groups = [],
  strategy,
  costs = {},
  random = () => 0.5,
}: Settings) => {
  const now = (): number => Date.now();
  const targets: UpstreamTarget[] = channels.flatMap((fields) => {
    const key = Array.from({ length: keys }, (_, index) => `key-${fields?.id}-${index}`).join("\n");
    return createUpstreamTargets(channelOf({ models: ["m"], ...fields }), { key, proxy: "" });
  });
  targets.sort((a, b) => b.channel.priority - a.channel.priority);
  const memory = new MemoryRates(now);
  const rates: Rates = {
    enter: (subjects, tokens) =>
      isAsked
        ? new Promise<RateAnswer>((resolve) => {
            queueMicrotask(() => resolve(memory.enter(subjects, tokens)));
          })
        : memory.enter(subjects, tokens),
    add: (...args) => memory.add(...args),
    look: (subjects) => memory.look(subjects),
  };
  const sent: Sent[] = [];
  const open = new Map<string, number>();
  const mostOpen = new Map<string, number>();
  const asked = new Map<string, number>();
  const records: RequestRecord[] = [];
  const failures: string[] = [];
  const waits: { waitMs: number; isServed: boolean }[] = [];
  const count = (name: string, change: number): void => {
    const now = (open.get(name) ?? 0) + change;
    open.set(name, now);
    mostOpen.set(name, Math.max(mostOpen.get(name) ?? 0, now));
  };
  const end = (each: Sent): boolean => {
    if (!each.isOpen) return false;
    each.isOpen = false;
    for (const name of [each.key, each.key.split("-")[1] ?? ""]) count(name, -1);
    return true;
  };
  const ports: RelayPorts = {
    directory: {
      findKey: () => undefined,
      keysOfChannel: () => [],
      groupsOf: () => groups,
      candidates: (group) => targets.filter(({ channel }) => channel.groups.includes(group)),
      isListed: () => true,
      markKey: () => {},
      reportDeadKey: () => {},
    },
    pricing: {
      find: (model, group) =>
        findPrice({ modelRatios: RATIOS, completionRatios: RATIOS, groupRatios: RATIOS }, model, group, 0),
      defaultHoldTokens: () => 10,
      drainMs: () => 0,
      countsDrainMs: () => 0,
      retryTimes: () => retryTimes,
      strategyOf: () => strategy,
      usualCost: (id) => costs[id],
    },
    holds: { place: hold },
    charges: {
      noteRefused() {},
      noteFailure: (record) => void records.push(record),
      commit(record, done) {
        records.push(record);
        done(undefined);
      },
    },
    tokenCounter: { count: (_model, text, done) => done(text.length) },
    transport: {
      send(request, receiver) {
        const key = (request.headers.authorization ?? "").replace("Bearer ", "");
        const each: Sent = { key, receiver, isOpen: true };
        sent.push(each);
        const minute = Math.floor(now() / MINUTE);
        for (const name of [key, key.split("-")[1] ?? ""]) {
          count(name, 1);
          asked.set(`${name}@${minute}`, (asked.get(`${name}@${minute}`) ?? 0) + 1);
        }
        receiver.onStart(() => void end(each));
      },
      close: async () => {},
    },
    upstreamBounds: {
      rates,
      queueLength: () => queueLength,
      queueMs: () => 5000,
      waited: (waitMs, isServed) => void waits.push({ waitMs, isServed }),
    },
    fetchMedia: () => Promise.reject(new Error("nothing is to be fetched")),
    now,
    random,
    reportFailure: ({ kind, detail }) => {
      if (kind === "internal") failures.push(String(detail));
    },
  };
  const relay = createRelay(ports);
  const users = new Map<number, ApiKey>();
  const keyOf = (userId: number, quota = 1_000_000_000): ApiKey => {
    const known = users.get(userId);
    if (known) return known;
    const account = (id: number) => ({ id, quota, held: 0, isUnlimited: false });
    const user = {
      id: userId,
      username: "u",
      role: 1,
      status: 1,
      groups: ["default"],
      account: account(userId),
    };
    const key: ApiKey = {
      ...(groups.length > 0 ? { group: AUTO_GROUP } : {}),
      id: userId,
      name: "k",
      status: 1,
      expiredTime: -1,
      account: account(100 + userId),
      user,
    };
    users.set(userId, key);
    return key;
  };
  const run = (userId: number, { words = "hello", quota = 1_000_000_000, isStream = false } = {}) => {
    const response = new RecordingResponse();
    const body = {
      model: "m",
      max_tokens: 10,
      stream: isStream,
      messages: [{ role: "user", content: words }],
    };
    relay.run({
      client: CLIENT,
      key: keyOf(userId, quota),
      pinned: undefined,
      rawBody: Buffer.from(JSON.stringify(body)),
      body,
      summary: CLIENT.summarizeRequest(body),
      response,
      requestId: `req-${userId}`,
      clientHeaders: {},
      headers: {},
      describe: ({ code, retryAfterSeconds }: Refusal) => ({
        status: code === "upstream-rate-limited" ? 429 : 500,
        code,
        message: code,
        ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      }),
      memory: { take: () => undefined, hold: () => true, keep: () => () => {} },
    });
    return response;
  };
  const answer = (each: Sent | undefined, tokens = 15): void => {
    if (!each || !end(each)) return;
    const usage = { prompt_tokens: tokens - 5, completion_tokens: 5, total_tokens: tokens };
    each.receiver.onHeaders(200, { "content-type": "application/json" }, () => {});
    const body = {
      choices: [{ message: { role: "assistant", content: "yes" }, finish_reason: "stop" }],
      usage,
    };
    each.receiver.onData(Buffer.from(JSON.stringify(body)));
    each.receiver.onEnd();
  };
  const fail = (each: Sent | undefined, status = 500): void => {
    if (!each || !end(each)) return;
    each.receiver.onHeaders(status, { "content-type": "application/json" }, () => {});
    each.receiver.onData(Buffer.from('{"error":{"message":"no"}}'));
    each.receiver.onEnd();
  };
  const settled = async (): Promise<void> => {
    for (let i = 0; i < 40; i += 1) await Promise.resolve();
  };
  const subjects = [...new Set(targets.flatMap(({ limited }) => limited ?? []))];
  const active = (): number => memory.look(subjects).reduce((sum, use) => sum + use.active, 0);
  return {
    relay,
    run,
    answer,
    fail,
    end,
    sent,
    mostOpen,
    asked,
    records,
    failures,
    waits,
    settled,
    active,
    users,
    memory,
  };
};

const outcomes = ({ attempts }: RequestRecord) =>
  attempts.map(({ channelId, outcome }) => [channelId, outcome]);

describe("choice by price and by speed", () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"], now: BEGAN }));
  afterEach(() => vi.useRealTimers());

  const chosen = ({ attempts }: RequestRecord) =>
    attempts
      .filter(({ outcome }) => outcome !== "full")
      .map(({ channelId, chosenBy }) => [channelId, chosenBy]);

  it("takes the cheapest that works and has room, and one of unknown price last; the receipt shows it", () => {
    const channels = [{ id: 1 }, { id: 2, concurrency: 1 }, { id: 3 }, { id: 4, priority: -1 }];
    const world = setUp({ channels, strategy: "cheapest", costs: { 1: 50, 2: 20, 4: 1 }, retryTimes: 3 });
    world.run(1);
    world.run(2);
    world.run(3);
    world.fail(world.sent[2]);
    expect(world.sent.map(({ key }) => key)).toEqual(["key-2-0", "key-1-0", "key-1-0", "key-3-0"]);
    world.fail(world.sent[3]);
    expect(world.sent.at(-1)?.key).toBe("key-4-0");
    world.answer(world.sent.at(-1));
    expect(chosen(world.records.at(-1)!)).toEqual([
      [1, "cheapest"],
      [3, "cheapest"],
      [4, "cheapest"],
    ]);
  });

  it("takes the fastest measured one, and finds a recovered one again by a trial now and then", () => {
    const draws: number[] = [];
    const world = setUp({
      channels: [{ id: 1 }, { id: 2 }],
      strategy: "fastest",
      random: () => draws.shift() ?? 0.5,
    });
    const ms: Record<string, number> = { "key-1-0": 500, "key-2-0": 100 };
    const serve = (first: number, second = 0.5): string => {
      // Where to go by weight, and whether to explore.
      draws.push(first, second);
      world.run(1);
      draws.length = 0;
      const each = world.sent.at(-1)!;
      vi.advanceTimersByTime(ms[each.key] ?? 0);
      world.answer(each);
      return each.key;
    };
    // Nothing is measured yet: by weight.
    expect(serve(0)).toBe("key-1-0");
    expect(serve(0.99, 0)).toBe("key-2-0");
    expect([serve(0), serve(0.99), serve(0)]).toEqual(["key-2-0", "key-2-0", "key-2-0"]);
    ms["key-2-0"] = 2000;
    ms["key-1-0"] = 50;
    const path = Array.from({ length: 6 }, () => serve(0.99));
    expect(path.at(-1)).toBe("key-1-0");
    expect(world.records.at(-1)?.attempts[0]?.chosenBy).toBe("fastest");
    expect(serve(0.99, 0.01)).toBe("key-2-0");
    expect(world.records.at(-1)?.attempts[0]?.chosenBy).toBe("exploring");
  });

  it("explores with about one request in twenty", () => {
    const random = createRandom(7);
    const world = setUp({ channels: [{ id: 1 }, { id: 2 }], strategy: "fastest", random });
    for (let i = 0; i < 400; i += 1) {
      world.run(1);
      const each = world.sent.at(-1)!;
      vi.advanceTimersByTime(each.key === "key-1-0" ? 10 : 300);
      world.answer(each);
    }
    const slow = world.sent.filter(({ key }) => key === "key-2-0").length;
    expect(slow).toBeGreaterThan(2);
    expect(slow).toBeLessThan(30);
  });
});

describe("limits of channels and their keys", () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"], now: BEGAN }));
  afterEach(() => vi.useRealTimers());

  it("leaves out a full channel without a retry or a fault, and says so on the receipt", () => {
    const world = setUp({ channels: [{ id: 1, priority: 5, concurrency: 1 }, { id: 2 }] });
    world.run(1);
    world.run(2);
    expect(world.sent.map(({ key }) => key)).toEqual(["key-1-0", "key-2-0"]);
    world.answer(world.sent[1]);
    world.answer(world.sent[0]);
    world.run(3);
    expect(world.sent.at(-1)?.key).toBe("key-1-0");
    expect(world.records.map(outcomes)).toEqual([
      [
        [1, "full"],
        [2, "ok"],
      ],
      [[1, "ok"]],
    ]);
    expect(world.records[0]?.channelId).toBe(2);
  });

  it("bounds each key of a channel, and all of them together", () => {
    const world = setUp({ keys: 3, channels: [{ id: 1, concurrency: 5, keyConcurrency: 2 }] });
    for (let user = 1; user <= 8; user += 1) world.run(user);
    expect(world.sent).toHaveLength(5);
    expect([0, 1, 2].map((key) => world.mostOpen.get(`key-1-${key}`)).sort()).toEqual([1, 2, 2]);
    expect(world.relay.standing()).toMatchObject({ queued: 3 });
    expect([...world.relay.standing().inUse]).toEqual([[1, 5]]);
  });

  it("lets requests wait in turn of their users, and refuses them when the time is over, with when to come again", () => {
    const world = setUp({ channels: [{ id: 1, concurrency: 1 }] });
    const first = world.run(1);
    const responses = [world.run(1), world.run(1), world.run(2)];
    world.answer(world.sent[0]);
    expect(first.status).toBe(200);
    world.answer(world.sent[1]);
    // The second user's turn comes before the first one's third request.
    expect([responses[0]?.status, responses[1]?.status, world.sent.length]).toEqual([200, 0, 3]);
    world.answer(world.sent[2]);
    expect(responses[2]?.status).toBe(200);
    const late = world.run(3);
    vi.advanceTimersByTime(5100);
    expect(late.status).toBe(429);
    expect(late.headers).toMatchObject({ "retry-after": "1" });
    expect(world.records.at(-1)).toMatchObject({ end: "failed", channelId: 0 });
    expect(world.waits.map(({ isServed }) => isServed)).toEqual([true, true, true, false]);
  });

  it("says that a minute's requests come again with the next minute, and gives them then", () => {
    const world = setUp({ channels: [{ id: 1, rpm: 1 }] });
    world.run(1);
    world.answer(world.sent[0]);
    const early = world.run(1);
    vi.advanceTimersByTime(5100);
    expect([early.status, early.headers["retry-after"]]).toEqual([429, "35"]);
    vi.setSystemTime(BEGAN + 38_000);
    const waiting = world.run(1);
    vi.advanceTimersByTime(2100);
    world.answer(world.sent[1]);
    expect(waiting.status).toBe(200);
  });

  it("counts tokens as estimated before, and as used after", () => {
    const world = setUp({ channels: [{ id: 1, tpm: 100 }] });
    const words = "word ".repeat(40);
    const first = world.run(1, { words });
    const second = world.run(2, { words });
    expect(world.sent).toHaveLength(1);
    // It used less than was estimated: there is room for the other one.
    world.answer(world.sent[0], 10);
    expect(world.sent).toHaveLength(2);
    world.answer(world.sent[1], 95);
    expect([first.status, second.status]).toEqual([200, 200]);
    world.run(3);
    expect(world.sent).toHaveLength(2);
  });

  it("waits for no channel whose minute has fewer tokens than the prompt: it asks another one, or refuses at once", () => {
    const words = "word ".repeat(400);
    const alone = setUp({ channels: [{ id: 1, tpm: 100 }] });
    const refused = alone.run(1, { words });
    expect([refused.status, refused.text.includes("prompt-beyond-limits")]).toEqual([500, true]);
    expect(refused.headers).not.toHaveProperty("retry-after");
    expect([alone.relay.standing().queued, alone.relay.active, alone.sent.length]).toEqual([0, 0, 0]);
    expect(alone.records.map(outcomes)).toEqual([[[1, "full"]]]);
    alone.run(1);
    alone.answer(alone.sent[0]);
    expect(alone.records.at(-1)?.end).toBe("complete");

    const two = setUp({
      channels: [
        { id: 1, priority: 5, tpm: 100 },
        { id: 2, concurrency: 1 },
      ],
    });
    const responses = [two.run(1, { words }), two.run(2, { words })];
    expect(two.sent.map(({ key }) => key)).toEqual(["key-2-0"]);
    // The other one may become free.
    expect(two.relay.standing().queued).toBe(1);
    two.answer(two.sent[0]);
    two.answer(two.sent[1]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
  });

  it("counts only requests that were sent: a user without balance uses up no limit", () => {
    const world = setUp({ channels: [{ id: 1, rpm: 2 }] });
    for (let i = 0; i < 5; i += 1) world.run(9, { quota: 0 });
    expect(world.sent).toHaveLength(0);
    world.run(1);
    world.run(2);
    expect(world.sent).toHaveLength(2);
  });

  it("asks a failing one only when nothing else became free in time", () => {
    const world = setUp({
      retryTimes: 0,
      channels: [
        { id: 1, priority: 5 },
        { id: 2, concurrency: 1 },
      ],
    });
    for (let i = 0; i < 5; i += 1) {
      world.run(1);
      world.fail(world.sent.at(-1));
    }
    world.run(1);
    expect(world.sent.at(-1)?.key).toBe("key-2-0");
    const count = world.sent.length;
    const waiting = world.run(2);
    expect(world.sent).toHaveLength(count);
    vi.advanceTimersByTime(5100);
    expect(world.sent.at(-1)?.key).toBe("key-1-0");
    world.answer(world.sent.at(-1));
    expect(waiting.status).toBe(200);
  });

  it("waits for another channel after a failure as well, and tells the failure where none becomes free", () => {
    const world = setUp({
      retryTimes: 1,
      channels: [
        { id: 1, priority: 5 },
        { id: 2, concurrency: 1 },
      ],
    });
    world.run(1);
    world.fail(world.sent[0]);
    const waiting = world.run(2);
    world.fail(world.sent[2]);
    expect(world.sent).toHaveLength(3);
    world.answer(world.sent[1]);
    world.answer(world.sent[3]);
    expect(waiting.status).toBe(200);
    expect(outcomes(world.records.at(-1)!)).toEqual([
      [1, "overloaded"],
      [2, "full"],
      [2, "ok"],
    ]);
    world.run(3);
    world.fail(world.sent[4]);
    const told = world.run(4);
    world.fail(world.sent[6]);
    vi.advanceTimersByTime(5100);
    expect([told.status, told.text.includes("upstream-failed")]).toEqual([500, true]);
  });

  it("goes on to a key's next group while all of one are full, at that one's price, and waits for any of them", () => {
    const channels = [
      { id: 1, groups: ["default"], concurrency: 1 },
      { id: 2, groups: ["vip"], concurrency: 1 },
    ];
    const world = setUp({ channels, groups: ["default", "vip"] });
    const responses = [1, 2, 3].map((user) => world.run(user));
    expect(world.sent.map(({ key }) => key)).toEqual(["key-1-0", "key-2-0"]);
    expect(world.relay.standing().queued).toBe(1);
    world.answer(world.sent[0]);
    expect(world.sent.map(({ key }) => key)).toEqual(["key-1-0", "key-2-0", "key-1-0"]);
    world.answer(world.sent[1]);
    world.answer(world.sent[2]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it("ends at once who leaves the queue, with nothing held", () => {
    const world = setUp({ channels: [{ id: 1, concurrency: 1 }] });
    world.run(1);
    const left = world.run(2);
    left.destroy();
    expect([world.relay.standing().queued, world.relay.active]).toEqual([0, 1]);
    world.answer(world.sent[0]);
    expect([world.sent.length, world.active(), world.users.get(2)?.user.account.held]).toEqual([1, 0, 0]);
  });

  it.each(seeds(40))(
    "holds whatever happens: no more than the limit, and no place lost (seed %i)",
    async (seed) => {
      const random = createRandom(seed);
      const below = (bound: number) => Math.floor(random() * bound);
      const maybe = (most: number) => (random() < 0.6 ? 1 + below(most) : undefined);
      const channels = [1, 2, 3].map((id) => ({
        id,
        priority: below(2),
        concurrency: maybe(4),
        keyConcurrency: maybe(2),
        rpm: maybe(20),
        keyRpm: maybe(8),
        tpm: maybe(900),
      }));
      const world = setUp({
        channels,
        keys: 1 + below(3),
        queueLength: [0, 5, 100][below(3)] ?? 0,
        retryTimes: below(3),
        isAsked: random() < 0.4,
      });
      const responses: RecordingResponse[] = [];
      for (let step = 0; step < 250; step += 1) {
        const draw = random();
        const open = world.sent.filter(({ isOpen }) => isOpen);
        if (draw < 0.45) {
          const quota = random() < 0.1 ? 0 : 1_000_000_000;
          responses.push(
            world.run(quota === 0 ? 99 : 1 + below(4), { quota, words: "w ".repeat(below(200)) }),
          );
        } else if (draw < 0.65) world.answer(open[below(open.length)], 5 + below(300));
        else if (draw < 0.75) world.fail(open[below(open.length)], [429, 500, 401, 400][below(4)]);
        else if (draw < 0.8) {
          const each = open[below(open.length)];
          if (each && world.end(each)) each.receiver.onFailure({ kind: "reset", detail: "gone" });
        } else if (draw < 0.88) responses[below(responses.length)]?.destroy();
        else vi.advanceTimersByTime(below(random() < 0.9 ? 1000 : 20_000));
        if (random() < 0.8) await world.settled();
      }
      const drained = world.relay.drain(10);
      vi.advanceTimersByTime(20);
      await world.settled();
      await drained;
      for (const { id, concurrency = 9999, keyConcurrency = 9999, rpm = 9999, keyRpm = 9999 } of channels) {
        expect(world.mostOpen.get(String(id)) ?? 0).toBeLessThanOrEqual(concurrency);
        for (let key = 0; key < 3; key += 1)
          expect(world.mostOpen.get(`key-${id}-${key}`) ?? 0).toBeLessThanOrEqual(keyConcurrency);
        for (const [name, count] of world.asked) {
          if (name.startsWith(`${id}@`)) expect(count).toBeLessThanOrEqual(rpm);
          if (name.startsWith(`key-${id}-`)) expect(count).toBeLessThanOrEqual(keyRpm);
        }
      }
      expect([world.relay.active, world.active(), world.relay.standing().queued, vi.getTimerCount()]).toEqual(
        [0, 0, 0, 0],
      );
      expect([...world.relay.standing().inUse]).toEqual([]);
      expect(world.failures).toEqual([]);
      expect([...world.users.values()].map(({ user, account }) => user.account.held + account.held)).toEqual(
        [...world.users].map(() => 0),
      );
    },
  );
});
