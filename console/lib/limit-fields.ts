import { LIMITS, type Limits } from "@tollgate/contract/management/limits";
import { MAX_TIME_LIMIT_SECONDS } from "@tollgate/contract/management/time-limits";
import type { LimitsOf } from "@tollgate/contract/resource/limits";
import * as z from "zod/mini";

/** Declared limits as form fields; "" for no limit. */
export type FieldsOf<L> = { [Inner in keyof L]: string };

const isLimit = (text: string): boolean =>
  text.trim() === "" || (/^\d+$/.test(text.trim()) && Number.isSafeInteger(Number(text)));

/** A typed limit. Mistakes are locale keys. */
const limitText = z.string().check(z.refine(isLimit, "field.wholeNumber"));

/** A typed limit of time, at most `max` seconds: 0 would end every request. */
const secondsText = (max: number) =>
  z
    .string()
    .check(
      z.refine(
        (text) => isLimit(text) && (text.trim() === "" || (Number(text) > 0 && Number(text) <= max)),
        "field.seconds",
      ),
    );

const mapped = <L extends object, Value>(limits: L, valueFor: (inner: keyof L) => Value) =>
  Object.fromEntries(Object.keys(limits).map((inner) => [inner, valueFor(inner as keyof L)])) as {
    [Inner in keyof L]: Value;
  };

/** Fields without a limit. */
export const noLimits = <L extends object>(limits: L): FieldsOf<L> => mapped(limits, () => "");

/** Limits in a form's schema. */
export const limitSchemas = <L extends Record<keyof L, { readonly max: number | undefined }>>(limits: L) =>
  mapped(limits, (inner) => {
    const { max } = limits[inner];
    return max === MAX_TIME_LIMIT_SECONDS ? secondsText(max) : limitText;
  });

/** Limits as form fields, set or not. */
export const limitsToFields = <L extends object>(limits: L, values: LimitsOf<NoInfer<L>>): FieldsOf<L> =>
  mapped(limits, (inner) => (values[inner] === undefined ? "" : String(values[inner])));

/** Limits to send: those that differ from `before`, 0 for a removed one. Other servers know none of them. */
export const changedLimitsOf = <L extends object>(
  limits: L,
  fields: FieldsOf<NoInfer<L>>,
  before: FieldsOf<NoInfer<L>>,
): LimitsOf<L> => {
  const numberIn = (of: FieldsOf<L>, inner: keyof L): number => Number(of[inner].trim());
  const changed: LimitsOf<L> = {};
  for (const inner of Object.keys(limits) as (keyof L)[])
    if (numberIn(fields, inner) !== numberIn(before, inner)) changed[inner] = numberIn(fields, inner);
  return changed;
};

/** Limits of a key or a user in a form. */
export interface LimitFields extends FieldsOf<typeof LIMITS> {}
export const RATES = ["rpm", "tpm", "concurrency", "rpd"] as const;
export const BUDGETS = ["dailyQuota", "monthlyQuota"] as const;
export const WINDOW_BUDGETS = ["fiveHourQuota", "weeklyQuota"] as const;
/** Limits that forms show in their collapsed section. */
export const FOLDED_LIMITS = [
  ...RATES,
  ...WINDOW_BUDGETS,
  "windowHours",
  "windowQuota",
  "softBudgets",
  "extraQuota",
] as const;
export const hasFoldedLimits = (fields: LimitFields): boolean =>
  FOLDED_LIMITS.some((name) => fields[name] !== "");
export const NO_LIMITS: LimitFields = noLimits(LIMITS);
/** The two with a maximum are no seconds; the server says at the field what it accepts. */
export const limitFieldSchemas = { ...limitSchemas(LIMITS), windowHours: limitText, softBudgets: limitText };
export const toLimitFields = (limits: Limits = {}): LimitFields => limitsToFields(LIMITS, limits);
export const changedLimits = (fields: LimitFields, before: LimitFields): Limits =>
  changedLimitsOf(LIMITS, fields, before);
