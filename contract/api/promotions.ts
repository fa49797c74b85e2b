import * as z from "zod/mini";
import { maybe, wholeNumber } from "../management/wire";
import {
  PROMOTION_EFFECTS,
  PROMOTION_KINDS,
  PROMOTION_UNITS,
  type PromotionEffect,
  type PromotionKind,
  type PromotionUnit,
} from "../payments/promotions";
import { PROMOTION_USE_STATES } from "../records/promotion-record";
import { endpoint, PAGE_PARAMETER, SORT_PARAMETER } from "../resource/endpoint";
import { codecOf, flag, int, text } from "../resource/fields";
import { CLOCK_PARAMETERS } from "../resource/file-parameters";
import type { ListFilter } from "../resource/list-filter";
import { listOf, resource, type ValueOf } from "../resource/resource";
import { MAX_QUOTA } from "../values/quota";
import { promotionStepWire, stepsField } from "./promotion-parts";

/*
 * Promotion codes and recharge activities: /api/promotion/…. Not part of the one-api contract; another server answers
 * these calls with 404.
 */

export const MAX_PROMOTION_NAME = 60;
/** Promotions stored in all, disabled ones included. */
export const MAX_PROMOTIONS = 100_000;
/** Activities that are enabled at the same time. */
export const MAX_ENABLED_ACTIVITIES = 50;
/** Codes that one call creates. */
export const MAX_PROMOTION_COUNT = 1000;
/** Bound of the number of uses. */
export const MAX_PROMOTION_USES = 1_000_000_000;

const kindField = {
  name: "kind",
  strict: z.enum(PROMOTION_KINDS) as z.ZodMiniType<PromotionKind>,
  loose: z.catch(z.enum(PROMOTION_KINDS), "code") as z.ZodMiniType<PromotionKind>,
} as const;
const effectField = {
  name: "effect",
  strict: z.enum(PROMOTION_EFFECTS) as z.ZodMiniType<PromotionEffect>,
  loose: z.catch(z.enum(PROMOTION_EFFECTS), "bonus") as z.ZodMiniType<PromotionEffect>,
} as const;
const unitField = {
  name: "unit",
  strict: z.enum(PROMOTION_UNITS) as z.ZodMiniType<PromotionUnit>,
  loose: z.catch(z.enum(PROMOTION_UNITS), "quota") as z.ZodMiniType<PromotionUnit>,
} as const;

const promotionFields = {
  id: int("id"),
  kind: kindField,
  /** In capitals; "" for an activity. */
  code: text("code"),
  /** Shown to buyers. */
  name: text("name"),
  isEnabled: flag("is_enabled"),
  effect: effectField,
  unit: unitField,
  /** From this much bought quota on, this value: quota, or hundredths of a percent. */
  steps: stepsField("steps"),
  /** Largest effect on one order, in quota; 0 without. */
  maxEffect: int("max_effect"),
  /** A comma list: `top-up`, `plan`, `registration`. */
  products: text("products"),
  /** A comma list of groups; "" for all. */
  groups: text("groups"),
  isFirstOnly: flag("is_first_only"),
  isCombinable: flag("is_combinable"),
  /** Unix seconds; the end is excluded, and 0 for none. */
  startsAt: int("starts_at"),
  endsAt: int("ends_at"),
  /** Bounds of the uses; 0 for none. */
  maxUses: int("max_uses"),
  maxUsesPerUser: int("max_uses_per_user"),
  /** Bound of the sum of all effects, in quota; 0 for none. */
  maxTotal: int("max_total"),
  /** Uses and their effects in quota, open orders included. */
  usedCount: int("used_count"),
  usedTotal: int("used_total"),
  /** Name of the administrator who created it. */
  author: text("author"),
  createdTime: int("created_time"),
  updatedTime: int("updated_time"),
};

/** A promotion, as administrators see it. */
export const promotion = resource(promotionFields);
export type Promotion = ValueOf<typeof promotion>;

const usesNumber = wholeNumber.check(z.maximum(MAX_PROMOTION_USES));
const quotaNumber = wholeNumber.check(z.maximum(MAX_QUOTA));

const settings = {
  name: maybe(z.string()),
  isEnabled: maybe(z.boolean()),
  effect: maybe(z.enum(PROMOTION_EFFECTS)),
  unit: maybe(z.enum(PROMOTION_UNITS)),
  steps: maybe(z.array(promotionStepWire)),
  maxEffect: maybe(quotaNumber),
  products: maybe(z.string()),
  groups: maybe(z.string()),
  isFirstOnly: maybe(z.boolean()),
  isCombinable: maybe(z.boolean()),
  startsAt: maybe(wholeNumber),
  endsAt: maybe(wholeNumber),
  maxUses: maybe(usesNumber),
  maxUsesPerUser: maybe(usesNumber),
  maxTotal: maybe(quotaNumber),
};

