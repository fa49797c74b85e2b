import type { Quote } from "./payment-offers";

/*
 * Promotions of orders and registrations: codes that a user types, and activities that apply without one
 * (docs/guides/promotions.md). Everything here is arithmetic on whole quota, hundredths of a percent and minor units.
 */

/** "code": a user types it. "activity": applies to every order that fits. */
export const PROMOTION_KINDS = ["code", "activity"] as const;
export type PromotionKind = (typeof PROMOTION_KINDS)[number];

/** "bonus": quota on top. "discount": a lower price. */
export const PROMOTION_EFFECTS = ["bonus", "discount"] as const;
export type PromotionEffect = (typeof PROMOTION_EFFECTS)[number];

/** Unit of a step's value: quota, or hundredths of a percent of the bought quota. */
export const PROMOTION_UNITS = ["quota", "percent"] as const;
export type PromotionUnit = (typeof PROMOTION_UNITS)[number];

/** What a promotion is for. A bonus is never for a plan, and a registration has no discount. */
export const PROMOTION_PRODUCTS = ["top-up", "plan", "registration"] as const;
export type PromotionProduct = (typeof PROMOTION_PRODUCTS)[number];

/** From this much bought quota on, this value applies: quota, or hundredths of a percent. */
export interface PromotionStep {
  from: number;
  value: number;
}

export const MAX_PROMOTION_STEPS = 10;
/** Ten times the bought quota. */
export const MAX_BONUS_BASIS_POINTS = 100_000;
/** Something is always paid. */
export const MAX_DISCOUNT_BASIS_POINTS = 9_900;
const WHOLE = 10_000n;

/** The rule of a promotion. Quota is whole, times are unix seconds, and 0 is no bound. */
export interface PromotionRule {
  id: number;
  kind: PromotionKind;
  /** In capitals; "" for an activity. */
  code: string;
  name: string;
  isEnabled: boolean;
  effect: PromotionEffect;
  unit: PromotionUnit;
  /** In ascending order of `from`; the first one states the smallest purchase. */
  steps: readonly PromotionStep[];
  /** Largest effect on one order, in quota. */
  maxEffect: number;
  products: readonly PromotionProduct[];
  /** Groups of users; none for all. */
  groups: readonly string[];
  isFirstOnly: boolean;
  /** Whether it applies together with a promotion of the other kind that is combinable as well. */
  isCombinable: boolean;
  startsAt: number;
  endsAt: number;
  maxUses: number;
  maxUsesPerUser: number;
  /** Sum of all effects, in quota. */
  maxTotal: number;
  usedCount: number;
  usedTotal: number;
}

/** A promotion as an order keeps it. */
export interface AppliedPromotion {
  id: number;
  name: string;
  /** "" for an activity. */
  code: string;
  effect: PromotionEffect;
  /** Bonus, or the part of the bought quota that the discount pays for. */
  quota: number;
  /** The discount, in minor units of the order's currency; 0 for a bonus. */
  amount: number;
}

/** A quote with its promotions. */
export interface PromotedQuote extends Quote {
  /** Minor units that the price was lowered by. */
  discount: number;
  /** The part of `bonus` that promotions give. */
  promotionBonus: number;
  promotions: readonly AppliedPromotion[];
}

/** Why a promotion does not apply to an order. "not-valid": it is unknown, over, used up or for other users. */
export type PromotionFault =
  | "promotion-not-valid"
  | "promotion-used-before"
  | "promotion-first-only"
  | "promotion-below-minimum"
  | "promotion-other-product"
  /** The price is the smallest already, or the account cannot hold the bonus. */
  | "promotion-no-effect";

/** A user who would use a promotion. */
export interface PromotionBuyer {
  groups: readonly string[];
  /** Whether the user has paid an order, or has an order that uses a promotion for first purchases. */
  hasBought: boolean;
  /** How often the user has used the promotion, open orders included. */
  uses: number;
}

/** Codes are compared in capitals, without blanks around them. */
export const normalCode = (typed: string): string => typed.trim().toUpperCase();

/** Letters, digits and hyphens that a code may have. */
export const PROMOTION_CODE = /^[0-9A-Z][0-9A-Z-]{2,31}$/;

/** Whether a promotion can be used at a time by any user at all. */
export const isRunning = (
  { isEnabled, startsAt, endsAt, maxUses, usedCount, maxTotal, usedTotal }: PromotionRule,
  now: number,
): boolean =>
  isEnabled &&
  startsAt <= now &&
  (endsAt === 0 || now < endsAt) &&
  (maxUses === 0 || usedCount < maxUses) &&
  (maxTotal === 0 || usedTotal < maxTotal);

const isFor = ({ groups }: PromotionRule, buyer: PromotionBuyer): boolean =>
  groups.length === 0 || groups.some((group) => buyer.groups.includes(group));

/** Effect on a purchase of so much quota, in quota; 0 below the first step. */
export const effectOf = (
  { effect, unit, steps, maxEffect }: Pick<PromotionRule, "effect" | "unit" | "steps" | "maxEffect">,
  bought: number,
): number => {
  const value = steps.findLast(({ from }) => from <= bought)?.value ?? 0;
  const whole = unit === "quota" ? value : Number((BigInt(bought) * BigInt(value)) / WHOLE);
  const bound = effect === "discount" ? Math.min(whole, bought) : whole;
  return maxEffect > 0 ? Math.min(bound, maxEffect) : bound;
};

