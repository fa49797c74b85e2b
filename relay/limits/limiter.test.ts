import type { GroupLimits, Limits } from "@tollgate/contract/management/limits";
import type { ClientProtocol } from "@tollgate/contract/relay/protocol";
import { anthropicMessages } from "@tollgate/protocols/anthropic-messages/anthropic-messages";
import { openaiChat } from "@tollgate/protocols/openai-chat/openai-chat";
import { describe, expect, it } from "vitest";
import type { Refusal } from "../ports/client";
import type { ApiKey } from "../ports/directory";
import type { LimitPass } from "../ports/limits";
import { Limiter } from "./limiter";

/** A minute that has just begun, in the middle of a day. */
const NOON = new Date(2026, 10, 21, 12, 0, 0).getTime();
const SECOND = 1000;
const MINUTE = 60 * SECOND;

const account = (id: number) => ({ id, quota: 1000, held: 0, isUnlimited: false });

/** Spending in storage. @param quota of the day, and of the month. */
const storedOf = (keyId: number, day: number, month: number, groups = ["default"]) => ({
  userId: 1,
  keyId,
  groups,
  quotaSince: (startMs: number) => (startMs < NOON - 12 * 3600 * SECOND ? month : day),
  requestsSince: () => 0,
});

const setUp = (limits: {
  key?: Limits;
  user?: Limits;
  plans?: Limits;
  groups?: Record<string, GroupLimits>;
}) => {
  const clock = { nowMs: NOON };
  const user = { id: 1, username: "alice", role: 1, status: 1, groups: ["default"], account: account(1) };
  const keyOf = (
    id: number,
    owner: ApiKey["user"] = { ...user, limits: limits.user, planLimits: limits.plans },
  ): ApiKey => ({
    id,
    user: owner,
    name: `key ${id}`,
    status: 1,
    expiredTime: -1,
    account: account(id),
    limits: limits.key,
  });
  const limiter = new Limiter(() => clock.nowMs, { hasKey: () => true, hasUser: () => true });
  limiter.setGroups(new Map(Object.entries(limits.groups ?? {})));
  const key = keyOf(2);
  const enter = (promptTokens = 10, of = key, client: ClientProtocol = openaiChat) => {
    const entered = limiter.enter(of, { promptTokens }, client.limitHeaders);
    if (entered && "then" in entered) throw new Error("answered later");
    return entered;
  };
  const pass = (promptTokens?: number, of?: ApiKey): LimitPass => {
    const entered = enter(promptTokens, of);
    if (!entered || "code" in entered) throw new Error(`not let in: ${JSON.stringify(entered)}`);
    return entered;
  };
  const refusal = (promptTokens?: number, of?: ApiKey): Refusal => {
    const entered = enter(promptTokens, of);
    if (!entered || !("code" in entered)) throw new Error("let in");
    return entered;
  };
  return { limiter, clock, key, keyOf, user, enter, pass, refusal };
};

describe("a request that nothing limits", () => {
  it("passes without a trace", () => {
    const { enter } = setUp({ groups: { vip: { group: { rpm: 1 }, perUser: undefined } } });
    for (let i = 0; i < 5; i += 1) expect(enter()).toBeUndefined();
  });
});

