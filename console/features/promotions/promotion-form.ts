import { MAX_PROMOTION_COUNT, MAX_PROMOTION_NAME, type Promotion } from "@tollgate/contract/api/promotions";
import {
  MAX_BONUS_BASIS_POINTS,
  MAX_DISCOUNT_BASIS_POINTS,
  MAX_PROMOTION_STEPS,
  PROMOTION_EFFECTS,
  PROMOTION_KINDS,
  PROMOTION_UNITS,
  type PromotionEffect,
  type PromotionKind,
  type PromotionUnit,
} from "@tollgate/contract/payments/promotions";
import { splitList } from "@tollgate/contract/values/split-list";
import { toUnixSeconds } from "@tollgate/contract/values/time";
import * as z from "zod/mini";
import { formatTime, parseDate } from "../../lib/format";

/** A step as typed: points of quota; the value is points or a percentage. */
export interface StepFields {
  from: string;
  value: string;
}

/** A promotion as form fields: typed, not yet converted. */
export interface PromotionFields {
  kind: PromotionKind;
  code: string;
  /** Number of codes to create; unused when editing. */
  count: string;
  name: string;
  isEnabled: boolean;
  effect: PromotionEffect;
  unit: PromotionUnit;
  steps: StepFields[];
  maxEffect: string;
  products: string[];
  groups: string[];
  isFirstOnly: boolean;
  isCombinable: boolean;
  /** "" starts it now. */
  startsAt: string;
  /** "" for no end. */
  endsAt: string;
  maxUses: string;
  maxUsesPerUser: string;
  maxTotal: string;
}

export const NEW_PROMOTION: PromotionFields = {
  kind: "code",
  code: "",
  count: "1",
  name: "",
  isEnabled: true,
  effect: "bonus",
  unit: "percent",
  // Without a value: a form that is sent untouched would give money away.
  steps: [{ from: "0", value: "" }],
  maxEffect: "0",
  products: ["top-up"],
  groups: [],
  isFirstOnly: false,
  isCombinable: false,
  startsAt: "",
  endsAt: "",
  maxUses: "0",
  maxUsesPerUser: "1",
  maxTotal: "0",
};

const secondsOf = (text: string): number | undefined => {
  const date = parseDate(text);
  return date && toUnixSeconds(date.getTime());
};

const isTime = (text: string): boolean => text.trim() === "" || secondsOf(text) !== undefined;

const isWhole = (text: string, least: number, most: number): boolean =>
  /^\d{1,16}$/.test(text.trim()) && Number(text) >= least && Number(text) <= most;

const isBound = (text: string): boolean => isWhole(text, 0, Number.MAX_SAFE_INTEGER);

const isCount = (text: string): boolean => isWhole(text, 0, 1_000_000_000);

const HUNDREDTHS = 100;

/** The value of a step as it is sent: quota, or hundredths of a percent; NaN for neither. */
const stepValue = (unit: PromotionUnit, typed: string): number =>
  unit === "quota"
    ? isBound(typed)
      ? Number(typed)
      : Number.NaN
    : /^\d{1,4}(\.\d{1,2})?$/.test(typed.trim())
      ? Math.round(Number(typed) * HUNDREDTHS)
      : Number.NaN;

const areSteps = ({ unit, effect, steps }: Pick<PromotionFields, "unit" | "effect" | "steps">): boolean => {
  const largest = effect === "bonus" ? MAX_BONUS_BASIS_POINTS : MAX_DISCOUNT_BASIS_POINTS;
  const most = unit === "quota" ? Number.MAX_SAFE_INTEGER : largest;
  return (
    steps.length > 0 &&
    steps.length <= MAX_PROMOTION_STEPS &&
    steps.every(({ from, value }, at) => {
      const worth = stepValue(unit, value);
      const isHigher = at === 0 || Number(from) > Number(steps[at - 1]?.from);
      return isBound(from) && isHigher && worth > 0 && worth <= most;
    })
  );
};

