import type { Limits } from "@tollgate/contract/management/limits";
import type { Standings } from "@tollgate/contract/relay/limits";
import { createRandom } from "@tollgate/testkit/random";
import { seeds } from "@tollgate/testkit/seeds";
import { describe, expect, it } from "vitest";
import type { ApiKey } from "../ports/directory";
import type { LimitPass } from "../ports/limits";
import type { ReachedLevel } from "./budget-book";
import { Limiter } from "./limiter";

const START = Date.UTC(2026, 10, 18, 7, 30);

const keyWith = (limits: Limits): ApiKey => ({
  id: 2,
  user: {
    ...{ id: 1, username: "alice", role: 1, status: 1, groups: ["default"] },
    account: { id: 1, quota: 1000, held: 0, isUnlimited: false },
  },
  ...{ name: "key", status: 1, expiredTime: -1, limits },
  account: { id: 2, quota: 1000, held: 0, isUnlimited: false },
});

const setUp = (limits: Limits) => {
  const key = keyWith(limits);
  const limiter = new Limiter(() => START, { hasKey: () => true, hasUser: () => true });
  /** @returns whether it is let in. */
  const enter = (isReplaced = false): LimitPass | string => {
    const answer = limiter.enter(key, { promptTokens: 1 }, () => ({}), ["default"], isReplaced);
    if (!answer || "then" in answer) throw new Error("not limited, or counted elsewhere");
    return "code" in answer ? answer.code : answer;
  };
  /** @returns the budget in the headers of an answer to something else than the requested model. */
  const shown = (): Standings["budget"] => {
    let budget: Standings["budget"];
    const read = (standings: Standings) => {
      budget = standings.budget;
      return {};
    };
    limiter.enter(key, { promptTokens: 1 }, read, ["default"], true);
    return budget;
  };
  return { key, limiter, enter, shown, over: () => limiter.overBudget(key, ["default"]) };
};

