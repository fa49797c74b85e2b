import { MAX_PROMOTION_NAME, type Promotion, type PromotionBody } from "@tollgate/contract/api/promotions";
import {
  MAX_BONUS_BASIS_POINTS,
  MAX_DISCOUNT_BASIS_POINTS,
  MAX_PROMOTION_STEPS,
  PROMOTION_PRODUCTS,
  type PromotionKind,
  type PromotionRule,
  type PromotionStep,
} from "@tollgate/contract/payments/promotions";
import type { PromotionRecord } from "@tollgate/contract/records/promotion-record";
import { MAX_QUOTA } from "@tollgate/contract/values/quota";
import { splitList } from "@tollgate/contract/values/split-list";
import { Failure } from "../failure";
import { checkGroups } from "../sign-in/account-rules";

/** The settings of a promotion, which an administrator chooses. */
export type PromotionSettings = Pick<
  PromotionRule,
  | "name"
  | "isEnabled"
  | "effect"
  | "unit"
  | "steps"
  | "maxEffect"
  | "products"
  | "groups"
  | "isFirstOnly"
  | "isCombinable"
  | "startsAt"
  | "endsAt"
  | "maxUses"
  | "maxUsesPerUser"
  | "maxTotal"
>;

export const NEW_PROMOTION: Omit<PromotionSettings, "name" | "steps"> = {
  isEnabled: true,
  effect: "bonus",
  unit: "percent",
  maxEffect: 0,
  products: ["top-up"],
  groups: [],
  isFirstOnly: false,
  isCombinable: false,
  startsAt: 0,
  endsAt: 0,
  maxUses: 0,
  maxUsesPerUser: 1,
  maxTotal: 0,
};

/** The given settings of a body; absent ones are left out. @throws Failure */
export const readPromotionSettings = ({
  products,
  groups,
  name,
  ...rest
}: PromotionBody): Partial<PromotionSettings> => {
  // Must come first: a longer list than allowed is not split.
  if (groups !== undefined) checkGroups(groups);
  const named = products === undefined ? undefined : splitList(products);
  const known = PROMOTION_PRODUCTS.filter((product) => named?.includes(product));
  if (named && known.length !== new Set(named).size) throw new Failure("promotion-products");
  const given = {
    ...rest,
    name: name?.trim(),
    products: named && known,
    groups: groups === undefined ? undefined : splitList(groups),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
};

/** Bounds of a step's value. */
const largestValue = ({ unit, effect }: PromotionSettings): number =>
  unit === "quota" ? MAX_QUOTA : effect === "bonus" ? MAX_BONUS_BASIS_POINTS : MAX_DISCOUNT_BASIS_POINTS;

const areStepsValid = (steps: readonly PromotionStep[], most: number): boolean =>
  steps.length > 0 &&
  steps.length <= MAX_PROMOTION_STEPS &&
  steps.every(
    ({ from, value }, at) =>
      from >= 0 &&
      from <= MAX_QUOTA &&
      value > 0 &&
      value <= most &&
      (at === 0 || from > (steps[at - 1]?.from ?? 0)),
  );

/** A registration has no purchase: its bonus is a fixed amount without a smallest purchase. */
const isForRegistration = ({ effect, unit, steps, isFirstOnly }: PromotionSettings): boolean =>
  effect === "bonus" && unit === "quota" && steps.length === 1 && steps[0]?.from === 0 && !isFirstOnly;

/** @throws Failure that names the fault. */
export const checkPromotion = (kind: PromotionKind, settings: PromotionSettings): void => {
  const { name, steps, products, effect, startsAt, endsAt } = settings;
  if (name === "" || [...name].length > MAX_PROMOTION_NAME || /\p{Cc}/u.test(name))
    throw new Failure("promotion-name-length", { limit: MAX_PROMOTION_NAME });
  if (!areStepsValid(steps, largestValue(settings)))
    throw new Failure("promotion-steps", {
      limit: MAX_PROMOTION_STEPS,
      percent: largestValue(settings) / 100,
    });
  if (products.length === 0) throw new Failure("promotion-products");
  if (effect === "bonus" && products.includes("plan")) throw new Failure("promotion-bonus-for-plan");
  if (products.includes("registration") && (kind === "activity" || !isForRegistration(settings)))
    throw new Failure("promotion-for-registration");
  if (endsAt !== 0 && endsAt <= startsAt) throw new Failure("promotion-end-before-start");
};

/** A promotion for administrators: lists as texts, without its maker. */
export const shownPromotion = ({
  makerId: _,
  products,
  groups,
  ...promotion
}: PromotionRecord): Promotion => ({
  ...promotion,
  products: products.join(","),
  groups: groups.join(","),
});
