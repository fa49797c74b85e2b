import type { LogFilter, LogSort } from "@tollgate/contract/api/logs";
import { PROFIT_GROUPINGS, type ProfitGrouping } from "@tollgate/contract/api/profit";
import type { UsagePoint } from "@tollgate/contract/api/usage";
import { createRandom } from "@tollgate/testkit/random";
import { caseCount, seeds } from "@tollgate/testkit/seeds";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Charge, encodeCharges } from "../accounts/charges";
import { REFUNDED } from "../outbox/log-content";
import { encodeAccountEntries } from "../outbox/log-entry";
import { chargeOf } from "../testing/charge-of";
import { onEngine } from "../testing/on-engine";
import type { ProfitQuery, UsageQuery, UserLatencyQuery } from "./ports";
import type { ChannelNamesUnderTest, LogUnderTest } from "./testing/log-under-test";

import { newPostgresLog } from "./testing/postgres-log";
import { newSqliteLog } from "./testing/sqlite-log";

/** The begin of an hour and a day: 1 January 2026. */
const DAY = 1_767_225_600;
const HOUR = 3600;
/** Later than everything below. */
const NOW = DAY + 100 * 86_400;

const newLog = onEngine({ sqlite: newSqliteLog, postgres: newPostgresLog });

let channels: ChannelNamesUnderTest;
let log: LogUnderTest;

beforeEach(async () => {
  channels = [];
  log = await newLog(channels);
});

afterEach(() => log.close());

const failure = (createdAt: number, more: Partial<Charge> = {}): Charge =>
  chargeOf(createdAt, 0, {
    count: "error",
    isLogged: false,
    promptTokens: 0,
    completionTokens: 0,
    content: "",
    ...more,
  });

/** The cost of an attempt for which no customer was charged. */
const endedAt = (createdAt: number, more: Partial<Charge> = {}): Charge =>
  failure(createdAt, { count: "ended", requestId: "", cost: 9000, ...more });

const store = (...charges: Charge[]): Promise<void> => log.takeOver(encodeCharges(charges)[1]);

const say = (type: number, userId: number, content: string, createdAt: number): Promise<void> =>
  log.takeOver(encodeAccountEntries([{ createdAt, userId, username: `user ${userId}`, type, content }]));

const closeBucketsUntil = async (moment: number): Promise<void> => {
  while (await log.maintenance.closeBucket(moment)) {
    // Step by step.
  }
};

/** What is asked for with `top` is the whole, told apart less. */
const expectSameWithTop = async (query: UsageQuery): Promise<void> => {
  const whole = await log.queries.usage.points(query, NOW);
  const sumsOf = (points: readonly UsagePoint[]): [number, Omit<UsagePoint, "time" | "key" | "name">][] => {
    const sums = new Map<number, Omit<UsagePoint, "time" | "key" | "name">>();
    for (const { time, key: _, name: __, others: ___, ...point } of points) {
      const sum = sums.get(time);
      sums.set(
        time,
        sum
          ? (Object.fromEntries(
              Object.entries(point).map(([of, value]) => {
                const other = sum[of as keyof typeof sum];
                return [of, value === undefined || other === undefined ? (value ?? other) : value + other];
              }),
            ) as typeof point)
          : point,
      );
    }
    return [...sums];
  };
  for (const top of [1, 2]) {
    const points = await log.queries.usage.points({ ...query, top }, NOW);
    expect(sumsOf(points), JSON.stringify({ query, top })).toEqual(sumsOf(whole));
    const told = points.filter(({ others }) => others === undefined);
    for (const point of told) expect(whole).toContainEqual(point);
    const keys = (of: readonly UsagePoint[]) => new Set(of.map(({ key }) => key));
    const [rest] = points.filter(({ others }) => others !== undefined);
    expect(rest?.others ?? 0).toBe(keys(whole).size - keys(told).size);
  }
};

const quotas = async (filter: LogFilter, offset = 0, limit = 10): Promise<number[]> =>
  (await log.queries.logs.page(filter, offset, limit)).map((line) => line.quota);

describe("the takeover of lines", () => {
  it("keeps the lines of accounts in their order among those of requests", async () => {
    await store(chargeOf(DAY, 1));
    await say(1, 1, "top-up", DAY + 1);
    await store(chargeOf(DAY + 1, 2));
    expect((await log.queries.logs.page({}, 0, 10)).map(({ type, quota }) => [type, quota])).toEqual([
      [2, 2],
      [1, 0],
      [2, 1],
    ]);
  });

  it("finds the lines and the receipt of one key alone, also beside a key of the same name", async () => {
    const sameName = { tokenName: "phone", receipt: RECEIPT };
    await store(
      chargeOf(DAY, 1, { ...sameName, tokenId: 11, requestId: "of-11" }),
      chargeOf(DAY + 1, 2, { ...sameName, tokenId: 12, requestId: "of-12" }),
      failure(DAY + 2, {
        ...sameName,
        tokenId: 12,
        requestId: "failed-12",
        failure: { code: "user-quota-exceeded", status: 403, firstAt: DAY + 2, count: 1, isRepeat: false },
      }),
    );
    const idsOf = async (keyId: number) =>
      (await log.queries.logs.page({ userId: 1, keyId }, 0, 10)).map(({ requestId }) => requestId);
    expect(await idsOf(11)).toEqual(["of-11"]);
    expect(await idsOf(12)).toEqual(["failed-12", "of-12"]);
    expect(await idsOf(13)).toEqual([]);
    expect(await log.queries.receipts.find("of-11", 1, 11)).toMatchObject({ requestId: "of-11" });
    expect(await log.queries.receipts.find("of-11", 1, 12)).toBeUndefined();
  });

  it("writes no line and no receipt of a request that is not logged, and counts it", async () => {
    await store(chargeOf(DAY, 5, { isLogged: false, content: "", requestId: "secret-one" }));
    expect(await quotas({})).toEqual([]);
    expect(await log.queries.receipts.find("secret-one", undefined)).toBeUndefined();
    expect(await log.queries.usage.consumedQuota({}, NOW)).toBe(5);
  });
});