describe("the extra quota of a budget", () => {
  it("is only for requests that something else answers", () => {
    const { key, limiter, enter, over } = setUp({ dailyQuota: 10, extraQuota: 5 });
    expect(over()).toBeUndefined();
    limiter.charge(key, 1, 10);
    expect(over()).toEqual({ limit: "dailyQuota", code: "daily-budget-exhausted", isSoft: false });
    expect(enter()).toBe("daily-budget-exhausted");
    expect(enter(true)).toBeTypeOf("object");
    limiter.charge(key, 1, 5);
    expect(over()).toBeUndefined();
    expect(enter(true)).toBe("daily-budget-exhausted");
  });

  it("is shown with its rest beside the budget that leaves the least of it", async () => {
    const { key, limiter, shown } = setUp({ dailyQuota: 10, extraQuota: 5 });
    key.user.limits = { weeklyQuota: 11, extraQuota: 2 };
    expect(shown()).toMatchObject({ limit: 10, remaining: 10, extra: { limit: 5, remaining: 5 } });
    limiter.charge(key, 1, 12);
    expect(shown()).toMatchObject({ limit: 11, extra: { limit: 2, remaining: 1 } });
    limiter.charge(key, 1, 20);
    expect(shown()).toMatchObject({ extra: { remaining: 0 } });
    expect((await limiter.look(key)).map(({ limit, extra }) => [limit, extra])).toEqual([
      ["dailyQuota", 5],
      ["weeklyQuota", 2],
    ]);
  });

  it("is not shown for budgets that refuse nothing, nor for requests of the day", async () => {
    const { key, limiter, shown } = setUp({ dailyQuota: 10, rpd: 9, extraQuota: 5, softBudgets: 1 });
    limiter.charge(key, 1, 12);
    expect(shown()).not.toHaveProperty("extra");
    expect((await limiter.look(key)).filter(({ extra }) => extra !== undefined)).toEqual([]);
  });

  it("is reported once in a period when it is used up, and again when it is another", () => {
    const { key, limiter } = setUp({ dailyQuota: 10, extraQuota: 5 });
    const reached: ReachedLevel[] = [];
    limiter.budgets.report({ opened: () => undefined, reached: (level) => reached.push(level) });
    const events = () => reached.splice(0).map(({ level, isExtraUsedUp }) => [level, isExtraUsedUp]);
    limiter.charge(key, 1, 14);
    expect(events()).toEqual([[100, false]]);
    limiter.charge(key, 1, 1);
    limiter.charge(key, 1, 1);
    expect(events()).toEqual([[100, true]]);
    key.limits = { dailyQuota: 10, extraQuota: 8 };
    limiter.charge(key, 1, 1);
    expect(events()).toEqual([]);
    limiter.charge(key, 1, 1);
    expect(events()).toEqual([[100, true]]);
    key.limits = { dailyQuota: 10, extraQuota: 8, softBudgets: 1 };
    limiter.charge(key, 1, 1);
    expect(events()).toEqual([]);
  });

  it("extends no number of requests", () => {
    const { key, limiter, enter, over } = setUp({ dailyQuota: 10, extraQuota: 5, rpd: 1 });
    enter();
    limiter.charge(key, 1, 10);
    expect(over()).toBeUndefined();
    expect(enter(true)).toBe("daily-requests-exhausted");
  });

  it("is that of the subject alone: another budget without any still refuses", () => {
    const { key, limiter, enter, over } = setUp({ dailyQuota: 10, extraQuota: 50 });
    key.user.limits = { weeklyQuota: 12 };
    limiter.charge(key, 1, 11);
    expect(over()?.limit).toBe("dailyQuota");
    limiter.charge(key, 1, 1);
    expect(over()).toBeUndefined();
    expect(enter(true)).toBe("weekly-budget-exhausted");
  });

  it("is not needed where a budget only notifies", () => {
    const { key, limiter, enter, over } = setUp({ dailyQuota: 10, softBudgets: 1 });
    limiter.charge(key, 1, 1000);
    expect(over()?.isSoft).toBe(true);
    expect(enter(true)).toBeTypeOf("object");
  });

  it("of a group's users extends no budget of the user's own", () => {
    const { key, limiter, enter } = setUp({});
    limiter.setGroups(
      new Map([["default", { group: undefined, perUser: { dailyQuota: 10, extraQuota: 50 } }]]),
    );
    key.user.limits = { weeklyQuota: 10 };
    limiter.charge(key, 1, 10);
    expect(enter(true)).not.toBeTypeOf("object");
  });

  it("counts in the group by which a request went, beside the user's", () => {
    const { key, limiter } = setUp({});
    limiter.setGroups(new Map([["cheap", { group: { dailyQuota: 10 }, perUser: undefined }]]));
    limiter.charge(key, 1, 10, "cheap");
    const answer = limiter.enter(key, { promptTokens: 1 }, () => ({}), ["default", "cheap"], true);
    expect(answer).toMatchObject({ code: "daily-budget-exhausted" });
  });
});

describe("a key with extra quota", () => {
  it.each(seeds(200))(
    "spends at most budget and extra, and what runs when they are used up (seed %i)",
    (seed) => {
      const random = createRandom(seed);
      const below = (bound: number): number => Math.floor(random() * bound);
      const max = 1 + below(50);
      const extraQuota = 1 + below(50);
      const { key, limiter, enter, over } = setUp({ weeklyQuota: max, extraQuota });
      /** Costs of the running requests. */
      const running: number[] = [];
      let spent = 0;
      for (let step = 0; step < 200; step += 1) {
        if (running.length > 0 && below(2) === 0) {
          const [cost = 0] = running.splice(below(running.length), 1);
          limiter.charge(key, 1, cost);
          spent += cost;
          continue;
        }
        const isReplaced = over() !== undefined;
        expect(isReplaced).toBe(spent >= max && spent < max + extraQuota);
        const answer = enter(isReplaced);
        const isAdmitted = typeof answer === "object";
        expect(isAdmitted).toBe(spent < max + extraQuota);
        if (isAdmitted) running.push(below(10));
      }
      // One request after the other exceeds the bound by less than one of them.
      if (seed % 2 === 0) return;
      const alone = setUp({ weeklyQuota: max, extraQuota });
      let total = 0;
      while (typeof alone.enter(alone.over() !== undefined) === "object") {
        const cost = 1 + below(10);
        alone.limiter.charge(alone.key, 1, cost);
        total += cost;
      }
      expect(total).toBeGreaterThanOrEqual(max + extraQuota);
      expect(total).toBeLessThan(max + extraQuota + 10);
    },
  );
});
