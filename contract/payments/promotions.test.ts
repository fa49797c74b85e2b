import { createRandom } from "@tollgate/testkit/random";
import { caseCount } from "@tollgate/testkit/seeds";
import { describe, expect, it } from "vitest";
import type { Quote } from "./payment-offers";
import {
  effectOf,
  normalCode,
  type PromotionRule,
  paidQuota,
  plainQuote,
  promoteQuote,
  promotionFault,
  promotionLabel,
  withoutPromotions,
} from "./promotions";

const RULE: PromotionRule = {
  id: 1,
  kind: "code",
  code: "SPRING",
  name: "Spring",
  isEnabled: true,
  effect: "bonus",
  unit: "percent",
  steps: [{ from: 100, value: 1000 }],
  maxEffect: 0,
  products: ["top-up"],
  groups: [],
  isFirstOnly: false,
  isCombinable: false,
  startsAt: 1000,
  endsAt: 2000,
  maxUses: 0,
  maxUsesPerUser: 0,
  maxTotal: 0,
  usedCount: 0,
  usedTotal: 0,
};
const ACTIVITY: PromotionRule = { ...RULE, id: 2, kind: "activity", code: "", name: "Season" };
const DISCOUNT = { effect: "discount", steps: [{ from: 0, value: 2000 }] } as const;
const BUYER = { groups: ["default"], hasBought: false, uses: 0 };
const QUOTE: Quote = { usd: "2", amount: 1460, currency: "CNY", quota: 1_000_050, bonus: 50, factor: "1" };
const MOST = Number.MAX_SAFE_INTEGER;

const promote = (activities: readonly PromotionRule[], code?: PromotionRule, smallest = 1) =>
  promoteQuote(QUOTE, activities, code, smallest, MOST);

describe("effectOf", () => {
  it("takes the highest reached step, rounded down, within the bound of one order", () => {
    const steps = [
      { from: 100, value: 1000 },
      { from: 1000, value: 2500 },
    ];
    expect([99, 100, 999, 1000, 1003].map((bought) => effectOf({ ...RULE, steps }, bought))).toEqual([
      0, 10, 99, 250, 250,
    ]);
    expect(effectOf({ ...RULE, steps, maxEffect: 7 }, 1000)).toBe(7);
    expect(effectOf({ ...RULE, unit: "quota", steps: [{ from: 0, value: 30 }] }, 5)).toBe(30);
  });

  it("never discounts more than what is bought", () => {
    expect(effectOf({ ...RULE, effect: "discount", unit: "quota", steps: [{ from: 0, value: 30 }] }, 5)).toBe(
      5,
    );
  });
});

describe("promotionFault", () => {
  const faultOf = (rule: Partial<PromotionRule>, buyer = {}, bought = 100, now = 1500) =>
    promotionFault({ ...RULE, ...rule }, { ...BUYER, ...buyer }, "top-up", bought, now);

  it("names nothing for a promotion that applies", () => {
    expect(
      faultOf({ groups: ["vip", "default"], maxUses: 1, maxUsesPerUser: 1, maxTotal: 10 }),
    ).toBeUndefined();
  });

  it("answers the same for unknown users as for a promotion that is over or used up", () => {
    for (const rule of [
      { isEnabled: false },
      { startsAt: 1501 },
      { endsAt: 1500 },
      { groups: ["vip"] },
      { maxUses: 3, usedCount: 3 },
      { maxTotal: 10, usedTotal: 1 },
    ])
      expect(faultOf(rule)).toBe("promotion-not-valid");
  });

  it("explains what the user can change", () => {
    expect(faultOf({ maxUsesPerUser: 2 }, { uses: 2 })).toBe("promotion-used-before");
    expect(faultOf({ isFirstOnly: true }, { hasBought: true })).toBe("promotion-first-only");
    expect(faultOf({ products: ["plan"] })).toBe("promotion-other-product");
    expect(faultOf({}, {}, 99)).toBe("promotion-below-minimum");
  });
});