describe("requests in a minute", () => {
  it("are refused beyond the limit, and taken again in the next minute", () => {
    const { pass, refusal, clock } = setUp({ key: { rpm: 2 } });
    clock.nowMs += 18 * SECOND;
    expect(pass().headers).toEqual({
      "x-ratelimit-limit-requests": "2",
      "x-ratelimit-remaining-requests": "1",
      "x-ratelimit-reset-requests": "42s",
    });
    expect(pass().headers).toMatchObject({ "x-ratelimit-remaining-requests": "0" });
    expect(refusal()).toEqual({
      code: "requests-limited",
      params: { scope: "key", limit: "2", seconds: "42" },
      retryAfterSeconds: 42,
      headers: {
        "x-ratelimit-limit-requests": "2",
        "x-ratelimit-remaining-requests": "0",
        "x-ratelimit-reset-requests": "42s",
      },
    });
    clock.nowMs += 42 * SECOND;
    pass();
  });

  it("that were refused do not count", () => {
    const { pass, refusal, clock } = setUp({ key: { rpm: 1 }, user: { rpm: 2 } });
    pass();
    for (let i = 0; i < 5; i += 1) expect(refusal().params?.scope).toBe("key");
    clock.nowMs += MINUTE;
    pass();
  });

  it("of a user count over all of its keys, and of a group over all of its users", () => {
    const world = setUp({ user: { rpm: 3 }, groups: { default: { group: { rpm: 4 }, perUser: undefined } } });
    const { pass, refusal, key, keyOf, user } = world;
    const second = keyOf(3, key.user);
    pass();
    pass(10, second);
    pass(10, second);
    expect(refusal(10, key).params).toMatchObject({ scope: "user", limit: "3" });
    const other = keyOf(4, { ...user, id: 9, limits: { rpm: 100 } });
    pass(10, other);
    expect(refusal(10, other).params).toMatchObject({ scope: "group", limit: "4" });
  });

  it("for each user of a group hold where the user has no limit of its own", () => {
    const { pass, refusal, keyOf, user } = setUp({
      groups: { default: { group: undefined, perUser: { rpm: 1, concurrency: 9 } } },
    });
    const [plain, special] = [keyOf(5, { ...user, id: 5 }), keyOf(6, { ...user, id: 6, limits: { rpm: 2 } })];
    pass(10, plain);
    expect(refusal(10, plain).params).toMatchObject({ scope: "user", limit: "1" });
    pass(10, special);
    pass(10, special);
    expect(refusal(10, special).params).toMatchObject({ limit: "2" });
  });

  it("are told in the headers of the client's own library, the tightest limit of all", () => {
    const { enter, key } = setUp({ key: { rpm: 5 }, user: { rpm: 2, tpm: 1000 } });
    expect(enter(10, key, anthropicMessages)).toMatchObject({
      headers: {
        "anthropic-ratelimit-requests-limit": "2",
        "anthropic-ratelimit-requests-remaining": "1",
        "anthropic-ratelimit-requests-reset": new Date(NOON + MINUTE).toISOString().replace(".000Z", "Z"),
        "anthropic-ratelimit-tokens-limit": "1000",
        "anthropic-ratelimit-tokens-remaining": "990",
      },
    });
  });
});

describe("limits of a user's plans", () => {
  it("hold where the user has no limit of its own, and before those of a group for each of its users", async () => {
    const { refusal, limiter, key, pass } = setUp({
      user: { dailyQuota: 50 },
      plans: { dailyQuota: 10, rpd: 2 },
      groups: { default: { group: undefined, perUser: { rpd: 1, weeklyQuota: 60 } } },
    });
    limiter.charge(key, 1, 49);
    pass();
    expect(refusal().params).toMatchObject({ scope: "user", limit: "2" });
    expect(await limiter.look(key)).toMatchObject([
      { limit: "dailyQuota", max: 50, used: 49 },
      { limit: "rpd", max: 2, isOfPlan: true },
      { limit: "weeklyQuota", max: 60 },
    ]);
  });

  it("are the only limits of a user", async () => {
    const { pass, refusal, limiter, key } = setUp({
      plans: { windowHours: 7, windowQuota: 30, concurrency: 1 },
    });
    const { leave } = pass();
    expect(refusal().code).toBe("concurrency-limited");
    leave();
    limiter.charge(key, 1, 30);
    expect(refusal()).toMatchObject({ code: "window-budget-exhausted", params: { limit: "30", hours: "7" } });
    expect((await limiter.look({ user: key.user })).map(({ limit, isOfPlan }) => [limit, isOfPlan])).toEqual([
      ["concurrency", true],
      ["windowQuota", true],
    ]);
  });

  it("give no window where the user has one, and soften no budget of the user", async () => {
    const { limiter, key } = setUp({
      user: { windowHours: 3, windowQuota: 5 },
      plans: { windowHours: 7, windowQuota: 30, dailyQuota: 9, softBudgets: 1 },
    });
    expect(await limiter.look(key)).toMatchObject([
      { limit: "dailyQuota", max: 9, isSoft: false, isOfPlan: true },
      { limit: "windowQuota", max: 5, hours: 3, isSoft: false },
    ]);
    expect((await limiter.look(key))[1]).not.toHaveProperty("isOfPlan");
  });

  it("that are exchanged for others leave an open window as it is", () => {
    const { refusal, pass, limiter, key } = setUp({ plans: { fiveHourQuota: 10 } });
    pass();
    limiter.charge(key, 1, 8);
    key.user.planLimits = { windowHours: 6, windowQuota: 10 };
    pass();
    limiter.charge(key, 1, 2);
    key.user.planLimits = { fiveHourQuota: 10 };
    expect(refusal().code).toBe("window-budget-exhausted");
  });

  it("that end leave the used part of a budget used for the next plan", () => {
    const { refusal, pass, limiter, key, enter } = setUp({ plans: { fiveHourQuota: 10 } });
    pass();
    limiter.charge(key, 1, 8);
    key.user.planLimits = undefined;
    expect(enter()).toBeUndefined();
    limiter.charge(key, 1, 2);
    key.user.planLimits = { fiveHourQuota: 10 };
    expect(refusal().code).toBe("window-budget-exhausted");
    key.user.planLimits = { fiveHourQuota: 11 };
    pass();
  });
});