/** Why a user cannot use a promotion for a purchase; undefined where it can be used. */
export const promotionFault = (
  rule: PromotionRule,
  buyer: PromotionBuyer,
  product: PromotionProduct,
  bought: number,
  now: number,
): PromotionFault | undefined => {
  if (!isRunning(rule, now) || !isFor(rule, buyer)) return "promotion-not-valid";
  if (rule.maxUsesPerUser > 0 && buyer.uses >= rule.maxUsesPerUser) return "promotion-used-before";
  if (rule.isFirstOnly && buyer.hasBought) return "promotion-first-only";
  if (!rule.products.includes(product)) return "promotion-other-product";
  const quota = effectOf(rule, bought);
  if (quota === 0) return "promotion-below-minimum";
  return rule.maxTotal > 0 && rule.usedTotal + quota > rule.maxTotal ? "promotion-not-valid" : undefined;
};

/** Money for a part of the bought quota, rounded down. */
const share = (full: number, part: number, whole: number): number =>
  Number((BigInt(full) * BigInt(part)) / BigInt(whole));

/**
 * Applies a promotion to a quote. A discount never lowers the price below the smallest payable amount.
 * @param smallest minor units. @param most largest quota of an order. @returns undefined where nothing is gained.
 */
const applyOne = (
  quote: PromotedQuote,
  { id, name, code, effect, ...rule }: PromotionRule,
  smallest: number,
  most: number,
): PromotedQuote | undefined => {
  const bought = quote.quota - quote.bonus;
  const wanted = effectOf({ ...rule, effect }, bought);
  if (effect === "bonus") {
    const quota = Math.min(wanted, most - quote.quota);
    if (quota <= 0) return undefined;
    return {
      ...quote,
      quota: quote.quota + quota,
      bonus: quote.bonus + quota,
      promotionBonus: quote.promotionBonus + quota,
      promotions: [...quote.promotions, { id, name, code, effect, quota, amount: 0 }],
    };
  }
  const full = quote.amount + quote.discount;
  const asked = share(full, wanted, bought);
  const amount = Math.min(asked, quote.amount - Math.min(full, smallest));
  if (amount <= 0) return undefined;
  const quota = amount === asked ? wanted : share(bought, amount, full);
  return {
    ...quote,
    amount: quote.amount - amount,
    discount: quote.discount + amount,
    promotions: [...quote.promotions, { id, name, code, effect, quota, amount }],
  };
};

const gained = (quote: PromotedQuote): number => quote.promotions.reduce((sum, { quota }) => sum + quota, 0);

/** A quote without promotions. */
export const plainQuote = (quote: Quote): PromotedQuote => ({
  ...quote,
  discount: 0,
  promotionBonus: 0,
  promotions: [],
});

/** The quote with the rule that gains most; the quote itself if none gains anything. */
const bestOf = (
  quote: PromotedQuote,
  rules: readonly PromotionRule[],
  smallest: number,
  most: number,
): PromotedQuote =>
  rules
    .map((rule) => applyOne(quote, rule, smallest, most) ?? quote)
    .reduce((best, other) => (gained(other) > gained(best) ? other : best), quote);

/**
 * Applies the best promotion to a quote: the best activity, or the code if it gives more. A code and an activity apply
 * together only if both are combinable. Of equal ones the activity applies, which leaves the code unused.
 * @param activities and @param code those that the buyer can use (`promotionFault`). @param smallest payable amount in
 *   minor units. @param most largest quota of an order.
 */
export const promoteQuote = (
  quote: Quote,
  activities: readonly PromotionRule[],
  code: PromotionRule | undefined,
  smallest: number,
  most: number,
): PromotedQuote => {
  const plain = plainQuote(quote);
  const activity = bestOf(plain, activities, smallest, most);
  if (!code) return activity;
  const alone = bestOf(plain, [code], smallest, most);
  const partners = activities.filter(({ isCombinable }) => isCombinable && code.isCombinable);
  const both = bestOf(bestOf(plain, partners, smallest, most), [code], smallest, most);
  return [activity, alone, both].reduce((best, other) => (gained(other) > gained(best) ? other : best));
};

/** The part of an order that promotions and money decide about. */
export interface PromotedMoney {
  amount: number;
  quota: number;
  bonus: number;
  discount: number;
  promotionBonus: number;
}

/** Bought quota that the money pays for: what a discount paid for is left out, rounded down. */
export const paidQuota = ({
  amount,
  quota,
  bonus,
  discount,
}: Omit<PromotedMoney, "promotionBonus">): number => share(quota - bonus, amount, amount + discount);

/** An order whose promotions cannot be used any more when its money arrives: it grants what was paid for, at least one point. */
export const withoutPromotions = <Order extends PromotedMoney>(order: Order) => {
  const bonus = order.bonus - order.promotionBonus;
  return {
    ...order,
    quota: Math.max(1, paidQuota(order)) + bonus,
    bonus,
    discount: 0,
    promotionBonus: 0,
    promotions: [] as readonly AppliedPromotion[],
  };
};

/** Names of promotions for an entry of the ledger: the name, and the code behind it. */
export const promotionLabel = (promotions: readonly Pick<AppliedPromotion, "name" | "code">[]): string =>
  promotions.map(({ name, code }) => (code === "" || code === name ? name : `${name} (${code})`)).join(", ");
