import {
  MAX_PLAN_DURATION,
  MAX_PLAN_TITLE,
  PLAN_BEYONDS,
  PLAN_RESETS,
  PLAN_TIMES,
  type Plan,
  type PlanBeyond,
  type PlanReset,
  type PlanTime,
  type PlanWire,
} from "@tollgate/contract/api/plans";
import { LIMITS } from "@tollgate/contract/management/limits";
import { toWireNames } from "@tollgate/contract/resource/fields";
import { MAX_QUOTA } from "@tollgate/contract/values/quota";
import * as z from "zod/mini";
import {
  changedLimits,
  type LimitFields,
  limitFieldSchemas,
  NO_LIMITS,
  toLimitFields,
} from "../../lib/limit-fields";

/** A plan as form fields: typed, not yet converted. */
export interface PlanFields extends LimitFields {
  title: string;
  description: string;
  price: string;
  durationCount: string;
  durationUnit: PlanTime;
  quota: string;
  reset: PlanReset;
  group: string;
  beyond: PlanBeyond;
  maxPerUser: string;
  sortOrder: string;
  isEnabled: boolean;
}

export const NEW_PLAN: PlanFields = {
  title: "",
  description: "",
  price: "5000000",
  durationCount: "1",
  durationUnit: "month",
  quota: "500000",
  reset: "day",
  group: "",
  beyond: "balance",
  maxPerUser: "0",
  sortOrder: "0",
  isEnabled: true,
  ...NO_LIMITS,
};

const isWhole = (text: string, min: number, max: number): boolean => {
  const number = /^-?\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
  return number >= min && number <= max;
};

const whole = (mistake: string, min: number, max: number) =>
  z.string().check(z.refine((text) => isWhole(text, min, max), mistake));

const MAX_ORDER = 1_000_000;

/** Mistakes are locale keys. */
export const planFieldsSchema = z.object({
  title: z
    .string()
    .check(
      z.refine((title) => title.trim() !== "" && [...title.trim()].length <= MAX_PLAN_TITLE, "field.missing"),
    ),
  description: z.string(),
  price: whole("field.wholeNumber", 0, MAX_QUOTA),
  durationCount: whole("plan.durationInvalid", 1, MAX_PLAN_DURATION),
  durationUnit: z.enum(PLAN_TIMES),
  quota: whole("field.wholeNumber", 0, MAX_QUOTA),
  reset: z.enum(PLAN_RESETS),
  group: z.string().check(z.refine((group) => !group.includes(","), "plan.groupInvalid")),
  beyond: z.enum(PLAN_BEYONDS),
  maxPerUser: whole("field.wholeNumber", 0, MAX_QUOTA),
  sortOrder: whole("plan.orderInvalid", -MAX_ORDER, MAX_ORDER),
  isEnabled: z.boolean(),
  ...limitFieldSchemas,
});

export const toPlanFields = (plan: Plan): PlanFields => ({
  title: plan.title,
  description: plan.description,
  price: String(plan.price),
  durationCount: String(plan.durationCount),
  durationUnit: plan.durationUnit,
  quota: String(plan.quota),
  reset: plan.reset,
  group: plan.group,
  beyond: plan.beyond,
  maxPerUser: String(plan.maxPerUser),
  sortOrder: String(plan.sortOrder),
  isEnabled: plan.isEnabled,
  ...toLimitFields(plan.limits),
});

/** @param before the form's initial fields: limits that stay are not sent. */
export const toPlanBody = (
  fields: PlanFields,
  before: PlanFields,
): Omit<PlanWire, "id" | "created_time"> => ({
  title: fields.title.trim(),
  description: fields.description.trim(),
  price: Number(fields.price),
  duration_unit: fields.durationUnit,
  duration_count: Number(fields.durationCount),
  quota: Number(fields.quota),
  reset: fields.reset,
  group: fields.group.trim(),
  beyond: fields.beyond,
  max_per_user: Number(fields.maxPerUser),
  sort_order: Number(fields.sortOrder),
  is_enabled: fields.isEnabled,
  ...toWireNames(LIMITS, changedLimits(fields, before)),
});