describe("a look at limits", () => {
  it("returns each limit of a key's requests with its use, and counts nothing", async () => {
    const { limiter, key, pass, user } = setUp({
      key: { rpm: 5, dailyQuota: 100 },
      user: { concurrency: 3 },
      groups: { default: { group: { tpm: 1000 }, perUser: { monthlyQuota: 900 } } },
    });
    pass(10);
    limiter.charge(key, 40, 25);
    const [tomorrow, nextMonth] = [new Date(2026, 10, 22).getTime(), new Date(2026, 11, 1).getTime()];
    const ofUser = [
      { scope: "user", id: 1, limit: "concurrency", max: 3, used: 1 },
      { scope: "user", id: 1, limit: "monthlyQuota", max: 900, used: 25, endMs: nextMonth, isSoft: false },
      { scope: "group", id: "default", limit: "tpm", max: 1000, used: 50 },
    ];
    const ofKey = [
      { scope: "key", id: 2, limit: "rpm", max: 5, used: 1 },
      { scope: "key", id: 2, limit: "dailyQuota", max: 100, used: 25, endMs: tomorrow, isSoft: false },
      ...ofUser,
    ];
    expect(await limiter.look(key)).toEqual(ofKey);
    expect(await limiter.look(key)).toEqual(ofKey);
    expect(await limiter.look({ user: { ...user, limits: { concurrency: 3 } } })).toEqual(ofUser);
  });
});

describe("tokens in a minute", () => {
  it("count as estimated while a request runs, and as charged when it has ended", () => {
    const { pass, refusal, limiter, key } = setUp({ key: { tpm: 100 } });
    const first = pass(60);
    expect(refusal(50).code).toBe("tokens-limited");
    limiter.charge(key, 30, 1);
    first.leave();
    pass(50);
    expect(refusal(30).code).toBe("tokens-limited");
    pass(20);
  });

  it("of a request that ends in a later minute leave that minute's room alone", () => {
    const { pass, refusal, clock } = setUp({ key: { tpm: 100 } });
    const first = pass(60);
    clock.nowMs += MINUTE;
    pass(60);
    first.leave();
    expect(refusal(50).code).toBe("tokens-limited");
  });

  it("refuse a prompt above the limit immediately, and before any limit that passes", () => {
    const world = setUp({
      key: { rpm: 1 },
      user: { tpm: 100, dailyQuota: 1 },
      groups: { default: { group: { tpm: 200 }, perUser: undefined } },
    });
    world.pass(40);
    world.limiter.charge(world.key, 10, 5);
    expect(world.refusal(101)).toEqual({
      code: "prompt-over-limit",
      params: { scope: "user", limit: "100", tokens: "101" },
      headers: {
        "x-ratelimit-limit-requests": "1",
        "x-ratelimit-remaining-requests": "0",
        "x-ratelimit-reset-requests": "60s",
        "x-ratelimit-limit-budget": "1",
        "x-ratelimit-remaining-budget": "0",
        "x-ratelimit-reset-budget": "43200s",
        "x-ratelimit-limit-tokens": "100",
        "x-ratelimit-remaining-tokens": "50",
        "x-ratelimit-reset-tokens": "60s",
      },
    });
    expect(world.refusal(100)).toMatchObject({ code: "requests-limited", retryAfterSeconds: 60 });
    const exact = setUp({ key: { tpm: 100 } });
    exact.pass(100);
    expect(exact.refusal(101)).not.toHaveProperty("retryAfterSeconds");
  });
});