const endsLater = ({ startsAt, endsAt }: { startsAt: string; endsAt: string }): boolean => {
  const end = secondsOf(endsAt);
  return end === undefined || end > (secondsOf(startsAt) ?? 0);
};

/** Mistakes are locale keys. */
export const promotionFieldsSchema = z
  .object({
    kind: z.enum(PROMOTION_KINDS),
    code: z.string(),
    count: z.string(),
    name: z.string().check(z.maxLength(MAX_PROMOTION_NAME, "field.tooLong")),
    isEnabled: z.boolean(),
    effect: z.enum(PROMOTION_EFFECTS),
    unit: z.enum(PROMOTION_UNITS),
    steps: z.array(z.object({ from: z.string(), value: z.string() })),
    maxEffect: z.string().check(z.refine(isBound, "promotion.usesInvalid")),
    products: z.array(z.string()).check(z.minLength(1, "promotion.productsMissing")),
    groups: z.array(z.string()),
    isFirstOnly: z.boolean(),
    isCombinable: z.boolean(),
    startsAt: z.string().check(z.refine(isTime, "promotion.timeInvalid")),
    endsAt: z.string().check(z.refine(isTime, "promotion.timeInvalid")),
    maxUses: z.string().check(z.refine(isCount, "promotion.usesInvalid")),
    maxUsesPerUser: z.string().check(z.refine(isCount, "promotion.usesInvalid")),
    maxTotal: z.string().check(z.refine(isBound, "promotion.usesInvalid")),
  })
  .check(
    // A hidden field must not block the form.
    z.refine(({ kind, count }) => kind === "activity" || isWhole(count, 1, MAX_PROMOTION_COUNT), {
      path: ["count"],
      error: "promotion.countInvalid",
    }),
    z.refine(endsLater, { path: ["endsAt"], error: "promotion.endBeforeStart" }),
    z.refine(areSteps, { path: ["steps"], error: "promotion.stepsInvalid" }),
    z.refine(({ kind, name }) => kind === "code" || name.trim() !== "", {
      path: ["name"],
      error: "field.missing",
    }),
  );

export const toPromotionFields = (promotion: Promotion): PromotionFields => ({
  kind: promotion.kind,
  code: promotion.code,
  count: "1",
  name: promotion.name,
  isEnabled: promotion.isEnabled,
  effect: promotion.effect,
  unit: promotion.unit,
  steps: promotion.steps.map(({ from, value }) => ({
    from: String(from),
    value: String(promotion.unit === "quota" ? value : value / HUNDREDTHS),
  })),
  maxEffect: String(promotion.maxEffect),
  products: splitList(promotion.products),
  groups: splitList(promotion.groups),
  isFirstOnly: promotion.isFirstOnly,
  isCombinable: promotion.isCombinable,
  startsAt: formatTime(promotion.startsAt),
  endsAt: formatTime(promotion.endsAt),
  maxUses: String(promotion.maxUses),
  maxUsesPerUser: String(promotion.maxUsesPerUser),
  maxTotal: String(promotion.maxTotal),
});

/** Settings that a new promotion and an edited one have. */
export const toPromotionBody = (fields: PromotionFields) => ({
  name: fields.name.trim(),
  is_enabled: fields.isEnabled,
  effect: fields.effect,
  unit: fields.unit,
  steps: fields.steps.map(({ from, value }) => ({
    from: Number(from),
    value: stepValue(fields.unit, value),
  })),
  max_effect: Number(fields.maxEffect),
  products: fields.products.join(","),
  groups: fields.groups.join(","),
  is_first_only: fields.isFirstOnly,
  is_combinable: fields.isCombinable,
  starts_at: secondsOf(fields.startsAt) ?? 0,
  ends_at: secondsOf(fields.endsAt) ?? 0,
  max_uses: Number(fields.maxUses),
  max_uses_per_user: Number(fields.maxUsesPerUser),
  max_total: Number(fields.maxTotal),
});
