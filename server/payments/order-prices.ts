import type { User } from "@tollgate/accounts/users";
import { MAX_ENABLED_ACTIVITIES } from "@tollgate/contract/api/promotions";
import { type PaymentTerms, type Quote, smallestPayable } from "@tollgate/contract/payments/payment-offers";
import {
  normalCode,
  type PromotedQuote,
  type PromotionBuyer,
  type PromotionFault,
  type PromotionProduct,
  type PromotionRule,
  plainQuote,
  promoteQuote,
  promotionFault,
} from "@tollgate/contract/payments/promotions";
import { MAX_QUOTA } from "@tollgate/contract/values/quota";
import type { PromotionQueries } from "@tollgate/storage/accounts/promotion-ports";

/** Dependencies of promotions. */
export interface PromotionTools {
  read: Pick<PromotionQueries, "enabledActivities" | "findCode" | "usesBy" | "hasBought">;
  /** Unix seconds. */
  now(): number;
}

/** What a user would buy, and the typed code; "" for none. */
interface Purchase {
  product: PromotionProduct;
  quote: Quote;
  code: string;
}

/** Reads a user's uses of promotions. */
const readBuyer = async ({ read }: PromotionTools, user: Pick<User, "id" | "groups">) => {
  const uses = new Map(
    (await read.usesBy(user.id)).map(({ promotionId, uses: count }) => [promotionId, count]),
  );
  const hasBought = await read.hasBought(user.id);
  return ({ id }: PromotionRule): PromotionBuyer => ({
    groups: user.groups,
    hasBought,
    uses: uses.get(id) ?? 0,
  });
};

/**
 * Applies the best promotions to a user's quote. The order reserves them again, under their locks.
 * @returns a fault of the typed code.
 */
export const promotePurchase = async (
  tools: PromotionTools,
  user: Pick<User, "id" | "groups">,
  { product, quote, code: typed }: Purchase,
  terms: PaymentTerms,
): Promise<PromotedQuote | { fault: PromotionFault }> => {
  const { read, now } = tools;
  const code = normalCode(typed);
  const enabled = await read.enabledActivities(MAX_ENABLED_ACTIVITIES);
  const found = code === "" ? undefined : await read.findCode(code);
  if (code !== "" && !found) return { fault: "promotion-not-valid" };
  if (!found && enabled.length === 0) return plainQuote(quote);
  const buyerOf = await readBuyer(tools, user);
  const bought = quote.quota - quote.bonus;
  const faultOf = (rule: PromotionRule) => promotionFault(rule, buyerOf(rule), product, bought, now());
  const fault = found && faultOf(found);
  if (fault) return { fault };
  const activities = enabled.filter((activity) => faultOf(activity) === undefined);
  // The smallest purchase is one of quota.
  const smallest = product === "plan" ? 1 : smallestPayable(terms);
  const apply = (rules: readonly PromotionRule[]) =>
    promoteQuote(quote, rules, found, smallest, MAX_QUOTA - 1);
  if (found && apply([]).promotions.length === 0) return { fault: "promotion-no-effect" };
  return apply(activities);
};

/** Activities that a user can use for some amount now. */
export const activitiesFor = async (
  tools: PromotionTools,
  user: Pick<User, "id" | "groups">,
): Promise<PromotionRule[]> => {
  const enabled = await tools.read.enabledActivities(MAX_ENABLED_ACTIVITIES);
  if (enabled.length === 0) return [];
  const buyerOf = await readBuyer(tools, user);
  return enabled.filter((rule) => {
    const fault = promotionFault(
      rule,
      buyerOf(rule),
      rule.products[0] ?? "top-up",
      largestFrom(rule),
      tools.now(),
    );
    return fault === undefined || fault === "promotion-below-minimum";
  });
};

const largestFrom = ({ steps }: PromotionRule): number => steps[0]?.from ?? 0;