describe("requests at the same time", () => {
  it("are refused beyond the limit until another has ended", () => {
    const { pass, refusal } = setUp({ user: { concurrency: 2 } });
    const first = pass();
    pass();
    expect(refusal()).toMatchObject({ code: "concurrency-limited", retryAfterSeconds: 1 });
    first.leave();
    pass();
    expect(refusal().code).toBe("concurrency-limited");
  });
});

describe("a budget", () => {
  it("of a day is used up until midnight", () => {
    const { pass, refusal, limiter, key, clock } = setUp({ key: { dailyQuota: 100 } });
    limiter.charge(key, 1, 99);
    pass();
    limiter.charge(key, 1, 1);
    expect(refusal()).toMatchObject({
      code: "daily-budget-exhausted",
      params: { scope: "key", limit: "100", seconds: String(12 * 3600) },
      retryAfterSeconds: 12 * 3600,
    });
    clock.nowMs = new Date(2026, 10, 22).getTime() - 1;
    refusal();
    clock.nowMs += 1;
    pass();
  });

  it("of a month is used up until the next one", () => {
    const { pass, refusal, limiter, key, clock } = setUp({ user: { monthlyQuota: 100 } });
    limiter.charge(key, 1, 60);
    clock.nowMs = new Date(2026, 10, 30, 23).getTime();
    limiter.charge(key, 1, 40);
    expect(refusal().code).toBe("monthly-budget-exhausted");
    clock.nowMs = new Date(2026, 11, 1).getTime();
    pass();
  });

  it("of a group is spent by all of its users", () => {
    const { refusal, limiter, keyOf, user } = setUp({
      groups: { default: { group: { dailyQuota: 100 }, perUser: undefined } },
    });
    limiter.charge(keyOf(7, { ...user, id: 7 }), 1, 100);
    expect(refusal().params).toMatchObject({ scope: "group" });
  });

  it.each([
    ["a second", SECOND],
    ["an hour", 3600 * SECOND],
    ["forty days", 40 * 24 * 3600 * SECOND],
  ])("is not renewed by a clock that is set back over midnight by %s (M13)", (_, backMs) => {
    const { refusal, limiter, key, clock } = setUp({ key: { dailyQuota: 100, monthlyQuota: 150 } });
    limiter.charge(key, 1, 100);
    clock.nowMs = new Date(2026, 10, 22).getTime();
    limiter.charge(key, 1, 100);
    expect(refusal().code).toBe("monthly-budget-exhausted");
    clock.nowMs -= backMs;
    expect(refusal().code).toBe("monthly-budget-exhausted");
    key.limits = { dailyQuota: 100 };
    expect(refusal().code).toBe("daily-budget-exhausted");
    limiter.charge(key, 1, 1);
    expect(refusal().code).toBe("daily-budget-exhausted");
  });

  it("is renewed at the next midnight by a clock that was far ahead and set back (M13)", () => {
    const { pass, refusal, limiter, key, clock } = setUp({ key: { dailyQuota: 100 } });
    clock.nowMs = new Date(2027, 5, 1).getTime();
    limiter.charge(key, 1, 100);
    clock.nowMs = NOON;
    expect(refusal().code).toBe("daily-budget-exhausted");
    clock.nowMs = new Date(2026, 10, 22).getTime();
    pass();
  });

  it("of a minute is not renewed by a clock that is set back (M13)", () => {
    const { pass, refusal, clock } = setUp({ key: { rpm: 1 } });
    pass();
    clock.nowMs -= MINUTE;
    expect(refusal().code).toBe("requests-limited");
    clock.nowMs += MINUTE;
    pass();
  });

  it("gets back spending that could not be stored", () => {
    const { pass, limiter, key } = setUp({ key: { dailyQuota: 100 } });
    limiter.charge(key, 1, 100);
    limiter.refund(key, 100);
    pass();
  });

  it("goes on where it was before a restart", () => {
    const { pass, refusal, limiter, clock } = setUp({
      key: { dailyQuota: 100 },
      user: { monthlyQuota: 500 },
    });
    limiter.budgets.load([storedOf(2, 100, 100), storedOf(3, 0, 300)]);
    expect(refusal().code).toBe("daily-budget-exhausted");
    clock.nowMs = new Date(2026, 10, 22).getTime();
    pass();
    limiter.budgets.load([storedOf(3, 100, 100)]);
    expect(refusal().code).toBe("monthly-budget-exhausted");
  });
});

