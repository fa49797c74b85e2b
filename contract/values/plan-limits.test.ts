import { createRandom } from "@tollgate/testkit/random";
import { seeds } from "@tollgate/testkit/seeds";
import { describe, expect, it } from "vitest";
import {
  isLimitsText,
  LIMITS,
  type Limits,
  MAX_WINDOW_HOURS,
  parseLimits,
  writeLimits,
} from "../management/limits";
import { joinPlanLimits } from "./plan-limits";

const NAMES = Object.keys(LIMITS) as (keyof Limits)[];

/** The limits that are set. */
const setIn = (limits: Limits | undefined): Limits =>
  Object.fromEntries(Object.entries(limits ?? {}).filter(([, value]) => value !== undefined));

describe("the limits of several plans", () => {
  it.each<[string, (Limits | undefined)[], Limits]>([
    ["of none are none", [], {}],
    ["of plans without any are none", [undefined, undefined], {}],
    [
      "are the largest of each kind",
      [
        { rpd: 5, rpm: 9 },
        { rpd: 7, rpm: 2 },
      ],
      { rpd: 7, rpm: 9 },
    ],
    ["are not lifted by a plan without any", [{ rpd: 5 }, undefined], { rpd: 5 }],
    ["are not lifted by a plan with others", [{ rpd: 5 }, { weeklyQuota: 3 }], { rpd: 5, weeklyQuota: 3 }],
    [
      "have the window with more quota for each hour, as a pair",
      [
        { windowQuota: 100, windowHours: 10 },
        { windowQuota: 60, windowHours: 5 },
      ],
      { windowQuota: 60, windowHours: 5 },
    ],
    [
      "have the larger of two windows with the same quota for each hour",
      [
        { windowQuota: 60, windowHours: 5 },
        { windowQuota: 120, windowHours: 10 },
      ],
      { windowQuota: 120, windowHours: 10 },
    ],
    [
      "compare windows near the largest amount exactly",
      [
        { windowQuota: Number.MAX_SAFE_INTEGER - 1, windowHours: 7 },
        { windowQuota: Number.MAX_SAFE_INTEGER, windowHours: 7 },
      ],
      { windowQuota: Number.MAX_SAFE_INTEGER, windowHours: 7 },
    ],
    [
      "are soft where all budgets are",
      [{ dailyQuota: 5, softBudgets: 1 }, { weeklyQuota: 7, softBudgets: 1 }, { rpm: 3 }],
      { dailyQuota: 5, weeklyQuota: 7, rpm: 3, softBudgets: 1 },
    ],
    [
      "are extended by as much as each plan extends them",
      [{ dailyQuota: 5, extraQuota: 9 }, { weeklyQuota: 7, extraQuota: 3 }, { rpm: 3 }],
      { dailyQuota: 5, weeklyQuota: 7, rpm: 3, extraQuota: 3 },
    ],
    [
      "are not extended where those of one plan are not",
      [{ dailyQuota: 5, extraQuota: 9 }, { dailyQuota: 7 }],
      { dailyQuota: 7 },
    ],
    [
      "are hard where those of one plan are",
      [{ dailyQuota: 5, softBudgets: 1 }, { weeklyQuota: 7 }],
      { dailyQuota: 5, weeklyQuota: 7 },
    ],
  ])("%s", (_, plans, joined) => {
    expect(setIn(joinPlanLimits(plans))).toEqual(joined);
    expect(setIn(joinPlanLimits(plans.toReversed()))).toEqual(joined);
  });

  it.each(seeds(40))("depend on no order, and are stored without a loss (seed %i)", (seed) => {
    const random = createRandom(seed);
    const whole = (max: number) => 1 + Math.floor(random() * max);
    const limitsOf = (): Limits | undefined => {
      if (random() < 0.2) return undefined;
      const limits: Limits = {};
      for (const name of NAMES)
        if (name !== "windowHours" && random() < 0.4) limits[name] = whole(LIMITS[name].max ?? 1000);
      if (limits.windowQuota) limits.windowHours = whole(MAX_WINDOW_HOURS);
      return limits;
    };
    const plans = Array.from({ length: whole(5) }, limitsOf);
    const joined = joinPlanLimits(plans);
    expect(setIn(joinPlanLimits(plans.toSorted(() => random() - 0.5)))).toEqual(setIn(joined));
    for (const limits of plans)
      for (const name of NAMES)
        if (
          name !== "windowHours" &&
          name !== "windowQuota" &&
          name !== "softBudgets" &&
          name !== "extraQuota"
        )
          expect(joined?.[name] ?? 0).toBeGreaterThanOrEqual(limits?.[name] ?? 0);
    expect(setIn(parseLimits(writeLimits(joined)))).toEqual(setIn(joined));
    expect(isLimitsText(writeLimits(joined))).toBe(true);
  });
});

describe("stored limits", () => {
  it.each(["", "{", "[]", "7", "null", '{"rpm":"x"}', '{"rpm":-1}', '{"newer":5}'])(
    "that are not understood limit nothing: %s",
    (text) => expect(parseLimits(text)).toBeUndefined(),
  );

  it("of a newer version keep those that are known", () => {
    expect(parseLimits('{"rpm":5,"newer":7,"rpd":"x"}')).toMatchObject({ rpm: 5 });
  });

  it.each(["{", "{}", "[7]", "null", '{"rpm":"x"}', '{"rpm":0}', '{"rpm":1.5}', '{"window_hours":5}'])(
    "that no version writes are no text of limits: %s",
    (text) => expect(isLimitsText(text)).toBe(false),
  );

  it("have their maximum, and may be those of a newer version", () => {
    const windowOf = (hours: number): string => `{"window_quota":1,"window_hours":${hours}}`;
    const texts = [windowOf(MAX_WINDOW_HOURS), windowOf(MAX_WINDOW_HOURS + 1), '{"newer":5}', ""];
    expect(texts.map(isLimitsText)).toEqual([true, false, true, true]);
  });

  it("are an empty text where nothing is limited", () => {
    expect(writeLimits({ rpm: undefined, rpd: 0 })).toBe("");
    expect(writeLimits()).toBe("");
  });
});