describe("a page of lines", () => {
  it("filters by every field, and includes both ends of the time", async () => {
    await store(
      chargeOf(DAY + 100, 1),
      chargeOf(DAY + 200, 2, { modelName: "gpt-3.5-turbo" }),
      chargeOf(DAY + 300, 4, { channelId: 2, tokenId: 12, tokenName: "phone" }),
      chargeOf(DAY + 400, 8, { userId: 2, username: "bob" }),
    );
    await say(4, 1, "gift", DAY + 250);
    expect(await quotas({})).toEqual([8, 4, 0, 2, 1]);
    expect(await quotas({ startTimestamp: DAY + 200, endTimestamp: DAY + 300 })).toEqual([4, 0, 2]);
    expect(await quotas({ modelName: "gpt-3.5-turbo" })).toEqual([2]);
    expect(await quotas({ modelName: "unheard-of" })).toEqual([]);
    expect(await quotas({ tokenName: "phone" })).toEqual([4]);
    expect(await quotas({ channelId: 2 })).toEqual([4]);
    expect(await quotas({ type: 4 })).toEqual([0]);
    expect(await quotas({ type: 2 })).toEqual([8, 4, 2, 1]);
    expect(await quotas({ type: 99 })).toEqual([]);
    expect(await quotas({ userId: 1, type: 4 })).toEqual([0]);
    expect(await quotas({ userId: 2 })).toEqual([8]);
    expect(await quotas({ userId: 3 })).toEqual([]);
    expect(await quotas({ username: "alice", type: 2 })).toEqual([4, 2, 1]);
    expect(await quotas({ username: "bob", tokenName: "phone" })).toEqual([]);
  });

  it("is the same as a plain reading of all lines, for every page, filter and range", async () => {
    const all: Charge[] = [];
    let seed = 7;
    const upTo = (n: number): number => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return Math.floor((seed / 2 ** 32) * n);
    };
    let time = DAY;
    for (let i = 0; i < 400; i += 1) {
      // Never two in one second, which would be ordered by when they came.
      time += 1 + (upTo(3) === 0 ? upTo(30_000) : upTo(20));
      all.push(
        chargeOf(time, i, {
          userId: 1 + upTo(3),
          username: `user ${upTo(4)}`,
          tokenId: upTo(5),
          tokenName: `key ${upTo(3)}`,
          modelName: upTo(60) === 0 ? "rare" : `model ${upTo(3)}`,
          channelId: upTo(3),
        }),
      );
    }
    // Some come late, when their bucket was added up already.
    const isLate = all.map(() => upTo(10) === 0);
    await store(...all.filter((_, i) => !isLate[i]));
    const span = time - DAY;
    await closeBucketsUntil(DAY + Math.floor(span / 2));
    await store(...all.filter((_, i) => isLate[i]));
    await closeBucketsUntil(DAY + Math.floor(span * 0.9));
    for (let round = 0; round < caseCount(150); round += 1) {
      const pick = <T>(value: T): T | undefined => (upTo(3) === 0 ? value : undefined);
      const startTimestamp = pick(DAY + upTo(span));
      const filter = {
        userId: pick(1 + upTo(3)),
        username: pick(`user ${upTo(4)}`),
        tokenName: pick(`key ${upTo(3)}`),
        modelName: pick(upTo(2) === 0 ? "rare" : "model 1"),
        channelId: pick(1 + upTo(2)),
        type: pick(2),
        startTimestamp,
        endTimestamp: pick((startTimestamp ?? DAY) + upTo(span)),
      };
      const expected = all
        .filter(
          (charge) =>
            (filter.userId ?? charge.userId) === charge.userId &&
            (filter.username ?? charge.username) === charge.username &&
            (filter.tokenName ?? charge.tokenName) === charge.tokenName &&
            (filter.modelName ?? charge.modelName) === charge.modelName &&
            (filter.channelId ?? charge.channelId) === charge.channelId &&
            (filter.startTimestamp ?? 0) <= charge.createdAt &&
            (filter.endTimestamp ?? NOW) >= charge.createdAt,
        )
        .map((charge) => charge.quota)
        .reverse();
      const offset = upTo(2) === 0 ? 0 : upTo(expected.length + 5);
      expect(await quotas(filter, offset, 10), JSON.stringify({ filter, offset })).toEqual(
        expected.slice(offset, offset + 10),
      );
      expect(await log.queries.usage.consumedQuota(filter, NOW), JSON.stringify(filter)).toBe(
        expected.reduce((sum, quota) => sum + quota, 0),
      );
      const query = {
        filter,
        step: upTo(2) === 0 ? ("hour" as const) : ("day" as const),
        by: (["none", "model", "token", "channel", "user"] as const)[upTo(5)]!,
        offsetMinutes: [0, 480, -300, 330, 510, -570][upTo(6)]!,
      };
      const spanOf = (createdAt: number): number => {
        const hour = createdAt - (createdAt % HOUR);
        const offset = query.offsetMinutes * 60;
        return query.step === "hour" ? hour : Math.floor((hour + offset) / 86_400) * 86_400 - offset;
      };
      const keyOf = (charge: Charge): string =>
        ({
          none: "",
          model: charge.modelName,
          token: String(charge.tokenId),
          channel: String(charge.channelId),
          user: String(charge.userId),
        })[query.by];
      const sums = new Map<string, number>();
      for (const charge of all.filter(({ quota }) => expected.includes(quota))) {
        const key = `${spanOf(charge.createdAt)} ${keyOf(charge)}`;
        sums.set(key, (sums.get(key) ?? 0) + charge.quota);
      }
      const points = await log.queries.usage.points(query, NOW);
      expect(
        points.map(({ time, key, quota }) => [`${time} ${key}`, quota]).sort(),
        JSON.stringify(query),
      ).toEqual([...sums].sort());
      await expectSameWithTop(query);
      const userId = upTo(4);
      const hourOf = (): number => Math.floor((all[upTo(all.length)]?.createdAt ?? 0) / HOUR) * HOUR;
      const [from, end] = [hourOf(), hourOf() + HOUR].toSorted((a, b) => a - b) as [number, number];
      const own = all.filter((charge) => charge.userId === userId);
      const sumOf = (charges: readonly Charge[]) => charges.reduce((sum, { quota }) => sum + quota, 0);
      const within = own.filter(({ createdAt }) => createdAt >= from && createdAt < end);
      const used = await log.queries.usage.ofUser(userId, from, end);
      const asked = JSON.stringify([userId, from, end]);
      expect(used.before, asked).toBe(sumOf(own.filter(({ createdAt }) => createdAt < from)));
      for (const [sums, keyOfCharge] of [
        [used.models, (charge: Charge) => charge.modelName],
        [used.tokens, (charge: Charge) => String(charge.tokenId)],
      ] as const) {
        const keys = new Set(within.map(keyOfCharge));
        expect(sums.map(({ key, quota }) => [key, quota]).sort(), asked).toEqual(
          [...keys].map((key) => [key, sumOf(within.filter((charge) => keyOfCharge(charge) === key))]).sort(),
        );
      }
    }
    // Thousands of queries: on a busy machine they take their time.
  });

  it("is told since several moments, in parts from each until the next", async () => {
    await store(
      chargeOf(DAY + 60, 1),
      chargeOf(DAY + 2 * HOUR, 10),
      chargeOf(DAY + 2 * HOUR + 5, 20),
      chargeOf(DAY + 5 * HOUR, 0),
    );
    const { usage } = log.queries;
    expect(await usage.spentSince([])).toEqual([]);
    const parts = await usage.spentSince([DAY + 5 * HOUR, DAY + 2 * HOUR + 600, DAY]);
    expect(parts.map(({ from, quota, requests }) => [from, quota, requests]).sort()).toEqual([
      [DAY, 1, 1],
      [DAY + 2 * HOUR, 30, 2],
      [DAY + 5 * HOUR, 0, 1],
    ]);
    expect(await usage.spentSince([DAY + HOUR])).toMatchObject([
      { from: DAY + HOUR, quota: 30, requests: 3 },
    ]);
  });

  it("adds up to nothing over whole hours in which nothing was used, of a user too", async () => {
    await store(chargeOf(DAY, 1));
    const empty = { before: 0, models: [], tokens: [] };
    const { usage } = log.queries;
    expect(await usage.ofUser(1, HOUR, 2 * HOUR)).toEqual(empty);
    const filter = { userId: 1, startTimestamp: HOUR, endTimestamp: 2 * HOUR - 1 };
    expect(await usage.consumedQuota(filter, NOW)).toBe(0);
    expect(await usage.points({ filter, step: "day", by: "token", offsetMinutes: 0 }, NOW)).toEqual([]);
    expect((await usage.ofUser(1, HOUR, DAY + HOUR)).models).toMatchObject([{ quota: 1 }]);
  });

  it("is found by the beginning of its text, taken literally, or by its type", async () => {
    await store(chargeOf(DAY, 1), chargeOf(DAY + HOUR, 2, { content: "100% off" }));
    await say(3, 1, "管理员将用户额度从", DAY + 2 * HOUR);
    const found = async (keyword: string, userId?: number) =>
      (await log.queries.logs.search(keyword, [], userId, 100)).map(({ content }) => content);
    expect(await found("100%")).toEqual(["100% off"]);
    expect(await found("1%")).toEqual([]);
    expect(await found("%")).toEqual([]);
    expect(await found("模型倍率")).toEqual(["模型倍率 15.00，分组倍率 1.00"]);
    expect(await found("3")).toEqual(["管理员将用户额度从"]);
    expect(await found("2", 1)).toHaveLength(2);
    expect(await found("模型", 1)).toEqual([]);
  });
});