const HOUR = 60 * MINUTE;

describe("a budget of a window of hours", () => {
  it("opens with its first charge, at the start of that hour, and renews when the window ends", async () => {
    const { pass, refusal, limiter, key, clock } = setUp({ key: { fiveHourQuota: 100 } });
    clock.nowMs += 40 * MINUTE;
    pass();
    expect(await limiter.look(key)).toMatchObject([{ limit: "fiveHourQuota", used: 0, hours: 5 }]);
    expect((await limiter.look(key))[0]?.endMs).toBeUndefined();
    limiter.charge(key, 1, 100);
    expect(await limiter.look(key)).toMatchObject([{ used: 100, endMs: NOON + 5 * HOUR }]);
    expect(refusal()).toMatchObject({
      code: "window-budget-exhausted",
      params: { scope: "key", limit: "100", hours: "5", minutes: String(4 * 60 + 20) },
      retryAfterSeconds: 4 * 3600 + 20 * 60,
      headers: { "x-ratelimit-remaining-budget": "0", "x-ratelimit-reset-budget": "15600s" },
    });
    clock.nowMs = NOON + 5 * HOUR - 1;
    refusal();
    clock.nowMs += 1;
    pass();
    // A free request opens no window.
    limiter.charge(key, 1, 0);
    clock.nowMs += 2 * HOUR;
    pass();
    limiter.charge(key, 1, 100);
    expect(refusal().retryAfterSeconds).toBe(5 * 3600);
  });

  it("has the length that the limit names, and one of each length", () => {
    const { pass, refusal, limiter, key, clock } = setUp({
      key: { fiveHourQuota: 60, windowHours: 48, windowQuota: 100 },
    });
    pass();
    limiter.charge(key, 1, 60);
    expect(refusal().params).toMatchObject({ hours: "5" });
    clock.nowMs += 5 * HOUR;
    pass();
    limiter.charge(key, 1, 60);
    expect(refusal()).toMatchObject({ params: { hours: "48" }, retryAfterSeconds: 43 * 3600 });
    clock.nowMs += 43 * HOUR;
    pass();
  });

  it("is not renewed by a clock that is set back, nor by a restart", () => {
    const { pass, refusal, limiter, key, clock } = setUp({ key: { windowHours: 2, windowQuota: 100 } });
    const opened: [string, number, number][] = [];
    limiter.budgets.report({
      opened: ({ subject, hours }, startMs) => opened.push([subject, hours, startMs]),
      reached: () => undefined,
    });
    pass();
    limiter.charge(key, 1, 100);
    expect(opened).toEqual([["2", 2, NOON]]);
    clock.nowMs -= 3 * HOUR;
    expect(refusal().code).toBe("window-budget-exhausted");

    const restarted = setUp({ key: { windowHours: 2, windowQuota: 100 } });
    restarted.clock.nowMs = NOON + HOUR;
    restarted.limiter.budgets.openWindow({ scope: "key", subject: "2", hours: 2 }, NOON);
    expect(restarted.limiter.budgets.budgetTimes().startsMs).toContain(NOON);
    restarted.limiter.budgets.load([storedOf(2, 100, 100)]);
    expect(restarted.refusal().retryAfterSeconds).toBe(3600);
    restarted.clock.nowMs += HOUR;
    restarted.pass();
  });

  it("of a group's users comes from the group, hours and quota together", () => {
    const groups = {
      default: { group: undefined, perUser: { windowHours: 10, windowQuota: 5, fiveHourQuota: 50 } },
    };
    const { refusal, limiter, key, pass } = setUp({ user: { windowHours: 3, windowQuota: 100 }, groups });
    pass();
    limiter.charge(key, 1, 60);
    expect(refusal().params).toMatchObject({ scope: "user", hours: "5", limit: "50" });
    key.user.limits = { windowHours: 3, windowQuota: 60, fiveHourQuota: 100 };
    expect(refusal().params).toMatchObject({ hours: "3", limit: "60" });
  });

  it("of a user whose keys go by several groups opens for each of them", () => {
    const groups = {
      vip: { group: undefined, perUser: { fiveHourQuota: 50 } },
      svip: { group: undefined, perUser: { windowHours: 10, windowQuota: 90 } },
    };
    const { limiter, key } = setUp({ groups });
    const opened: number[] = [];
    limiter.budgets.report({ opened: ({ hours }) => opened.push(hours), reached: () => undefined });
    const enter = (group: string) => limiter.enter(key, { promptTokens: 1 }, () => ({}), [group]);
    enter("vip");
    enter("svip");
    limiter.charge(key, 1, 60, "vip");
    expect(opened.toSorted((a, b) => a - b)).toEqual([5, 10]);
    expect(enter("vip")).toMatchObject({ code: "window-budget-exhausted" });
    expect(enter("svip")).toHaveProperty("leave");
    limiter.charge(key, 1, 30, "svip");
    expect(enter("svip")).toMatchObject({ code: "window-budget-exhausted", params: { hours: "10" } });
  });

  it("is shared with the node that opened the window first", () => {
    const { refusal, limiter, pass, clock } = setUp({ key: { fiveHourQuota: 100 } });
    limiter.budgets.share();
    clock.nowMs += HOUR;
    pass();
    const closed = { scope: "key", subject: "2", hours: 5 } as const;
    expect(limiter.budgets.closedWindows()).toEqual([closed]);
    limiter.budgets.openWindow(closed, NOON);
    expect(limiter.budgets.closedWindows()).toEqual([]);
    const [met] = limiter.budgets.takeMet();
    expect(met).toMatchObject({ scope: "key", id: 2, spent: [{ period: 5, startMs: NOON, own: 0 }] });
    if (met) limiter.budgets.learn(met, [100]);
    expect(refusal().retryAfterSeconds).toBe(4 * 3600);
  });
});