/** Changed settings of a promotion; absent and null fields keep their values. */
export const promotionBody = codecOf(promotionFields, settings);
export type PromotionBody = z.output<typeof promotionBody>;

/** A new promotion; `count` above 1 creates that many random codes behind `code` as their beginning. */
export const newPromotionBody = codecOf(
  { ...promotionFields, count: int("count") },
  {
    ...settings,
    kind: z.enum(PROMOTION_KINDS),
    code: maybe(z.string()),
    count: maybe(z.int().check(z.gte(1), z.lte(MAX_PROMOTION_COUNT))),
  },
);

const promotionUse = resource({
  id: int("id"),
  userId: int("user_id"),
  username: text("username"),
  /** "" for a registration. */
  orderNumber: text("order_number"),
  quota: int("quota"),
  state: {
    name: "state",
    strict: z.enum(PROMOTION_USE_STATES),
    loose: z.catch(z.enum(PROMOTION_USE_STATES), "used"),
  } as const,
  createdTime: int("created_time"),
});
export type PromotionUseView = ValueOf<typeof promotionUse>;

export const PROMOTION_SORTS = [
  "id",
  "name",
  "code",
  "starts_at",
  "ends_at",
  "used_count",
  "used_total",
  "created_time",
] as const;
export type PromotionSort = (typeof PROMOTION_SORTS)[number];

export const PROMOTION_FILTERS = { kind: "text", effect: "text" } as const;
export type PromotionFilter = ListFilter<keyof typeof PROMOTION_FILTERS>;

const PROMOTION_PARAMETERS = {
  kind: "Only `code` or `activity`.",
  effect: "Only `bonus` or `discount`.",
  keyword: "A code, or the beginning of a code or a name.",
};

export const listPromotions = endpoint({
  method: "GET",
  path: "/api/promotion/",
  guard: "admin",
  area: "promotions",
  summary: "A page of the promotion codes and activities, the newest first",
  query: { ...PAGE_PARAMETER, ...SORT_PARAMETER, ...PROMOTION_PARAMETERS },
  sorts: PROMOTION_SORTS,
  filters: PROMOTION_FILTERS,
  data: listOf(promotion),
  reads: "promotions",
});

export const exportPromotions = endpoint({
  method: "GET",
  path: "/api/promotion/export",
  guard: "admin",
  area: "promotions",
  summary: "The promotions that match a filter, as a file",
  query: { ...CLOCK_PARAMETERS, ...PROMOTION_PARAMETERS },
  isFile: true,
});

export const getPromotion = endpoint({
  method: "GET",
  path: "/api/promotion/:id",
  guard: "admin",
  area: "promotions",
  summary: "One promotion",
  data: promotion,
  reads: "promotions",
});

export const PROMOTION_USE_SORTS = ["created_time", "quota", "state"] as const;
export type PromotionUseSort = (typeof PROMOTION_USE_SORTS)[number];

export const listPromotionUses = endpoint({
  method: "GET",
  path: "/api/promotion/:id/uses",
  guard: "admin",
  area: "promotions",
  summary: "A page of the uses of a promotion, with user and order, the newest first",
  query: { ...PAGE_PARAMETER, ...SORT_PARAMETER },
  sorts: PROMOTION_USE_SORTS,
  data: listOf(promotionUse),
  reads: "promotion-uses",
});

export const createPromotions = endpoint({
  method: "POST",
  path: "/api/promotion/",
  guard: "admin",
  needsPresence: true,
  area: "promotions",
  summary: "Creates an activity or codes, and returns them; only root creates activities",
  body: newPromotionBody,
  data: listOf(promotion),
  changes: ["promotions", "order-terms", "order-quotes"],
});

export const changePromotion = endpoint({
  method: "PUT",
  path: "/api/promotion/:id",
  guard: "admin",
  needsPresence: true,
  area: "promotions",
  summary: "Changes a promotion for later orders; open orders keep what they reserved",
  body: promotionBody,
  data: promotion,
  changes: ["promotions", "order-terms", "order-quotes"],
});

export const deletePromotion = endpoint({
  method: "DELETE",
  path: "/api/promotion/:id",
  guard: "admin",
  area: "promotions",
  summary: "Deletes a promotion without uses; disable a used one",
  changes: ["promotions", "order-terms", "order-quotes"],
});