describe("sums", () => {
  const points = async (
    more: Partial<UsageQuery>,
    now = NOW,
  ): Promise<Pick<UsagePoint, "time" | "key" | "requests" | "errors" | "quota">[]> =>
    (
      await log.queries.usage.points({ filter: {}, step: "hour", by: "none", offsetMinutes: 0, ...more }, now)
    ).map(({ time, key, requests, errors, quota }) => ({ time: time - DAY, key, requests, errors, quota }));

  it("add up requests, errors, tokens, times and streams, but not requests that clients left", async () => {
    await store(
      chargeOf(DAY, 1),
      chargeOf(DAY + 5, 2, { isStream: true, firstByteMs: 40, durationMs: 500 }),
      failure(DAY + 6),
      failure(DAY + 7, { count: "left" }),
    );
    await say(1, 1, "top-up", DAY + 8);
    expect(
      await log.queries.usage.points({ filter: {}, step: "day", by: "none", offsetMinutes: 0 }, NOW),
    ).toEqual([
      {
        time: DAY,
        key: "",
        name: "",
        requests: 2,
        errors: 1,
        promptTokens: 20,
        completionTokens: 6,
        quota: 3,
        durationMs: 700,
        firstByteMs: 40,
        streams: 1,
      },
    ]);
  });

  it("count the faults of models in whose place another one was asked, and the request once", async () => {
    const replaced = [
      { modelName: "m", channelId: 3 },
      { modelName: '模 "x"', channelId: 0 },
    ];
    await store(
      chargeOf(DAY + 10, 5, { modelName: "a", isStream: false, replaced, use: undefined }),
      chargeOf(DAY + 20, 5, { modelName: "a", isStream: false, replaced, cost: undefined }),
      failure(DAY + 30, { modelName: "a", replaced }),
      failure(DAY + 40, { modelName: "a", count: "left", replaced: replaced.slice(0, 1) }),
    );
    const none = { requests: 0, faults: 0, firstByteMs: 0, streams: 0 };
    expect(await log.queries.health.ofModels(DAY, 3600)).toEqual([
      { ...none, model: "a", time: DAY, requests: 2, faults: 1 },
      { ...none, model: "m", time: DAY, faults: 4 },
      { ...none, model: '模 "x"', time: DAY, faults: 3 },
    ]);
    const [sum] = await log.queries.usage.points(
      { filter: {}, step: "day", by: "none", offsetMinutes: 0 },
      NOW,
    );
    expect(sum).toMatchObject({ requests: 2, errors: 1 });
  });

  it("count the failures of served models, apart from refused requests and departed clients", async () => {
    await store(
      chargeOf(DAY + 10, 5, { modelName: "m", isStream: true, firstByteMs: 200 }),
      chargeOf(DAY + HOUR + 10, 5, { modelName: "m", isStream: false }),
      failure(DAY + HOUR + 20, { modelName: "m" }),
      failure(DAY + HOUR + 30, { modelName: "m", count: "refused" }),
      failure(DAY + HOUR + 40, { modelName: "m", count: "left" }),
      failure(DAY + HOUR + 50, { modelName: "" }),
    );
    const none = { requests: 0, faults: 0, firstByteMs: 0, streams: 0 };
    expect(await log.queries.health.ofModels(DAY, 3600)).toEqual([
      { ...none, model: "m", time: DAY, requests: 1, firstByteMs: 200, streams: 1 },
      { ...none, model: "m", time: DAY + HOUR, requests: 1, faults: 1 },
    ]);
    expect(await log.queries.health.ofModels(DAY, 86_400)).toEqual([
      { ...none, model: "m", time: DAY, requests: 2, faults: 1, firstByteMs: 200, streams: 1 },
    ]);
    expect(await log.queries.health.ofModels(DAY + HOUR, 3600)).toHaveLength(1);
    const [sum] = await log.queries.usage.points(
      { filter: {}, step: "day", by: "none", offsetMinutes: 0 },
      NOW,
    );
    expect(sum).toMatchObject({ requests: 2, errors: 3 });
  });

  it("are told also where they add up to more than a number holds: as the most that one does", async () => {
    const most = 2 ** 53 - 1;
    await store(
      ...[1, 2, 3].map((user) =>
        chargeOf(DAY + user, most, {
          userId: user,
          tokenId: user,
          username: `user ${user}`,
          promptTokens: most,
          durationMs: most,
        }),
      ),
    );
    expect(await log.queries.usage.consumedQuota({}, NOW)).toBe(most);
    for (const by of ["none", "model", "channel"] as const)
      for (const step of ["hour", "day"] as const)
        expect(await log.queries.usage.points({ filter: {}, step, by, offsetMinutes: 0 }, NOW)).toMatchObject(
          [{ requests: 3, quota: most, promptTokens: most, durationMs: most }],
        );
    const largest = { filter: {}, step: "day", by: "user", offsetMinutes: 0, top: 1 } as const;
    expect(await log.queries.usage.points(largest, NOW)).toMatchObject([
      { name: "user 1", quota: most },
      { others: 2, requests: 2, quota: 0 },
    ]);
  });

  it("are told apart by the requested key, under the newest names", async () => {
    await store(
      chargeOf(DAY, 1),
      chargeOf(DAY, 2, { username: "alice the second", tokenName: "renamed" }),
      chargeOf(DAY, 4, { userId: 2, username: "bob", tokenId: 12, tokenName: "phone", channelId: 2 }),
      chargeOf(DAY, 8, { modelName: "gpt-3.5-turbo", channelId: 2 }),
    );
    channels.push({ id: 2, name: "east" });
    const by = async (grouping: UsagePointGrouping) =>
      (await log.queries.usage.points({ filter: {}, step: "hour", by: grouping, offsetMinutes: 0 }, NOW)).map(
        ({ key, name, quota }) => [key, name, quota],
      );
    expect(await by("model")).toEqual([
      ["gpt-3.5-turbo", "gpt-3.5-turbo", 8],
      ["gpt-4", "gpt-4", 7],
    ]);
    expect(await by("user")).toEqual([
      ["1", "alice the second", 11],
      ["2", "bob", 4],
    ]);
    expect(await by("token")).toEqual([
      ["11", "renamed", 11],
      ["12", "phone", 4],
    ]);
    expect(await by("channel")).toEqual([
      ["2", "east", 12],
      ["1", "", 3],
    ]);
  });

  it("begin their days at the caller's midnight", async () => {
    // 23:30 and 00:30 in Shanghai.
    await store(chargeOf(DAY + 15 * HOUR + 1800, 1), chargeOf(DAY + 16 * HOUR + 1800, 2));
    expect(await points({ step: "day", offsetMinutes: 480 })).toMatchObject([
      { time: -8 * HOUR, quota: 1 },
      { time: 16 * HOUR, quota: 2 },
    ]);
    expect(await points({ step: "day" })).toMatchObject([{ time: 0, quota: 3 }]);
  });

  it("count only lines within a range that ends within an hour, errors too", async () => {
    await store(
      chargeOf(DAY + 10, 1),
      chargeOf(DAY + 20, 2),
      chargeOf(DAY + HOUR, 4),
      chargeOf(DAY + 2 * HOUR + 10, 8),
      chargeOf(DAY + 2 * HOUR + 20, 16),
      failure(DAY + 10),
      failure(DAY + 20),
    );
    const range = { startTimestamp: DAY + 20, endTimestamp: DAY + 2 * HOUR + 10 };
    for (const by of ["none", "user"] as const) {
      expect(await points({ filter: range, by })).toMatchObject([
        { time: 0, quota: 2, requests: 1, errors: 1 },
        { time: HOUR, quota: 4, errors: 0 },
        { time: 2 * HOUR, quota: 8 },
      ]);
    }
    expect(await points({ filter: { startTimestamp: DAY + 11, endTimestamp: DAY + 25 } })).toMatchObject([
      { quota: 2, errors: 1 },
    ]);
    // A range that ends now is not cut.
    expect(
      (await points({ filter: { endTimestamp: DAY + 2 * HOUR + 20 } }, DAY + 2 * HOUR + 20)).at(-1),
    ).toMatchObject({
      quota: 24,
    });
  });

  it("are lowered by a refund of a request, which is no request of its own", async () => {
    const refund = (createdAt: number, quota: number): Charge =>
      chargeOf(createdAt, quota, {
        requestId: "request-refunded",
        promptTokens: 0,
        completionTokens: 0,
        durationMs: 0,
        cost: 0,
        content: REFUNDED,
        receipt: "",
        use: { shape: "", shortfall: 0, values: [] },
      });
    const charge = chargeOf(DAY, 100, { requestId: "request-refunded", cost: 40, receipt: RECEIPT });
    await store(charge, chargeOf(DAY + 1, 7, { cost: 3 }));
    await store(refund(DAY + HOUR + 60, -60));
    const query: UsageQuery = { filter: {}, step: "hour", by: "model", offsetMinutes: 0 };
    const points = await log.queries.usage.points(query, NOW);
    expect(points.map(({ requests, quota, durationMs }) => [requests, quota, durationMs])).toEqual([
      [2, 107, 400],
      [0, -60, 0],
    ]);
    const usual = { order: "revenue", isDescending: true, limit: 10, offsetMinutes: 0 } as const;
    // The same from sums, and from lines where the range ends within an hour.
    for (const filter of [{}, { startTimestamp: DAY, endTimestamp: DAY + HOUR + 61 }]) {
      const { total } = await log.queries.profit.report({ ...usual, filter, by: "none" }, NOW);
      expect(total).toEqual({
        requests: 2,
        revenue: 47,
        costedRequests: 2,
        costedRevenue: 47,
        cost: 43,
      });
    }
    const alone = { startTimestamp: DAY + HOUR + 30, endTimestamp: DAY + HOUR + 90 };
    expect(
      (await log.queries.profit.report({ ...usual, filter: alone, by: "channel" }, NOW)).total,
    ).toMatchObject({ requests: 0, revenue: -60 });
    expect(await log.queries.usage.consumedQuota({}, NOW)).toBe(47);
    const [line] = await log.queries.logs.page({}, 0, 1);
    expect(line).toMatchObject({
      quota: -60,
      requestId: "request-refunded",
      content: [{ code: "request-refunded" }],
    });
    // The receipt stays that of the charge.
    const found = await log.queries.receipts.find("request-refunded", undefined);
    expect(found).toMatchObject({ createdAt: DAY, channelId: 1, chargedModel: "gpt-4" });
    const spans = await log.queries.health.latency({
      filter: {},
      by: "none",
      step: "range",
      offsetMinutes: 0,
    });
    expect(spans[0]?.duration?.requests ?? 2).toBe(2);
    expect(await log.queries.usage.spentSince([DAY])).toMatchObject([{ from: DAY, quota: 47, requests: 2 }]);
  });

  it("narrow to a user, a name and a model", async () => {
    await store(
      chargeOf(DAY, 1),
      chargeOf(DAY, 2, { tokenId: 12, tokenName: "phone" }),
      chargeOf(DAY, 4, { userId: 2, username: "bob" }),
    );
    await say(1, 1, "top-up", DAY);
    await say(1, 2, "top-up", DAY + 10 * HOUR);
    const sum = async (filter: LogFilter) => (await points({ filter })).map(({ quota }) => quota);
    expect(await sum({ userId: 1 })).toEqual([3]);
    expect(await sum({ userId: 2 })).toEqual([4]);
    expect(await sum({ username: "bob" })).toEqual([4]);
    expect(await sum({ tokenName: "phone" })).toEqual([2]);
    expect(await sum({ modelName: "gpt-4", channelId: 1 })).toEqual([7]);
    expect(await sum({ username: "nobody" })).toEqual([]);
  });
});