describe("a budget of a week", () => {
  it("renews on Monday", () => {
    const { pass, refusal, limiter, key, clock } = setUp({ key: { weeklyQuota: 100 } });
    limiter.charge(key, 1, 100);
    expect(refusal()).toMatchObject({ code: "weekly-budget-exhausted", retryAfterSeconds: 36 * 3600 });
    clock.nowMs = new Date(2026, 10, 23).getTime();
    pass();
  });
});

describe("requests in a day", () => {
  it("count when they are admitted, whatever comes of them", () => {
    const { pass, refusal, limiter, key, clock, keyOf } = setUp({ key: { rpd: 3, rpm: 2 } });
    expect(pass().headers).toMatchObject({ "x-ratelimit-remaining-requests-day": "2" });
    limiter.charge(key, 1, 5);
    pass().leave();
    expect(refusal().code).toBe("requests-limited");
    clock.nowMs += MINUTE;
    pass();
    expect(refusal()).toMatchObject({
      code: "daily-requests-exhausted",
      headers: { "x-ratelimit-remaining-requests-day": "0" },
    });
    pass(10, keyOf(9));
    clock.nowMs = new Date(2026, 10, 22).getTime();
    pass();
  });

  it("count from midnight on where they were not limited before", () => {
    const { refusal, limiter, key } = setUp({});
    limiter.charge(key, 1, 5);
    limiter.charge(key, 1, 5);
    key.limits = { rpd: 2 };
    expect(refusal().code).toBe("daily-requests-exhausted");
  });
});

describe("soft budgets", () => {
  it("refuse nothing, unlike the number of requests", () => {
    const { pass, refusal, limiter, key } = setUp({
      key: { dailyQuota: 10, fiveHourQuota: 10, rpd: 2, softBudgets: 1 },
    });
    pass();
    limiter.charge(key, 1, 50);
    pass();
    expect(refusal().code).toBe("daily-requests-exhausted");
  });
});

describe("soft budgets of a group's users", () => {
  it("soften no budget of the user's own", () => {
    const perUser = { dailyQuota: 10, softBudgets: 1 };
    const { pass, refusal, limiter, key } = setUp({ groups: { default: { group: undefined, perUser } } });
    limiter.charge(key, 1, 50);
    pass();
    key.user.limits = { weeklyQuota: 50 };
    expect(refusal().params).toMatchObject({ scope: "user" });
    key.user.limits = { rpm: 9 };
    pass();
  });
});

