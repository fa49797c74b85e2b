import type { Limits } from "@tollgate/contract/management/limits";
import { joinPlanLimits } from "@tollgate/contract/values/plan-limits";
import { openaiChat } from "@tollgate/protocols/openai-chat/openai-chat";
import { createRandom } from "@tollgate/testkit/random";
import { seeds } from "@tollgate/testkit/seeds";
import { expect, it } from "vitest";
import type { ApiKey } from "../ports/directory";
import type { LimitPass } from "../ports/limits";
import { HOUR_MS } from "./calendar";
import { Limiter } from "./limiter";

const START = new Date(2026, 10, 18, 7, 30).getTime();
const STEPS = 400;

/** Plans of which any may be active at the same time. */
const PLANS: readonly (Limits | undefined)[] = [
  { dailyQuota: 100, rpd: 12, fiveHourQuota: 60, concurrency: 3 },
  { dailyQuota: 160, concurrency: 5 },
  { rpd: 20, fiveHourQuota: 90 },
  undefined,
];

interface Event {
  atMs: number;
  amount: number;
}

const sumSince = (events: readonly Event[], sinceMs: number): number =>
  events.reduce((sum, { atMs, amount }) => (atMs >= sinceMs ? sum + amount : sum), 0);

it.each(seeds(60))(
  "limits of plans that begin and end hold for parallel requests, and no used up budget opens again (seed %i)",
  (seed) => {
    const random = createRandom(seed);
    const pick = (count: number): number => Math.floor(random() * count);
    let nowMs = START;
    const user: ApiKey["user"] = {
      ...{ id: 1, username: "alice", role: 1, status: 1, groups: [] },
      account: { id: 1, quota: 1000, held: 0, isUnlimited: false },
    };
    const key: ApiKey = {
      ...{ id: 2, user, name: "key", status: 1, expiredTime: -1 },
      account: { id: 2, quota: 1000, held: 0, isUnlimited: false },
    };
    const limiter = new Limiter(() => nowMs, { hasKey: () => true, hasUser: () => true });
    const active = new Set<number>();
    const running: LimitPass[] = [];
    /** Charges, and requests that were admitted while a number of requests was limited. */
    const charges: Event[] = [];
    const counted: Event[] = [];
    let windowMs = Number.NEGATIVE_INFINITY;
    /** The charge that opened the window, by its place in the list. */
    let firstInWindow = 0;
    limiter.budgets.report({
      opened: ({ hours }, startMs) => {
        expect(hours).toBe(5);
        // The one before has ended.
        expect(startMs).toBeGreaterThanOrEqual(windowMs + 5 * HOUR_MS);
        windowMs = startMs;
        firstInWindow = charges.length - 1;
      },
      reached: () => undefined,
    });
    const inForce = (name: keyof Limits): number =>
      user.limits?.[name] ?? user.planLimits?.[name] ?? Number.POSITIVE_INFINITY;

    const enter = (): void => {
      const dayMs = new Date(nowMs).setHours(0, 0, 0, 0);
      const spentToday = sumSince(charges, dayMs);
      const spentInWindow =
        nowMs < windowMs + 5 * HOUR_MS ? sumSince(charges.slice(firstInWindow), windowMs) : 0;
      const entered = limiter.enter(key, { promptTokens: 1 }, openaiChat.limitHeaders);
      if (entered && "then" in entered) throw new Error("answered later");
      if (entered && "code" in entered) {
        if (entered.code === "daily-budget-exhausted")
          expect(spentToday).toBeGreaterThanOrEqual(inForce("dailyQuota"));
        else if (entered.code === "window-budget-exhausted")
          expect(spentInWindow).toBeGreaterThanOrEqual(inForce("fiveHourQuota"));
        else if (entered.code === "concurrency-limited")
          expect(running.length).toBeGreaterThanOrEqual(inForce("concurrency"));
        else expect(entered.code).toBe("daily-requests-exhausted");
        return;
      }
      expect(spentToday).toBeLessThan(inForce("dailyQuota"));
      expect(spentInWindow).toBeLessThan(inForce("fiveHourQuota"));
      expect(sumSince(counted, dayMs)).toBeLessThan(inForce("rpd"));
      if (inForce("rpd") < Number.POSITIVE_INFINITY) counted.push({ atMs: nowMs, amount: 1 });
      // A request without limits has no pass, and is not counted as running.
      if (entered) {
        running.push(entered);
        expect(running.length).toBeLessThanOrEqual(inForce("concurrency"));
      }
    };

    const finish = (): void => {
      const [pass] = running.splice(pick(running.length), 1);
      const amount = pick(30);
      charges.push({ atMs: nowMs, amount });
      limiter.charge(key, 1, amount);
      pass?.leave();
    };

    for (let step = 0; step < STEPS; step += 1) {
      const chance = random();
      if (chance < 0.15) {
        const plan = pick(PLANS.length);
        if (!active.delete(plan)) active.add(plan);
        user.planLimits = joinPlanLimits([...active].map((index) => PLANS[index]));
      } else if (chance < 0.18) {
        user.limits = random() < 0.5 ? undefined : { dailyQuota: 130 };
      } else if (chance < 0.6) enter();
      else if (chance < 0.9) finish();
      else nowMs += pick(3 * HOUR_MS);
    }
  },
);