describe("the largest of many", () => {
  const ask = (top: number, by: UsagePointGrouping = "user") =>
    log.queries.usage.points({ filter: {}, step: "day", by, offsetMinutes: 0, top }, NOW);

  beforeEach(async () => {
    for (let user = 1; user <= 9; user += 1) {
      await store(chargeOf(DAY, user, { userId: user, tokenId: user, username: `user ${user}` }));
    }
    await store(chargeOf(DAY, 0, { userId: 1, username: "user 1", promptTokens: 900 }));
    await store(
      failure(DAY, { userId: 2, username: "user 2" }),
      failure(DAY, { userId: 2, username: "user 2" }),
    );
    await store(chargeOf(DAY + 86_400, 1, { userId: 3, username: "user 3" }));
  });

  it("are those that are large by requests, by tokens, by quota or by errors, and the others one more point", async () => {
    expect(
      (await ask(1)).map(({ time, key, name, quota, others }) => [time - DAY, key, name, quota, others]),
    ).toEqual([
      [0, "9", "user 9", 9, undefined],
      [0, "2", "user 2", 2, undefined],
      [0, "1", "user 1", 1, undefined],
      [0, "", "", 3 + 4 + 5 + 6 + 7 + 8, 6],
      [86_400, "", "", 1, 6],
    ]);
  });

  it("are all of them when there are no more, without a point for the others", async () => {
    expect(await ask(9)).toHaveLength(10);
    expect((await ask(9)).some(({ others }) => others !== undefined)).toBe(false);
    expect((await ask(1, "model")).map(({ key }) => key)).toEqual(["gpt-4", "gpt-4"]);
    expect((await ask(1, "none")).map(({ quota }) => quota)).toEqual([45, 1]);
  });
});

it("tells the largest of so many models apart that they are ranked in the database", async () => {
  const charges = Array.from({ length: 150 }, (_, index) =>
    chargeOf(DAY + index * 1800, index, {
      modelName: `model ${index % 120}`,
      promptTokens: (index * 37) % 400,
      ...(index % 3 === 0 && { userId: 2, username: "bob" }),
    }),
  );
  await store(...charges, failure(DAY, { modelName: "model 7" }), failure(DAY, { modelName: "model 8" }));
  for (const filter of [{}, { userId: 2 }, { startTimestamp: DAY + 1000, endTimestamp: DAY + 80_000 }])
    for (const step of ["hour", "day"] as const)
      await expectSameWithTop({ filter, step, by: "model", offsetMinutes: 480 });
});

type UsagePointGrouping = UsageQuery["by"];

describe("the sums of payers", () => {
  it("say the same before and after buckets are added up", async () => {
    for (let hour = 0; hour < 30 * 24; hour += 5) {
      await store(
        chargeOf(DAY + hour * HOUR, hour, { modelName: `model ${hour % 3}`, channelId: 1 + (hour % 2) }),
        failure(DAY + hour * HOUR, { userId: 2, tokenId: 12, username: "bob" }),
      );
    }
    const ask = () =>
      Promise.all(
        (["none", "model", "channel", "token", "user"] as const).flatMap((by) =>
          [{}, { modelName: "model 1" }, { channelId: 2 }, { modelName: "model 1", channelId: 2 }].map(
            async (filter) =>
              [
                await log.queries.usage.points({ filter, step: "day", by, offsetMinutes: 480 }, NOW),
                await log.queries.usage.consumedQuota({ ...filter, tokenName: "laptop" }, NOW),
              ] as const,
          ),
        ),
      );
    const before = await ask();
    expect(before[0]?.[0]).toHaveLength(31);
    await closeBucketsUntil(DAY + 12 * 86_400);
    expect(await ask()).toEqual(before);
    await closeBucketsUntil(NOW);
    expect(await ask()).toEqual(before);
  });

  it("say the same of a key name that comes to be shared, before it has sums of its own and with each bucket of them", async () => {
    const charge = (hour: number, user: number) =>
      chargeOf(DAY + hour * HOUR + user, hour + user, {
        userId: user,
        username: `user ${user}`,
        tokenId: user,
        tokenName: user % 4 === 0 ? "alone" : "default",
        modelName: `model ${(hour + user) % 3}`,
        channelId: 1 + ((hour + user) % 2),
      });
    // Seven keys have the name for two days, an eighth comes, and two days are left out.
    for (let hour = 0; hour < 144; hour += 3) {
      if (hour >= 72 && hour < 120) continue;
      const users = [1, 2, 3, 4, 5, 6, 7, 9, ...(hour >= 48 ? [10] : [])];
      await store(
        ...users.map((user) => charge(hour, user)),
        failure(DAY + hour * HOUR, { userId: 2, username: "user 2", tokenId: 2, tokenName: "default" }),
      );
    }
    const ask = () =>
      Promise.all(
        (["none", "model", "channel", "user"] as const).flatMap((by) =>
          [{}, { modelName: "model 1" }, { channelId: 2 }, { modelName: "model 1", channelId: 2 }].map(
            async (subject) => {
              const filter = { ...subject, tokenName: "default" };
              const cut = { startTimestamp: DAY + 5 * HOUR, endTimestamp: DAY + 130 * HOUR + 77 };
              return [
                await log.queries.usage.points({ filter, step: "day", by, offsetMinutes: 330 }, NOW),
                await log.queries.usage.points(
                  { filter: { ...filter, ...cut }, step: "hour", by, offsetMinutes: -90, top: 2 },
                  NOW,
                ),
                await log.queries.usage.consumedQuota({ ...filter, ...cut }, NOW),
              ] as const;
            },
          ),
        ),
      );
    const whole = await ask();
    expect(whole[0]?.[0]).toHaveLength(6);
    await closeBucketsUntil(DAY + 20 * HOUR);
    expect(await ask()).toEqual(whole);
    await closeBucketsUntil(DAY + 66 * HOUR);
    expect(await ask()).toEqual(whole);
    // Late ones, of before the name was shared and of after it.
    await store(charge(1, 1), charge(1, 12), charge(50, 3), charge(61, 12));
    const late = await ask();
    expect(late).not.toEqual(whole);
    for (let steps = 0; await log.maintenance.closeBucket(NOW); steps += 1) {
      expect(await ask(), `after ${steps} steps`).toEqual(late);
      if (steps === 4) await store(failure(DAY + 2 * HOUR, { userId: 20, tokenName: "another" }));
    }
    await store(charge(1, 13), charge(140, 1));
    expect(await log.queries.usage.consumedQuota({ tokenName: "default" }, NOW)).toBe(
      [1, 13, 140, 1].reduce((sum, part) => sum + part) +
        late[0]![0].reduce((sum, { quota }) => sum + quota, 0),
    );
  });
});