describe("levels of a budget", () => {
  it("are reported once each, the highest of those that a charge reaches", () => {
    const { limiter, key, pass, clock } = setUp({ key: { dailyQuota: 100 }, user: { fiveHourQuota: 200 } });
    const reached: string[] = [];
    limiter.budgets.report({
      opened: () => undefined,
      reached: ({ scope, limit, level, max }) => reached.push(`${scope} ${limit} ${level} of ${max}`),
    });
    pass();
    limiter.charge(key, 1, 49);
    expect(reached).toEqual([]);
    limiter.charge(key, 1, 1);
    limiter.charge(key, 1, 1);
    expect(reached).toEqual(["key dailyQuota 50 of 100"]);
    limiter.charge(key, 1, 60);
    expect(reached.splice(0)).toEqual([
      "key dailyQuota 50 of 100",
      "key dailyQuota 100 of 100",
      "user fiveHourQuota 50 of 200",
    ]);
    // A raised budget is another one.
    key.limits = { dailyQuota: 150 };
    limiter.charge(key, 1, 10);
    expect(reached.splice(0)).toEqual(["key dailyQuota 80 of 150"]);
    clock.nowMs = new Date(2026, 10, 22).getTime();
    limiter.charge(key, 1, 80);
    expect(reached).toEqual(["key dailyQuota 50 of 150"]);
  });
});

describe("a budget that several nodes share", () => {
  const row = (keyId: number, quota: number, groups?: string[]) => storedOf(keyId, quota, quota, groups);

  it("is queried when a request uses it, and skipped for a user without limits", () => {
    const { limiter, enter, key, keyOf, user } = setUp({ user: { dailyQuota: 100 } });
    enter();
    expect(limiter.budgets.takeMet()).toEqual([]);
    limiter.budgets.share();
    const free = keyOf(9, { ...user, id: 9, limits: undefined });
    enter(10, free);
    limiter.charge(free, 1, 5);
    expect(limiter.budgets.takeMet()).toEqual([]);
    limiter.charge(key, 1, 7);
    const [met] = limiter.budgets.takeMet();
    expect(met).toMatchObject({
      scope: "user",
      id: 1,
      spent: [{ period: "day", before: 0, own: 7 }],
    });
    expect(limiter.budgets.takeMet()).toEqual([]);
    enter();
    expect(limiter.budgets.takeMet()).toHaveLength(1);
    if (met) limiter.budgets.putBack([met]);
    expect(limiter.budgets.takeMet()).toHaveLength(1);
  });

  it("is used up by the spending of other nodes", () => {
    const { limiter, enter, refusal, pass } = setUp({ user: { dailyQuota: 100 } });
    limiter.budgets.share();
    enter();
    const [met] = limiter.budgets.takeMet();
    if (!met) throw new Error("not met");
    limiter.budgets.learn(met, [99]);
    pass();
    limiter.budgets.learn(met, [100]);
    expect(refusal().code).toBe("daily-budget-exhausted");
  });

  it("is reported when a request finds that all nodes together have reached a level", () => {
    const { limiter, refusal, pass } = setUp({ user: { dailyQuota: 100 } });
    const levels: number[] = [];
    limiter.budgets.report({ opened: () => undefined, reached: ({ level }) => levels.push(level) });
    limiter.budgets.share();
    pass();
    const [met] = limiter.budgets.takeMet();
    if (!met) throw new Error("not met");
    limiter.budgets.learn(met, [85]);
    pass();
    limiter.budgets.raise([row(2, 100)], limiter.budgets.budgetTimes());
    refusal();
    refusal();
    expect(levels).toEqual([80, 100]);
  });

  it("is at least the stored spending, which counts in groups from the moment of the spending", () => {
    const groups = { default: { group: { dailyQuota: 50 }, perUser: undefined } };
    const { limiter, pass, refusal, key, clock } = setUp({ user: { dailyQuota: 100 }, groups });
    const times = limiter.budgets.budgetTimes();
    // It was spent before the user came into the group.
    limiter.budgets.raise([row(2, 60, [])], times);
    pass();
    limiter.budgets.raise([row(2, 60)], times);
    pass();
    limiter.charge(key, 1, 39);
    pass();
    limiter.budgets.raise([row(2, 99), row(3, 11)], times);
    expect(refusal().params).toMatchObject({ scope: "user", limit: "100" });
    key.user.limits = undefined;
    expect(refusal().params).toMatchObject({ scope: "group", limit: "50" });
    clock.nowMs = new Date(2026, 10, 22).getTime();
    // It was asked for the day before.
    limiter.budgets.raise([row(2, 999)], times);
    pass();
  });
});