describe("promoteQuote", () => {
  it("adds a bonus of the bought quota, without the package's own bonus", () => {
    expect(promote([], RULE)).toEqual({
      ...QUOTE,
      quota: 1_100_050,
      bonus: 100_050,
      discount: 0,
      promotionBonus: 100_000,
      promotions: [{ id: 1, name: "Spring", code: "SPRING", effect: "bonus", quota: 100_000, amount: 0 }],
    });
  });

  it("lowers the price, never below the smallest payable amount", () => {
    const rule = { ...RULE, ...DISCOUNT };
    expect(promote([], rule)).toMatchObject({ amount: 1168, discount: 292, quota: QUOTE.quota });
    expect(promote([], rule, 1400)).toMatchObject({ amount: 1400, discount: 60 });
    expect(promote([], rule, 1460).promotions).toEqual([]);
    expect(promote([], rule, 9999).amount).toBe(1460);
  });

  it("applies the better one of a code and the activities, and both only if both are combinable", () => {
    const better = { ...ACTIVITY, id: 3, steps: [{ from: 0, value: 3000 }] };
    const applied = (activities: readonly PromotionRule[], code?: PromotionRule) =>
      promote(activities, code).promotions.map(({ id }) => id);
    expect(applied([ACTIVITY, better])).toEqual([3]);
    expect(applied([ACTIVITY, better], RULE)).toEqual([3]);
    expect(applied([ACTIVITY], RULE)).toEqual([2]);
    expect(applied([ACTIVITY], { ...RULE, maxEffect: 0, steps: [{ from: 0, value: 1001 }] })).toEqual([1]);
    const combinable = { ...ACTIVITY, isCombinable: true };
    expect(applied([combinable], RULE)).toEqual([2]);
    expect(applied([combinable, better], { ...RULE, isCombinable: true })).toEqual([3]);
    expect(applied([combinable, ACTIVITY], { ...RULE, isCombinable: true })).toEqual([2, 1]);
  });

  it("names code and activity with the entry of the ledger", () => {
    expect(
      promotionLabel(
        promote([{ ...ACTIVITY, isCombinable: true }], { ...RULE, isCombinable: true }).promotions,
      ),
    ).toBe("Season, Spring (SPRING)");
  });
});

it("reads codes in any case, and with blanks around them", () => {
  expect(normalCode("  spring-26 ")).toBe("SPRING-26");
});

it("grants what was paid for, whatever the promotions of an order were", () => {
  const random = createRandom(7);
  const below = (limit: number) => Math.floor(random() * limit);
  for (let round = 0; round < caseCount(2000); round += 1) {
    const bought = 1 + below(10_000_000);
    const bonus = below(1000);
    const quote = {
      usd: "1",
      amount: 1 + below(100_000),
      currency: "CNY",
      quota: bought + bonus,
      bonus,
      factor: "1",
    };
    const rule = (id: number): PromotionRule => ({
      ...RULE,
      id,
      isCombinable: below(2) === 0,
      effect: below(2) === 0 ? "bonus" : "discount",
      unit: below(2) === 0 ? "quota" : "percent",
      steps: [{ from: below(2) * bought, value: 1 + below(9900) }],
      maxEffect: below(2) * below(bought),
    });
    const smallest = 1 + below(200);
    const promoted = promoteQuote(
      quote,
      [rule(1), rule(2)],
      below(3) === 0 ? undefined : rule(3),
      smallest,
      MOST,
    );
    const given = promoted.promotions.filter(({ effect }) => effect === "bonus");
    expect(promoted.amount).toBeGreaterThanOrEqual(Math.min(smallest, quote.amount));
    expect(promoted.amount + promoted.discount).toBe(quote.amount);
    expect(promoted.quota - promoted.bonus).toBe(bought);
    expect(promoted.bonus - promoted.promotionBonus).toBe(bonus);
    expect(given.reduce((sum, { quota }) => sum + quota, 0)).toBe(promoted.promotionBonus);
    expect(promoted.promotions.reduce((sum, { amount }) => sum + amount, 0)).toBe(promoted.discount);
    const bare = withoutPromotions(promoted);
    expect(bare).toMatchObject({ amount: promoted.amount, discount: 0, promotionBonus: 0, bonus });
    expect(bare.quota - bonus).toBeLessThanOrEqual(bought);
    // Never more quota for the money than the price without the promotion gives; rounded down, but one point at least.
    if (bare.quota - bonus > 1)
      expect(BigInt(bare.quota - bonus) * BigInt(quote.amount)).toBeLessThanOrEqual(
        BigInt(bought) * BigInt(promoted.amount),
      );
    expect(paidQuota({ ...plainQuote(quote) })).toBe(bought);
  }
});