describe("pages in an order", () => {
  const COUNT = 90;
  /** Requests, failures and lines about accounts of some hours, many within one second and many equal. */
  const storeMany = async (seed: number): Promise<void> => {
    const random = createRandom(seed);
    const below = (end: number): number => Math.floor(random() * end);
    const oneOf = (names: readonly string[]): string => names[below(names.length)] ?? "";
    const charges: Charge[] = [];
    for (let row = 0, time = DAY; row < COUNT; row += 1) {
      time += below(3) * below(3) * 700;
      const modelName = oneOf(["gpt", "Claude"]);
      const more = {
        requestId: `r${String(row).padStart(3, "0")}`,
        userId: 1 + below(2),
        username: oneOf(["ann", "Bob"]),
        tokenName: oneOf(["laptop", "Server", ""]),
        modelName,
        channelId: 1 + below(3),
        promptTokens: below(3),
        completionTokens: below(4),
        cacheReadTokens: [undefined, 0, 1, 2][below(4)],
        cacheWriteTokens: [undefined, 0, 1][below(3)],
        durationMs: 100 * below(4),
        firstByteMs: 10 * below(3),
        content: oneOf(["", "words", "Other words"]),
        // A failure is shown by the model that was asked for.
        receipt: RECEIPT.replace("gpt-4", modelName),
      };
      const failed = { code: "model-unknown", status: 0, firstAt: time, count: 1, isRepeat: false };
      charges.push(
        below(5) === 0
          ? failure(time, { ...more, promptTokens: 0, completionTokens: 0, failure: failed })
          : chargeOf(time, below(4) * 100, more),
      );
    }
    await store(...charges);
    for (let row = 0; row < 7; row += 1) await say(3, 1 + (row % 2), `note ${row % 3}`, DAY + row * HOUR);
  };

  type Line = Awaited<ReturnType<typeof log.queries.logs.page>>[number];
  const VALUES: Record<Exclude<LogSort, "created_at" | "content">, (line: Line) => number | string> = {
    channel: ({ channelId }) => channelId,
    username: ({ username }) => username.toLowerCase(),
    token_name: ({ tokenName }) => tokenName.toLowerCase(),
    type: ({ type }) => type,
    model_name: ({ modelName }) => modelName.toLowerCase(),
    prompt_tokens: (line) => line.promptTokens,
    completion_tokens: (line) => line.completionTokens,
    quota: (line) => line.quota,
    duration_ms: (line) => line.durationMs,
    first_byte_ms: (line) => line.firstByteMs,
    cached_tokens: (line) => line.cachedTokens ?? -1,
    cache_write_tokens: (line) => line.cacheWriteTokens ?? -1,
  };
  /** What a failure has none of. */
  const MEASURES: readonly LogSort[] = [
    "prompt_tokens",
    "completion_tokens",
    "quota",
    "duration_ms",
    "cached_tokens",
    "cache_write_tokens",
    "first_byte_ms",
  ];
  const keyOf = ({ id, requestId }: Line) => `${id} ${requestId}`;

  const readSorted = async (filter: LogFilter, column: LogSort, isDescending: boolean): Promise<Line[]> => {
    const found: Line[] = [];
    for (let more = true; more; ) {
      const page = await log.queries.logs.sorted(filter, { column, isDescending }, found.length, 9);
      found.push(...(page ?? []));
      more = page?.length === 9;
    }
    return found;
  };

  const FILTERS: LogFilter[] = [
    {},
    { userId: 2 },
    { type: 2 },
    { type: 3 },
    { type: 5 },
    { tokenName: "laptop", modelName: "gpt" },
    { channelId: 2, startTimestamp: DAY + 30, endTimestamp: DAY + 5 * HOUR + 7 },
    { requestId: "r007" },
    { modelName: "unheard-of" },
  ];

  it.each(FILTERS)("have each line once, up and down by each column: %o", async (filter) => {
    await storeMany(3);
    const all = await log.queries.logs.page(filter, 0, 1000);
    expect((await readSorted(filter, "created_at", true)).map(keyOf)).toEqual(all.map(keyOf));
    expect((await readSorted(filter, "created_at", false)).map(keyOf)).toEqual(all.toReversed().map(keyOf));
    for (const [column, toValue] of Object.entries(VALUES) as [
      keyof typeof VALUES,
      (typeof VALUES)["type"],
    ][])
      for (const isDescending of [false, true]) {
        const isLast = (line: Line) => Number(line.failure !== undefined && MEASURES.includes(column));
        const compare = (a: Line, b: Line): number => {
          const [one, other] = [toValue(a), toValue(b)];
          return (one < other ? -1 : one > other ? 1 : 0) * (isDescending ? -1 : 1);
        };
        // Stable: equal ones stay the newest first.
        const wanted = all.toSorted((a, b) => isLast(a) - isLast(b) || (isLast(a) ? 0 : compare(a, b)));
        expect([column, (await readSorted(filter, column, isDescending)).map(keyOf)]).toEqual([
          column,
          wanted.map(keyOf),
        ]);
      }
    const byText = await readSorted(filter, "content", false);
    expect(byText.map(keyOf).sort()).toEqual(all.map(keyOf).sort());
  });
});

describe("pages after a line", () => {
  it.each<[string, LogFilter]>([
    ["everything", {}],
    ["a user", { userId: 2 }],
    ["a key name and a model", { tokenName: "laptop", modelName: "model 2" }],
    ["a range", { startTimestamp: DAY + 30, endTimestamp: DAY + 5 * HOUR + 7 }],
    ["requests", { type: 2 }],
    ["lines about accounts", { type: 3 }],
  ])("are together all lines, each once, also of one second: %s", async (_, filter) => {
    // Some hours are left out, and many lines are of one second.
    const timeOf = (index: number): number => DAY + Math.floor(index / 17) * (index > 60 ? 5 * HOUR : 40);
    const charges = Array.from({ length: 120 }, (_, index) =>
      chargeOf(timeOf(index), index, {
        userId: 1 + (index % 3),
        tokenName: index % 2 === 0 ? "laptop" : "server",
        modelName: `model ${index % 4}`,
      }),
    );
    await store(...charges);
    const notes = Array.from({ length: 13 }, (_, index) => ({
      createdAt: timeOf(index * 9),
      userId: 1 + (index % 3),
      username: "bob",
      type: 3,
      content: `note ${index}`,
    }));
    await log.takeOver(encodeAccountEntries(notes));
    const whole = await log.queries.logs.page(filter, 0, 1000);
    expect(whole.length).toBeGreaterThan(5);
    const found: typeof whole = [];
    for (let last = whole[0]; last !== undefined; ) {
      const page = await log.queries.logs.after(filter, found.at(-1), 4);
      expect(page.length).toBeLessThanOrEqual(4);
      found.push(...page);
      last = page.at(-1);
    }
    expect(found).toEqual(whole);
  });
});

describe("failed requests among the lines", () => {
  interface Expected {
    createdAt: number;
    isFailure: boolean;
    requestId: string;
    order: number;
    filter: Required<Pick<LogFilter, "userId" | "modelName" | "channelId">>;
  }
  /** Requests of some hours with gaps between them, many within one second. */
  const storeSome = async (seed: number): Promise<Expected[]> => {
    const random = createRandom(seed);
    const below = (end: number): number => Math.floor(random() * end);
    const expected: Expected[] = [];
    const charges: Charge[] = [];
    const moments = Array.from(
      { length: 60 },
      () => DAY + below(4) * below(40) * HOUR + below(3) * 1799,
    ).sort((one, other) => one - other);
    for (const [order, createdAt] of moments.entries()) {
      const isFailure = below(3) === 0;
      const userId = 1 + below(2);
      const modelName = `m${below(2)}`;
      const channelId = 1 + below(2);
      const requestId = `r${String(order).padStart(3, "0")}`;
      const subject = { userId, username: `user ${userId}`, modelName, channelId, requestId };
      const failed = { code: "model-unknown", status: 0, firstAt: createdAt, count: 1, isRepeat: false };
      charges.push(
        isFailure
          ? failure(createdAt, { ...subject, failure: failed })
          : chargeOf(createdAt, 1, { ...subject, receipt: RECEIPT }),
      );
      expected.push({ createdAt, isFailure, requestId, order, filter: { userId, modelName, channelId } });
    }
    await store(...charges);
    return expected.sort(
      (one, other) =>
        other.createdAt - one.createdAt ||
        Number(one.isFailure) - Number(other.isFailure) ||
        other.order - one.order,
    );
  };
  const idsOf = (lines: readonly { requestId: string }[]) => lines.map(({ requestId }) => requestId);

  it.each(seeds(12))(
    "are on each page in the order of time, whatever is asked for (seed %i)",
    async (seed) => {
      const all = await storeSome(seed);
      const random = createRandom(seed + 1000);
      const below = (end: number): number => Math.floor(random() * end);
      for (let tries = 0; tries < 25; tries += 1) {
        const { userId, modelName, channelId } = all[below(all.length)]?.filter ?? {
          userId: 1,
          modelName: "",
          channelId: 0,
        };
        const filter: LogFilter = {
          ...(below(3) === 0 ? { userId } : {}),
          ...(below(3) === 0 ? { modelName } : {}),
          ...(below(3) === 0 ? { channelId } : {}),
          ...(below(4) === 0 ? { type: below(2) === 0 ? 5 : 2 } : {}),
          ...(below(3) === 0 ? { startTimestamp: DAY + below(60) * 1799 } : {}),
          ...(below(3) === 0 ? { endTimestamp: DAY + below(120) * 1799 } : {}),
          ...(below(6) === 0 ? { requestId: all[below(all.length)]?.requestId ?? "" } : {}),
        };
        const fits = all.filter(
          (each) =>
            (filter.userId === undefined || each.filter.userId === filter.userId) &&
            (filter.modelName === undefined || each.filter.modelName === filter.modelName) &&
            (filter.channelId === undefined || each.filter.channelId === filter.channelId) &&
            (filter.type === undefined || (filter.type === 5) === each.isFailure) &&
            (filter.requestId === undefined || each.requestId === filter.requestId) &&
            each.createdAt >= (filter.startTimestamp ?? 0) &&
            each.createdAt <= (filter.endTimestamp ?? NOW),
        );
        const offset = below(fits.length + 3);
        const page = await log.queries.logs.page(filter, offset, 7);
        expect(idsOf(page), JSON.stringify({ filter, offset })).toEqual(
          idsOf(fits.slice(offset, offset + 7)),
        );
        const stepped: string[] = [];
        for (let last: (typeof page)[number] | undefined; ; ) {
          const next = await log.queries.logs.after(filter, last, 5);
          stepped.push(...idsOf(next));
          last = next.at(-1);
          if (!last || next.length < 5) break;
        }
        expect(stepped, JSON.stringify(filter)).toEqual(idsOf(fits));
      }
    },
  );

  it("count for no total", async () => {
    await storeSome(3);
    expect(await log.queries.usage.consumedQuota({ type: 5 }, NOW)).toBe(0);
  });
});