describe("a user of several groups", () => {
  it("T8: is limited by each of them, and counts in each", () => {
    const { pass, refusal, keyOf, user } = setUp({
      groups: {
        vip: { group: { rpm: 3 }, perUser: undefined },
        svip: { group: { dailyQuota: 50 }, perUser: { rpm: 2 } },
      },
    });
    const both = keyOf(5, { ...user, groups: ["vip", "svip"] });
    pass(10, both);
    pass(10, both);
    expect(refusal(10, both).params).toMatchObject({ scope: "user", limit: "2" });
    const other = keyOf(6, { ...user, id: 7, groups: ["vip"] });
    pass(10, other);
    expect(refusal(10, other).params).toMatchObject({ scope: "group", limit: "3" });
  });

  it("T8: spends the budget of each", () => {
    const { pass, refusal, limiter, keyOf, user } = setUp({
      groups: { svip: { group: { dailyQuota: 50 }, perUser: undefined } },
    });
    const both = keyOf(5, { ...user, groups: ["vip", "svip"] });
    pass(10, both);
    limiter.charge(both, 1, 50);
    expect(refusal(10, both).code).toBe("daily-budget-exhausted");
  });
});

describe("a key with its own group that another group answers at a used up budget", () => {
  const groups = {
    vip: { group: { dailyQuota: 10, extraQuota: 5 }, perUser: undefined },
    cheap: { group: { dailyQuota: 100 }, perUser: undefined },
  };
  const usedOf = async (limiter: Limiter, key: ApiKey) =>
    Object.fromEntries((await limiter.look(key, ["vip", "cheap"])).map(({ id, used }) => [id, used]));

  it("counts in both groups, and uses up its own extra quota, as after a restart", async () => {
    const { limiter, keyOf } = setUp({ groups });
    const key: ApiKey = { ...keyOf(5), group: "vip" };
    limiter.charge(key, 1, 10, "vip");
    expect(limiter.overBudget(key, ["vip"])).toMatchObject({ code: "daily-budget-exhausted" });
    limiter.charge(key, 1, 5, "cheap");
    expect(await usedOf(limiter, key)).toEqual({ vip: 15, cheap: 5 });
    expect(limiter.overBudget(key, ["vip"])).toBeUndefined();

    const { limiter: restarted } = setUp({ groups });
    restarted.budgets.load([storedOf(5, 15, 15, ["vip"])]);
    expect(await usedOf(restarted, key)).toMatchObject({ vip: 15 });
  });

  it("gets back in both what could not be stored", async () => {
    const { limiter, keyOf } = setUp({ groups });
    const key: ApiKey = { ...keyOf(5), group: "vip" };
    limiter.charge(key, 1, 10, "vip");
    limiter.charge(key, 1, 5, "cheap");
    limiter.refund(key, 5, "cheap");
    expect(await usedOf(limiter, key)).toEqual({ vip: 10, cheap: 0 });
  });

  it("of the automatic groups counts in the answering one alone", async () => {
    const { limiter, keyOf } = setUp({ groups });
    limiter.charge({ ...keyOf(5), group: "auto" }, 1, 5, "cheap");
    expect(await usedOf(limiter, keyOf(5))).toEqual({ vip: 0, cheap: 5 });
  });
});

describe("keys that come and go by the thousand", () => {
  it("take nothing from the use and the running requests of others", () => {
    const { pass, refusal, keyOf, key, clock, limiter } = setUp({
      key: { rpm: 2, concurrency: 2, dailyQuota: 100 },
    });
    const running = [pass(), pass()];
    limiter.charge(key, 10, 40);
    for (let id = 10; id < 5000; id += 1) pass(10, keyOf(id)).leave();
    expect(refusal().code).toBe("requests-limited");
    clock.nowMs += MINUTE;
    for (let id = 5000; id < 10_000; id += 1) pass(10, keyOf(id)).leave();
    expect(refusal().code).toBe("concurrency-limited");
    for (const { leave } of running) leave();
    for (let id = 10_000; id < 15_000; id += 1) {
      pass(10, keyOf(id)).leave();
      limiter.charge(keyOf(id), 1, 1);
    }
    pass().leave();
    limiter.charge(key, 10, 60);
    expect(refusal().code).toBe("daily-budget-exhausted");
  });
});
