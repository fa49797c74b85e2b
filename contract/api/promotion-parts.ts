import * as z from "zod/mini";
import { looseNumber, looseString } from "../management/wire";
import type { AppliedPromotion, PromotionStep } from "../payments/promotions";

/* Parts of promotions that several resources have. */

/** A step of a promotion: from this much bought quota on, this value applies. */
export const promotionStepWire = z.object({ from: z.int(), value: z.int() });

const step = z.object({ from: looseNumber, value: looseNumber });

/** Steps as a field of a resource. */
export const stepsField = /* @__NO_SIDE_EFFECTS__ */ <const Name extends string>(name: Name) => ({
  name,
  strict: z.array(promotionStepWire) as z.ZodMiniType<readonly PromotionStep[]>,
  loose: z.catch(z.array(step), []) as z.ZodMiniType<readonly PromotionStep[]>,
});

/** A promotion as a quote or an order shows it. */
export const appliedPromotionWire = z.object({
  id: z.int(),
  name: z.string(),
  /** "" for an activity. */
  code: z.string(),
  effect: z.string(),
  quota: z.int(),
  amount: z.int(),
});

const applied = z.object({
  id: looseNumber,
  name: looseString,
  code: looseString,
  effect: z.catch(z.enum(["bonus", "discount"]), "bonus"),
  quota: looseNumber,
  amount: looseNumber,
});

/** The promotions of an order as a field. */
export const appliedField = /* @__NO_SIDE_EFFECTS__ */ <const Name extends string>(name: Name) => ({
  name,
  strict: z.array(z.extend(appliedPromotionWire, { effect: z.enum(["bonus", "discount"]) })) as z.ZodMiniType<
    readonly AppliedPromotion[]
  >,
  loose: z.catch(z.array(applied), []) as z.ZodMiniType<readonly AppliedPromotion[]>,
});