describe("the same failure within a minute (S19)", () => {
  const times = (count: number, more: Partial<Charge> = {}, lastAt = DAY + 59): Charge =>
    failure(lastAt, {
      requestId: "first",
      receipt: "",
      failure: { code: "user-quota-exceeded", status: 403, firstAt: DAY, count, isRepeat: true },
      ...more,
    });
  const first = (): Charge =>
    failure(DAY, {
      requestId: "first",
      receipt: RECEIPT,
      failure: { code: "user-quota-exceeded", status: 403, firstAt: DAY, count: 1, isRepeat: false },
    });
  const errorsOf = async (filter: LogFilter): Promise<number> => {
    const query = { filter, step: "hour", by: "none", offsetMinutes: 0 } as unknown as UsageQuery;
    const points = await log.queries.usage.points(query, NOW);
    return points.reduce((sum, { errors }) => sum + errors, 0);
  };

  it("is one receipt with a count, and counts as often in the sums", async () => {
    await store(first(), times(9));
    await store(times(90));
    const receipt = await log.queries.receipts.find("first", undefined);
    expect(receipt).toMatchObject({ userId: 1, failure: { times: 100, lastAt: DAY + 59 } });
    expect(await errorsOf({})).toBe(100);
    expect(await errorsOf({ startTimestamp: DAY, endTimestamp: DAY + 100 })).toBe(100);
    expect(await errorsOf({ startTimestamp: DAY + 60, endTimestamp: DAY + 100 })).toBe(0);
  });

  it("is found as one that happened once before it is repeated", async () => {
    await store(first());
    expect((await log.queries.receipts.find("first", undefined))?.failure?.times).toBe(1);
    expect(await errorsOf({ startTimestamp: DAY, endTimestamp: DAY + 100 })).toBe(1);
  });

  it("is cleared by its time, while lines stay", async () => {
    await store(first(), times(9), chargeOf(DAY, 5, { requestId: "charged", receipt: RECEIPT }));
    await store(failure(DAY + 9999, { requestId: "later", receipt: RECEIPT }));
    expect(await log.maintenance.clearFailuresBefore(DAY + 100)).toBe(true);
    expect(await log.queries.receipts.find("first", undefined)).toBeUndefined();
    expect(await log.queries.receipts.find("charged", undefined)).toBeDefined();
    expect(await log.queries.receipts.find("later", undefined)).toBeDefined();
    expect(await errorsOf({})).toBe(11);
  });

  it("is cleared with the log", async () => {
    await store(first(), times(9));
    await log.maintenance.clearBefore(DAY + 100, NOW);
    await store(first());
    expect((await log.queries.receipts.find("first", undefined))?.failure?.times).toBe(1);
  });
});

describe("clearing", () => {
  it("deletes lines and receipts of before a moment, and keeps the sums", async () => {
    await store(
      chargeOf(DAY + 10, 1, { receipt: RECEIPT, requestId: "old" }),
      failure(DAY + 10, { receipt: RECEIPT, requestId: "old failure" }),
      chargeOf(DAY + 20, 2, { receipt: RECEIPT, requestId: "new" }),
    );
    expect(await log.queries.receipts.find("old", 1)).toBeDefined();
    expect(await log.maintenance.clearBefore(DAY + 20, NOW)).toEqual({ deleted: 1, isDone: true });
    expect(await quotas({})).toEqual([2]);
    expect(await log.queries.receipts.find("old", undefined)).toBeUndefined();
    expect(await log.queries.receipts.find("old failure", undefined)).toBeUndefined();
    expect(await log.queries.receipts.find("new", undefined)).toBeDefined();
    // The total says what the lines say; the pictures what was used.
    expect(await log.queries.usage.consumedQuota({}, NOW)).toBe(2);
    const usage = await log.queries.usage.points(
      { filter: {}, step: "day", by: "none", offsetMinutes: 0 },
      NOW,
    );
    expect(usage).toMatchObject([{ requests: 2, quota: 3 }]);
  });

  it("leaves later lines alone, also in the second in which everything was cleared", async () => {
    await store(chargeOf(DAY + 10, 1));
    await log.maintenance.clearBefore(DAY + 9999, DAY + 10);
    await store(chargeOf(DAY + 10, 2));
    expect(await quotas({})).toEqual([2]);
    expect(await log.queries.usage.consumedQuota({}, DAY + 10)).toBe(2);
  });

  it("leaves lines that say a later time than it is, whatever is asked for: the clock was set back (M13)", async () => {
    await store(chargeOf(DAY + 10, 1), chargeOf(DAY + 5 * HOUR, 2));
    await log.maintenance.clearBefore(DAY + 9 * HOUR, DAY + HOUR);
    expect(await quotas({})).toEqual([2]);
  });

  it("deletes texts that no line has any more, and knows them again when they come back", async () => {
    await say(3, 1, "a name that must go", DAY);
    await log.maintenance.clearBefore(DAY + 2 * HOUR, NOW);
    expect(await log.queries.logs.search("a name", [], undefined, 100)).toEqual([]);
    await say(3, 1, "a name that must go", DAY + 3 * HOUR);
    expect(await log.queries.logs.search("a name", [], undefined, 100)).toHaveLength(1);
  });
});

const RECEIPT = JSON.stringify([
  "gpt-4",
  "gpt-4-0613",
  "complete",
  1,
  200,
  40,
  10,
  3,
  null,
  null,
  null,
  "upstream",
  "upstream",
  18,
  0,
  1,
  "ceil(1) = 1",
  [[1, "ok", 200, 0, 12, 200]],
]);

describe("a receipt", () => {
  it("is found by its request's id, by its owner only", async () => {
    await store(chargeOf(DAY, 18, { receipt: RECEIPT, requestId: "r-1" }));
    const receipt = await log.queries.receipts.find("r-1", 1);
    expect(receipt).toMatchObject({
      requestId: "r-1",
      username: "alice",
      tokenName: "laptop",
      detail: {
        requestedModel: "gpt-4",
        upstreamModel: "gpt-4-0613",
        firstByteMs: 40,
        cacheReadTokens: undefined,
        attempts: [{ channelId: 1, outcome: "ok", status: 200, firstByteMs: 12 }],
      },
    });
    expect(await log.queries.receipts.find("r-1", 2)).toBeUndefined();
    expect(await log.queries.receipts.find("r-2", undefined)).toBeUndefined();
    expect(await log.queries.logs.page({}, 0, 1)).toMatchObject([{ requestId: "r-1", durationMs: 200 }]);
  });
});

describe("the profit", () => {
  const report = (more: Partial<ProfitQuery> = {}, now = NOW) =>
    log.queries.profit.report(
      {
        filter: {},
        by: "none",
        order: "revenue",
        isDescending: true,
        limit: 1000,
        offsetMinutes: 0,
        ...more,
      },
      now,
    );

  it("is told also where costs add up to more than a number holds", async () => {
    const huge = { channelId: 1, modelName: "a", cost: 2 ** 53 - 1 };
    await store(...[1, 2, 3].map((quota) => chargeOf(DAY + quota, quota, huge)));
    for (const by of PROFIT_GROUPINGS)
      expect((await report({ by })).rows).toMatchObject([{ requests: 3, revenue: 6, cost: 2 ** 53 - 1 }]);
  });

  it("is the charged quota less the upstreams' cost, as far as it is known; the rest is shown apart", async () => {
    channels.push({ id: 1, name: "one" }, { id: 2, name: "two" });
    await store(
      chargeOf(DAY + 10, 1000, { channelId: 1, modelName: "a", cost: 400_500 }),
      chargeOf(DAY + 20, 0, { channelId: 1, modelName: "a", cost: 100_000 }),
      chargeOf(DAY + 30, 500, { channelId: 2, modelName: "a" }),
      chargeOf(DAY + 86_400, 10, { channelId: 2, modelName: "b", cost: 30_001, userId: 8, username: "eve" }),
      failure(DAY + 40, { channelId: 1 }),
    );
    const total = { requests: 4, revenue: 1510, costedRequests: 3, costedRevenue: 1010, cost: 530_501 };
    expect((await report()).total).toEqual(total);
    const byChannel = await report({ by: "channel", order: "profit", isDescending: false });
    expect(byChannel.rows).toMatchObject([
      { key: "2", name: "two", requests: 2, revenue: 510, costedRevenue: 10, cost: 30_001 },
      { key: "1", name: "one", requests: 2, revenue: 1000, costedRevenue: 1000, cost: 500_500 },
    ]);
    expect((await report({ by: "model", order: "name", isDescending: false })).rows).toMatchObject([
      { key: "a", revenue: 1500 },
      { key: "b", revenue: 10 },
    ]);
    expect(
      (await report({ by: "day", order: "name", isDescending: false, offsetMinutes: -60 })).rows,
    ).toMatchObject([
      { key: "2025-12-31", revenue: 1500 },
      { key: "2026-01-01", revenue: 10 },
    ]);
    expect((await report({ by: "channel_model", limit: 1 })).others).toMatchObject({
      count: 2,
      revenue: 510,
    });
    // Of what is not known there is no margin, and it comes last in any order.
    expect(
      (await report({ by: "channel_model", order: "margin", isDescending: false })).rows.map(
        ({ key, model }) => `${key} ${model}`,
      ),
    ).toEqual(["2 b", "1 a", "2 a"]);
    const filter = { username: "eve", channelId: 2, startTimestamp: DAY + 100 };
    expect((await report({ by: "user", filter })).rows).toMatchObject([{ name: "eve", cost: 30_001 }]);
    expect((await report({ filter: { modelName: "never" } })).total.requests).toBe(0);
    // Within an hour it comes from the lines.
    expect((await report({ filter: { startTimestamp: DAY + 15, endTimestamp: DAY + 30 } })).total).toEqual({
      requests: 2,
      revenue: 500,
      costedRequests: 1,
      costedRevenue: 0,
      cost: 100_000,
    });
  });

  it.each(seeds(3))(
    "adds up to the same, however it is told apart and from which sums it comes (seed %i)",
    async (seed) => {
      const random = createRandom(seed);
      const one = (most: number): number => Math.floor(random() * most);
      const charges = Array.from({ length: 300 }, () =>
        chargeOf(DAY + one(12 * 86_400), one(100), {
          userId: 1 + one(4),
          username: `user ${one(4)}`,
          tokenId: one(5),
          channelId: 1 + one(3),
          modelName: `model ${one(3)}`,
          ...(one(4) === 0 ? {} : { cost: one(100_000) }),
        }),
      );
      // At the begin of an hour, where also a range that cuts it counts them.
      const ended = Array.from({ length: 40 }, () =>
        endedAt(DAY + HOUR * one(12 * 24), {
          userId: 1 + one(4),
          username: `user ${one(4)}`,
          tokenId: one(5),
          channelId: 1 + one(3),
          modelName: `model ${one(3)}`,
        }),
      );
      await store(...charges.slice(0, 150), ...ended);
      await closeBucketsUntil(DAY + 9 * 86_400);
      await store(...charges.slice(150));
      for (let i = 0; i < 6; i += 1) {
        const from = DAY + one(10 * 86_400);
        const to = from + one(6 * 86_400);
        const modelName = one(2) === 0 ? undefined : `model ${one(3)}`;
        const channelId = one(2) === 0 ? undefined : 1 + one(3);
        const userId = one(2) === 0 ? undefined : 1 + one(4);
        const isWanted = (charge: Charge): boolean =>
          charge.createdAt >= from &&
          charge.createdAt <= to &&
          (modelName === undefined || charge.modelName === modelName) &&
          (channelId === undefined || charge.channelId === channelId) &&
          (userId === undefined || charge.userId === userId);
        const wanted = charges.filter(isWanted);
        const costed = wanted.filter(({ cost }) => cost !== undefined);
        const sum = (list: readonly number[]): number => list.reduce((a, b) => a + b, 0);
        const expected = {
          requests: wanted.length,
          revenue: sum(wanted.map(({ quota }) => quota)),
          costedRequests: costed.length,
          costedRevenue: sum(costed.map(({ quota }) => quota)),
          cost: sum([...costed, ...ended.filter(isWanted)].map(({ cost = 0 }) => cost)),
        };
        const filter = { startTimestamp: from, endTimestamp: to, modelName, channelId, userId };
        for (const by of PROFIT_GROUPINGS) {
          const found = await report({ filter, by, limit: 1 + one(3), offsetMinutes: 60 * (one(20) - 10) });
          expect(found.total, by).toEqual(expected);
          const parts = [...found.rows, ...(found.others ? [found.others] : [])];
          expect(sum(parts.map(({ cost }) => cost)), by).toBe(expected.cost);
          expect(sum(parts.map(({ revenue }) => revenue)), by).toBe(expected.revenue);
        }
      }
    },
  );

  it("includes attempts that ended, also where nothing else was charged", async () => {
    await store(
      chargeOf(DAY, 100, { channelId: 1, modelName: "a", cost: 50_000 }),
      endedAt(DAY, { channelId: 2, modelName: "b", userId: 8, username: "eve" }),
    );
    for (const by of PROFIT_GROUPINGS) {
      const { total, rows } = await report({ by });
      expect(total, by).toEqual({
        requests: 1,
        revenue: 100,
        costedRequests: 1,
        costedRevenue: 100,
        cost: 59_000,
      });
      expect(
        rows.reduce((sum, { cost }) => sum + cost, 0),
        by,
      ).toBe(59_000);
    }
    const byCost = await report({ by: "channel", order: "cost", isDescending: false });
    expect(byCost.rows).toMatchObject([
      { key: "2", requests: 0, revenue: 0, costedRequests: 0, costedRevenue: 0, cost: 9000 },
      { key: "1", requests: 1, cost: 50_000 },
    ]);
  });

  it("counts attempts that ended at the begin of their hour where a range cuts it", async () => {
    await store(
      chargeOf(DAY + 60, 100, { channelId: 1, modelName: "a", cost: 50_000 }),
      endedAt(DAY + 1800, { channelId: 1, modelName: "a" }),
    );
    const costOf = async (from: number, to: number, by: ProfitGrouping, more: LogFilter = {}) => {
      const filter = { startTimestamp: DAY + from, endTimestamp: DAY + to, ...more };
      return (await report({ filter, by })).total.cost;
    };
    for (const by of PROFIT_GROUPINGS)
      for (const more of [{}, { channelId: 1 }, { userId: 1 }, { userId: 1, modelName: "a" }]) {
        const costs = [await costOf(0, 1799, by, more), await costOf(1800, 3599, by, more)];
        expect(costs, by).toEqual([59_000, 0]);
        expect(await costOf(0, 3599, by, more), by).toBe(59_000);
        expect(await costOf(-1800, 1799, by, more), by).toBe(59_000);
      }
    // Without its lines an hour has neither the revenue nor the cost of its requests.
    await log.maintenance.clearBefore(DAY + HOUR, NOW);
    expect(await costOf(0, 1799, "none")).toBe(0);
  });

  it("knows no cost of lines of an older version", async () => {
    const [, text] = encodeCharges([chargeOf(DAY, 5)]);
    expect(text.split("\n")[0]).toMatch(/"\]$/);
    await log.takeOver(text);
    expect((await report()).total).toEqual({
      requests: 1,
      revenue: 5,
      costedRequests: 0,
      costedRevenue: 0,
      cost: 0,
    });
  });
});

describe("percentiles", () => {
  const exact = (values: readonly number[], share: number): number =>
    values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? 0;
  /** Half a bucket: 2^(1/8), and what rounding to a millisecond adds. */
  const expectNear = (told: number | undefined, wanted: number): void => {
    expect(told).toBeGreaterThanOrEqual(wanted / 2 ** 0.125 - 1);
    expect(told).toBeLessThanOrEqual(wanted * 2 ** 0.125 + 1);
  };

  it("are those of the lines, merged over any hours, models and channels", async () => {
    for (const seed of seeds(caseCount(3))) {
      const random = createRandom(seed);
      const models = ["fast", "slow", `only-${seed}`];
      const made = Array.from({ length: 400 }, () => {
        const isStream = random() < 0.7;
        const firstByteMs = Math.round(2 ** (random() * 18));
        return {
          createdAt: DAY + Math.floor(random() * 72) * HOUR + Math.floor(random() * HOUR),
          modelName: models[Math.floor(random() * models.length)] ?? "",
          channelId: 1 + Math.floor(random() * 3),
          isStream,
          firstByteMs: isStream ? firstByteMs : undefined,
          durationMs: firstByteMs + Math.round(random() * 5000),
        };
      });
      for (let from = 0; from < made.length; from += 100)
        await store(
          ...made.slice(from, from + 100).map(({ createdAt, ...more }) => chargeOf(createdAt, 1, more)),
        );
      await store(failure(DAY + 5, { modelName: "fast", durationMs: 900_000 }));
      const ofSeed = { modelName: `only-${seed}` };
      for (const [filter, fits] of [
        [ofSeed, () => true],
        [{ ...ofSeed, channelId: 2 }, ({ channelId }: (typeof made)[number]) => channelId === 2],
        [
          { ...ofSeed, startTimestamp: DAY + 10 * HOUR + 7, endTimestamp: DAY + 30 * HOUR },
          ({ createdAt }: (typeof made)[number]) =>
            createdAt >= DAY + 10 * HOUR && createdAt < DAY + 31 * HOUR,
        ],
      ] as const) {
        const lines = made.filter((line) => line.modelName === ofSeed.modelName && fits(line));
        const [point] = await log.queries.health.latency({
          filter,
          by: "none",
          step: "range",
          offsetMinutes: 0,
        });
        const whole = lines.map(({ durationMs }) => durationMs);
        const first = lines.flatMap(({ firstByteMs }) => firstByteMs ?? []);
        expect(point?.duration?.requests).toBe(whole.length);
        expect(point?.first_byte?.requests).toBe(first.length);
        expectNear(point?.duration?.p50_ms, exact(whole, 0.5));
        expectNear(point?.duration?.p95_ms, exact(whole, 0.95));
        expectNear(point?.first_byte?.p50_ms, exact(first, 0.5));
        expectNear(point?.first_byte?.p95_ms, exact(first, 0.95));
        // Every way to tell requests apart counts the same ones.
        for (const step of ["hour", "day", "range"] as const)
          for (const by of ["none", "model", "channel"] as const) {
            const points = await log.queries.health.latency({ filter, by, step, offsetMinutes: 480 });
            expect(points.reduce((sum, { duration }) => sum + (duration?.requests ?? 0), 0)).toBe(
              whole.length,
            );
            expect(points.map(({ time }) => time)).toEqual(
              points.map(({ time }) => time).sort((a, b) => a - b),
            );
          }
      }
    }
  });

  it("of one user are of that user's newest lines, whatever model and key they are narrowed to", async () => {
    const bob = { userId: 2, username: "bob" };
    const line = (at: number, durationMs: number, more: Partial<Charge> = {}): Charge =>
      chargeOf(DAY + at, 1, { modelName: "m", isStream: false, durationMs, ...more });
    await store(
      line(0, 60_000),
      line(HOUR, 100),
      line(HOUR + 1, 100, { modelName: "other", isStream: true, firstByteMs: 50 }),
      line(26 * HOUR, 100, { tokenId: 12, tokenName: "phone" }),
      ...[2, 3, 27 * HOUR].map((at) => line(at, 500_000, bob)),
      failure(DAY + 27 * HOUR, { durationMs: 400_000 }),
    );
    await say(1, 1, "top-up", DAY + 27 * HOUR);
    const ask = (filter: LogFilter, more: Partial<UserLatencyQuery> = {}) =>
      log.queries.health.userLatency({
        filter: { userId: 1, ...filter },
        by: "none",
        step: "range",
        offsetMinutes: 0,
        limit: 3,
        ...more,
      });
    const of = (requests: number, ms = 99) => ({ requests, p50_ms: ms, p95_ms: ms });
    const point = { time: 0, key: "", name: "" };
    // The fourth of the newest lines took a minute: it is not counted, and the answer says from when on lines are.
    expect(await ask({})).toEqual({
      points: [{ ...point, duration: of(3), first_byte: of(1, 49) }],
      since: DAY + HOUR,
    });
    expect((await ask({}, { limit: 4 })).since).toBeUndefined();
    expect((await ask({}, { limit: 4 })).points[0]?.duration?.requests).toBe(4);
    expect((await ask({ startTimestamp: DAY + HOUR, endTimestamp: DAY + HOUR })).points).toEqual([
      { ...point, duration: of(1) },
    ]);
    expect((await ask({ tokenName: "phone" })).points).toEqual([{ ...point, duration: of(1) }]);
    expect((await ask({ modelName: "other" })).points[0]?.duration).toEqual(of(1));
    expect(await ask({ modelName: "unheard-of" })).toEqual({ points: [] });
    expect(
      (await ask({}, { by: "model" })).points.map(({ key, duration }) => [key, duration]).sort(),
    ).toEqual([
      ["m", of(2)],
      ["other", of(1)],
    ]);
    // Midnight of a clock that is eight hours ahead lies between the second hour and the 26th.
    expect((await ask({}, { step: "day", offsetMinutes: 480 })).points.map(({ time }) => time)).toEqual([
      DAY - 8 * HOUR,
      DAY + 16 * HOUR,
    ]);
    expect((await ask({}, { step: "hour" })).points.map(({ time }) => time)).toEqual([
      DAY + HOUR,
      DAY + 26 * HOUR,
    ]);
    expect((await ask({ userId: 3 })).points).toEqual([]);
  });

  it("of one user are found by name, by a key that only this user has, and by channel", async () => {
    const line = (at: number, more: Partial<Charge>): Charge =>
      chargeOf(DAY + at, 1, { modelName: "m", isStream: false, durationMs: 100, ...more });
    const bob = { userId: 2, username: "bob" };
    await store(
      line(0, { channelId: 3, tokenName: "shared" }),
      line(1, { channelId: 4, tokenId: 12, tokenName: "phone" }),
      line(2, { ...bob, channelId: 3, tokenId: 13, tokenName: "shared" }),
    );
    const ask = (filter: UserLatencyQuery["filter"], by: UserLatencyQuery["by"] = "none") =>
      log.queries.health.userLatency({ filter, by, step: "range", offsetMinutes: 0, limit: 10 });
    const requests = async (filter: UserLatencyQuery["filter"]) =>
      (await ask(filter)).points.map(({ duration }) => duration?.requests);
    expect(await requests({ username: "bob" })).toEqual([1]);
    expect(await requests({ tokenName: "phone" })).toEqual([1]);
    expect(await requests({ username: "bob", channelId: 4 })).toEqual([]);
    expect(await requests({ userId: 1 })).toEqual([2]);
    expect((await ask({ userId: 1 }, "channel")).points.map(({ key }) => key)).toEqual(["3", "4"]);
    expect(await ask({ tokenName: "shared" })).toEqual({ points: [], is_shared: true });
    expect(await requests({ tokenName: "shared", username: "bob" })).toEqual([1]);
  });

  it("of a username that another account had before are of the account that has it now", async () => {
    const line = (at: number, more: Partial<Charge>): Charge =>
      chargeOf(DAY + at, 1, { modelName: "m", isStream: false, username: "bob", ...more });
    await store(
      line(0, { userId: 2, tokenId: 12, durationMs: 60_000 }),
      line(1, { userId: 3, tokenId: 13, durationMs: 100 }),
      line(2, { userId: 3, tokenId: 13, username: "robert", durationMs: 60_000 }),
    );
    const ask = (holderId?: number) =>
      log.queries.health.userLatency({
        ...{ filter: { username: "bob" }, holderId },
        ...{ by: "none", step: "range", offsetMinutes: 0, limit: 10 },
      });
    const duration = { requests: 1, p50_ms: 99, p95_ms: 99 };
    expect(await ask(3)).toEqual({ points: [{ time: 0, key: "", name: "", duration }] });
    expect(await ask(4)).toEqual({ points: [] });
    expect(await ask()).toEqual({ points: [], is_shared: true });
  });

  it("name models and channels, and tell nothing of a model that no request had", async () => {
    channels.push({ id: 4, name: "main" });
    await store(chargeOf(DAY, 1, { modelName: "m", channelId: 4, isStream: false, durationMs: 100 }));
    const query = { step: "range", offsetMinutes: 0 } as const;
    const duration = { requests: 1, p50_ms: 99, p95_ms: 99 };
    expect(await log.queries.health.latency({ ...query, filter: {}, by: "channel" })).toEqual([
      { time: 0, key: "4", name: "main", duration },
    ]);
    expect(await log.queries.health.latency({ ...query, filter: {}, by: "model" })).toEqual([
      { time: 0, key: "m", name: "m", duration },
    ]);
    expect(await log.queries.health.latency({ ...query, filter: { modelName: "x" }, by: "none" })).toEqual(
      [],
    );
  });
});
